//! Undo of adding, removing or moving a lane. A restored lane has its settings from panels, and
//! continues from the state of the chosen one.

use super::SessionHandle;
use crate::session::{Arrangement, Command};

/// Most actions that are kept.
const MOST: usize = 50;

/// An action on the lanes.
#[derive(Debug, Clone)]
enum What {
    /// A lane was added or removed, with its last settings.
    Lane {
        slot: usize,
        is_added: bool,
        arrangement: Option<Box<Arrangement>>,
    },
    Swapped([usize; 2]),
}

#[derive(Debug, Clone)]
struct Action {
    what: What,
    /// The newest action of each lane at that time, by the lanes' numbers.
    newest: Vec<(u64, u64)>,
}

/// Actions on the lanes, done and undone.
#[derive(Debug, Default)]
pub(super) struct LaneActions {
    done: Vec<Action>,
    undone: Vec<Action>,
}

impl Action {
    /// Number of the action of a lane that was the newest then.
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
        let action = Action { what, newest: self.newest_actions() };
        self.lane_actions.undone.clear();
        self.lane_actions.done.push(action);
        if self.lane_actions.done.len() > MOST {
            self.lane_actions.done.remove(0);
        }
    }

    /// Names of the actions that undo and redo would concern.
    #[must_use]
    pub fn names_of_actions(&self) -> [Option<String>; 2] {
        let timeline = &self.frame().timeline;
        [(false, &timeline.undo), (true, &timeline.redo)].map(|(again, own)| {
            let of_lanes = self.next_lane_action(again).map(|action| action.what.name().to_owned());
            of_lanes.or_else(|| own.clone())
        })
    }

    /// The action of lanes that is next, if no action in the chosen lane is newer, or to be done
    /// again before it.
    fn next_lane_action(&self, again: bool) -> Option<&Action> {
        let (lane, newest) = (self.lane_number(), self.frame().timeline.newest_action);
        let action = if again { self.lane_actions.undone.last() } else { self.lane_actions.done.last() };
        action.filter(|action| {
            let then = action.newest_of(lane);
            // what was done to the cloth since is taken back first, what was done to it before is
            // done again first
            if again { newest == then } else { newest <= then }
        })
    }

    /// Takes the last action of lanes back, or does it again, if it is next. Returns whether it
    /// was.
    pub(super) fn undo_lane_action(&mut self, again: bool) -> bool {
        let Some(mut action) = self.next_lane_action(again).cloned() else { return false };
        let comes_back = matches!(action.what, What::Lane { is_added, .. } if is_added == again);
        if comes_back && !self.can_add_lane() {
            return true;
        }
        let actions = if again { &mut self.lane_actions.undone } else { &mut self.lane_actions.done };
        actions.pop();
        match &mut action.what {
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
        let actions = if again { &mut self.lane_actions.done } else { &mut self.lane_actions.undone };
        actions.push(action);
        true
    }
}
