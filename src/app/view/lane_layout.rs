//! Where the cloths of the lanes stand: side by side, or all in one place as webs of lines.
//!
//! The chosen lane stands where its scene has it, and the others beside it in the order of their
//! places. When another lane is chosen all moves by whole places, and the camera with it, so that
//! nothing moves on the screen.

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::ViewState;
use super::axis_views::ANGLE;
use super::cloths::draw;
use super::colliders::{ColliderLooks, ColliderMesh};
use super::displayed::{Cloth, Displayed};
use super::scene::{ClothView, MainCamera};
use super::shot::Shot;
use crate::app::session::SessionHandle;
use crate::scene::bounds;
use crate::sim::Vec3 as SimVec3;

/// Distance from lane to lane as a multiple of the extent of one.
const SPACING: f32 = 1.12;
/// Share of the view's width that the lanes take.
const SHARE: f32 = 0.9;
/// Colours of the lanes, told apart by all eyes (after Okabe and Ito).
const TINTS: [[f32; 3]; 4] = [[0.84, 0.37, 0.0], [0.0, 0.45, 0.70], [0.0, 0.62, 0.45], [0.80, 0.47, 0.65]];

/// How lanes are shown.
#[derive(Default)]
pub struct LaneLayout {
    /// Whether all are drawn in the same place.
    pub overlaid: bool,
    /// The way from one to the next, and the width of one [m].
    step: Vec3,
    extent: f32,
    /// The view's right when they were placed.
    right: Vec3,
    /// The chosen lane when the cloths were placed last, and how many there were.
    slot: usize,
    count: usize,
    /// Whether they were in the same place then.
    were_overlaid: bool,
    /// Where the name of each lane is to stand in the window [logical pixels].
    pub labels: Vec<(usize, Vec2)>,
}

/// The colour of a lane, in sRGB.
#[must_use]
pub fn tint(slot: usize) -> [f32; 3] {
    TINTS[slot % TINTS.len()]
}

impl LaneLayout {
    /// Where a lane stands, as seen from the chosen one [m].
    #[must_use]
    pub fn offset(&self, slot: usize) -> Vec3 {
        if self.overlaid { Vec3::ZERO } else { self.step * (slot as f32 - self.slot as f32) }
    }

    /// The way from one of several lanes to the next [m]: zero if all are drawn in the same place,
    /// none of one alone.
    #[must_use]
    pub fn step(&self) -> Option<Vec3> {
        (self.count > 1).then_some(if self.overlaid { Vec3::ZERO } else { self.step })
    }

    /// Places lanes as another window has them: [`step`](Self::step).
    pub fn place(&mut self, step: Vec3) {
        (self.step, self.overlaid) = (step, step == Vec3::ZERO);
    }

    /// The middle of all lanes, as seen from the chosen one [m].
    fn middle(&self) -> Vec3 {
        // none have been placed where there is only one
        let last = self.count.max(1) as f32 - 1.0;
        if self.were_overlaid { Vec3::ZERO } else { self.step * (0.5 * last - self.slot as f32) }
    }

    /// Stands the lanes side by side across the view that has `right` to the right, along the
    /// nearer axis.
    pub fn stand_across(&mut self, right: Vec3, session: &SessionHandle) {
        let axis = if right.x.abs() >= right.z.abs() { Vec3::X * right.x.signum() } else { Vec3::Z * right.z.signum() };
        self.extent = extent(session);
        self.step = axis * SPACING * self.extent;
        self.right = right.with_y(0.0).normalize_or(axis);
    }

    /// Target and distance of a camera [m] with all lanes in a view, if one is in it with `focus`
    /// and `distance`; `wide` is the view's width over its height.
    #[must_use]
    pub fn widened(&self, focus: Vec3, distance: f32, wide: f32) -> (Vec3, f32) {
        if self.were_overlaid || self.count < 2 {
            return (focus + self.middle(), distance);
        }
        // half the way between the outer middles: aside, and towards the camera
        let half = 0.5 * (self.count as f32 - 1.0) * self.step;
        let (aside, nearer) = (half.dot(self.right), half.dot(self.right.cross(Vec3::Y)));
        let reach = aside + 0.5 * self.extent;
        let distance = distance.max(reach / (SHARE * (0.5 * ANGLE).tan() * wide));
        // the nearer half is seen larger: both ends are as far from the middle of the view
        let shift = reach * nearer / distance * self.right;
        (focus + self.middle() + shift, distance)
    }
}

/// A collider that is drawn once more for another lane.
#[derive(Component)]
struct LaneCollider {
    of: Entity,
    slot: usize,
}

pub(in crate::app) fn plugin(app: &mut App) {
    app.add_systems(RunFixedMainLoop, lay_out.before(draw).in_set(RunFixedMainLoopSystems::AfterFixedMainLoop))
        .add_systems(Update, (place_colliders, draw_webs, name_lanes));
}

/// Finds the places of the lanes. All of them are in view when there are more or fewer, and nothing
/// moves on the screen when another is chosen.
fn lay_out(
    (session, view): (Res<SessionHandle>, Res<ClothView>),
    mut state: ResMut<ViewState>,
    mut cameras: Query<(&mut PanOrbitCamera, &GlobalTransform), With<MainCamera>>,
) {
    let layout = &mut state.lanes;
    let Ok((mut camera, place)) = cameras.single_mut() else { return };
    let (count, slot) = (session.lane_count(), session.chosen_lane());
    let is_same = (count, layout.overlaid) == (layout.count, layout.were_overlaid);
    if is_same && slot == layout.slot {
        return;
    }
    let (one, wide) = (Shot::of_scene(session.frame()).distance, view.wide());
    let (before, distance) = layout.widened(Vec3::ZERO, one, wide);
    if count > 1 && layout.count <= 1 {
        layout.stand_across(*place.right(), &session);
    }
    (layout.slot, layout.count, layout.were_overlaid) = (slot, count, layout.overlaid);
    let (after, new_distance) = layout.widened(Vec3::ZERO, one, wide);
    let way = after - before;
    camera.target_focus += way;
    if is_same {
        // at once
        camera.focus += way;
    } else {
        camera.target_radius *= new_distance / distance;
    }
    camera.force_update = true;
}

/// Width of the contents of a lane [m].
fn extent(session: &SessionHandle) -> f32 {
    let frame = session.frame();
    let table = frame.parameters.table;
    let table = if table.table { table.table_width } else { 0.0 };
    frame.pattern.size().max(table) as f32
}

/// A collider of the chosen lane.
type Original<'a> = (Entity, &'a Transform, &'a Mesh3d);

/// The colliders stand in every lane.
fn place_colliders(
    session: Res<SessionHandle>,
    state: Res<ViewState>,
    originals: Query<Original, (With<ColliderMesh>, Without<LaneCollider>)>,
    mut copies: Query<(Entity, &LaneCollider, &mut Transform), Without<ColliderMesh>>,
    looks: Res<ColliderLooks>,
    mut commands: Commands,
) {
    let (chosen, layout) = (session.chosen_lane(), &state.lanes);
    let slots: Vec<usize> = (0..session.lane_count()).filter(|slot| *slot != chosen && !layout.overlaid).collect();
    let moved = |place: &Transform, slot| Transform { translation: place.translation + layout.offset(slot), ..*place };
    for (entity, copy, mut transform) in &mut copies {
        match originals.get(copy.of).ok().filter(|_| slots.contains(&copy.slot)) {
            Some((_, place, _)) => drop(transform.set_if_neq(moved(place, copy.slot))),
            None => commands.entity(entity).despawn(),
        }
    }
    for (of, place, mesh) in &originals {
        for &slot in &slots {
            if !copies.iter().any(|(_, copy, _)| copy.of == of && copy.slot == slot) {
                commands.spawn((LaneCollider { of, slot }, mesh.clone(), looks.of(false), moved(place, slot)));
            }
        }
    }
}

/// Lanes that are drawn in the same place are told apart by their edges.
fn draw_webs(
    session: Res<SessionHandle>,
    state: Res<ViewState>,
    cloths: Query<(&Cloth, &Displayed)>,
    mut gizmos: Gizmos,
) {
    if !state.lanes.overlaid || session.lane_count() < 2 {
        return;
    }
    for (cloth, displayed) in &cloths {
        let [r, g, b] = tint(cloth.slot);
        let at = |vertex: u32| displayed.positions.get(vertex as usize).map(|x| x.as_vec3());
        for &[from, to] in displayed.edges() {
            if let (Some(from), Some(to)) = (at(from), at(to)) {
                gizmos.line(from, to, Color::srgba(r, g, b, 0.8));
            }
        }
    }
}

/// Finds where the names of the lanes stand: above their cloths.
fn name_lanes(
    session: Res<SessionHandle>,
    cloths: Query<(&Cloth, &Displayed)>,
    camera: Single<(&Camera, &GlobalTransform), With<MainCamera>>,
    view: Res<ClothView>,
    mut state: ResMut<ViewState>,
) {
    let (camera, place) = *camera;
    let layout = &mut state.lanes;
    layout.labels.clear();
    if session.lane_count() < 2 || layout.overlaid || view.0.is_empty() {
        return;
    }
    for (cloth, displayed) in &cloths {
        let (low, high) = bounds(&displayed.positions);
        let top = SimVec3::new(0.5 * (low.x + high.x), high.y, 0.5 * (low.z + high.z)).as_vec3();
        if let Ok(at) = camera.world_to_viewport(place, top + layout.offset(cloth.slot)) {
            layout.labels.push((cloth.slot, at));
        }
    }
}
