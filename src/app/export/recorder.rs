//! The last seconds of motion of each lane, recorded continuously from the shown frames, on the
//! thread that shows them.

use std::sync::Arc;

use crate::app::session::LaneView;
use crate::documents::{Clip, Moment};
use crate::session::Frame;

/// Simulated time that is kept at most [s].
pub const MOST_SECONDS: f64 = 60.0;
/// Memory that the motion of a lane takes at most [bytes].
pub const MOST_BYTES: usize = 256 << 20;
/// Memory that the motion of each further lane takes at most [bytes].
const MOST_BYTES_BESIDE: usize = 64 << 20;
/// Simulated time between two moments, at least [s].
const INTERVAL: f64 = 1.0 / 30.0;

/// The last moments of motion of all lanes.
#[derive(Default)]
pub struct Recorders {
    /// By the places of the lanes, each with the number of its lane.
    of_lanes: Vec<(u64, Recorder)>,
    chosen: usize,
}

impl Recorders {
    /// Records the frames of all lanes, each if its time has come.
    pub fn follow(&mut self, lanes: &[LaneView]) {
        let mut before = std::mem::take(&mut self.of_lanes);
        for lane in lanes {
            let known = before.iter().position(|(number, _)| *number == lane.number);
            let bytes = if self.of_lanes.is_empty() { MOST_BYTES } else { MOST_BYTES_BESIDE };
            let mut recorder = known.map_or_else(|| Recorder::new(bytes), |at| before.swap_remove(at).1);
            recorder.follow(lane.frame);
            self.of_lanes.push((lane.number, recorder));
        }
        self.chosen = lanes.iter().position(|lane| lane.is_chosen).unwrap_or(0);
    }

    /// The moments that `part` takes of each lane, by their places.
    pub fn of_each(
        &self,
        lanes: &[LaneView],
        part: impl Fn(&Recorder, &Frame) -> Vec<Arc<Moment>>,
    ) -> Vec<Vec<Arc<Moment>>> {
        let of = |lane: &LaneView| {
            let recorder = self.of_lanes.iter().find(|(number, _)| *number == lane.number);
            recorder.map_or_else(|| vec![moment(lane.frame).into()], |(_, recorder)| part(recorder, lane.frame))
        };
        lanes.iter().map(of).collect()
    }

    /// That of the chosen lane.
    pub fn chosen(&self) -> Option<&Recorder> {
        self.of_lanes.get(self.chosen).map(|(_, recorder)| recorder)
    }

    /// Memory that all take [bytes].
    pub fn bytes(&self) -> usize {
        self.of_lanes.iter().map(|(_, recorder)| recorder.clip.bytes()).sum()
    }
}

/// The last moments of motion of a lane.
pub struct Recorder {
    clip: Clip,
    /// The cloth that it is of.
    generation: Option<u64>,
}

impl Recorder {
    /// An empty one that takes at most so many `bytes`.
    fn new(bytes: usize) -> Self {
        Self { clip: Clip::new(MOST_SECONDS, bytes), generation: None }
    }

    /// Records a frame, if its time has come. A new cloth begins a new recording.
    fn follow(&mut self, frame: &Frame) {
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

    /// The simulated time [s] that is kept.
    pub fn seconds(&self) -> f64 {
        self.clip.seconds()
    }
}

/// The moment of a frame.
pub fn moment(frame: &Frame) -> Moment {
    let colliders = frame.colliders.iter().map(|collider| (collider.position, collider.rotation)).collect();
    let (pins, grab) = (frame.pins.clone(), frame.grab);
    Moment { colliders, pins, grab, ..Moment::at(frame.time, &frame.positions) }
}
