//! Vertices whose motion is prescribed: pins that stay, pins that move along a path, and the user's hand.
//!
//! A prescribed vertex is eliminated from every linear system. Its position at the end of a step is given, and its
//! velocity over the step follows from that, so solvers feel a moving pin through both.

use serde::{Deserialize, Serialize};

use crate::sim::quote::number;
use crate::sim::{Real, Vec3};

/// A vertex held in place, or moved along a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The vertex.
    pub vertex: u32,
    /// Where it is held; the start of the path if it has one [m].
    pub origin: Vec3,
    /// How it moves from there; `None` for a pin that stays.
    pub path: Option<Path>,
}

/// A prescribed motion, as an offset from where it starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Path {
    /// A sine along each axis, shifted so that the path starts at its origin.
    Oscillation {
        /// Half of the full swing along each axis [m].
        amplitude: Vec3,
        /// Frequency along each axis [Hz].
        frequency: Vec3,
        /// Phase along each axis at time zero [rad].
        #[serde(default)]
        phase: Vec3,
    },
    /// Straight from point to point.
    Waypoints {
        /// Time [s], rising, and offset [m] of each point.
        points: Vec<(Real, Vec3)>,
        /// Whether to start again after the last point instead of staying there.
        #[serde(default)]
        repeat: bool,
    },
    /// On and on.
    Steady {
        /// Offset per second [m/s].
        velocity: Vec3,
    },
}

impl Path {
    /// Offset from the origin at `time` [s].
    #[must_use]
    pub fn offset(&self, time: Real) -> Vec3 {
        match self {
            Self::Oscillation { amplitude, frequency, phase } => {
                let angle = *frequency * (std::f64::consts::TAU * time) + *phase;
                let sine = |v: Vec3| Vec3::new(v.x.sin(), v.y.sin(), v.z.sin());
                *amplitude * (sine(angle) - sine(*phase))
            }
            Self::Waypoints { points, repeat } => {
                let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec3::ZERO };
                let duration = last.0 - first.0;
                let time =
                    if *repeat && duration > 0.0 { first.0 + (time - first.0).rem_euclid(duration) } else { time };
                let after = points.partition_point(|point| point.0 <= time);
                let (Some(b), true) = (points.get(after), after > 0) else {
                    return if after == 0 { first.1 } else { last.1 };
                };
                let a = &points[after - 1];
                a.1.lerp(b.1, (time - a.0) / (b.0 - a.0))
            }
            Self::Steady { velocity } => *velocity * time,
        }
    }

    /// What is wrong with the path, if anything: numbers that are not finite, times that do not rise.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        match self {
            Self::Oscillation { amplitude, frequency, phase } => {
                let finite = amplitude.is_finite() && frequency.is_finite() && phase.is_finite();
                (!finite).then(|| "an oscillation needs finite amplitudes, frequencies and phases".to_owned())
            }
            Self::Steady { velocity } => {
                (!velocity.is_finite()).then(|| "a steady motion needs a finite velocity".to_owned())
            }
            Self::Waypoints { points, .. } => {
                if points.iter().any(|(time, offset)| !time.is_finite() || !offset.is_finite()) {
                    return Some("a waypoint needs a finite time and offset".to_owned());
                }
                points.windows(2).find(|pair| pair[1].0 <= pair[0].0).map(|pair| {
                    format!("waypoint times must rise, but {} follows {}", number(pair[1].0), number(pair[0].0))
                })
            }
        }
    }
}

impl Pin {
    /// A pin that stays at `position` [m].
    #[must_use]
    pub fn fixed(vertex: u32, position: Vec3) -> Self {
        Self { vertex, origin: position, path: None }
    }

    /// Where the vertex has to be at `time` [s].
    #[must_use]
    pub fn position(&self, time: Real) -> Vec3 {
        self.path.as_ref().map_or(self.origin, |path| self.origin + path.offset(time))
    }
}

/// The user's hand on one vertex: the vertex follows the target within about a tenth of a second. The motion is
/// prescribed, which every solver survives; a spring to the cursor would be one more stiffness that explicit solvers
/// can fail at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Grab {
    /// The vertex in the hand.
    pub vertex: u32,
    /// Where the hand wants it [m].
    pub target: Vec3,
}

impl Grab {
    /// Time constant of the approach [s]. Short enough to feel direct, long enough that the jumps of a mouse between
    /// two frames do not become hammer blows.
    const FOLLOW_TIME: Real = 0.03;
    /// Fastest motion of the hand [m/s].
    pub(super) const TOP_SPEED: Real = 15.0;

    /// Where the vertex is after a step of `dt` [s] from `position` [m].
    #[must_use]
    pub fn follow(&self, position: Vec3, dt: Real) -> Vec3 {
        position + ((self.target - position) * Self::share(dt)).clamp_length_max(Self::TOP_SPEED * dt)
    }

    /// Share of the way to its target that the hand takes in a step of `dt` [s].
    pub(in crate::sim) fn share(dt: Real) -> Real {
        1.0 - (-dt / Self::FOLLOW_TIME).exp()
    }
}
