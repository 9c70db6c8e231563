//! States to go back to after a blow-up, and its report.

use std::collections::VecDeque;
use std::sync::Arc;

use super::last_step::{LastStep, REPLAYED};
use super::state::SessionCheckpoint;
use crate::sim::{Checkpoint, Real, Simulation, StepError, Vec3};

/// Simulated time between two checkpoints, at least [s].
const INTERVAL: Real = 0.25;
/// Number of checkpoints that are kept, and memory that all may take [bytes]; two are kept of the
/// largest cloth.
const MOST: usize = 40;
const MEMORY: usize = 256 << 20;
/// Largest stretch at which a state still counts as good.
const GOOD_STRETCH: Real = 1.0;

/// A state to go back to. A time line shares its own.
struct Kept {
    checkpoint: Arc<SessionCheckpoint>,
    good: bool,
}

impl Kept {
    fn simulation(&self) -> &Checkpoint {
        &self.checkpoint.simulation
    }
}

/// The last states, in the order of time.
#[derive(Default)]
pub(super) struct Checkpoints(VecDeque<Kept>);

impl Checkpoints {
    /// Whether the last one is old enough at a simulated `time` [s] that another one is kept.
    pub fn is_due(&self, time: Real) -> bool {
        self.0.back().is_none_or(|last| time >= last.simulation().state.time + INTERVAL)
    }

    /// Keeps a state.
    pub fn keep(&mut self, checkpoint: Arc<SessionCheckpoint>) {
        if self.0.back().is_some_and(|last| Arc::ptr_eq(&last.checkpoint, &checkpoint)) {
            return;
        }
        let fit = (MEMORY / checkpoint.bytes().max(1)).clamp(2, MOST);
        while self.0.len() >= fit {
            self.0.pop_front();
        }
        let good = checkpoint.simulation.largest_stretch() < GOOD_STRETCH;
        self.0.push_back(Kept { checkpoint, good });
    }

    /// Number of the last state in which the cloth was not overstretched yet, or of the oldest
    /// there is.
    fn last(&self) -> usize {
        self.0.iter().rposition(|kept| kept.good).unwrap_or(0)
    }

    /// The last state in which the cloth was not overstretched yet, or the oldest there is. Later
    /// ones are forgotten.
    pub fn take_last_good(&mut self) -> Option<Arc<SessionCheckpoint>> {
        self.0.truncate(self.last() + 1);
        self.0.pop_back().map(|kept| kept.checkpoint)
    }

    /// The same, which stays.
    pub fn to_return_to(&self) -> Option<&Checkpoint> {
        self.0.get(self.last()).map(Kept::simulation)
    }

    /// Positions of the last state in which the cloth was not overstretched [m], if there is one.
    pub fn last_good(&self) -> Option<&[Vec3]> {
        self.0.iter().rfind(|kept| kept.good).map(|kept| &kept.simulation().state.cloth.positions[..])
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The way back from a blow-up.
#[derive(Default)]
pub(super) struct Recovery {
    pub checkpoints: Checkpoints,
    /// Why the session stands still, if it blew up.
    pub failure: Option<Arc<Failure>>,
    /// Whether it was the failure that stopped the time.
    pub stopped_by_failure: bool,
}

/// Report of a blow-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// When it happened [s].
    pub time: Real,
    /// Name of the solver.
    pub solver: &'static str,
    /// Error of the step that failed.
    pub cause: StepError,
    /// The last state in which the cloth was not overstretched [m].
    good: Option<Vec<Vec3>>,
    /// Positions before each of the last steps, those before the failed one, and those that it
    /// proposed [m], the oldest first; all of as many vertices, no two in succession alike.
    pub last_states: Vec<Vec<Vec3>>,
    /// Angular frequency of each spring [rad/s].
    pub frequencies: Vec<f32>,
}

impl Failure {
    /// Describes the failure of the step that `simulation` has just tried, after `last_step`.
    pub(super) fn of(
        simulation: &Simulation,
        cause: StepError,
        checkpoints: &Checkpoints,
        last_step: &LastStep,
    ) -> Self {
        let (time, solver) = (simulation.time(), simulation.solver().info().name);
        let good = checkpoints.last_good().map(<[Vec3]>::to_vec);
        let now = &simulation.state.cloth.positions[..];
        let mut last_states: Vec<&[Vec3]> = last_step.states().filter(|state| state.len() == now.len()).collect();
        last_states.push(now);
        let failed = simulation.failed_positions();
        last_states.extend((failed.len() == now.len()).then_some(failed));
        last_states.dedup();
        let surplus = last_states.len().saturating_sub(REPLAYED + 1);
        Self {
            time,
            solver,
            cause,
            good,
            last_states: last_states[surplus..].iter().map(|state| state.to_vec()).collect(),
            frequencies: simulation.spring_frequencies(),
        }
    }

    /// The last good state of the cloth at `positions` [m], to be shown, if there is one and the
    /// cloth is not in it.
    #[must_use]
    pub fn last_good(&self, positions: &[Vec3]) -> Option<&[Vec3]> {
        self.good.as_deref().filter(|good| good.len() == positions.len() && *good != positions)
    }
}
