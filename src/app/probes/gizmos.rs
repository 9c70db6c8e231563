//! Drawing of probed vertices: the forces on them as arrows, their paths over the last seconds, the
//! spring under the pointer.

use bevy::prelude::*;

use super::Probes;
use super::colour;
use crate::app::plots::history::History;
use crate::app::session::SessionHandle;
use crate::app::view::displayed::ChosenCloth;
use crate::sim::Vec3 as SimVec3;
use crate::sim::measure::VertexForces;

/// Length of the longest arrow as a share of the size of the cloth.
const LONGEST: f64 = 0.22;
/// Forces below this share of the longest have no arrow.
const LEAST: f64 = 0.01;
/// For how long a way is drawn [s].
const TRAIL: f64 = 3.0;
const SPRING: Color = Color::srgb(0.95, 0.55, 0.05);

/// Lines that are seen through the cloth, and thick enough to be seen on it.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Drawn;

pub(super) fn plugin(app: &mut App) {
    app.init_gizmo_group::<Drawn>()
        .add_systems(Startup, see_through)
        .add_systems(Update, (draw_forces, draw_trails, draw_spring));
}

fn see_through(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<Drawn>();
    config.depth_bias = -1.0;
    config.line.width = 2.5;
}

/// Colour of a kind of force, as red, green and blue up to 255; that of its arrow and of its row in
/// the card.
#[must_use]
pub fn colour_of_force(kind: &str) -> [u8; 3] {
    match kind {
        "Elastic" => [38, 120, 210],
        "Damping" => [150, 90, 200],
        "Gravity" => [128, 130, 136],
        "Air" => [0, 160, 120],
        _ => [226, 112, 20],
    }
}

fn drawn([r, g, b]: [u8; 3]) -> Color {
    Color::srgb_u8(r, g, b)
}

/// The largest force by kind of all vertices that are looked at [N].
fn largest<'a>(forces: impl Iterator<Item = &'a VertexForces>) -> f64 {
    forces.flat_map(VertexForces::by_kind).map(|(_, force)| force.length()).fold(0.0, f64::max)
}

fn draw_forces(session: Res<SessionHandle>, displayed: ChosenCloth, mut gizmos: Gizmos<Drawn>) {
    let frame = session.frame();
    let (most, size) = (largest(frame.probes.iter().map(|reading| &reading.forces)), frame.pattern.size());
    if most <= 0.0 || !displayed.is_of(frame) || frame.failure.is_some() {
        return;
    }
    for reading in &frame.probes {
        let Some(at) = displayed.positions.get(reading.vertex as usize) else { continue };
        for (kind, force) in reading.forces.by_kind().filter(|(_, force)| force.length() > LEAST * most) {
            let tip = *at + force * (LONGEST * size / most);
            let colour = drawn(colour_of_force(kind));
            gizmos.arrow(at.as_vec3(), tip.as_vec3(), colour).with_tip_length((0.02 * size) as f32);
        }
    }
}

/// The ways of the last seconds before the moment that is shown, fading.
fn draw_trails(
    session: Res<SessionHandle>,
    (history, probes): (Res<History>, Res<Probes>),
    displayed: ChosenCloth,
    mut gizmos: Gizmos<Drawn>,
) {
    if probes.hides_trails {
        return;
    }
    let (end, origin) = (session.frame().time, session.frame().pattern.origin());
    let samples = &history.now().samples;
    let first = samples.partition_point(|sample| sample.time() < end - TRAIL);
    for (place, probe) in probes.all() {
        let way = samples.range(first..).take_while(|sample| sample.time() <= end);
        let point = |position: [f64; 3], time: f64| {
            let age = ((end - time) / TRAIL) as f32;
            let at = (SimVec3::from_array(position) - origin).as_vec3();
            at.is_finite().then(|| (at, drawn(colour(place)).with_alpha(1.0 - age)))
        };
        let points = way.filter_map(|sample| point(sample.probes[place].position, sample.time()));
        // the cloth is drawn on its way to the last sample
        let here = displayed.positions.get(probe.vertex as usize).map(|at| (at.as_vec3(), drawn(colour(place))));
        let mut points: Vec<(Vec3, Color)> = points.collect();
        points.pop();
        gizmos.linestrip_gradient(points.into_iter().chain(here));
    }
}

fn draw_spring(probes: Res<Probes>, displayed: ChosenCloth, mut gizmos: Gizmos<Drawn>) {
    let Some(ends) = probes.spring else { return };
    if let [Some(a), Some(b)] = ends.map(|end| displayed.positions.get(end as usize)) {
        gizmos.line(a.as_vec3(), b.as_vec3(), SPRING);
        gizmos.sphere(b.as_vec3(), 0.15 * a.distance(*b) as f32, SPRING);
    }
}
