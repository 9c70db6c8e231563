//! The half-spaces in which the vertices of a pair have to stay so that it stays apart, and the nearest motion within them.

use super::pair::{Pair, ROUNDING};
use crate::sim::{Real, Vec3};

/// Smallest share of the room between two parts that either gets.
const LEAST_SHARE: Real = 0.05;
/// Sweeps over the half-spaces of a vertex.
const SWEEPS: usize = 4;

/// A pair that is held apart by two planes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Held {
    pub pair: Pair,
    /// From the second part to the first.
    normal: Vec3,
    /// How far each vertex may move towards the other part [m].
    room: [Real; 4],
    /// How much farther it may by rounding [m].
    rounding: Real,
}

/// The displacements `n·d ≥ -room` of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HalfSpace {
    normal: Vec3,
    room: Real,
    rounding: Real,
}

impl Held {
    /// Parts a pair at `x` that moves to `y` [m] by planes with the unit `normal` in its `gap` [m], of which `least` [m] is to be
    /// left between them, or all of it. The rest is divided as the two approach each other.
    pub fn new(pair: Pair, x: &[Vec3; 4], y: &[Vec3; 4], (normal, gap): (Vec3, Real), least: Real) -> Self {
        let first = usize::from(pair.first);
        let height: [Real; 4] = std::array::from_fn(|i| (x[i] - x[0]).dot(normal));
        let approach = |range: std::ops::Range<usize>, sign: Real| {
            range.map(|i| sign * (x[i] - y[i]).dot(normal)).fold(0.0, Real::max)
        };
        let (of_first, of_second) = (approach(0..first, 1.0), approach(first..4, -1.0));
        let both = of_first + of_second;
        let share = if both > 0.0 { of_first / both } else { 0.5 };
        // neither does a number that is none give more than there is
        let share = if share.is_nan() { 0.5 } else { share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE) };
        let kept = gap.min(least);
        let (to_first, to_second) = (share * (gap - kept), (1.0 - share) * (gap - kept));
        let low = height[..first].iter().copied().fold(Real::INFINITY, Real::min);
        let high = height[first..].iter().copied().fold(Real::NEG_INFINITY, Real::max);
        let room =
            std::array::from_fn(|i| if i < first { height[i] - low + to_first } else { high - height[i] + to_second });
        Self { pair, normal, room, rounding: 0.4 * ROUNDING * kept }
    }

    /// The half-space of its vertex number `corner`.
    pub fn half_space(&self, corner: usize) -> HalfSpace {
        let normal = if corner < usize::from(self.pair.first) { self.normal } else { -self.normal };
        HalfSpace { normal, room: self.room[corner], rounding: self.rounding }
    }
}

/// A displacement in all the half-spaces, near the wished one, and no longer than that. Standing still is in all of them.
pub(super) fn nearest_within(wish: Vec3, half_spaces: impl Iterator<Item = HalfSpace> + Clone) -> Vec3 {
    let mut d = wish;
    for _ in 0..SWEEPS {
        let mut moved = false;
        for half in half_spaces.clone() {
            let beyond = -half.room - half.normal.dot(d);
            if beyond > half.rounding {
                d += half.normal * beyond;
                moved = true;
            }
        }
        if !moved {
            return d;
        }
    }
    let share = half_spaces.map(|half| {
        let towards = -half.normal.dot(d);
        let room = half.room + half.rounding;
        if towards > room { room / towards } else { 1.0 }
    });
    d * share.fold(1.0, Real::min)
}
