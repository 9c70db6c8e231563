//! States to go back to after a blow-up, and what is known about it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::session_state::SessionState;
use crate::sim::{Checkpoint, Real, Simulation, StepError, Vec3};

/// Simulated time between two checkpoints, at least [s].
const INTERVAL: Real = 0.25;
/// Number of checkpoints that are kept, and memory that all may take [bytes]; two are kept of the largest cloth.
const MOST: usize = 40;
const MEMORY: usize = 256 << 20;
/// Largest stretch at which a state still counts as good.
const GOOD_STRETCH: Real = 1.0;

/// A state to go back to. A time line shares its own.
struct Kept {
    state: Arc<SessionState>,
    good: bool,
}

impl Kept {
    fn checkpoint(&self) -> &Checkpoint {
        &self.state.checkpoint
    }
}

/// The last states, in the order of time.
#[derive(Default)]
pub(super) struct Checkpoints(VecDeque<Kept>);

impl Checkpoints {
    /// Whether the last one is old enough at a simulated `time` [s] that another one is kept.
    pub fn is_due(&self, time: Real) -> bool {
        self.0.back().is_none_or(|last| time >= last.checkpoint().state.time + INTERVAL)
    }

    /// Keeps a state.
    pub fn keep(&mut self, state: Arc<SessionState>) {
        if self.0.back().is_some_and(|last| Arc::ptr_eq(&last.state, &state)) {
            return;
        }
        let fit = (MEMORY / state.bytes().max(1)).clamp(2, MOST);
        while self.0.len() >= fit {
            self.0.pop_front();
        }
        let good = state.checkpoint.largest_stretch() < GOOD_STRETCH;
        self.0.push_back(Kept { state, good });
    }

    /// Number of the last state in which the cloth was not overstretched yet, or of the oldest there is.
    fn last(&self) -> usize {
        self.0.iter().rposition(|kept| kept.good).unwrap_or(0)
    }

    /// The last state in which the cloth was not overstretched yet, or the oldest there is. Later ones are forgotten.
    pub fn take_last_good(&mut self) -> Option<Arc<SessionState>> {
        self.0.truncate(self.last() + 1);
        self.0.pop_back().map(|kept| kept.state)
    }

    /// The same, which stays.
    pub fn to_return_to(&self) -> Option<&Checkpoint> {
        self.0.get(self.last()).map(Kept::checkpoint)
    }

    /// Positions of the last state in which the cloth was not overstretched [m], if there is one.
    pub fn last_good(&self) -> Option<&[Vec3]> {
        self.0.iter().rfind(|kept| kept.good).map(|kept| &kept.checkpoint().state.cloth.positions[..])
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// What is known about a blow-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// When it happened [s].
    pub time: Real,
    /// Name of the solver.
    pub solver: &'static str,
    /// Why.
    pub cause: StepError,
    /// The last state in which the cloth was not overstretched [m].
    good: Option<Vec<Vec3>>,
}

impl Failure {
    /// Describes the failure of the step that `simulation` has just tried.
    pub(super) fn of(simulation: &Simulation, cause: StepError, checkpoints: &Checkpoints) -> Self {
        let (time, solver) = (simulation.time(), simulation.solver().info().name);
        let good = checkpoints.last_good().map(<[Vec3]>::to_vec);
        Self { time, solver, cause, good }
    }

    /// The last good state of the cloth that stands at `positions` [m] now, if there is one and that is not it: what is to be shown.
    #[must_use]
    pub fn last_good(&self, positions: &[Vec3]) -> Option<&[Vec3]> {
        self.good.as_deref().filter(|good| good.len() == positions.len() && *good != positions)
    }
}
