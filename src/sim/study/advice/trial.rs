//! Trials of a candidate: single steps from the states of the reference, and runs over time.

use std::ops::ControlFlow;

use super::candidate::Candidate;
use super::film::Film;
use super::over_time::Series;
use super::parts::{Parts, squares};
use super::reference::Target;
use crate::sim::study::blow_up::{Bounds, Start};
use crate::sim::{Clock, Real, Simulation, SolverState, StepError, StepStats, Vec3};

/// First steps of a run, which are not timed: they fill caches.
const WARM_UP: usize = 2;
/// Time steps from the start of a lead to its state.
const LEAD: usize = 2;
/// Steps between looks at the springs.
const LOOK: u64 = 4;
/// Share of a step of free fall that counts as the least motion; a cloth at rest has less.
const FLOOR: Real = 1e-3;

/// Cost of a step [s]. The default is the time by the clock of the simulation; tests count work.
pub type Cost = fn(&Simulation, &StepStats) -> Real;

/// One step against the reference.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// `Σ m |·|²` of each part of the error [kg m²].
    pub squares: Parts,
    /// Difference of the momentum [kg m/s].
    pub momentum: Vec3,
}

/// Takes one step from a state of the reference, with a lead where the solver carries data from
/// step to step. `simulation` has the settings of the candidate.
///
/// # Errors
/// [`StepError`] when a step failed or was called off.
pub fn step_from(simulation: &mut Simulation, target: &Target) -> Result<Step, StepError> {
    let mut carried = SolverState::default();
    if simulation.solver().capabilities().warm_start {
        simulation.return_to(&target.lead);
        simulation.state.solver = SolverState::default();
        for _ in 0..LEAD {
            simulation.step()?;
        }
        carried = std::mem::take(&mut simulation.state.solver);
    }
    simulation.return_to(&target.start);
    (simulation.state.solver, simulation.state.next_substep) = (carried, None);
    simulation.step()?;
    let cloth = &simulation.state.cloth;
    let error: Vec<Vec3> = cloth.positions.iter().zip(&target.end).map(|(x, end)| *x - *end).collect();
    let momentum: Vec3 = cloth.velocities.iter().zip(&cloth.masses).map(|(v, mass)| *v * *mass).sum();
    Ok(Step {
        squares: squares(simulation.pattern(), &cloth.masses, &target.end, &target.normals, &error),
        momentum: momentum - target.momentum,
    })
}

/// Errors of steps from several states, relative to their motion together.
#[must_use]
pub fn relative(steps: &[(Step, &Target)]) -> Option<Parts> {
    let mut sum = Parts::default();
    steps.iter().for_each(|(step, _)| sum.add(&step.squares));
    let motion: Real = steps.iter().map(|(_, target)| target.motion.max(least_motion(target))).sum();
    (motion > 0.0).then(|| Parts::root(&sum, motion))
}

/// Standard error of [`relative`] over the states, as a share of it, by leaving out one at a time
/// (jackknife); zero for less than two.
#[must_use]
pub fn scatter(steps: &[(Step, &Target)]) -> Real {
    let (count, whole) = (steps.len(), relative(steps).map_or(0.0, |parts| parts.total()));
    if count < 2 || whole <= 0.0 {
        return 0.0;
    }
    let without = |left: usize| {
        let others: Vec<_> = (0..count).filter(|at| *at != left).map(|at| (steps[at].0, steps[at].1)).collect();
        relative(&others).map_or(0.0, |parts| parts.total())
    };
    let errors: Vec<Real> = (0..count).map(without).collect();
    let mean = errors.iter().sum::<Real>() / count as Real;
    let squares: Real = errors.iter().map(|error| (error - mean).powi(2)).sum();
    (squares * (count - 1) as Real / count as Real).sqrt() / whole
}

/// `Σ m |·|²` of a thousandth of a step of free fall [kg m²].
pub(super) fn least_motion(target: &Target) -> Real {
    let parameters = &target.start.parameters;
    let dt = parameters.timing.time_step;
    let mass: Real = target.start.state.cloth.masses.iter().sum();
    mass * (FLOOR * parameters.gravity.gravity * dt * dt).powi(2)
}

/// Systematic change of the momentum by the steps: its mean per mass and time step `dt` [m/s²].
#[must_use]
pub fn drift(steps: &[(Step, &Target)], dt: Real) -> Option<Real> {
    let mass: Real = steps.first()?.1.start.state.cloth.masses.iter().sum();
    let sum: Vec3 = steps.iter().map(|(step, _)| step.momentum).sum();
    (mass > 0.0).then(|| sum.length() / (steps.len() as Real * mass * dt))
}

/// A run over time.
#[derive(Debug, Clone)]
pub struct Run {
    /// Mean cost of a step after the first ones, over how much slower the processor was meanwhile
    /// than at its best, so that other programs do not count [s]; none without a step.
    pub step: Option<Real>,
    /// Median over lower quartile of the costs, less one.
    pub scatter: Real,
    /// Time after which a step failed, or a spring was stretched too far [s].
    pub fails_after: Option<Real>,
    /// Its steps.
    pub series: Series,
    /// Its pictures.
    pub film: Film,
}

/// Runs a candidate, or whatever `change` makes of the simulation, within `bounds`.
pub fn run_over_time(
    start: &Start,
    simulation: &mut Simulation,
    change: impl FnOnce(&mut Simulation),
    (bounds, cost): (Bounds, Cost),
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Run> {
    let (mut costs, mut yardsticks) = (Vec::new(), Vec::new());
    let clock = simulation.clock;
    simulation.restore(start.checkpoint());
    let (mut series, mut film) = (Series::of(simulation), Film::of(simulation, bounds.time));
    let trial = start.watch(simulation, change, bounds, go_on, |simulation, stats| {
        costs.push(cost(simulation, stats));
        yardsticks.push(time_yardstick(clock));
        film.note(simulation, &series.note(simulation, stats));
    })?;
    let timed = costs.get_mut(WARM_UP..).filter(|timed| !timed.is_empty());
    let mean = timed.as_ref().map(|timed| timed.iter().sum::<Real>() / timed.len() as Real);
    let quartiles = timed.map(|timed| {
        timed.sort_by(Real::total_cmp);
        [timed[timed.len() / 4], timed[timed.len() / 2]]
    });
    let least = || costs.iter().copied().min_by(Real::total_cmp);
    let step = mean.map(|mean| mean / slowdown(&yardsticks)).or_else(least);
    let scatter = quartiles.filter(|[lower, _]| *lower > 0.0).map_or(0.0, |[lower, median]| median / lower - 1.0);
    ControlFlow::Continue(Run { step, scatter, fails_after: (!trial.holds).then_some(trial.time), series, film })
}

/// Time of a short piece of work that is always the same [s]: a chain of roots, a tenth of a
/// millisecond, which fits between the turns of other programs.
fn time_yardstick(clock: Clock) -> Real {
    const ROOTS: u32 = 20_000;
    let began = (clock.0)();
    let chain = (0..ROOTS).fold(1.0, |x: Real, _| (x * 1.000_001 + 0.5).sqrt());
    std::hint::black_box(chain);
    (clock.0)() - began
}

/// Mean of times of the same work over the least; one without a clock.
fn slowdown(times: &[Real]) -> Real {
    let least = times.iter().copied().fold(Real::INFINITY, Real::min);
    let mean = times.iter().sum::<Real>() / times.len().max(1) as Real;
    if least > 0.0 && least.is_finite() { mean / least } else { 1.0 }
}

/// Bounds of a run of up to so much simulated time [s], so many steps and so much time [s].
#[must_use]
pub fn bounds(time: Real, steps: u64, seconds: Real) -> Bounds {
    Bounds { time, steps, seconds, look: LOOK }
}

/// The simulation at a start, with the settings of a candidate.
pub fn apply(candidate: &Candidate, simulation: &mut Simulation) {
    // laws over the registry state that every rung is taken
    let taken = candidate.apply(simulation);
    debug_assert!(taken.is_ok(), "{taken:?}");
}
