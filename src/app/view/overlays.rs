//! Lines drawn over the cloth: springs, velocities, contacts.

use std::collections::BTreeSet;

use bevy::prelude::*;

use super::ViewState;
use super::displayed::ChosenCloth;
use super::paint_quantity::PaintQuantity;
use super::painting::{DIVERGING, colour_at};
use super::scene::Viewpoint;
use crate::app::session::SessionHandle;
use crate::session::{Frame, Watch};
use crate::sim::Vec3 as SimVec3;
use crate::sim::constraints::ColouredSprings;
use crate::sim::forces::wind::mean_wind;
use crate::sim::pattern::Family;

/// Something that can be drawn over the cloth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overlay {
    /// Springs by family.
    Springs,
    /// Springs by strain.
    Strain,
    /// Springs by the colour in which Gauss-Seidel solvers take them.
    Colours,
    /// Normals of the vertices.
    Normals,
    /// Velocities of the vertices.
    Velocities,
    /// Contacts, and truncated motion.
    Contacts,
    /// The projections of the local step.
    Projections,
    /// The wind as an arrow that can be turned.
    Wind,
}

impl Overlay {
    /// All, in the order of the menu.
    pub const ALL: [Self; 8] = [
        Self::Springs,
        Self::Strain,
        Self::Colours,
        Self::Normals,
        Self::Velocities,
        Self::Contacts,
        Self::Projections,
        Self::Wind,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Springs => "Springs",
            Self::Strain => "Springs by strain",
            Self::Colours => "Gauss-Seidel colours",
            Self::Normals => "Normals",
            Self::Velocities => "Velocities",
            Self::Contacts => "Contacts",
            Self::Projections => "Projections",
            Self::Wind => "Wind",
        }
    }

    /// Its explanation.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Springs => "Springs by family: structural dark, shear blue, bend green",
            Self::Strain => "Springs by strain: red is longer than at rest, blue shorter; full colour at 5 %",
            Self::Colours => {
                "Springs by colour: those of one colour share no vertex, so that PBD, XPBD and soft constraints solve them at the same time"
            }
            Self::Normals => "Normals of the vertices",
            Self::Velocities => "Velocity of each vertex: its displacement within 0.1 s",
            Self::Contacts => {
                "Green: the normal where the cloth lies on a collider. Blue: contact force of cloth on cloth. Orange: vertices with truncated motion"
            }
            Self::Projections => {
                "Local step of fast mass-spring and projective dynamics. Green: the nearest admissible shape of each spring, triangle or tetrahedron. Orange: its distance from the vertices, which the global step makes small for all at once"
            }
            Self::Wind => "The mean wind as an arrow; drag its tip to turn it",
        }
    }
}

/// The overlays that are on.
#[derive(Debug, Default)]
pub struct Overlays(BTreeSet<Overlay>);

impl Overlays {
    /// Whether it is drawn.
    #[must_use]
    pub fn has(&self, overlay: Overlay) -> bool {
        self.0.contains(&overlay)
    }

    /// Draws it from now on, or no longer.
    pub fn set(&mut self, overlay: Overlay, on: bool) {
        if on {
            self.0.insert(overlay);
        } else {
            self.0.remove(&overlay);
        }
    }
}

const STRUCTURAL: Color = Color::srgb(0.16, 0.14, 0.14);
const SHEAR: Color = Color::srgb(0.16, 0.42, 0.80);
const BEND: Color = Color::srgb(0.10, 0.62, 0.40);
const NORMAL: Color = Color::srgb(0.30, 0.25, 0.75);
const VELOCITY: Color = Color::srgb(0.10, 0.45, 0.80);
const ON_COLLIDER: Color = Color::srgb(0.05, 0.60, 0.35);
const BETWEEN_LAYERS: Color = Color::srgb(0.15, 0.40, 0.85);
const HELD_BACK: Color = Color::srgb(0.95, 0.55, 0.05);
const PROJECTED: Color = Color::srgb(0.05, 0.60, 0.35);
const DISTANCE: Color = Color::srgb(0.95, 0.55, 0.05);
const WIND: Color = Color::srgb(0.20, 0.50, 0.85);
/// Strain at which a spring has its full colour.
const FULL_STRAIN: f64 = 0.05;
/// Time within which velocities are shown [s].
const AHEAD: f32 = 0.1;
/// Most lines of a kind: beyond them every second, third and so on is left out.
const MOST: usize = 40_000;
/// Most vertices of an element that is drawn as a whole: a tetrahedron.
const OUTLINED: usize = 4;
/// Length of a normal, and of the arrow of the wind, as shares of the size of the cloth.
const NORMAL_LENGTH: f64 = 0.03;
const WIND_LENGTH: f64 = 0.45;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, watch);
}

pub(super) fn by_hand(app: &mut App) {
    app.add_systems(Update, (follow_scene, draw_springs, draw_vertices, draw_contacts, draw_projections, draw_wind));
}

/// Requests the quantities of the overlays in frames, and the work of the air for the plots.
fn watch(state: Res<ViewState>, mut session: ResMut<SessionHandle>) {
    let ViewState { painting, overlays, .. } = &*state;
    let shown = overlays.has(Overlay::Contacts);
    let contacts = shown || painting.quantity() == PaintQuantity::Contact;
    let residuals = painting.quantity() == PaintQuantity::Residual;
    let session = session.bypass_change_detection();
    let projections = overlays.has(Overlay::Projections);
    session.watch(Watch { contacts, residuals, projections, air_work: true, ..session.watched() });
}

/// Draws the projections while a scene is open that shows them.
fn follow_scene(session: Res<SessionHandle>, mut state: ResMut<ViewState>, mut shown: Local<bool>) {
    let shows = session.frame().scene.projections;
    if std::mem::replace(&mut *shown, shows) != shows {
        state.bypass_change_detection().overlays.set(Overlay::Projections, shows);
    }
}

/// Before the cloth, seen from the camera, and not in it.
fn before(camera: &Viewpoint, point: SimVec3) -> Vec3 {
    camera.before(point.as_vec3(), 0.003)
}

/// Every how many-th of so many is drawn.
fn stride(count: usize) -> usize {
    count.div_ceil(MOST).max(1)
}

/// The springs, in one of three colourings; the last one that is chosen wins.
fn draw_springs(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    state: Res<ViewState>,
    camera: Viewpoint,
    mut coloured: Local<ColouredSprings>,
    mut gizmos: Gizmos,
) {
    let (displayed, frame) = (&*displayed, session.frame());
    let pattern = &frame.pattern;
    if displayed.positions.len() != pattern.len() {
        return;
    }
    let at = |vertex: u32| before(&camera, displayed.positions[vertex as usize]);
    let springs = pattern.springs();
    if state.overlays.has(Overlay::Colours) {
        coloured.update(pattern, frame.parameters.material.stiffness_by_family().map(|k| k > 0.0));
        for (number, range) in coloured.colours().iter().enumerate() {
            // neighbours on the wheel are far apart
            let colour = Color::hsl((number as f32 * 137.5) % 360.0, 0.75, 0.42);
            for spring in coloured.springs()[range.clone()].iter().step_by(stride(springs.len())) {
                gizmos.line(at(spring.ends[0]), at(spring.ends[1]), colour);
            }
        }
    }
    let (by_family, by_strain) = (state.overlays.has(Overlay::Springs), state.overlays.has(Overlay::Strain));
    if !by_family && !by_strain {
        return;
    }
    for e in (0..springs.len()).step_by(stride(springs.len())) {
        let [i, j] = springs.ends[e];
        let colour = if by_strain {
            let length = displayed.positions[i as usize].distance(displayed.positions[j as usize]);
            let strain = if springs.rest_lengths[e] > 0.0 { length / springs.rest_lengths[e] - 1.0 } else { 0.0 };
            let place = 0.5 + 0.5 * (strain / FULL_STRAIN).clamp(-1.0, 1.0);
            Color::from(colour_at(&DIVERGING, place as f32))
        } else {
            match springs.families[e] {
                Family::Structural => STRUCTURAL,
                Family::Shear => SHEAR,
                Family::Bend => BEND,
            }
        };
        gizmos.line(at(i), at(j), colour);
    }
}

/// Normals and velocities.
fn draw_vertices(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    state: Res<ViewState>,
    camera: Viewpoint,
    mut gizmos: Gizmos,
) {
    let (displayed, frame) = (&*displayed, session.frame());
    let count = displayed.positions.len();
    if count != frame.pattern.len() {
        return;
    }
    let step = frame.parameters.timing.time_step as f32;
    for i in (0..count).step_by(stride(count)) {
        let at = before(&camera, displayed.positions[i]);
        if state.overlays.has(Overlay::Normals) {
            let normal = displayed.normals()[i] * (NORMAL_LENGTH * frame.pattern.size());
            gizmos.line(at, at + normal.as_vec3(), NORMAL);
        }
        if state.overlays.has(Overlay::Velocities) {
            let moved = (frame.positions[i] - frame.previous[i]).as_vec3();
            gizmos.line(at, at + moved * (AHEAD / step), VELOCITY);
        }
    }
}

/// Where the cloth touches something.
fn draw_contacts(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    state: Res<ViewState>,
    camera: Viewpoint,
    mut gizmos: Gizmos,
) {
    let (displayed, frame) = (&*displayed, session.frame());
    let Some(marks) = frame.contacts.as_ref().filter(|_| state.overlays.has(Overlay::Contacts)) else { return };
    if displayed.positions.len() != frame.pattern.len() {
        return;
    }
    let place = |vertex: u32| displayed.positions.get(vertex as usize).copied();
    let length = NORMAL_LENGTH * frame.pattern.size();
    for (vertex, normal) in marks.on_colliders.iter().step_by(stride(marks.on_colliders.len())) {
        let Some(x) = place(*vertex) else { continue };
        gizmos.line(before(&camera, x), before(&camera, x + *normal * length), ON_COLLIDER);
    }
    let largest = marks.cloth_contact.iter().map(|force| force.force.length()).fold(0.0, f64::max);
    for force in marks.cloth_contact.iter().step_by(stride(marks.cloth_contact.len())).filter(|_| largest > 0.0) {
        let part = &force.vertices[..usize::from(force.first)];
        let middle = part.iter().filter_map(|&vertex| place(vertex)).sum::<SimVec3>() / part.len() as f64;
        // a tenth of the largest is still to be seen
        let way = force.force * (2.0 * length / largest.max(10.0 * force.force.length()));
        gizmos.line(before(&camera, middle), before(&camera, middle + way), BETWEEN_LAYERS);
    }
    for x in marks.truncated.iter().filter_map(|&vertex| place(vertex)) {
        let (at, half) = (before(&camera, x), 0.25 * length as f32);
        let (right, up) = (camera.transform().right() * half, camera.transform().up() * half);
        gizmos.line(at - right - up, at + right + up, HELD_BACK);
        gizmos.line(at - right + up, at + right - up, HELD_BACK);
    }
}

/// The elements as their projections are, and how far away.
fn draw_projections(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    state: Res<ViewState>,
    camera: Viewpoint,
    mut gizmos: Gizmos,
) {
    let frame = session.frame();
    let wanted = state.overlays.has(Overlay::Projections) && displayed.is_of(frame);
    let Some(projections) = frame.projections.as_ref().filter(|_| wanted) else { return };
    for element in (0..projections.len()).step_by(stride(projections.len())) {
        let (vertices, ways) = projections.element(element);
        let at = |place: usize| displayed.positions.get(vertices[place] as usize).copied().unwrap_or_default();
        let projected = |place: usize| before(&camera, at(place) + ways[place]);
        for place in 0..vertices.len() {
            gizmos.line(before(&camera, at(place)), projected(place), DISTANCE);
            let others = if vertices.len() > OUTLINED { 0..0 } else { 0..place };
            others.for_each(|other| gizmos.line(projected(other), projected(place), PROJECTED));
        }
    }
}

/// Where the arrow of the wind starts and ends, as it is drawn [m], if it is to be seen: beside the
/// cloth, as long as the wind is strong, up to 10 m/s.
#[must_use]
pub fn wind_arrow(frame: &Frame) -> Option<[SimVec3; 2]> {
    let wind = mean_wind(&frame.parameters.air);
    let count = frame.positions.len().max(1) as f64;
    let middle = frame.positions.iter().copied().sum::<SimVec3>() / count - frame.pattern.origin();
    let size = frame.pattern.size();
    let along = wind.try_normalize()? * (WIND_LENGTH * size * (0.3 + 0.07 * wind.length().min(10.0)));
    let start = middle + SimVec3::Y * (0.5 * size) - along * 0.5;
    Some([start, start + along])
}

fn draw_wind(session: Res<SessionHandle>, state: Res<ViewState>, mut gizmos: Gizmos) {
    if !state.overlays.has(Overlay::Wind) {
        return;
    }
    if let Some([from, to]) = wind_arrow(session.frame()) {
        gizmos.arrow(from.as_vec3(), to.as_vec3(), WIND).with_tip_length(0.05 * session.frame().pattern.size() as f32);
        gizmos.sphere(to.as_vec3(), 0.015 * session.frame().pattern.size() as f32, WIND);
    }
}
