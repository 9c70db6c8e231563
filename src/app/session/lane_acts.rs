//! Taking back that a lane was added, taken away or moved. A lane that comes back has what panels
//! had set in it, and goes on from where the chosen one is.

use super::SessionHandle;
use crate::session::{Arrangement, Command};

/// Most acts that are kept.
const MOST: usize = 50;

/// What was done to the lanes.
#[derive(Debug, Clone)]
enum What {
    /// A lane was added or taken away, with what was set in it when it went last.
    Lane {
        slot: usize,
        is_added: bool,
        arrangement: Option<Box<Arrangement>>,
    },
    Swapped([usize; 2]),
}

#[derive(Debug, Clone)]
struct Act {
    what: What,
    /// The newest act of each lane at that time, by the lanes' numbers.
    newest: Vec<(u64, u64)>,
}

/// What was done to the lanes, and what of that was taken back.
#[derive(Debug, Default)]
pub(super) struct LaneActs {
    done: Vec<Act>,
    undone: Vec<Act>,
}

impl Act {
    /// Number of the act of a lane that was the newest then.
    fn newest_of(&self, lane: u64) -> u64 {
        self.newest.iter().find(|(number, _)| *number == lane).map_or(0, |(_, newest)| *newest)
    }
}

impl What {
    fn name(&self) -> &'static str {
        match self {
            Self::Lane { is_added: true, .. } => "Lane",
            Self::Lane { is_added: false, .. } => "Removed lane",
            Self::Swapped(_) => "Moved lane",
        }
    }
}

impl SessionHandle {
    pub(super) fn note_added(&mut self, slot: usize) {
        self.note(What::Lane { slot, is_added: true, arrangement: None });
    }

    pub(super) fn note_removed(&mut self, slot: usize, arrangement: Option<Arrangement>) {
        self.note(What::Lane { slot, is_added: false, arrangement: arrangement.map(Box::new) });
    }

    pub(super) fn note_swapped(&mut self, slots: [usize; 2]) {
        self.note(What::Swapped(slots));
    }

    fn note(&mut self, what: What) {
        let act = Act { what, newest: self.newest_acts() };
        self.lane_acts.undone.clear();
        self.lane_acts.done.push(act);
        if self.lane_acts.done.len() > MOST {
            self.lane_acts.done.remove(0);
        }
    }

    /// What would be taken back, and what would be done again.
    #[must_use]
    pub fn names_of_acts(&self) -> [Option<String>; 2] {
        let timeline = &self.frame().timeline;
        [(false, &timeline.undo), (true, &timeline.redo)].map(|(again, own)| {
            let of_lanes = self.next_lane_act(again).map(|act| act.what.name().to_owned());
            of_lanes.or_else(|| own.clone())
        })
    }

    /// The act of lanes that is next, if no act in the chosen lane is newer, or to be done again
    /// before it.
    fn next_lane_act(&self, again: bool) -> Option<&Act> {
        let (lane, newest) = (self.lane_number(), self.frame().timeline.newest_act);
        let act = if again { self.lane_acts.undone.last() } else { self.lane_acts.done.last() };
        act.filter(|act| {
            let then = act.newest_of(lane);
            // what was done to the cloth since is taken back first, what was done to it before is
            // done again first
            if again { newest == then } else { newest <= then }
        })
    }

    /// Takes the last act of lanes back, or does it again, if it is next. Returns whether it was.
    pub(super) fn take_lane_act_back(&mut self, again: bool) -> bool {
        let Some(mut act) = self.next_lane_act(again).cloned() else { return false };
        let comes_back = matches!(act.what, What::Lane { is_added, .. } if is_added == again);
        if comes_back && !self.can_add_lane() {
            return true;
        }
        let acts = if again { &mut self.lane_acts.undone } else { &mut self.lane_acts.done };
        acts.pop();
        match &mut act.what {
            What::Swapped(slots) => self.exchange(*slots),
            What::Lane { slot, arrangement, .. } if comes_back => {
                let set =
                    arrangement.as_ref().map(|arrangement| Command::Arrange { arrangement: (**arrangement).clone() });
                self.ask_for_lane(set.into_iter().collect(), Some(*slot));
            }
            What::Lane { slot, arrangement, .. } => {
                *arrangement = self.arrangement_of(*slot).map(Box::new);
                self.take_away(*slot);
            }
        }
        let acts = if again { &mut self.lane_acts.done } else { &mut self.lane_acts.undone };
        acts.push(act);
        true
    }
}
