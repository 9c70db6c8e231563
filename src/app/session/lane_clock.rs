//! One clock for all lanes, or a race, and the distances of the lanes from their reference.
//!
//! The clock is the time of the chosen lane, whose ticks the window orders; while that has failed,
//! the clock continues without it.

use std::sync::Arc;

use super::SessionHandle;
use super::lane::{Lane, Pacing};
use crate::session::{Command, Frame, LaneState};
use crate::sim::study::correspondence::Distance;

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

    /// Whether all ticks so far lead to a time [s], or beyond it.
    pub fn is_ordered_until(&mut self, time: f64) -> bool {
        let step = self.lanes.chosen().state().at.step;
        self.now().is_some_and(|now| now > time - 1e-3 * step)
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

impl SessionHandle {
    /// How far the cloth of a lane was from that of the reference when the last states of both
    /// covered the same time last.
    #[must_use]
    pub fn distance(&self, slot: usize) -> Option<Distance> {
        self.lanes.all.get(slot)?.distance
    }

    /// How far each vertex of a lane is from the same place of the reference [m]; not a number
    /// where nothing corresponds.
    #[must_use]
    pub fn distances(&self, slot: usize) -> Option<Vec<f64>> {
        let lane = self.lanes.all.get(slot)?;
        let (state, reference) = (lane.state(), self.lanes.all.get(self.lanes.reference)?.state());
        let places = lane.in_reference.known(state.pattern, reference.pattern)?;
        let time = state.at.time.min(reference.at.time);
        Some(places.distances(&state.positions_at(time), (reference.pattern, &reference.positions_at(time))))
    }

    /// The vertex of a lane that is where `vertex` of the chosen one is at rest, if that is known.
    #[must_use]
    pub fn counterpart(&self, slot: usize, vertex: u32) -> Option<u32> {
        let Some(other) = self.lanes.all.get(slot).filter(|_| slot != self.lanes.chosen) else { return Some(vertex) };
        let (own, pattern) = (&self.frame().pattern, &other.frame.pattern);
        match other.of_chosen.known(own, pattern) {
            Some(places) => places.vertex(vertex, own, pattern),
            // of the same mesh
            None => (self.frame().positions.len() == other.frame.positions.len()).then_some(vertex),
        }
    }

    /// Measures how far the lanes are from the reference, at the last time that both have reached,
    /// where their frames cover that.
    pub(super) fn compare(&mut self) {
        if !self.lanes.are_several() {
            return;
        }
        let reference = self.lanes.reference;
        let frame = Arc::clone(&self.lanes.all[reference].frame);
        let of = LaneState::from(&*frame);
        for (_, lane) in self.lanes.all.iter_mut().enumerate().filter(|(slot, _)| *slot != reference) {
            let Lane { frame, of_reference, in_reference, distance, .. } = lane;
            let state = LaneState::from(&**frame);
            in_reference.between(state.pattern, of.pattern);
            let places = of_reference.between(of.pattern, state.pattern);
            let found = state.distance(&of, places, state.at.time.min(of.at.time));
            // while the times differ the last one stays
            if found.is_some() || state.has_failed || of.has_failed {
                *distance = found;
            }
        }
    }
}
