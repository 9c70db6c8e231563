//! One clock for all lanes, or a race.

use super::SessionHandle;
use super::lane::Pacing;

impl SessionHandle {
    pub(super) fn others_have_room(&mut self, most_pending: u64) -> bool {
        let waits = self.lanes.pacing == Pacing::Wait;
        !waits || self.lanes.others_mut().all(|other| other.worker().pending_ticks() < most_pending)
    }

    /// Whether time runs in another lane.
    pub(super) fn others_run(&self) -> bool {
        self.lanes().iter().any(|lane| !lane.is_chosen && !lane.frame.paused)
    }

    /// Whether all ticks of all lanes have passed, and their frames have been taken.
    pub fn is_at_rest(&mut self) -> bool {
        self.lanes.all.iter_mut().all(|lane| lane.worker().is_at_rest())
    }

    /// Finds how far the others are behind, where nothing is under way.
    pub(super) fn meet(&mut self) {
        if !self.lanes.are_several() || self.frame().failure.is_some() || !self.worker().is_at_rest() {
            return;
        }
        let time = self.frame().time;
        for other in self.lanes.others_mut() {
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
        let step = self.frame().parameters.timing.time_step;
        for other in self.lanes.others_mut().filter(|other| other.frame.failure.is_none()) {
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
        for other in self.lanes.others_mut() {
            other.owed = 0.0;
            while other.worker().pending_ticks() < most_pending {
                other.worker().tick();
            }
        }
    }

    pub(super) fn cancel_others(&mut self) {
        for other in self.lanes.others_mut() {
            other.worker().cancel_ticks();
        }
    }
}
