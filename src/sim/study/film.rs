//! The same cloth with several values of a parameter, side by side on one clock, for a film strip.
//!
//! Every picture of the strip is a simulation of its own. They advance in turn by a small piece of
//! simulated time each, so that all of them move together; each takes its own steps until it is at
//! the time of the clock or has just passed it. A failed one stays as it was before the failed
//! step, and the others continue.

use std::ops::ControlFlow;

use super::run::{End, always, run};
use crate::sim::{Real, Simulation, StepError};

/// Share of a time step by which a picture may be short of the clock, since times are sums.
const SHORT: Real = 1e-3;

/// One of them.
pub struct Picture {
    simulation: Simulation,
    /// Simulated time at the start of the film [s].
    start: Real,
    failure: Option<(Real, StepError)>,
}

impl Picture {
    /// A picture that starts with `simulation` as it is.
    #[must_use]
    pub fn new(simulation: Simulation) -> Self {
        Self { start: simulation.time(), simulation, failure: None }
    }

    /// Its picture.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Simulated time since the start of the film [s].
    #[must_use]
    pub fn elapsed(&self) -> Real {
        self.simulation.time() - self.start
    }

    /// The time since the start of the film after which a step failed [s], and why.
    #[must_use]
    pub fn failure(&self) -> Option<&(Real, StepError)> {
        self.failure.as_ref()
    }

    /// Takes steps until it is at `clock` [s], or one fails. Breaks off when a step was called off,
    /// which leaves no trace.
    pub fn follow(&mut self, clock: Real) -> ControlFlow<()> {
        let start = self.start;
        let is_there = |simulation: &Simulation| {
            simulation.time() - start >= clock - SHORT * simulation.parameters.timing.time_step
        };
        if self.failure.is_some() || is_there(&self.simulation) {
            return ControlFlow::Continue(());
        }
        let end: End = run(&mut self.simulation, u64::MAX, &mut always, |simulation, _| {
            if is_there(simulation) { ControlFlow::Break(End::Done) } else { ControlFlow::Continue(()) }
        });
        if let End::Failed(cause) = end.unless_cancelled()? {
            self.failure = Some((self.elapsed(), cause));
        }
        ControlFlow::Continue(())
    }
}
