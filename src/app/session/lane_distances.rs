//! How far the lanes are from the one that they are measured against.

use super::SessionHandle;
use crate::sim::study::correspondence::{Correspondence, Distance};

impl SessionHandle {
    /// How far the cloth of a lane was from that of the reference when both were at the same time
    /// last.
    #[must_use]
    pub fn distance(&self, slot: usize) -> Option<Distance> {
        self.lanes.distances.get(slot).copied().flatten()
    }

    /// How far each vertex of a lane is from the same place of the reference [m]; not a number
    /// where nothing corresponds.
    #[must_use]
    pub fn distances(&self, slot: usize) -> Option<Vec<f64>> {
        let lanes = self.lanes();
        let (reference, lane) = (lanes.iter().find(|lane| lane.is_reference)?, lanes.get(slot)?);
        let places = [&self.lanes.in_reference, &self.lanes.counterparts];
        let places = places.into_iter().find_map(|places| places.get(slot)?.as_ref())?;
        let of = reference.frame;
        Some(places.distances(&lane.frame.positions, (&of.pattern, &of.positions)))
    }

    /// The vertex of a lane that is where `vertex` of the chosen one is at rest, if that is known.
    #[must_use]
    pub fn counterpart(&self, slot: usize, vertex: u32) -> Option<u32> {
        let Some(other) = self.lanes.all.get(slot).filter(|_| slot != self.lanes.chosen) else { return Some(vertex) };
        let (own, pattern) = (&self.frame().pattern, &other.frame.pattern);
        match other.places.as_ref().filter(|places| places.is_of(own, pattern)) {
            Some(places) => places.vertex(vertex, own, pattern),
            // of the same mesh
            None => (self.frame().positions.len() == other.frame.positions.len()).then_some(vertex),
        }
    }

    /// Measures how far the lanes are from the reference, where frames are of the same time.
    pub(super) fn compare(&mut self) {
        if !self.lanes.are_several() {
            return;
        }
        let mut counterparts = std::mem::take(&mut self.lanes.counterparts);
        let mut distances = std::mem::take(&mut self.lanes.distances);
        let mut in_reference = std::mem::take(&mut self.lanes.in_reference);
        let lanes = self.lanes();
        in_reference.resize_with(lanes.len(), || None);
        counterparts.resize_with(lanes.len(), || None);
        distances.resize(lanes.len(), None);
        if let Some(reference) = lanes.iter().find(|lane| lane.is_reference) {
            let of = reference.frame;
            let known = counterparts.iter_mut().zip(&mut in_reference);
            for (lane, ((places, back), distance)) in lanes.iter().zip(known.zip(&mut distances)) {
                let other = lane.frame;
                let places = match places {
                    Some(known) if known.is_of(&of.pattern, &other.pattern) => known,
                    places => {
                        let places = places.insert(Correspondence::between(&of.pattern, &other.pattern));
                        let differ = !places.is_same();
                        *back = differ.then(|| Correspondence::between(&other.pattern, &of.pattern));
                        places
                    }
                };
                if lane.is_reference {
                    *distance = None;
                } else if (of.time - other.time).abs() < 0.5 * other.parameters.timing.time_step {
                    *distance = places.distance(&of.positions, (&other.pattern, &other.positions));
                }
            }
        }
        (self.lanes.counterparts, self.lanes.distances) = (counterparts, distances);
        self.lanes.in_reference = in_reference;
    }

    /// Drops the results of the comparison: the lanes have other places.
    pub(super) fn forget_counterparts(&mut self) {
        self.lanes.counterparts.clear();
        self.lanes.in_reference.clear();
        self.lanes.distances.clear();
    }
}
