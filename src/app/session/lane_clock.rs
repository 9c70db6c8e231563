//! One clock for all lanes, or a race.
//!
//! The clock is the time of the chosen lane, whose ticks the window orders; while that has failed,
//! the clock continues without it.

use super::SessionHandle;
use super::lane::{Lane, Pacing};
use crate::session::{Command, Frame, LaneState};

impl SessionHandle {
    /// Whether time runs in another lane.
    pub(super) fn others_run(&self) -> bool {
        self.lanes().iter().any(|lane| !lane.is_chosen && !lane.frame.paused)
    }

    /// Whether all steps that were ordered in any lane have ended, no lane is on the way to another
    /// time, and the frames of all have been taken.
    pub fn is_at_rest(&mut self) -> bool {
        self.lanes.all.iter_mut().all(|lane| lane.worker().steps_to_come() == 0 && lane.expected().is_some())
    }

    /// Orders a tick, if not too many are waiting already. Returns whether it did.
    pub fn tick(&mut self, most_pending: u64) -> bool {
        let waits = self.lanes.pacing == Pacing::Wait;
        let has_room = |lane: &mut Lane| lane.worker().pending_ticks() < most_pending;
        let room = has_room(self.lanes.chosen_mut()) && (!waits || self.lanes.all.iter_mut().all(has_room));
        if room && waits {
            self.advance(Lane::is_running, |lane| lane.worker().tick());
        } else if room {
            self.worker().tick();
        }
        room
    }

    /// Orders a tick while time stands still; in a race, a step of each lane.
    pub(super) fn step_all(&mut self) {
        let can = |lane: &Lane| lane.frame.failure.is_none();
        let order = |lane: &mut Lane| lane.edit(Command::Step);
        match self.lanes.pacing {
            Pacing::Wait => self.advance(can, order),
            Pacing::Race => self.lanes.all.iter_mut().filter(|lane| can(lane)).for_each(order),
        }
    }

    /// Sets the clock forward by a time step of the chosen lane, and orders the steps of all lanes
    /// `that` can take them.
    fn advance(&mut self, that: impl Fn(&Lane) -> bool, order: impl Fn(&mut Lane)) {
        let Some(now) = self.now() else {
            order(self.lanes.chosen_mut());
            return;
        };
        let clock = now + self.lanes.chosen().state().at.step;
        self.lanes.clock = clock;
        for lane in self.lanes.all.iter_mut().filter(|lane| that(lane)) {
            let owed = lane.expected().map_or(0, |at| at.steps_to(clock));
            (0..owed).for_each(|_| order(lane));
        }
    }

    /// The time of the clock [s]; none while the chosen lane is on the way to another time.
    fn now(&mut self) -> Option<f64> {
        let clock = self.lanes.clock;
        let chosen = self.lanes.chosen_mut();
        if chosen.frame.failure.is_some() { Some(clock) } else { chosen.expected().map(|at| at.time) }
    }

    /// In a race every lane has as many ticks waiting as it may.
    pub fn race(&mut self, most_pending: u64) {
        if self.paused() {
            return;
        }
        for lane in &mut self.lanes.all {
            while lane.worker().pending_ticks() < most_pending {
                lane.worker().tick();
            }
        }
        self.lanes.clock = self.now().unwrap_or(self.lanes.clock);
    }

    pub(super) fn cancel_others(&mut self) {
        for other in self.lanes.others_mut() {
            other.worker().cancel_ticks();
        }
    }

    /// Takes the others to the time of a step on the way of the chosen lane, or just past it.
    pub(super) fn take_others_to(&mut self, step: u64) {
        let Frame { timeline, .. } = &**self.frame();
        if !timeline.segments.iter().any(|segment| (segment.start..=segment.end).contains(&step)) {
            return;
        }
        let steps = timeline.place_of(step) as f64 - timeline.place() as f64;
        let at = self.lanes.chosen().state().at;
        let time = at.time + steps * at.step;
        for other in self.lanes.others_mut() {
            let timeline = &other.frame.timeline;
            let place = timeline.place().saturating_add_signed(other.state().at.steps_to(time));
            let step = timeline.step_at(place.min(timeline.len()));
            other.edit(Command::GoTo { step });
        }
    }

    /// The time at which a lane is drawn when a `fraction` of the last tick is over [s]: that of
    /// the chosen lane, where its frame covers that, or else one of its own.
    #[must_use]
    pub fn drawn_time(&self, frame: &Frame, fraction: f64) -> f64 {
        let chosen = self.lanes.chosen().state();
        let is_common = !chosen.has_failed && LaneState::from(frame).covers(chosen.at.time);
        let time = if is_common { chosen.at.time } else { frame.time };
        (time - (1.0 - fraction) * chosen.at.step).max(0.0)
    }
}
