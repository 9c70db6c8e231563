//! The last seconds of motion, recorded continuously from the shown frames, on the thread that
//! shows them.

use std::sync::Arc;

use crate::documents::{Clip, Moment};
use crate::session::Frame;

/// Simulated time that is kept at most [s].
pub const MOST_SECONDS: f64 = 60.0;
/// Memory that it takes at most [bytes].
pub const MOST_BYTES: usize = 256 << 20;
/// Simulated time between two moments, at least [s].
const INTERVAL: f64 = 1.0 / 30.0;

/// The last moments of motion.
pub struct Recorder {
    clip: Clip,
    /// The cloth that it is of.
    generation: Option<u64>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self { clip: Clip::new(MOST_SECONDS, MOST_BYTES), generation: None }
    }
}

impl Recorder {
    /// Records a frame, if its time has come. A new cloth begins a new recording.
    pub fn follow(&mut self, frame: &Frame) {
        // moments of the past have been taken when they were the present
        if !frame.timeline.is_newest {
            return;
        }
        if self.generation != Some(frame.generation) {
            self.clip.clear();
            self.generation = Some(frame.generation);
        }
        let step = frame.parameters.timing.time_step;
        // times are sums of steps
        let is_due = self.clip.last().is_none_or(|last| {
            frame.time < last.time || frame.time > last.time + (INTERVAL - 0.5 * step).max(0.5 * step)
        });
        if is_due && frame.failure.is_none() {
            self.clip.push(moment(frame));
        }
    }

    /// A part of so many `seconds` that ended some seconds `ago`; up to the state of `frame` if
    /// that is now.
    pub fn part(&self, seconds: f64, ago: f64, frame: &Frame) -> Vec<Arc<Moment>> {
        let mut moments = self.clip.part(seconds, ago);
        if ago == 0.0 && moments.last().is_none_or(|last| frame.time > last.time) {
            moments.push(moment(frame).into());
        }
        moments
    }

    /// The whole recording, up to the state of `frame`.
    pub fn all(&self, frame: &Frame) -> Vec<Arc<Moment>> {
        self.part(f64::INFINITY, 0.0, frame)
    }

    /// Simulated time of the first moment that is kept [s].
    pub fn start(&self) -> f64 {
        self.clip.last().map_or(0.0, |last| last.time - self.clip.seconds())
    }

    /// The simulated time [s] that is kept, and the memory that it takes [bytes].
    pub fn extent(&self) -> (f64, usize) {
        (self.clip.seconds(), self.clip.bytes())
    }
}

/// The moment of a frame.
pub fn moment(frame: &Frame) -> Moment {
    let colliders = frame.colliders.iter().map(|collider| (collider.position, collider.rotation)).collect();
    let (pins, grab) = (frame.pins.clone(), frame.grab);
    Moment { colliders, pins, grab, ..Moment::at(frame.time, &frame.positions) }
}
