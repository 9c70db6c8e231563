//! Breaks without workers, where one of them has lost its processor.

use std::cell::Cell;

use super::sync::PATIENCE;
use crate::sim::Real;
use crate::sim::exec::clock::Clock;

/// Loops that the pool runs alone after a worker has come late: at first, and at most.
const SHORT_BREAK: u32 = 128;
const LONG_BREAK: u32 = 32_768;
/// Loops with workers in time, after which the next break is a short one again.
const CALM: u32 = 16_384;
/// Length of a short loop [s]. Where loops are longer, breaks and calm end after as much time as so
/// many short loops take: a large cloth has a few loops of milliseconds per step, and would be left
/// to one thread for minutes.
const SHORT_LOOP: Real = 20e-6;

/// When the pool does without workers. Times are those of the clock of a step [s], all zero where
/// it has none; then the number of loops decides alone.
#[derive(Debug, Clone, Copy)]
pub struct Breaks {
    /// Loops to run alone, and the time at which even so the break ends.
    left: u32,
    end: Real,
    /// Loops of the next break.
    next: u32,
    /// Loops since the last delay, and its time.
    in_time: u32,
    late: Real,
}

impl Default for Breaks {
    fn default() -> Self {
        Self::new()
    }
}

impl Breaks {
    /// Before any worker has come late.
    #[must_use]
    pub const fn new() -> Self {
        Self { left: 0, end: 0.0, next: SHORT_BREAK, in_time: 0, late: 0.0 }
    }

    /// Whether there is a break.
    #[must_use]
    pub fn is_at(&self, now: Real) -> bool {
        self.left > 0 && now <= self.end
    }

    /// Whether the loop that begins is to be run alone.
    #[must_use]
    pub fn rests(&mut self, now: Real) -> bool {
        let rests = self.is_at(now);
        self.left = if rests { self.left - 1 } else { 0 };
        rests
    }

    /// Hears that the workers of a loop were in time, or `late`.
    pub fn hear(&mut self, late: bool, now: Real) {
        if late {
            let time = Real::from(self.next) * SHORT_LOOP;
            (self.left, self.end) = (self.next, now + time);
            self.next = (2 * self.next).min(LONG_BREAK);
            (self.in_time, self.late) = (0, now);
            return;
        }
        self.in_time = self.in_time.saturating_add(1);
        if self.in_time >= CALM || now - self.late > Real::from(CALM) * SHORT_LOOP {
            self.next = SHORT_BREAK;
        }
    }
}

/// The breaks of a pool.
pub(super) struct Pace {
    pub clock: Clock,
    breaks: Cell<Breaks>,
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
    /// As the last pool left its `breaks`.
    pub fn new(clock: Clock, breaks: Breaks) -> Self {
        Self { clock, breaks: Cell::new(breaks) }
    }

    /// For the next pool.
    pub fn breaks(&self) -> Breaks {
        self.breaks.get()
    }

    /// Whether the next loop is to be run alone.
    pub fn rests(&self) -> bool {
        let mut breaks = self.breaks.get();
        if breaks.left == 0 {
            return false;
        }
        let rests = breaks.rests((self.clock.0)());
        self.breaks.set(breaks);
        rests
    }

    /// Hears that the workers were in time, or `late`.
    pub fn hear(&self, late: bool) {
        let mut breaks = self.breaks.get();
        // the next break is a short one already, and a clock takes its time
        if !late && breaks.next == SHORT_BREAK {
            return;
        }
        breaks.hear(late, (self.clock.0)());
        self.breaks.set(breaks);
    }
}
