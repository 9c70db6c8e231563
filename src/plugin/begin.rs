//! Cloths begin, begin anew, and end, as their components and meshes change.

use std::collections::HashSet;

use bevy::math::DAffine3;
use bevy::prelude::*;

use super::build::{Built, build, configure};
use super::cloth::{Cloth, ClothShape, ClothStatus};
use super::frames::Frames;
use super::messages::ClothRefused;
use super::pins::{ClothPins, PinnedCloth};
use super::refuse;
use super::rest_mesh::{RestMesh, changed_mesh};
use super::run::{ClothRun, PinnedVertex};
use super::running::Running;
use super::shown::ShownCloth;
use super::steps::ClothSteps;

/// What was refused, so that it is said once.
#[derive(Component)]
pub(super) struct RefusedAs(Cloth, Option<AssetId<Mesh>>);

type ClothQuery<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static Cloth,
        &'static mut ClothStatus,
        Option<&'static Mesh3d>,
        Option<&'static ClothPins>,
        Option<&'static mut Running>,
        Option<&'static RefusedAs>,
    ),
>;

/// Makes cloths of new components, and takes changes over.
pub(super) fn begin_cloths(
    mut commands: Commands,
    mut cloths: ClothQuery,
    mut meshes: ResMut<Assets<Mesh>>,
    mut steps: ResMut<ClothSteps>,
    frames: Frames,
    mut events: MessageReader<AssetEvent<Mesh>>,
    mut refused: MessageWriter<ClothRefused>,
) {
    let changed: HashSet<AssetId<Mesh>> = events.read().filter_map(changed_mesh).collect();
    for (cloth, component, mut status, mesh, pins, mut running, refused_as) in &mut cloths {
        let source = source_of(component, mesh, running.as_deref());
        let is_changed = source.as_ref().is_some_and(|source| changed.contains(&source.id()));
        if let Some(running) = running.as_deref_mut()
            && !running.must_begin_anew(component, source.as_ref())
        {
            if is_changed && let Some(mesh) = source.as_ref().and_then(|source| meshes.get(source)).cloned() {
                if running.takes_mesh(mesh, &mut meshes) {
                    running.follow(cloth, component, pins, &mut status, &meshes, &frames, &mut refused);
                    continue;
                }
            } else {
                running.follow(cloth, component, pins, &mut status, &meshes, &frames, &mut refused);
                continue;
            }
        }
        let id = source.as_ref().map(Handle::id);
        if refused_as.is_some_and(|RefusedAs(known, mesh)| known == component && *mesh == id) && !is_changed {
            continue;
        }
        let mesh = source.as_ref().and_then(|source| meshes.get(source));
        if source.is_some() && mesh.is_none() {
            // it is still on its way
            status.set_if_neq(ClothStatus::Waiting);
            continue;
        }
        let Some(frame) = frames.of(cloth) else { continue };
        match build(component, mesh, frame) {
            Err(fault) => {
                refuse(&mut refused, cloth, fault);
                status.set_if_neq(ClothStatus::Refused);
                commands.entity(cloth).remove::<Running>().insert(RefusedAs(component.clone(), id));
            }
            Ok(built) => {
                let mut running =
                    Running::begin(built, component.clone(), source, &mut meshes, steps.next_generation());
                running.pin(cloth, pins, &meshes, &frames, &mut refused);
                status.set_if_neq(ClothStatus::Moving);
                commands.entity(cloth).remove::<RefusedAs>().insert((Mesh3d(running.output.clone()), running));
            }
        }
    }
}

/// The mesh that a cloth is made from: that of its entity, or where this shows the cloth already, the
/// one that was there before.
fn source_of(cloth: &Cloth, mesh: Option<&Mesh3d>, running: Option<&Running>) -> Option<Handle<Mesh>> {
    if cloth.shape != ClothShape::Mesh3d {
        return None;
    }
    let shows = |running: &&Running| mesh.is_some_and(|mesh| mesh.0 == running.output) && !running.is_replaced;
    match running.filter(shows) {
        Some(running) => running.source.clone(),
        // without one the fault is told when the cloth is built
        None => mesh.map(|mesh| mesh.0.clone()),
    }
}

/// Gives the entity of a cloth that is none any more the mesh back that it was made from.
pub(super) fn end_cloths(
    mut commands: Commands,
    mut removed: RemovedComponents<Cloth>,
    mut running: Query<(&mut Running, Option<&Mesh3d>), Without<Cloth>>,
) {
    for cloth in removed.read() {
        // it may be there again, or the entity may be gone
        let Ok((mut running, mesh)) = running.get_mut(cloth) else { continue };
        let shows = mesh.is_some_and(|mesh| mesh.0 == running.output);
        let mut entity = commands.entity(cloth);
        entity.try_remove::<Running>();
        match running.source.take() {
            Some(source) if shows => _ = entity.try_insert(Mesh3d(source)),
            None if shows => _ = entity.try_remove::<Mesh3d>(),
            _ => {}
        }
    }
}

impl Running {
    fn begin(
        built: Built,
        applied: Cloth,
        source: Option<Handle<Mesh>>,
        meshes: &mut Assets<Mesh>,
        generation: u64,
    ) -> Self {
        let Built { run, rest, mesh, pinned, base } = built;
        Self {
            shown: ShownCloth::new(&run.simulation, &rest, run.first_frame()),
            run: Some(Box::new(run)),
            generation,
            applied,
            pinned: None,
            base,
            pinned_by_scene: pinned,
            rest,
            source,
            output: meshes.add(mesh),
            is_replaced: false,
            holders: Vec::new(),
            ticks: 0,
            spans: [1; 2],
            is_drawn: false,
            report: None,
            has_failed: false,
            is_lost: false,
            is_known_slow: false,
        }
    }

    /// Whether the cloth is made from something else than before.
    fn must_begin_anew(&self, cloth: &Cloth, source: Option<&Handle<Mesh>>) -> bool {
        let is_lost = self.is_lost && *cloth != self.applied;
        self.is_replaced || is_lost || cloth.shape != self.applied.shape || source != self.source.as_ref()
    }

    /// Shows the cloth in a changed mesh, if its vertices and triangles are the same.
    fn takes_mesh(&mut self, mesh: Mesh, meshes: &mut Assets<Mesh>) -> bool {
        if !RestMesh::of_mesh(&mesh).is_ok_and(|rest| rest == self.rest) {
            return false;
        }
        self.shown.show_in_another();
        // the pins may be painted on it
        self.pinned = None;
        meshes.insert(&self.output, super::build::with_normals(mesh)).is_ok()
    }

    /// Takes changes of the components over, as soon as no step is under way.
    #[expect(clippy::too_many_arguments, reason = "what a system has")]
    fn follow(
        &mut self,
        cloth: Entity,
        component: &Cloth,
        pins: Option<&ClothPins>,
        status: &mut ClothStatus,
        meshes: &Assets<Mesh>,
        frames: &Frames,
        refused: &mut MessageWriter<ClothRefused>,
    ) {
        let Some(run) = &mut self.run else { return };
        if *component != self.applied {
            if let Err(error) = configure(run, component, &self.base) {
                refuse(refused, cloth, error.to_string());
            }
            self.applied = component.clone();
            if std::mem::take(&mut self.has_failed) {
                *status = ClothStatus::Moving;
            }
        }
        if self.pinned.as_ref() != pins {
            self.pin(cloth, pins, meshes, frames, refused);
        }
    }

    /// Finds the vertices of all pins, and pins them where they are.
    fn pin(
        &mut self,
        cloth: Entity,
        pins: Option<&ClothPins>,
        meshes: &Assets<Mesh>,
        frames: &Frames,
        refused: &mut MessageWriter<ClothRefused>,
    ) {
        let Some(run) = &mut self.run else { return };
        self.pinned = pins.cloned();
        self.holders.clear();
        let mut held = Held { run, holders: &mut self.holders, frames: Vec::new(), pins: Vec::new() };
        if !self.pinned_by_scene.is_empty() {
            held.add(cloth, &self.pinned_by_scene, frames).unwrap_or_else(|fault| refuse(refused, cloth, fault));
        }
        let mesh = self.source.as_ref().and_then(|source| meshes.get(source)).or_else(|| meshes.get(&self.output));
        for pin in pins.iter().flat_map(|pins| &pins.0) {
            let Some(mesh) = mesh else { break };
            let holder = pin.to.unwrap_or(cloth);
            let positions = &held.run.simulation.state.cloth.positions;
            let pinned = PinnedCloth { positions, vertices: &self.rest.vertices, mesh };
            let origin = frames.of(holder).map(|frame| frame.translation).unwrap_or_default();
            let added = pinned.find(&pin.vertices, origin).and_then(|found| held.add(holder, &found, frames));
            added.unwrap_or_else(|fault| refuse(refused, cloth, fault));
        }
        let Held { frames: mut all, pins, run, .. } = held;
        if all.is_empty() {
            all.push(frames.of(cloth).unwrap_or(run.first_frame()));
        }
        run.pin(pins, all);
        self.shown.frames = [run.first_frame(); 2];
    }
}

/// Pins as they are found.
struct Held<'a> {
    run: &'a mut ClothRun,
    holders: &'a mut Vec<Entity>,
    frames: Vec<DAffine3>,
    pins: Vec<PinnedVertex>,
}

impl Held<'_> {
    /// Adds vertices that `holder` holds.
    ///
    /// # Errors
    /// A sentence if it cannot hold anything.
    fn add(&mut self, holder: Entity, vertices: &[u32], frames: &Frames) -> Result<(), String> {
        let frame = frames.of(holder).ok_or("the entity that pins lead to is gone, or has no transform")?;
        let inverse = frame.inverse();
        if !inverse.is_finite() {
            return Err("the entity that pins lead to is scaled to nothing".to_owned());
        }
        let number = self.holders.iter().position(|known| *known == holder).unwrap_or_else(|| {
            self.holders.push(holder);
            self.frames.push(frame);
            self.holders.len() - 1
        });
        for &vertex in vertices {
            let local = inverse.transform_point3(self.run.simulation.state.cloth.positions[vertex as usize]);
            // the first pin of a vertex counts
            if !self.pins.iter().any(|pin| pin.vertex == vertex) {
                self.pins.push(PinnedVertex { vertex, holder: number, local });
            }
        }
        Ok(())
    }
}
