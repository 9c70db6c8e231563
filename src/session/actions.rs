//! Actions for undo and redo. One gesture is one action.
//!
//! A parameter, a setting, a solver, a fabric or a pin gets its former value: to the bit if no step
//! was taken since, otherwise the cloth continues. A change of the cloth itself, such as a pull, a
//! cut or another scene, is undone by going to the moment before it.

use std::sync::Arc;

use super::Command;
use super::controls::Controls;
use super::timeline::Point;

/// Most actions that can be undone.
const MOST: usize = 200;

/// How an action is undone and redone.
#[derive(Debug)]
pub(super) enum UndoMethod {
    /// By the controls before and after it.
    Controls([Arc<Controls>; 2]),
    /// By going to the moment before it, and to that in which it was undone. Once time has passed
    /// since, it is redone by its commands instead; a gesture that took time has none.
    Moments([Option<Point>; 2], Vec<Command>),
    /// By moments while those are kept, and by controls later.
    Either([Option<Point>; 2], [Arc<Controls>; 2]),
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
    /// Numbers of the [instants](super::Session::instant) before and after it.
    pub instants: [u64; 2],
}

/// A gesture that has begun.
#[derive(Debug)]
pub(super) struct Gesture {
    pub name: &'static str,
    /// The moment before it.
    pub at: Option<Point>,
    /// Number of the instant before it.
    pub instant: u64,
    /// Commands that do it again; none of a hand, whose motion takes time.
    pub commands: Vec<Command>,
    /// Whether it is the last action already.
    pub is_noted: bool,
}

impl Gesture {
    pub const CUT: &str = "Cut";

    /// One that begins at a moment, at the instant of this number.
    pub fn new(name: &'static str, at: Option<Point>, instant: u64) -> Self {
        Self { name, at, instant, commands: Vec::new(), is_noted: false }
    }
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
    pub gesture: Option<Gesture>,
}

impl Actions {
    /// Number of the action that would be undone; zero if there is none. Later ones have higher
    /// numbers.
    pub fn newest(&self) -> u64 {
        self.done.last().map_or(0, |action| action.number)
    }

    /// The gesture is over.
    pub fn finish(&mut self) {
        self.goes_on = false;
    }

    /// Adds an action, which gets the next number.
    pub fn push(&mut self, action: Action) {
        self.undone.clear();
        if self.done.len() == MOST {
            self.done.remove(0);
        }
        self.count += 1;
        self.done.push(Action { number: self.count, ..action });
    }

    /// All that was done is in the state before a point as well, though it may have been redone
    /// later on another way.
    pub fn end_before(&mut self, point: Option<Point>) {
        self.done.iter_mut().for_each(|action| action.at = action.at.min(point));
    }

    /// Actions that came after a point count as undone, since the session has left it on another
    /// way.
    pub fn undo_after(&mut self, point: Point) {
        let (kept, later) = std::mem::take(&mut self.done)
            .into_iter()
            .partition::<Vec<_>, _>(|action| action.at.is_none_or(|at| at <= point));
        self.done = kept;
        self.undone.extend(later.into_iter().rev());
        self.goes_on = false;
    }
}
