//! Rate of the measurements for frames that take passes over the whole cloth: always, unless the
//! cloth is large.

use std::time::{Duration, Instant};

use super::Session;
use super::showing::Measured;

/// Cloths of more springs are large: measuring one takes milliseconds.
const LARGE: usize = 200_000;
/// How long a large cloth is not measured again, at least, and how many times as long as it took.
const REST: Duration = Duration::from_millis(100);
const SHARE: u32 = 5;

/// Last measurements.
#[derive(Default)]
pub(super) struct Measuring(Option<Last>);

struct Last {
    measured: Measured,
    /// Orders and ticks that the session had seen, which tell states apart.
    seen: (u64, u64),
    /// The cloth, and how often it had gone to another state than by a step.
    of: (u64, u64),
    at: Instant,
    /// When it may be measured again.
    next: Duration,
}

impl Measuring {
    /// Measurements of the session, which has `seen` so many orders: of its present state, or for a
    /// large cloth of a slightly older one. Measurements from before a jump to another state are
    /// never used.
    pub fn of(&mut self, session: &Session, seen: u64) -> Measured {
        let (of, seen) = ((session.generation, session.jumps), (seen, session.ticks));
        let is_large = session.simulation.pattern().springs().len() > LARGE;
        if let Some(last) = &self.0
            && is_large
            && last.of == of
            && (last.seen == seen || last.at.elapsed() < last.next)
        {
            return last.measured;
        }
        let at = Instant::now();
        let measured = Measured::of(&session.simulation);
        let next = REST.max(at.elapsed() * SHARE);
        self.0 = Some(Last { measured, seen, of, at, next });
        measured
    }

    /// Time until the next measurement, if the last one is not of the present state.
    pub fn due(&self, session: &Session, seen: u64) -> Option<Duration> {
        let last = self.0.as_ref().filter(|last| last.seen != (seen, session.ticks))?;
        Some(last.next.saturating_sub(last.at.elapsed()))
    }
}
