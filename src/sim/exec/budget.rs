//! The work budget of a step: its work is limited, and it can be cancelled from outside.
//!
//! Work is counted in visits of a spring, not in seconds, so that the same run stops at the same
//! place on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::sim::Real;

/// Cancels steps from another thread. Orders are numbered as they come; all up to a number are
/// cancelled at once, so a later one is never cancelled with those before it.
#[derive(Debug, Clone, Default)]
pub struct Canceller(Arc<AtomicU64>);

impl Canceller {
    /// Cancels the orders up to and including `number`.
    pub fn cancel_through(&self, number: u64) {
        self.0.fetch_max(number + 1, Ordering::Relaxed);
    }

    /// The token of the order `number`.
    #[must_use]
    pub fn token(&self, number: u64) -> CancelToken {
        CancelToken(Cause::Order(self.clone(), number))
    }
}

/// Tells work whether it has been called off. The default is never called off.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Cause);

#[derive(Debug, Clone, Default)]
enum Cause {
    #[default]
    Never,
    Order(Canceller, u64),
    /// How often the token may still be asked.
    Checks(Arc<AtomicU64>),
}

impl CancelToken {
    /// A token that is called off when it is asked more than `checks` times, and the number of
    /// times that are left: the same place in the work on every machine.
    #[must_use]
    pub fn after_checks(checks: u64) -> (Self, Arc<AtomicU64>) {
        let left = Arc::new(AtomicU64::new(checks));
        (Self(Cause::Checks(Arc::clone(&left))), left)
    }

    /// Whether the work has been called off.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        match &self.0 {
            Cause::Never => false,
            Cause::Order(canceller, number) => canceller.0.load(Ordering::Relaxed) > *number,
            Cause::Checks(left) => {
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
            }
        }
    }
}

/// The step has been cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the step was called off")]
pub struct Cancelled;

/// The work that a step may still do. Solvers charge every iteration to it.
#[derive(Debug, Default)]
pub struct WorkBudget {
    token: CancelToken,
    left: AtomicU64,
}

impl WorkBudget {
    /// A budget without limit, never cancelled.
    #[must_use]
    pub fn unlimited() -> Self {
        Self { token: CancelToken::default(), left: AtomicU64::new(u64::MAX) }
    }

    /// Starts a step with a budget of so many `millions` of visits of a spring.
    pub fn begin(&mut self, token: CancelToken, millions: Real) {
        self.token = token;
        self.left = AtomicU64::new((1e6 * millions) as u64);
    }

    /// Whether the step goes on.
    ///
    /// # Errors
    /// [`Cancelled`] when it has been cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.token.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Charges work before it is done, in visits of a spring or equal cost (a projection of a
    /// constraint, about ten multiplications). Returns whether as much was left; if not, the step
    /// has to end with its best state.
    ///
    /// # Errors
    /// [`Cancelled`] when the step has been cancelled.
    pub fn spend(&self, work: usize) -> Result<bool, Cancelled> {
        self.check()?;
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(work as u64), Ordering::Relaxed);
        Ok(left >= work as u64)
    }

    /// [`spend`](Self::spend) for iteration `number`, counted from 1: the first is always made.
    ///
    /// # Errors
    /// [`Cancelled`] when the step has been cancelled.
    pub fn spend_on(&self, number: u32, work: usize) -> Result<bool, Cancelled> {
        Ok(self.spend(work)? || number <= 1)
    }

    /// Whether the work is used up.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}
