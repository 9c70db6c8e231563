//! The cloths on the screen, one for each lane: meshes whose vertices follow the simulation.

use bevy::app::RunFixedMainLoopSystems;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::ecs::system::SystemParam;
use bevy::picking::mesh_picking::ray_cast::RayCastBackfaces;
use bevy::prelude::*;

use super::ViewState;
use super::cloth_material::{ClothMaterial, follow_fabric, new_materials};
use super::colliders::{ColliderMesh, CollidersPlaced};
use super::contact_shadow::Caster;
use super::displayed::{ChosenCloth, Cloth, Displayed};
use super::lighting::Studio;
use super::paint_quantity::PaintQuantity;
use super::painted_values::painted_values;
use super::printed::Printed;
use super::shading::{Graded, Lit};
use crate::app::session::{LaneView, SessionHandle};
use crate::app::window::preferences::{CurrentQuality, Quality};
use crate::session::LaneState;

pub(super) fn plugin(app: &mut App) {
    // the colliders shade the cloths where they are in this frame
    let systems = (spawn, interpolate.before(CollidersPlaced), measure, draw.after(CollidersPlaced));
    app.add_systems(RunFixedMainLoop, systems.chain().in_set(RunFixedMainLoopSystems::AfterFixedMainLoop));
}

/// The lane of a cloth, if it is still there.
fn lane_of<'a>(lanes: &'a [LaneView<'a>], cloth: &Cloth) -> Option<&'a LaneView<'a>> {
    lanes.iter().find(|lane| lane.number == cloth.lane)
}

/// Makes a cloth for every lane that has none, and takes away those of lanes that are gone.
fn spawn(
    session: Res<SessionHandle>,
    mut cloths: Query<(Entity, &mut Cloth)>,
    mut materials: ResMut<Assets<Lit<ClothMaterial>>>,
    mut commands: Commands,
) {
    let lanes = session.lanes();
    for (entity, mut cloth) in &mut cloths {
        match lane_of(&lanes, &cloth) {
            Some(lane) => (cloth.slot, cloth.is_chosen) = (lane.slot, lane.is_chosen),
            None => commands.entity(entity).despawn(),
        }
    }
    for lane in lanes.iter().filter(|lane| cloths.iter().all(|(_, cloth)| cloth.lane != lane.number)) {
        // the mesh follows with the first state
        commands.spawn((
            Cloth { lane: lane.number, slot: lane.slot, is_chosen: lane.is_chosen },
            Displayed::default(),
            new_materials(&mut materials),
            Transform::default(),
            Visibility::default(),
            RayCastBackfaces,
            NoAutoAabb,
            Aabb::default(),
        ));
    }
}

/// Between two states while ticks are longer than frames; the last state when time stands still or
/// is behind.
fn interpolate(
    mut session: ResMut<SessionHandle>,
    fixed: Res<Time<Fixed>>,
    mut cloths: Query<(&Cloth, &mut Displayed)>,
) {
    // while a step is at work, the last one that is finished stays
    let still = session.paused() || session.bypass_change_detection().is_busy();
    let fraction = if still { 1.0 } else { fixed.overstep_fraction_f64() };
    let lanes = session.lanes();
    for (cloth, mut displayed) in &mut cloths {
        let Some(LaneView { frame, .. }) = lane_of(&lanes, cloth) else { continue };
        let time = session.drawn_time(frame, fraction);
        displayed.positions.clear();
        // the ruins of a blow-up would fill the view
        match frame.failure.as_ref().and_then(|failure| failure.last_good(&frame.positions)) {
            Some(good) => displayed.positions.extend(good.iter().map(|x| *x - frame.pattern.origin())),
            None => {
                let positions = LaneState::from(&***frame).positions_at(time);
                displayed.positions.extend(positions.iter().map(|x| *x - frame.pattern.origin()));
            }
        }
        displayed.time = time;
    }
}

/// Takes the values that are painted on the chosen cloth: the scale and its legend are about them.
fn measure(session: Res<SessionHandle>, chosen: ChosenCloth, mut state: ResMut<ViewState>) {
    let of = (&*session, session.chosen_lane());
    let values = painted_values(state.painting.quantity(), of, session.frame(), &chosen.positions);
    state.painting.take(values);
}

/// Light and colliders, which shade a cloth.
#[derive(SystemParam)]
pub(super) struct Shadowing<'w, 's> {
    quality: Res<'w, CurrentQuality>,
    studio: Res<'w, Studio>,
    solids: Query<'w, 's, (&'static Caster, &'static Transform), With<ColliderMesh>>,
}

impl Shadowing<'_, '_> {
    /// Unit vector towards the light, and points of the colliders [m] with their areas [m²]; none
    /// where shadow maps are drawn.
    fn casts(&self) -> Option<(Vec3, impl Iterator<Item = (Vec3, f32)>)> {
        let solids = self.solids.iter().flat_map(|(caster, place)| caster.points(place));
        (self.quality.0 == Quality::Low).then(|| (self.studio.key(), solids))
    }
}

/// Paint, pictures, materials and shadows of the cloths.
#[derive(SystemParam)]
pub(super) struct Looks<'w, 's> {
    state: Res<'w, ViewState>,
    printed: Res<'w, Printed>,
    materials: ResMut<'w, Assets<Lit<ClothMaterial>>>,
    shadowing: Shadowing<'w, 's>,
}

/// The parts of a cloth.
pub(super) type Parts<'a> = (
    Entity,
    &'a Cloth,
    &'a mut Displayed,
    &'a Graded<ClothMaterial>,
    Option<&'a Mesh3d>,
    (&'a mut Aabb, &'a mut Transform, &'a mut Visibility),
);

/// Brings meshes and materials after the cloths as they are displayed.
pub(super) fn draw(
    session: Res<SessionHandle>,
    mut looks: Looks,
    mut meshes: ResMut<Assets<Mesh>>,
    mut cloths: Query<Parts, Without<ColliderMesh>>,
    mut commands: Commands,
) {
    let (lanes, ViewState { painting, lanes: layout, .. }) = (session.lanes(), &*looks.state);
    for (entity, cloth, mut displayed, graded, drawn, (mut bounds, mut transform, mut visibility)) in &mut cloths {
        let Some(LaneView { frame, .. }) = lane_of(&lanes, cloth) else { continue };
        let is_new = displayed.prepare(frame);
        displayed.follow(&frame.pattern);
        if let Some((light, solids)) = looks.shadowing.casts() {
            displayed.shade(light, solids);
        }
        let own;
        let values = if cloth.is_chosen {
            &painting.values
        } else {
            own = painted_values(painting.quantity(), (&*session, cloth.slot), frame, &displayed.positions);
            &own
        };
        let colour = |value: &f64| painting.colour(*value).to_f32_array();
        let is_painted = !values.is_empty() && values.len() == displayed.positions.len();
        let painted = is_painted.then(|| values.iter().map(colour).collect());
        if is_new {
            let mut mesh = displayed.new_mesh(frame);
            displayed.paint(&mut mesh, frame, painted);
            commands.entity(entity).try_insert(Mesh3d(meshes.add(mesh)));
        } else if let Some(mut mesh) = drawn.and_then(|drawn| meshes.get_mut(&drawn.0)) {
            displayed.write(&mut mesh);
            displayed.paint(&mut mesh, frame, painted);
        }
        let picture = looks.printed.image.as_ref().map(|image| (image, displayed.size()));
        follow_fabric(graded, frame, picture, painting.quantity() != PaintQuantity::Cloth, &mut looks.materials);
        if let Some(around) = Aabb::enclosing(displayed.positions.iter().map(|x| x.as_vec3())) {
            *bounds = around;
        }
        transform.set_if_neq(Transform::from_translation(layout.offset(cloth.slot)));
        let is_hidden = layout.overlaid && !cloth.is_chosen;
        visibility.set_if_neq(if is_hidden { Visibility::Hidden } else { Visibility::Inherited });
    }
}
