//! A limited simulated time for an ongoing operation.

use crate::sim::Real;
use crate::sim::params::quote::number;

/// Simulated time that runs down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Countdown {
    /// All of it [s].
    duration: Real,
    /// Remaining time [s].
    left: Real,
}

impl Countdown {
    /// Has not begun; from its beginning it takes a `duration` [s].
    pub const fn of(duration: Real) -> Self {
        Self { duration, left: 0.0 }
    }

    /// Begins, or begins again.
    pub fn begin(&mut self) {
        self.left = self.duration;
    }

    /// Ends at once.
    pub fn end(&mut self) {
        self.left = 0.0;
    }

    /// Whether any of it is left.
    pub fn is_on(&self) -> bool {
        self.left > 0.0
    }

    /// Remaining time [s].
    pub fn left(&self) -> Real {
        self.left
    }

    /// The share that has gone by.
    pub fn share(&self) -> Real {
        1.0 - self.left / self.duration
    }

    /// A step of `step` [s] is over.
    pub fn pass(&mut self, step: Real) {
        self.left = (self.left - step).max(0.0);
    }

    /// Lets so much be left [s].
    pub fn set_left(&mut self, left: Real) {
        self.left = left.clamp(0.0, self.duration);
    }

    /// Reason why `what` cannot continue for so long [s], if there is one.
    pub fn fault(&self, what: &str, left: Real) -> Option<String> {
        let possible = (0.0..=self.duration).contains(&left);
        (!possible).then(|| format!("{what} for 0 to {} s, not for {} s", self.duration, number(left)))
    }
}
