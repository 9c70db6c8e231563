//! A motion, kept in memory: moments of it by rising time.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::sim::math::whole_kilometres;
use crate::sim::{Grab, Real, Vec3};

/// A cloth at a time, as accurately as files and pictures need it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Moment {
    /// Simulated time [s].
    pub time: Real,
    /// The point that the places are relative to: the [whole kilometres](whole_kilometres) nearest
    /// to the first vertex [m].
    #[serde(default)]
    pub origin: Vec3,
    /// Place of each vertex relative to it [m]; of those that were torn off later there is none
    /// yet.
    #[serde(skip)]
    pub positions: Vec<[f32; 3]>,
    /// Position [m] and rotation (axis times angle [rad]) from which each collider's path starts,
    /// beside floor and table.
    pub colliders: Vec<(Vec3, Vec3)>,
    /// The pinned vertices, with the place that each is held at [m].
    pub pins: Vec<(u32, Vec3)>,
    /// The hand, while it holds a vertex.
    pub grab: Option<Grab>,
}

impl Moment {
    /// Vertices at `positions` [m], and nothing else.
    #[must_use]
    pub fn at(time: Real, positions: &[Vec3]) -> Self {
        let origin = positions.first().copied().map_or(Vec3::ZERO, whole_kilometres);
        let positions = positions.iter().map(|x| (*x - origin).as_vec3().to_array()).collect();
        Self { time, origin, positions, ..Self::default() }
    }

    /// Where one of its places is [m].
    #[must_use]
    pub fn place(&self, relative: [f32; 3]) -> Vec3 {
        self.origin + Vec3::from_array(relative.map(Real::from))
    }

    /// Memory that it takes [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.positions) + size_of_val(&*self.colliders) + size_of_val(&*self.pins)
    }
}

/// The last moments of a motion: so many seconds of it, and no more bytes.
#[derive(Debug, Clone)]
pub struct Clip {
    moments: VecDeque<Arc<Moment>>,
    bytes: usize,
    /// Simulated time that is kept at most [s].
    seconds: Real,
    /// Memory that is taken at most [bytes].
    most_bytes: usize,
}

impl Clip {
    /// An empty one that keeps at most `seconds` of simulated time and `most_bytes` of memory.
    #[must_use]
    pub fn new(seconds: Real, most_bytes: usize) -> Self {
        Self { moments: VecDeque::new(), bytes: 0, seconds, most_bytes }
    }

    /// Adds a moment and drops old ones beyond the limits; the moment itself always stays. Moments
    /// that are not before it are dropped: time has gone back.
    pub fn push(&mut self, moment: Moment) {
        while self.moments.back().is_some_and(|last| last.time >= moment.time) {
            self.bytes -= self.moments.pop_back().map_or(0, |last| last.bytes());
        }
        self.bytes += moment.bytes();
        let first = moment.time - self.seconds;
        self.moments.push_back(Arc::new(moment));
        while self.moments.len() > 1 && (self.bytes > self.most_bytes || self.moments[0].time < first) {
            self.bytes -= self.moments.pop_front().map_or(0, |first| first.bytes());
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.moments.clear();
        self.bytes = 0;
    }

    /// Simulated time from the first to the last moment [s].
    #[must_use]
    pub fn seconds(&self) -> Real {
        self.moments.back().map_or(0.0, |last| last.time - self.moments[0].time)
    }

    /// The last moment.
    #[must_use]
    pub fn last(&self) -> Option<&Arc<Moment>> {
        self.moments.back()
    }

    /// The moments of the last `seconds`, by rising time; at least one if there is any.
    #[must_use]
    pub fn last_seconds(&self, seconds: Real) -> Vec<Arc<Moment>> {
        self.part(seconds, 0.0)
    }

    /// The moments of so many `seconds` that ended some seconds `ago`, by rising time; at least one
    /// if there is any.
    #[must_use]
    pub fn part(&self, seconds: Real, ago: Real) -> Vec<Arc<Moment>> {
        let Some((first, last)) = self.moments.front().zip(self.moments.back()) else { return Vec::new() };
        // between two moments there is the earlier one
        let end = (last.time - ago).max(first.time);
        // with half a millisecond to spare: times are sums of steps
        let times = end - seconds - 5e-4..=end + 5e-4;
        let part: Vec<_> = self.moments.iter().filter(|moment| times.contains(&moment.time)).cloned().collect();
        let earlier = || self.moments.iter().rev().find(|moment| moment.time <= end).cloned();
        if part.is_empty() { earlier().into_iter().collect() } else { part }
    }

    /// Memory that it takes [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
