//! Steps on a copy of a cloth, from the same state each time, to see whether they hold.

use std::ops::ControlFlow;

use crate::sim::pattern::Family;
use crate::sim::study::run::{End, run};
use crate::sim::{Checkpoint, Real, Simulation, StepError, StepStats, Vec3};

/// Largest strain of a spring that still counts as held together, unless the cloth was stretched
/// more than half as far at the start.
const LARGEST_STRAIN: Real = 1.0;

/// Limits of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Simulated time [s].
    pub time: Real,
    /// Number of steps.
    pub steps: u64,
    /// Time of all steps together, by the clock of the simulation [s].
    pub seconds: Real,
    /// Steps between looks at the springs, and at the end: an explosion does not reverse.
    pub look: u64,
}

/// Result of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Whether no step failed, and no spring is stretched too far.
    pub holds: bool,
    /// The spring that is stretched most, if it is too far.
    pub broken: Option<Overstretched>,
    /// Whether it is so in the state alone that a failed step proposed.
    pub in_failed_step: bool,
    /// Simulated time [s].
    pub time: Real,
    /// Number of steps that succeeded.
    pub steps: u64,
    /// Their time together, by the clock of the simulation [s].
    pub seconds: Real,
}

impl Trial {
    /// Time of the steps per simulated time; none without a clock.
    #[must_use]
    pub fn cost(&self) -> Option<Real> {
        (self.time > 0.0 && self.seconds > 0.0).then(|| self.seconds / self.time)
    }
}

/// A spring that was stretched too far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overstretched {
    /// Its number.
    pub spring: usize,
    /// Its strain.
    pub strain: Real,
}

/// Where trials start.
pub struct Start {
    checkpoint: Checkpoint,
    /// Strain above which a spring counts as stretched too far.
    largest_strain: Real,
}

impl Start {
    /// The present state and parameters.
    #[must_use]
    pub fn of(simulation: &Simulation) -> Self {
        let now = most_stretched(simulation).map_or(0.0, |most| most.strain);
        Self { checkpoint: simulation.checkpoint(), largest_strain: LARGEST_STRAIN.max(2.0 * now) }
    }

    /// The same start, where springs may be strained up to `strain` if that is more than elsewhere.
    #[must_use]
    pub fn tolerating(mut self, strain: Real) -> Self {
        self.largest_strain = self.largest_strain.max(strain);
        self
    }

    /// Whether a spring is stretched too far.
    pub(super) fn is_too_far(&self, spring: &Overstretched) -> bool {
        spring.strain > self.largest_strain
    }

    /// The checkpoint that they start from.
    #[must_use]
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Steps from here after `change`, until a step fails, a spring is seen to be stretched too
    /// far, or a bound is reached. `go_on` is asked before every step.
    pub fn run(
        &self,
        simulation: &mut Simulation,
        change: impl FnOnce(&mut Simulation),
        bounds: Bounds,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Trial> {
        self.watch(simulation, change, bounds, go_on, |_, _| {})
    }

    /// [`run`](Self::run), of which `see` sees every step that succeeded.
    pub fn watch(
        &self,
        simulation: &mut Simulation,
        change: impl FnOnce(&mut Simulation),
        bounds: Bounds,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
        mut see: impl FnMut(&Simulation, &StepStats),
    ) -> ControlFlow<(), Trial> {
        simulation.restore(&self.checkpoint);
        change(simulation);
        let broken =
            |simulation: &Simulation| most_stretched(simulation).filter(|most| most.strain > self.largest_strain);
        let mut trial = Trial { holds: true, broken: None, in_failed_step: false, time: 0.0, steps: 0, seconds: 0.0 };
        let end = run(simulation, bounds.steps, go_on, |simulation, stats| {
            see(simulation, stats);
            trial.steps += 1;
            trial.seconds += stats.total_seconds();
            trial.time = simulation.time() - self.checkpoint.state.time;
            if trial.steps.is_multiple_of(bounds.look) && broken(simulation).is_some() {
                ControlFlow::Break(End::Stopped(()))
            } else if trial.time >= bounds.time || trial.seconds >= bounds.seconds {
                ControlFlow::Break(End::Done)
            } else {
                ControlFlow::Continue(())
            }
        });
        let end = end.unless_cancelled()?;
        trial.broken = broken(simulation);
        trial.holds = end == End::Done && trial.broken.is_none();
        if trial.broken.is_none() && matches!(end, End::Failed(StepError::Diverged(_))) {
            let failed = most_stretched_at(simulation, simulation.failed_positions());
            trial.broken = failed.filter(|most| most.strain > self.largest_strain);
            trial.in_failed_step = trial.broken.is_some();
        }
        ControlFlow::Continue(trial)
    }
}

/// The spring with the largest strain, of those that resist anything.
#[must_use]
pub fn most_stretched(simulation: &Simulation) -> Option<Overstretched> {
    most_stretched_at(simulation, &simulation.state.cloth.positions)
}

/// The same with the vertices at `x` [m]; a strain that is not finite is left out.
fn most_stretched_at(simulation: &Simulation, x: &[Vec3]) -> Option<Overstretched> {
    let springs = simulation.pattern().springs();
    if x.len() != simulation.state.cloth.len() {
        return None;
    }
    let stiffness = Family::ALL.map(|family| simulation.parameters.material.stiffness(family));
    let acts = |e: &usize| springs.rest_lengths[*e] > 0.0 && stiffness[springs.families[*e] as usize] > 0.0;
    let strain = |spring: usize| {
        let [i, j] = springs.ends[spring].map(|end| x[end as usize]);
        Overstretched { spring, strain: i.distance(j) / springs.rest_lengths[spring] - 1.0 }
    };
    let finite = (0..springs.len()).filter(acts).map(strain).filter(|most| most.strain.is_finite());
    finite.max_by(|a, b| a.strain.total_cmp(&b.strain))
}
