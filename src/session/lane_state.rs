//! Lanes on a common clock.
//!
//! In a tick every lane takes its own steps until it is at the time of the clock or has just passed
//! it, so that no step is ever shortened and a lane goes through the states that it would go
//! through alone. A lane that has passed a time is compared, and drawn, as it was then:
//! interpolated linearly between its last two states.

use std::borrow::Cow;

use super::{Frame, Session};
use crate::sim::study::correspondence::{Correspondence, Distance};
use crate::sim::{Pattern, Real, Vec3};

/// Share of a time step by which a lane may be short of the clock, since times are sums.
const SHORT: Real = 1e-3;

/// Place of a lane on the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaneTime {
    /// Its simulated time [s].
    pub time: Real,
    /// Its time step [s].
    pub step: Real,
}

impl LaneTime {
    /// Number of steps to the time of the clock [s], or just past it; negative for a lane that is
    /// ahead by whole steps.
    #[must_use]
    pub fn steps_to(self, clock: Real) -> i64 {
        ((clock - self.time) / self.step - SHORT).ceil() as i64
    }

    /// Whether it has steps to take to the time of the clock [s].
    #[must_use]
    pub fn is_behind(self, clock: Real) -> bool {
        self.steps_to(clock) > 0
    }

    /// The same after so many steps.
    #[must_use]
    pub fn after(self, steps: u64) -> Self {
        Self { time: self.time + steps as Real * self.step, ..self }
    }
}

/// The last two states of a lane.
#[derive(Debug, Clone, Copy)]
pub struct LaneState<'a> {
    /// Rest mesh and springs.
    pub pattern: &'a Pattern,
    /// Its place on the clock.
    pub at: LaneTime,
    /// Position of each vertex [m].
    pub positions: &'a [Vec3],
    /// Time of the state before [s]; its own after anything else than a step.
    pub previous_time: Real,
    /// Position of each vertex then [m].
    pub previous: &'a [Vec3],
    /// Whether it blew up.
    pub has_failed: bool,
}

impl<'a> From<&'a Session> for LaneState<'a> {
    fn from(session: &'a Session) -> Self {
        let simulation = session.simulation();
        Self {
            pattern: simulation.pattern(),
            at: LaneTime { time: simulation.time(), step: simulation.parameters.timing.time_step },
            positions: &simulation.state.cloth.positions,
            previous_time: session.last_step.previous_time,
            previous: &session.last_step.previous,
            has_failed: session.failure().is_some(),
        }
    }
}

impl<'a> From<&'a Frame> for LaneState<'a> {
    fn from(frame: &'a Frame) -> Self {
        Self {
            pattern: &frame.pattern,
            at: LaneTime { time: frame.time, step: frame.parameters.timing.time_step },
            positions: &frame.positions,
            previous_time: frame.previous_time,
            previous: &frame.previous,
            has_failed: frame.failure.is_some(),
        }
    }
}

impl<'a> LaneState<'a> {
    /// Whether its positions are known at a time [s]: it is between the two states, and the lane
    /// has not failed.
    #[must_use]
    pub fn covers(&self, time: Real) -> bool {
        !self.has_failed && !self.at.is_behind(time) && self.previous_time <= time + SHORT * self.at.step
    }

    /// Its positions [m] at a time [s] that it has reached; the first or last known ones outside
    /// the time that it covers.
    #[must_use]
    pub fn positions_at(&self, time: Real) -> Cow<'a, [Vec3]> {
        let (ahead, step) = (self.at.time - time, self.at.time - self.previous_time);
        if ahead <= SHORT * self.at.step || step <= 0.0 || self.previous.len() != self.positions.len() {
            return Cow::Borrowed(self.positions);
        }
        let share = (1.0 - ahead / step).clamp(0.0, 1.0);
        self.previous.iter().zip(self.positions).map(|(before, now)| before.lerp(*now, share)).collect()
    }

    /// How far it is from the `reference` at a time [s], if both cover that; `places` are those of
    /// the reference in it.
    #[must_use]
    pub fn distance(&self, reference: &LaneState, places: &Correspondence, time: Real) -> Option<Distance> {
        if ![reference, self].iter().all(|lane| lane.covers(time)) {
            return None;
        }
        places.distance(&reference.positions_at(time), (self.pattern, &self.positions_at(time)))
    }
}
