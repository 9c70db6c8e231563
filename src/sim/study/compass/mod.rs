//! The stability compass: for which time steps and stiffnesses a method holds, as a region of the
//! plane of both, by their logarithms.
//!
//! A point is tried on a copy of a cloth: so many steps from its start, and no step fails. For a
//! linear method `h ω < 2` makes the border a straight line that falls by two decades of stiffness
//! per decade of the time step, since `ω² ~ k`.

mod region;

use std::ops::ControlFlow;

pub use region::{Holds, Point, Region};

use super::blow_up::{Bounds, BrokenSpring, Start};
use super::run::{End, run};
use super::stability::{Vary, largest_stiffness};
use crate::sim::{Material, Real, Simulation};

/// Stable steps that a point needs: an instability grows by a factor in each.
const STEPS: u64 = 300;
/// The time steps of a chart [s]: those that the parameter may have.
const TIME_STEPS: [Real; 2] = [1e-4, 0.1];
/// Decades of stiffness below and above that of the scene, and the greatest that the parameter may
/// have [N/m].
const DECADES: [i32; 2] = [3, 4];
const STIFFEST: Real = 1e9;
/// Largest computing time of a trial, by the clock of the simulation [s]; a point without failure
/// until then is stable.
const SECONDS: Real = 1.0;

/// Part of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chart {
    /// First and last time step [s].
    pub time_steps: [Real; 2],
    /// First and last stiffness of the stiffest springs [N/m]; the others have their share.
    pub stiffnesses: [Real; 2],
}

impl Chart {
    /// The time steps that the parameter may have, and some decades of stiffness around that of
    /// `first`, wide enough for that of `now`.
    #[must_use]
    pub fn around(first: &Material, now: &Material) -> Self {
        let [at_first, now] = [first, now].map(largest_stiffness);
        let decade = |k: Real| k.max(1e-6).log10();
        let middle = decade(if at_first > 0.0 { at_first } else { 100.0 }).floor() as i32;
        let now = if now > 0.0 { decade(now) } else { Real::from(middle) };
        let low = (middle - DECADES[0]).min(now.floor() as i32);
        let high = (middle + DECADES[1]).max(now.ceil() as i32);
        let power = |exponent: i32| Real::powi(10.0, exponent).min(STIFFEST);
        Self { time_steps: TIME_STEPS, stiffnesses: [power(low), power(high)] }
    }

    /// Time step [s] and stiffness [N/m] of `simulation`, where its cloth is in a chart.
    #[must_use]
    pub fn present(simulation: &Simulation) -> [Real; 2] {
        [simulation.parameters.timing.time_step, largest_stiffness(&simulation.parameters.material)]
    }

    /// The longest time step [s] up to which a cloth of this stiffness [N/m] is stable in a region
    /// of the chart: the last of the chart if it fails nowhere, none if it fails at the first.
    #[must_use]
    pub fn longest_step(&self, region: &Region, stiffness: Real) -> Option<Real> {
        let [_, y] = self.point([self.time_steps[0], stiffness]);
        let y = if y.is_finite() { y.clamp(0.0, 1.0) } else { 0.0 };
        if region.holds_at([0.0, y]) == Some(false) {
            return None;
        }
        let crossings = region.border().into_iter().filter_map(|[a, b]| {
            let (low, high) = (a[1].min(b[1]), a[1].max(b[1]));
            let share = if high > low { (y - a[1]) / (b[1] - a[1]) } else { 0.0 };
            (low <= y && y <= high).then(|| a[0] + share * (b[0] - a[0]))
        });
        let first = crossings.fold(1.0, Real::min);
        Some(self.values([first, y])[0])
    }

    /// The time step [s] and the stiffness [N/m] of a point.
    #[must_use]
    pub fn values(&self, point: Point) -> [Real; 2] {
        let [x, y] = point;
        let between = |[from, to]: [Real; 2], share: Real| (from.ln() + share * (to / from).ln()).exp();
        [between(self.time_steps, x), between(self.stiffnesses, y)]
    }

    /// The point of a time step [s] and a stiffness [N/m].
    #[must_use]
    pub fn point(&self, [step, stiffness]: [Real; 2]) -> Point {
        let share = |[from, to]: [Real; 2], value: Real| (value / from).ln() / (to / from).ln();
        [share(self.time_steps, step), share(self.stiffnesses, stiffness)]
    }

    /// The region of the chart in which `simulation` is stable from its present state, with its
    /// parameters except time step and stiffness. `progress` is asked at every step whether to
    /// continue, and hears the share that is done; `show` sees the present result. Points near the
    /// present parameters are tried first.
    pub fn survey(
        &self,
        simulation: &mut Simulation,
        progress: &mut dyn FnMut(Real) -> ControlFlow<()>,
        show: &mut dyn FnMut(&Region),
    ) -> ControlFlow<(), Region> {
        let start = simulation.checkpoint();
        // a cloth without stiffness is at the lower border
        let near = self.point(Self::present(simulation)).map(|x| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 });
        let mut holds_at = |point, share| {
            simulation.restore(&start);
            self.put(simulation, point);
            holds(simulation, &mut || progress(share))
        };
        let region = Region::find(near, &mut holds_at, show);
        simulation.restore(&start);
        region
    }

    /// The spring that fails at a point, and the angular frequency of the stiffest vibration of the
    /// net there [rad/s]; none if nothing fails. `simulation` has its parameters and its state
    /// again afterwards.
    pub fn what_breaks(
        &self,
        simulation: &mut Simulation,
        point: Point,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Break> {
        let before = simulation.checkpoint();
        self.put(simulation, point);
        let frequency = simulation.stiffest_frequency();
        let start = Start::of(simulation);
        let bounds = Bounds { time: Real::INFINITY, steps: STEPS, seconds: SECONDS, look: 1 };
        let trial = start.run(simulation, |_| {}, bounds, go_on)?;
        let spring = trial.broken.and_then(|first| BrokenSpring::of(simulation, first));
        simulation.restore(&before);
        let [step, stiffness] = self.values(point);
        let parts = Real::from(simulation.parameters.timing.substeps * simulation.solver().small_steps());
        let substep = if simulation.is_adaptive() { step } else { step / parts };
        ControlFlow::Continue(Break { step, stiffness, substep, fails: !trial.holds, spring, frequency })
    }

    /// Gives `simulation` the time step and the stiffness of a point.
    fn put(&self, simulation: &mut Simulation, point: Point) {
        let [step, stiffness] = self.values(point);
        Vary::Step.put(simulation, step);
        Vary::Stiffness.put(simulation, stiffness);
    }
}

/// Outcome at a point of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Break {
    /// The time step [s].
    pub step: Real,
    /// The stiffness of the stiffest springs [N/m].
    pub stiffness: Real,
    /// The substep [s]; the first one of an adaptive step.
    pub substep: Real,
    /// Whether anything fails.
    pub fails: bool,
    /// The spring that is stretched too far first, if one is.
    pub spring: Option<BrokenSpring>,
    /// Angular frequency of the stiffest vibration of the net [rad/s].
    pub frequency: Real,
}

/// Whether the next steps succeed.
fn holds(simulation: &mut Simulation, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<(), bool> {
    let mut seconds = 0.0;
    let end: End = run(simulation, STEPS, go_on, |_, stats| {
        seconds += stats.total_seconds();
        if seconds > SECONDS { ControlFlow::Break(End::Done) } else { ControlFlow::Continue(()) }
    });
    end.unless_cancelled().map_continue(|end| end == End::Done)
}
