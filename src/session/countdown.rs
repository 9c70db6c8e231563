//! A limited simulated time for an ongoing operation.

use serde::{Deserialize, Serialize};

use crate::sim::Real;
use crate::sim::params::quote::number;

/// Remaining simulated time of an operation [s].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Countdown(Real);

impl Countdown {
    /// Begins, or begins again: the operation takes a `duration` [s].
    pub fn begin(&mut self, duration: Real) {
        self.0 = duration;
    }

    /// Whether any of it is left.
    pub fn is_on(self) -> bool {
        self.0 > 0.0
    }

    /// The share of a `duration` [s] that has gone by.
    pub fn share(self, duration: Real) -> Real {
        1.0 - self.0 / duration
    }

    /// A step of `step` [s] is over.
    pub fn pass(&mut self, step: Real) {
        self.0 = (self.0 - step).max(0.0);
    }

    /// Reason why `what`, which takes a `duration` [s], cannot continue for so long, if there is
    /// one.
    pub fn fault(self, what: &str, duration: Real) -> Option<String> {
        let possible = (0.0..=duration).contains(&self.0);
        (!possible).then(|| format!("{what} for 0 to {duration} s, not for {} s", number(self.0)))
    }
}
