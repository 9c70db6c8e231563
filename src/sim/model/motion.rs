//! Prescribed motions of points and bodies: along a path, about an axis, or both. Functions of time
//! alone.

use serde::{Deserialize, Serialize};

use crate::sim::params::quote::number;
use crate::sim::{Quat, Real, Vec3};

/// A part of a way that is faster than this [m/s], and takes no longer than that [s], is a jump:
/// faster than waves in most cloths, which could follow only by tearing.
const JUMP_SPEED: Real = 100.0;
const JUMP_TIME: Real = 0.05;
/// Time in which a repeated motion gets from its end to its start, to be called a jump [s].
const RESTART: Real = 1e-3;

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
                between(points, *repeat, time, |a, b, share| a.lerp(b, share)).unwrap_or(Vec3::ZERO)
            }
            Self::Steady { velocity } => *velocity * time,
        }
    }

    /// A fault of the path, if any: numbers that are not finite, times that do not rise.
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
                rising(points)
            }
        }
    }
}

/// A sine of the angle of a [`Turn`], shifted so that it starts at no turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swing {
    /// Half of the full swing, in whole turns.
    pub amplitude: Real,
    /// Frequency [Hz].
    pub frequency: Real,
    /// Phase at time zero [rad].
    #[serde(default)]
    pub phase: Real,
}

impl Swing {
    /// The angle at `time` [s], in whole turns.
    #[must_use]
    pub fn turns(&self, time: Real) -> Real {
        let angle = self.phase + self.frequency * (std::f64::consts::TAU * time);
        self.amplitude * (angle.sin() - self.phase.sin())
    }
}

/// A rotation about a fixed axis, as an angle over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Direction of the axis; need not have unit length. Turns are counter-clockwise seen against
    /// it.
    pub axis: Vec3,
    /// A point on the axis [m]; by default the middle of the rotated vertices, at time zero.
    #[serde(default)]
    pub center: Option<Vec3>,
    /// Time [s], rising, and angle of each point, in whole turns; even from point to point.
    #[serde(default)]
    pub turns: Vec<(Real, Real)>,
    /// Whether to start again after the last point instead of staying there.
    #[serde(default)]
    pub repeat: bool,
    /// A sine that is added to the angle, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swing: Option<Swing>,
}

impl Turn {
    /// The rotation at `time` [s].
    #[must_use]
    pub fn rotation(&self, time: Real) -> Quat {
        let turns = between(&self.turns, self.repeat, time, |a, b, share| a + (b - a) * share).unwrap_or(0.0);
        let turns = self.swing.map_or(turns, |swing| turns + swing.turns(time));
        // whole turns lead back to exactly the same place
        let angle = std::f64::consts::TAU * turns.fract();
        Quat::from_axis_angle(self.axis.normalize_or(Vec3::Y), angle)
    }

    /// A fault of the rotation, if any.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        if !(self.axis.is_finite() && self.axis.length() > 0.0) {
            return Some("a rotation needs an axis other than zero".to_owned());
        }
        if self.turns.iter().any(|(time, turns)| !(time.is_finite() && turns.is_finite()))
            || self.center.is_some_and(|center| !center.is_finite())
        {
            return Some("a rotation needs finite times, turns and center".to_owned());
        }
        let is_finite = |swing: &Swing| [swing.amplitude, swing.frequency, swing.phase].iter().all(|x| x.is_finite());
        if !self.swing.iter().all(is_finite) {
            return Some("the swing of a rotation needs a finite amplitude, frequency and phase".to_owned());
        }
        if self.turns.is_empty() && self.swing.is_none() {
            return Some("a rotation needs turns, a swing or both".to_owned());
        }
        rising(&self.turns)
    }
}

/// A rigid motion: turned first, then carried along a path.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// The path, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
    /// The rotation, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
}

impl From<Path> for Motion {
    fn from(path: Path) -> Self {
        Self { path: Some(path), turn: None }
    }
}

impl Motion {
    /// Where a point is at `time` [s] that starts at `origin` [m].
    #[must_use]
    pub fn place(&self, origin: Vec3, time: Real) -> Vec3 {
        let turned = self.turn.as_ref().map_or(origin, |turn| {
            let center = turn.center.unwrap_or(Vec3::ZERO);
            center + turn.rotation(time) * (origin - center)
        });
        self.path.as_ref().map_or(turned, |path| turned + path.offset(time))
    }

    /// How a body is turned at `time` [s].
    #[must_use]
    pub fn rotation(&self, time: Real) -> Quat {
        self.turn.as_ref().map_or(Quat::IDENTITY, |turn| turn.rotation(time))
    }

    /// The point from which [`place`](Self::place) leads to `position` [m] at `time` [s].
    #[must_use]
    pub fn origin_of(&self, position: Vec3, time: Real) -> Vec3 {
        let turned = self.path.as_ref().map_or(position, |path| position - path.offset(time));
        self.turn.as_ref().map_or(turned, |turn| {
            let center = turn.center.unwrap_or(Vec3::ZERO);
            center + turn.rotation(time).inverse() * (turned - center)
        })
    }

    /// Whether a point that starts at `origin` [m] jumps between the times `from` and `to` [s].
    #[must_use]
    pub fn jumps(&self, origin: Vec3, from: Real, to: Real) -> bool {
        let along = self.path.as_ref().is_some_and(|path| match path {
            Path::Waypoints { points, repeat } => jump_between(points, *repeat, [from, to], |a, b, _| a.distance(b)),
            Path::Oscillation { .. } | Path::Steady { .. } => false,
        });
        along
            || self.turn.as_ref().is_some_and(|turn| {
                let arm = origin - turn.center.unwrap_or(Vec3::ZERO);
                let circle =
                    arm.reject_from_normalized(turn.axis.normalize_or(Vec3::Y)).length() * std::f64::consts::TAU;
                jump_between(&turn.turns, turn.repeat, [from, to], |a, b, restarts| {
                    // a restart is no motion by whole turns
                    let turns = if restarts { (b - a) - (b - a).round() } else { b - a };
                    circle * turns.abs()
                })
            })
    }

    /// Whether nothing moves.
    #[must_use]
    pub fn is_still(&self) -> bool {
        self.path.is_none() && self.turn.is_none()
    }

    /// A fault of the motion, if any.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let path = self.path.as_ref().and_then(Path::fault);
        path.or_else(|| self.turn.as_ref().and_then(Turn::fault))
    }
}

/// The value at `time` [s] between points of time and value; that of the nearest end before the
/// first and after the last.
fn between<T: Copy>(points: &[(Real, T)], repeat: bool, time: Real, lerp: fn(T, T, Real) -> T) -> Option<T> {
    let (first, last) = (points.first()?, points.last()?);
    let duration = last.0 - first.0;
    let time = if repeat && duration > 0.0 { first.0 + (time - first.0).rem_euclid(duration) } else { time };
    let after = points.partition_point(|point| point.0 <= time);
    let (Some(b), true) = (points.get(after), after > 0) else {
        return Some(if after == 0 { first.1 } else { last.1 });
    };
    let a = &points[after - 1];
    Some(lerp(a.1, b.1, (time - a.0) / (b.0 - a.0)))
}

/// Whether there is a jump between two times [s] of a motion between points of time and value.
/// `way(a, b, restarts)` is the length [m] from value to value, or from the last to the first.
fn jump_between<T: Copy>(
    points: &[(Real, T)],
    repeat: bool,
    [from, to]: [Real; 2],
    way: impl Fn(T, T, bool) -> Real,
) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
    let is_jump = |time: Real, way: Real| time <= JUMP_TIME && way > JUMP_SPEED * time;
    let within = |from: Real, to: Real| {
        let start = points.partition_point(|point| point.0 <= from).saturating_sub(1);
        let parts = points[start..].windows(2).take_while(|part| part[0].0 < to);
        parts.into_iter().any(|part| is_jump(part[1].0 - part[0].0, way(part[0].1, part[1].1, false)))
    };
    let duration = last.0 - first.0;
    if !(repeat && duration > 0.0) {
        return within(from, to);
    }
    let begin = first.0 + (from - first.0).rem_euclid(duration);
    let end = begin + (to - from);
    let restarts = end >= last.0;
    within(begin, end) || restarts && (is_jump(RESTART, way(last.1, first.1, true)) || within(first.0, end - duration))
}

/// Message on points whose times do not rise.
fn rising<T>(points: &[(Real, T)]) -> Option<String> {
    points
        .windows(2)
        .find(|pair| pair[1].0 <= pair[0].0)
        .map(|pair| format!("waypoint times must rise, but {} follows {}", number(pair[1].0), number(pair[0].0)))
}

/// Whether an axis times an angle [rad] is one that a thing can be turned by: within 1000 rad, so
/// that digits are left of it.
#[must_use]
pub fn is_rotation(rotation: Vec3) -> bool {
    !rotation.is_nan() && rotation.abs().max_element() <= 1000.0
}
