//! Actions for undo and redo. One gesture is one action.
//!
//! A parameter, a setting, a solver or a fabric gets its former value, and the cloth continues. A
//! change of the cloth itself, such as a pull, a cut or another scene, is undone by going to the
//! moment before it.

use super::arrangement::PanelValues;
use super::timeline::Point;

/// Most actions that can be taken back.
const MOST: usize = 200;

/// How an action is taken back.
#[derive(Debug)]
pub(super) enum UndoMethod {
    /// Undone by the values of the panels before it; redone by those after it.
    Values(Box<[PanelValues; 2]>),
    /// By letting the vertex go.
    Pinned(u32),
    /// By going to the moment before it. The moment to go to for doing it again is that in which it
    /// was taken back.
    Moments([Option<Point>; 2]),
    /// Likewise while those moments are kept, and by arrangements later.
    Either([Option<Point>; 2], Box<[PanelValues; 2]>),
}

#[derive(Debug)]
pub(super) struct Action {
    /// Name of the action, in a word or two.
    pub name: String,
    pub method: UndoMethod,
    /// Whether it was done in all lanes.
    pub shared: bool,
    /// Its number among all actions of the session.
    pub number: u64,
    /// When it was done.
    pub at: Option<Point>,
}

/// Actions done and undone.
#[derive(Debug, Default)]
pub(super) struct Actions {
    pub done: Vec<Action>,
    pub undone: Vec<Action>,
    /// Number of actions so far.
    count: u64,
    /// Whether the next change of a parameter belongs to the last action.
    pub goes_on: bool,
    /// The gesture that has begun, with the moment before it.
    pub gesture: Option<(&'static str, Option<Point>)>,
}

impl Actions {
    /// Number of the action that would be taken back; zero if there is none. Later ones have higher
    /// numbers.
    pub fn newest(&self) -> u64 {
        self.done.last().map_or(0, |action| action.number)
    }

    /// The gesture is over.
    pub fn finish(&mut self) {
        self.goes_on = false;
    }

    /// Adds an action.
    pub fn push(&mut self, name: &str, shared: bool, method: UndoMethod, at: Option<Point>) {
        self.undone.clear();
        if self.done.len() == MOST {
            self.done.remove(0);
        }
        self.count += 1;
        self.done.push(Action { name: name.to_owned(), method, shared, number: self.count, at });
    }

    /// Drops actions after a point that the session has left.
    pub fn forget_after(&mut self, point: Point) {
        self.done.retain(|action| action.at.is_none_or(|at| at <= point));
        self.undone.clear();
        self.goes_on = false;
    }
}
