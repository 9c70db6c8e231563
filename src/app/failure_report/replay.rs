//! Replay of the last steps before a blow-up, slowly and in a loop, while its report is shown: the
//! springs as lines over the last good cloth, in the colours of `h·ω`.
//!
//! A spring of stiffness `k` between masses with the reduced mass `μ` vibrates with `ω = √(k/μ)`,
//! and a conditionally stable method with the step `h` is stable while `h·ω` is below its limit, 2
//! for symplectic Euler without damping (Hairer, Lubich and Wanner, *Geometric Numerical
//! Integration*, section I.5).

use std::sync::Arc;

use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;

use super::BlowUps;
use crate::app::session::SessionHandle;
use crate::app::view::displayed::ChosenCloth;
use crate::app::view::scene::MARKS;
use crate::session::Failure;
use crate::sim::study::blow_up::LinearTheory;
use crate::sim::{Pattern, Vec3 as SimVec3};

/// How long the states of a loop take together, and how much longer the last one stays [s].
const LOOP: f64 = 2.5;
const REST: f64 = 1.0;
/// How many times the size of the cloth the lines reach, and how many there are at most.
const REACH: f64 = 4.0;
const MOST: usize = 20_000;
/// Opacity of a spring at its rest length, and strain from which on it is opaque.
const FAINT: f64 = 0.10;
const STRAINED: f64 = 0.5;
/// Colours of springs far below the limit, just below it, above it, and of a method without one.
const CALM: [f32; 3] = [0.35, 0.50, 0.70];
const NEAR: [f32; 3] = [0.95, 0.70, 0.15];
const BEYOND: [f32; 3] = [1.0, 0.13, 0.05];
const NO_LIMIT: [f32; 3] = NEAR;

/// The replay that is shown.
#[derive(Resource, Default)]
pub struct Replay {
    /// The failure, and when its replay began [s].
    of: Option<(Arc<Failure>, f64)>,
}

impl Replay {
    /// Number of the state of `failure` that is shown at `now` [s], and the time until another one
    /// is [s]; none without a failure or without a step to show. Another failure begins anew.
    pub fn follow(&mut self, failure: Option<&Arc<Failure>>, now: f64) -> Option<(usize, f64)> {
        let Some(failure) = failure else {
            self.of = None;
            return None;
        };
        if self.of.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, failure)) {
            self.of = Some((Arc::clone(failure), now));
        }
        let began = self.of.as_ref().map_or(now, |(_, began)| *began);
        let count = failure.last_states.len();
        (count > 1).then(|| state_at(now - began, count))
    }
}

/// Number of the state, of `count`, that is shown after so many seconds, and the seconds until
/// another one is.
fn state_at(seconds: f64, count: usize) -> (usize, f64) {
    let (within, each) = (seconds.rem_euclid(LOOP + REST), LOOP / count as f64);
    // a rounded quotient must not name the state that has just ended
    let state = ((within / each + 1e-9) as usize).min(count - 1);
    let end = if state + 1 == count { LOOP + REST } else { (state + 1) as f64 * each };
    (state, end - within)
}

/// Colour of a spring whose `h·ω` is `turns`, of a method that is stable below `limit`, if it has
/// one.
#[must_use]
pub fn colour(turns: f64, limit: Option<f64>) -> [f32; 3] {
    let Some(limit) = limit else { return NO_LIMIT };
    if turns >= limit {
        return BEYOND;
    }
    let share = (turns / limit) as f32;
    std::array::from_fn(|k| CALM[k] + share * (NEAR[k] - CALM[k]))
}

/// Largest stable `h·ω` of the method that failed, if it has a limit.
#[must_use]
pub fn limit(theory: &LinearTheory) -> Option<f64> {
    theory.own.map(|own| own * theory.frequency)
}

/// A spring as it is drawn.
pub struct Line {
    /// Its ends, relative to the origin of the pattern [m].
    pub ends: [SimVec3; 2],
    /// Red, green, blue and opacity.
    pub colour: [f32; 4],
}

/// The springs in a state of a failure, as far as they are near; grey until the theory is known.
pub fn lines<'a>(
    failure: &'a Failure,
    state: usize,
    pattern: &'a Pattern,
    theory: Option<&'a LinearTheory>,
) -> impl Iterator<Item = Line> + use<'a> {
    let (places, springs) = (&failure.last_states[state], pattern.springs());
    let reach = REACH * pattern.size();
    let middle = middle_of(&failure.last_states[0]);
    let every = springs.len().div_ceil(MOST).max(1);
    let known = pattern.len() == places.len() && failure.frequencies.len() == springs.len();
    let numbers = (0..springs.len()).step_by(every).filter(move |&spring| known && failure.frequencies[spring] > 0.0);
    numbers.filter_map(move |spring| {
        let [a, b] = springs.ends[spring].map(|end| places[end as usize]);
        let ends = clipped(a, b, middle, reach)?.map(|end| end - pattern.origin());
        let strain = (a.distance(b) / springs.rest_lengths[spring] - 1.0).abs();
        let [r, g, b] = theory
            .map_or([0.5; 3], |theory| colour(theory.step * f64::from(failure.frequencies[spring]), limit(theory)));
        let opacity = FAINT + (1.0 - FAINT) * (strain / STRAINED).min(1.0);
        Some(Line { ends, colour: [r, g, b, opacity as f32] })
    })
}

fn middle_of(places: &[SimVec3]) -> SimVec3 {
    places.iter().copied().sum::<SimVec3>() / places.len().max(1) as f64
}

/// The part of a line that is within `reach` of `middle` [m], cut at its far end; none of one that
/// is far away.
fn clipped(a: SimVec3, b: SimVec3, middle: SimVec3, reach: f64) -> Option<[SimVec3; 2]> {
    let is_near = |end: SimVec3| end.distance(middle) <= reach;
    let towards = |from: SimVec3, to: SimVec3| from + (to - from).clamp_length_max(reach);
    match [is_near(a), is_near(b)] {
        [true, true] => Some([a, b]),
        [true, false] if b.is_finite() => Some([a, towards(a, b)]),
        [false, true] if a.is_finite() => Some([b, towards(b, a)]),
        _ => None,
    }
}

/// The lines of the replay, which are seen through the cloth.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Ghost;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Replay>()
        .init_gizmo_group::<Ghost>()
        .add_systems(Startup, see_through)
        .add_systems(Update, draw);
}

fn see_through(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<Ghost>();
    config.depth_bias = -1.0;
    config.line.width = 1.5;
    config.render_layers = RenderLayers::layer(MARKS);
}

fn draw(
    session: Res<SessionHandle>,
    blow_ups: Res<BlowUps>,
    displayed: ChosenCloth,
    mut replay: ResMut<Replay>,
    time: Res<Time<Real>>,
    mut gizmos: Gizmos<Ghost>,
) {
    let frame = session.frame();
    let Some((state, _)) = replay.follow(frame.failure.as_ref(), time.elapsed_secs_f64()) else { return };
    let Some(failure) = frame.failure.as_ref().filter(|_| displayed.is_of(frame)) else { return };
    let theory = blow_ups.of(failure).and_then(|inquiry| inquiry.linear.as_ref());
    for Line { ends: [from, to], colour: [r, g, b, opacity] } in lines(failure, state, &frame.pattern, theory) {
        gizmos.line(from.as_vec3(), to.as_vec3(), Color::srgba(r, g, b, opacity));
    }
}
