//! How far the drawing of pictures has come, and how long it still takes.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pictures that are drawn in the background.
#[derive(Default)]
pub struct Drawing(Mutex<Option<Counts>>);

#[derive(Clone, Copy)]
struct Counts {
    done: u32,
    all: u32,
    /// When the first picture was done, and the last one.
    first: Instant,
    last: Instant,
}

impl Drawing {
    /// Notes that so many of all pictures are done.
    pub fn note(&self, done: u32, all: u32) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let first = counts.map_or(now, |counts| counts.first);
        *counts = Some(Counts { done, all, first, last: now });
    }

    /// Like "120 of 300 pictures, 40 s left"; nothing before the first picture.
    pub fn line(&self) -> Option<String> {
        let counts = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Counts { done, all, first, last } = counts?;
        Some(line(done, all, last - first, last.elapsed()))
    }
}

/// The line after `done` of `all` pictures: all but the first took `spent`, the last one was done `since` then. The first one has the start of the
/// program in it and tells nothing.
fn line(done: u32, all: u32, spent: Duration, since: Duration) -> String {
    let counted = format!("{done} of {all} pictures");
    if done < 2 || done >= all {
        return counted;
    }
    let left = (spent.as_secs_f64() / f64::from(done - 1) * f64::from(all - done) - since.as_secs_f64()).max(0.0);
    let left = left.ceil() as u64;
    match (left / 60, left % 60) {
        (0, seconds) => format!("{counted}, {seconds} s left"),
        (minutes, seconds) => format!("{counted}, {minutes} min {seconds} s left"),
    }
}
