//! One clock for all lanes, or a race.

use super::SessionHandle;
use super::lanes::Pacing;

impl SessionHandle {
    pub(super) fn others_have_room(&mut self, most_pending: u64) -> bool {
        let waits = self.lanes.pacing == Pacing::Wait;
        !waits || self.lanes.others.iter_mut().all(|other| other.worker().pending_ticks() < most_pending)
    }

    /// Whether time goes on for another lane.
    pub(super) fn others_run(&self) -> bool {
        self.lanes.others.iter().any(|other| !other.frame.paused)
    }

    /// Whether all ticks of all lanes have passed, and their frames have been taken.
    pub fn is_at_rest(&mut self) -> bool {
        let others = self.lanes.others.iter_mut().all(|other| other.worker().is_at_rest());
        others && self.worker().is_at_rest()
    }

    /// Finds how far the others are behind, where nothing is under way.
    pub(super) fn meet(&mut self) {
        if self.lanes.others.is_empty() || self.frame.failure.is_some() || !self.worker().is_at_rest() {
            return;
        }
        let time = self.frame.time;
        for other in &mut self.lanes.others {
            if other.frame.failure.is_none() && other.worker().is_at_rest() {
                other.owed = time - other.frame.time;
            }
        }
    }

    /// A tick of the chosen lane has been ordered; the others are to come to the same time.
    pub(super) fn tick_others(&mut self) {
        if self.lanes.pacing == Pacing::Race {
            return;
        }
        let step = self.frame.parameters.timing.time_step;
        for other in self.lanes.others.iter_mut().filter(|other| other.frame.failure.is_none()) {
            other.owed += step;
            let own = other.step();
            // times are sums of steps
            while other.owed > 0.999 * own {
                other.owed -= own;
                other.worker().tick();
            }
        }
    }

    /// In a race every lane has as many ticks waiting as it may.
    pub fn race(&mut self, most_pending: u64) {
        if self.paused() {
            return;
        }
        while self.worker().pending_ticks() < most_pending {
            self.worker().tick();
        }
        for other in &mut self.lanes.others {
            other.owed = 0.0;
            while other.worker().pending_ticks() < most_pending {
                other.worker().tick();
            }
        }
    }

    pub(super) fn cancel_others(&mut self) {
        for other in &mut self.lanes.others {
            other.worker().cancel_ticks();
        }
    }
}
