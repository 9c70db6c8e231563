//! Marks on the cloth: pins, the vertex under the pointer, the vertex in the hand and the line to
//! the cursor, the line of a cut, the triangles that intersect; and the collider under it.

use bevy::camera::visibility::RenderLayers;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

use super::pointer::Gesture;
use crate::app::picking::Pointer;
use crate::app::probes::{Probes, colour};
use crate::app::session::{LaneView, SessionHandle};
use crate::app::view::ViewState;
use crate::app::view::colliders::{ColliderLooks, ColliderMesh, Paint};
use crate::app::view::displayed::{ChosenCloth, Cloth, Displayed};
use crate::app::view::lane_layout::LaneLayout;
use crate::app::view::scene::{MARKS, SeenThrough, Viewpoint};
use crate::app::view::shading::Graded;
use crate::app::window::preferences::{Backdrop, CurrentBackdrop};
use crate::sim::measure::MOST_PROBES;

const HOVERED: Color = Color::srgb(1.0, 0.80, 0.30);
/// Pins on the light stage and on the dark one.
const PINNED: [[f32; 3]; 2] = [[0.13, 0.14, 0.17], [0.88, 0.89, 0.92]];
const HELD: Color = Color::srgb(0.10, 0.45, 0.80);
const WIRE: Color = Color::srgba(0.05, 0.05, 0.08, 0.35);
/// Opacity of the ring around a pin.
const RING: f32 = 0.30;
const LEFT: Color = Color::srgba(0.25, 0.45, 0.75, 0.30);
/// Most lines of the future that was left.
const MOST_GHOST: usize = 20_000;
const CUT: Color = Color::srgb(0.08, 0.08, 0.10);
const INTERSECTING: Color = Color::srgb(1.0, 0.1, 0.1);
/// Most pairs of triangles that are marked.
const MOST_MARKED: usize = 2000;
/// Radius of a marker as a share of its distance from the camera.
const SIZE: f32 = 0.0055;

/// A ball that marks a vertex. The balls are a pool: each frame uses as many as there are marks.
#[derive(Component)]
pub struct Marker;

/// Whether pins are marked.
#[derive(Resource)]
pub struct PinBeads(pub bool);

impl Default for PinBeads {
    fn default() -> Self {
        Self(true)
    }
}

/// Colour of pins on a stage, as red, green and blue of sRGB.
#[must_use]
pub const fn pin_colour(stage: Backdrop) -> [f32; 3] {
    PINNED[stage as usize]
}

#[derive(Resource)]
struct Looks {
    ball: Handle<Mesh>,
    hovered: Handle<StandardMaterial>,
    pinned: Handle<StandardMaterial>,
    held: Handle<StandardMaterial>,
    /// Of the vertices that are looked at, by their places.
    probed: [Handle<StandardMaterial>; MOST_PROBES],
}

/// Lines that are seen through the cloth.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Through;

pub(in crate::app) fn plugin(app: &mut App) {
    app.init_resource::<Gesture>()
        .init_resource::<PinBeads>()
        .init_gizmo_group::<Through>()
        .add_systems(Startup, (prepare, see_through))
        .add_systems(
            Update,
            (
                follow_stage,
                draw_pins,
                draw_left_future,
                place_balls,
                light_up_collider,
                draw_line,
                draw_cut,
                draw_intersections,
                draw_wires,
            ),
        );
}

fn prepare(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let mut glow = |color: Color| materials.add(StandardMaterial { base_color: color, unlit: true, ..default() });
    commands.insert_resource(Looks {
        ball: meshes.add(Sphere::new(1.0)),
        hovered: glow(HOVERED),
        pinned: glow(srgb(pin_colour(Backdrop::Light))),
        held: glow(HELD),
        probed: std::array::from_fn(|place| {
            let [r, g, b] = colour(place);
            glow(Color::srgb_u8(r, g, b))
        }),
    });
}

fn srgb([r, g, b]: [f32; 3]) -> Color {
    Color::srgb(r, g, b)
}

/// Gives pins the colour of the stage.
fn follow_stage(stage: Res<CurrentBackdrop>, looks: Res<Looks>, mut materials: ResMut<Assets<StandardMaterial>>) {
    if stage.is_changed()
        && let Some(mut material) = materials.get_mut(&looks.pinned)
    {
        material.base_color = srgb(pin_colour(stage.0));
    }
}

fn see_through(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<Through>();
    config.depth_bias = -1.0;
    config.line.width = 1.0;
    config.render_layers = RenderLayers::layer(MARKS);
}

/// A faint ring around each pin, which is seen through folds before it.
fn draw_pins(
    session: Res<SessionHandle>,
    (beads, stage): (Res<PinBeads>, Res<CurrentBackdrop>),
    displayed: ChosenCloth,
    camera: Viewpoint,
    mut gizmos: Gizmos<Through>,
) {
    if !beads.0 {
        return;
    }
    let ring = srgb(pin_colour(stage.0)).with_alpha(RING);
    for &(vertex, _) in session.frame().pins.iter().take(MOST_MARKED) {
        let Some(at) = displayed.positions.get(vertex as usize).map(|at| at.as_vec3()) else { continue };
        let radius = 0.9 * SIZE * camera.distance(at);
        gizmos.circle(Isometry3d::new(at, camera.transform().rotation()), radius, ring).resolution(12);
    }
}

/// The future that was left, as a web of lines where the cloth was in it at this time.
fn draw_left_future(session: Res<SessionHandle>, displayed: ChosenCloth, mut gizmos: Gizmos<Through>) {
    let frame = session.frame();
    let Some(ghost) = frame.ghost.as_ref().filter(|ghost| **ghost != frame.positions) else { return };
    if ghost.len() != displayed.positions.len() {
        return;
    }
    let origin = frame.pattern.origin();
    let every = displayed.edges().len().div_ceil(MOST_GHOST).max(1);
    for &[a, b] in displayed.edges().iter().step_by(every) {
        let [from, to] = [a, b].map(|vertex| (ghost[vertex as usize] - origin).as_vec3());
        gizmos.line(from, to, LEFT);
    }
}

/// Sources of the marked vertices.
#[derive(bevy::ecs::system::SystemParam)]
struct Marked<'w> {
    session: Res<'w, SessionHandle>,
    pointer: Res<'w, Pointer>,
    // pictures without a window have none
    probes: Option<Res<'w, Probes>>,
    state: Res<'w, ViewState>,
    beads: Res<'w, PinBeads>,
}

fn place_balls(
    marked: Marked,
    displayed: ChosenCloth,
    looks: Res<Looks>,
    camera: Viewpoint,
    cloths: Query<(&Cloth, &Displayed)>,
    mut pool: Query<(&mut Transform, &mut Visibility, &mut MeshMaterial3d<StandardMaterial>), With<Marker>>,
    mut commands: Commands,
) {
    let Marked { session, pointer, probes, state, beads } = marked;
    let pins = session.frame().pins.iter().filter(|_| beads.0).map(|pin| (pin.0, 0.75, &looks.pinned));
    let hovered = pointer.hovered.map(|vertex| (vertex, 1.3, &looks.hovered));
    let held = session.frame().grab.map(|grab| (grab.vertex, 1.3, &looks.held));
    let mut balls = pool.iter_mut();
    let all = probes.iter().flat_map(|probes| probes.all());
    let probed = all.map(|(place, probe)| (probe.vertex, 1.0, &looks.probed[place]));
    let own =
        pins.chain(probed).chain(hovered).chain(held).filter_map(|(vertex, scale, look)| {
            Some((displayed.positions.get(vertex as usize)?.as_vec3(), scale, look))
        });
    let lanes = session.lanes();
    let others = pins_of_others(&lanes, &cloths, &state.lanes).filter(|_| beads.0);
    for (at, scale, look) in own.chain(others.map(|at| (at, 0.75, &looks.pinned))) {
        let share = scale * SIZE;
        // towards the camera, so that the cloth does not swallow half of it
        let transform =
            Transform::from_translation(camera.before(at, share)).with_scale(Vec3::splat(share * camera.distance(at)));
        if let Some((mut place, mut visibility, mut material)) = balls.next() {
            *place = transform;
            *visibility = Visibility::Inherited;
            if material.0 != *look {
                material.0 = look.clone();
            }
        } else {
            commands.spawn((
                (Marker, SeenThrough, RenderLayers::layer(MARKS)),
                Mesh3d(looks.ball.clone()),
                MeshMaterial3d(look.clone()),
                transform,
                NotShadowCaster,
            ));
        }
    }
    for (_, mut visibility, _) in balls {
        *visibility = Visibility::Hidden;
    }
}

/// Where the pins of the lanes are that are not chosen.
fn pins_of_others<'a>(
    lanes: &'a [LaneView],
    cloths: &'a Query<(&Cloth, &Displayed)>,
    layout: &'a LaneLayout,
) -> impl Iterator<Item = Vec3> + 'a {
    let beside = lanes.iter().filter(|lane| !lane.is_chosen && !layout.overlaid);
    beside.filter_map(|lane| Some((lane, cloths.iter().find(|(cloth, _)| cloth.slot == lane.slot)?))).flat_map(
        move |(lane, (_, displayed))| {
            let place = |vertex: u32| displayed.positions.get(vertex as usize).map(|x| x.as_vec3());
            lane.frame.pins.iter().filter_map(move |pin| Some(place(pin.0)? + layout.offset(lane.slot)))
        },
    )
}

/// Lights up the collider that the pointer could take, or holds.
fn light_up_collider(
    pointer: Res<Pointer>,
    looks: Res<ColliderLooks>,
    mut meshes: Query<(&mut ColliderMesh, &mut Graded<Paint>)>,
) {
    for (mut mesh, mut look) in &mut meshes {
        let taken = mesh.movable.is_some() && mesh.movable == pointer.collider;
        if mesh.taken != taken {
            mesh.taken = taken;
            *look = looks.of(taken);
        }
    }
}

/// The edges of the triangles, if they are wanted.
fn draw_wires(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    state: Res<ViewState>,
    camera: Viewpoint,
    mut gizmos: Gizmos,
) {
    let frame = session.frame();
    if !state.painting.wireframe || !displayed.is_of(frame) || displayed.positions.len() != frame.pattern.len() {
        return;
    }
    let places: Vec<Vec3> = displayed.positions.iter().map(|x| camera.before(x.as_vec3(), 0.002)).collect();
    for &[a, b] in displayed.edges() {
        gizmos.line(places[a as usize], places[b as usize], WIRE);
    }
}

/// From the vertex in the hand to where the hand wants it.
fn draw_line(session: Res<SessionHandle>, displayed: ChosenCloth, mut gizmos: Gizmos) {
    if let Some(grab) = session.frame().grab
        && let Some(from) = displayed.positions.get(grab.vertex as usize)
    {
        gizmos.line(from.as_vec3(), (grab.target - session.frame().pattern.origin()).as_vec3(), HELD);
    }
}

/// The line along which a cut was drawn.
fn draw_cut(gesture: Res<Gesture>, camera: Viewpoint, mut gizmos: Gizmos) {
    let Some(stroke) = &gesture.stroke else { return };
    for [from, to] in stroke.line() {
        gizmos.line(camera.before(*from, SIZE), camera.before(*to, SIZE), CUT);
    }
}

/// The edges of the triangles that intersect, if they are watched.
fn draw_intersections(session: Res<SessionHandle>, displayed: ChosenCloth, camera: Viewpoint, mut gizmos: Gizmos) {
    let frame = session.frame();
    let Some(pairs) = frame.intersections.as_ref().filter(|_| displayed.is_of(frame)) else { return };
    let at = |vertex: u32| camera.before(displayed.place(frame, vertex).as_vec3(), SIZE);
    for &triangle in pairs.iter().take(MOST_MARKED).flatten() {
        let Some(corners) = frame.pattern.triangles().get(triangle as usize) else { continue };
        let [a, b, c] = corners.map(at);
        gizmos.linestrip([a, b, c, a], INTERSECTING);
    }
}
