//! Vertices whose motion is prescribed: pins that stay, pins that move, and the user's hand. A
//! method with soft pins holds them by springs instead, as unknowns like all others
//! ([`SoftPin`](super::partition::SoftPin)).
//!
//! A prescribed vertex is eliminated from every linear system. Its position at the end of a step is
//! given, and its velocity over the step follows from that, so solvers feel a moving pin through
//! both.

use serde::{Deserialize, Serialize};

use super::motion::Motion;
use crate::sim::{Real, Vec3};

/// A vertex held in place, or moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// Index of the pinned vertex.
    pub vertex: u32,
    /// Where it is held; where its motion starts if it has one [m].
    pub origin: Vec3,
    /// How it moves from there; `None` for a pin that stays.
    pub motion: Option<Motion>,
}

impl Pin {
    /// A pin that stays at `position` [m].
    #[must_use]
    pub fn fixed(vertex: u32, position: Vec3) -> Self {
        Self { vertex, origin: position, motion: None }
    }

    /// Where the vertex has to be at `time` [s].
    #[must_use]
    pub fn position(&self, time: Real) -> Vec3 {
        self.motion.as_ref().map_or(self.origin, |motion| motion.place(self.origin, time))
    }
}

/// The user's hand on one vertex: the vertex follows the target within about a tenth of a second.
/// The motion is prescribed, which every solver survives; a spring to the cursor would be one more
/// stiffness that explicit solvers can fail at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Grab {
    /// The vertex in the hand.
    pub vertex: u32,
    /// Where the hand wants it [m].
    pub target: Vec3,
}

impl Grab {
    /// Time constant of the approach [s]. Short enough to feel direct, long enough that the jumps
    /// of a mouse between two frames do not become hammer blows.
    pub(super) const FOLLOW_TIME: Real = 0.03;
    /// Fastest motion of the hand [m/s].
    pub(super) const TOP_SPEED: Real = 15.0;

    /// Where the vertex is after a step of `dt` [s] from `position` [m].
    #[must_use]
    pub fn follow(&self, position: Vec3, dt: Real) -> Vec3 {
        position + ((self.target - position) * Self::share(dt)).clamp_length_max(Self::TOP_SPEED * dt)
    }

    /// The point to which a spring pulls the vertex at `position` [m]: the target, or on the way to
    /// it, no farther than the way at top speed in the time of the approach.
    #[must_use]
    pub(super) fn pull(&self, position: Vec3) -> Vec3 {
        position + (self.target - position).clamp_length_max(Self::TOP_SPEED * Self::FOLLOW_TIME)
    }

    /// Share of the way to its target that the hand takes in a step of `dt` [s].
    pub(crate) fn share(dt: Real) -> Real {
        1.0 - (-dt / Self::FOLLOW_TIME).exp()
    }
}
