//! The one loop of trials, and the meaning of their ends.
//!
//! * A step *fails* when it cannot be computed or its state is absurd. The simulation is as it was
//!   before that step.
//! * A run is *stopped* when a step succeeds and the state it leads to is outside the bounds of the
//!   trial.
//! * A run is *cancelled* when whoever asked for it calls it off, between steps or within one. That
//!   says nothing of the method, and a step that was called off leaves no trace.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::sim::{Simulation, StepError, StepStats};

/// How a run ended; `B` is the bound that stopped it.
#[derive(Debug, Clone, PartialEq)]
pub enum End<B = Infallible> {
    /// As many steps succeeded as were asked for, or as were enough.
    Done,
    /// The state left the bounds of the trial.
    Stopped(B),
    /// A step failed.
    Failed(StepError),
    /// It was called off.
    Cancelled,
}

impl<B> End<B> {
    /// The end of a run by a step that did not succeed.
    pub fn of(error: StepError) -> Self {
        match error {
            StepError::Cancelled => Self::Cancelled,
            cause => Self::Failed(cause),
        }
    }

    /// Breaks off where the run was cancelled.
    pub fn unless_cancelled(self) -> ControlFlow<(), Self> {
        if matches!(self, Self::Cancelled) { ControlFlow::Break(()) } else { ControlFlow::Continue(self) }
    }
}

/// Why a study has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Interrupted {
    /// The study was called off.
    #[error("called off")]
    Cancelled,
    /// The step cannot be computed.
    #[error("{solver}: {cause}")]
    Failed {
        /// Id of the method.
        solver: &'static str,
        /// Error of the step that failed.
        cause: StepError,
    },
}

impl Interrupted {
    /// By a step of `solver` that did not succeed.
    #[must_use]
    pub fn by(solver: &'static str, error: StepError) -> Self {
        match End::<Infallible>::of(error) {
            End::Failed(cause) => Self::Failed { solver, cause },
            End::Cancelled | End::Done => Self::Cancelled,
        }
    }
}

/// For `go_on`, if the run is cancelled only by the token of the simulation.
pub fn always() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Takes up to `steps` steps. `go_on` is asked before each whether to take it, and `after` sees
/// every step that succeeded, and may end the run.
pub fn run<B>(
    simulation: &mut Simulation,
    steps: u64,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
    after: impl FnMut(&Simulation, &StepStats) -> ControlFlow<End<B>>,
) -> End<B> {
    run_by(simulation, steps, go_on, Simulation::step, after)
}

/// [`run`] of something else than a simulation, which takes a step by `step`.
pub fn run_by<T, S, B>(
    subject: &mut T,
    steps: u64,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
    mut step: impl FnMut(&mut T) -> Result<S, StepError>,
    mut after: impl FnMut(&T, &S) -> ControlFlow<End<B>>,
) -> End<B> {
    for _ in 0..steps {
        if go_on().is_break() {
            return End::Cancelled;
        }
        match step(subject) {
            Ok(stats) => {
                if let ControlFlow::Break(end) = after(subject, &stats) {
                    return end;
                }
            }
            Err(error) => return End::of(error),
        }
    }
    End::Done
}
