//! How far the lanes are from the one that they are measured against.

use std::sync::Arc;

use super::SessionHandle;
use super::lane::Lane;
use crate::session::LaneState;
use crate::sim::study::correspondence::Distance;

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
