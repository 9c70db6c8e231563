//! Breaks without workers, where one of them has lost its processor.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Engaged;
use super::sync::PATIENCE;
use crate::sim::Real;
use crate::sim::exec::clock::Clock;

/// Loops that the pool runs alone after a worker has come late: at first, and at most.
const SHORT_BREAK: u32 = 128;
const LONG_BREAK: u32 = 32_768;
/// Loops with workers in time, after which the next break is a short one again.
const CALM: u32 = 16_384;

/// What the last pool has left to the next.
static BREAK_LEFT: AtomicU32 = AtomicU32::new(0);
static NEXT_BREAK: AtomicU32 = AtomicU32::new(SHORT_BREAK);
static IN_TIME: AtomicU32 = AtomicU32::new(0);

/// When the workers are done without.
pub(super) struct Pace {
    pub clock: Clock,
    /// Loops to run alone.
    left: Cell<u32>,
    /// How many after the next delay.
    next: Cell<u32>,
    /// Loops since the last delay.
    in_time: Cell<u32>,
}

/// Whether a worker has lost its processor: the caller of a loop `worked` on its own tasks [s],
/// then `waited` for the last task of the workers [s], in so many `pauses`. Tasks of different
/// sizes keep it waiting as well, but hardly longer than all of its own took. Without a clock both
/// times are zero, and the number of pauses decides.
#[must_use]
pub fn is_late(pauses: u32, worked: Real, waited: Real) -> bool {
    pauses > PATIENCE && waited >= worked
}

impl Pace {
    /// As the last pool left it.
    pub fn of(_engaged: &Engaged, clock: Clock) -> Self {
        let load = |number: &AtomicU32| Cell::new(number.load(Ordering::Relaxed));
        Self { clock, left: load(&BREAK_LEFT), next: load(&NEXT_BREAK), in_time: load(&IN_TIME) }
    }

    /// Whether there is a break.
    pub fn is_in_break(&self) -> bool {
        self.left.get() > 0
    }

    /// Whether the next loop is to be run alone.
    pub fn rests(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Hears that the workers were in time, or `late`.
    pub fn hear(&self, late: bool) {
        if late {
            self.left.set(self.next.get());
            self.next.set((2 * self.next.get()).min(LONG_BREAK));
            self.in_time.set(0);
        } else {
            self.in_time.set(self.in_time.get().saturating_add(1));
            if self.in_time.get() == CALM {
                self.next.set(SHORT_BREAK);
            }
        }
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        for (number, kept) in [(&self.left, &BREAK_LEFT), (&self.next, &NEXT_BREAK), (&self.in_time, &IN_TIME)] {
            kept.store(number.get(), Ordering::Relaxed);
        }
    }
}
