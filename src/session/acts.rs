//! What can be taken back. One gesture is one act.
//!
//! A parameter, a setting, a solver or a fabric gets back what it had, and the cloth goes on moving. What changed the cloth itself, like a
//! pull, a cut or another scene, is taken back by going to the moment before it.

use super::arrangement::Arrangement;
use super::timeline::Point;

/// Most acts that can be taken back.
const MOST: usize = 200;

/// Acts of the hand, which with several lanes are done in all of them.
pub const OF_THE_HAND: [&str; 9] =
    ["Pull", "Moved pin", "Moved collider", "Cut", "Pin", "Unpin", "Iron", "Reset", "Scene"];

/// How an act is taken back.
#[derive(Debug)]
pub(super) enum Way {
    /// By what the panels had before; done again by what they had after it.
    Arrangements(Box<[Arrangement; 2]>),
    /// By letting the vertex go.
    Pinned(u32),
    /// By going to the moment before it. The moment to go to for doing it again is that in which it was taken back.
    Moments([Option<Point>; 2]),
    /// Likewise while those moments are kept, and by arrangements later.
    Either([Option<Point>; 2], Box<[Arrangement; 2]>),
}

#[derive(Debug)]
pub(super) struct Act {
    /// What it was, in a word or two.
    pub name: String,
    pub way: Way,
    /// Its number among all acts of the session.
    pub number: u64,
    /// When it was done.
    pub at: Option<Point>,
}

/// What was done, and what was taken back.
#[derive(Debug, Default)]
pub(super) struct Acts {
    pub done: Vec<Act>,
    pub undone: Vec<Act>,
    /// Number of acts so far.
    count: u64,
    /// Whether the next change of a parameter belongs to the last act.
    pub goes_on: bool,
    /// The gesture that has begun, with the moment before it.
    pub gesture: Option<(&'static str, Option<Point>)>,
}

impl Acts {
    /// What can be taken back, and what can be done again.
    pub fn names(&self) -> [Option<String>; 2] {
        [&self.done, &self.undone].map(|acts| acts.last().map(|act| act.name.clone()))
    }

    /// Number of the act that would be taken back; zero if there is none. Later ones have higher numbers.
    pub fn newest(&self) -> u64 {
        self.done.last().map_or(0, |act| act.number)
    }

    /// The gesture is over.
    pub fn finish(&mut self) {
        self.goes_on = false;
    }

    /// Adds an act.
    pub fn push(&mut self, name: &str, way: Way, at: Option<Point>) {
        self.undone.clear();
        if self.done.len() == MOST {
            self.done.remove(0);
        }
        self.count += 1;
        self.done.push(Act { name: name.to_owned(), way, number: self.count, at });
    }

    /// Forgets what was done after a point, which the session has left behind.
    pub fn forget_after(&mut self, point: Point) {
        self.done.retain(|act| act.at.is_none_or(|at| at <= point));
        self.undone.clear();
        self.goes_on = false;
    }
}
