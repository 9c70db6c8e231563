//! Separating planes: half-spaces for the vertices of a pair that keep it apart, and the nearest
//! displacement within them (`physics.md` section 12, lemma 4).
//!
//! The planes of a pair stand still in a frame that may move: two planes with a common motion that
//! part a pair at both ends part it all the way. Displacements are those in the frame.

use crate::sim::contact::cloth::pair::{Pair, ROUNDING};
use crate::sim::{Real, Vec3};

/// Smallest share of the room between two parts for either.
const LEAST_SHARE: Real = 0.05;
/// Squared sine of the angle below which two planes count as parallel.
const PARALLEL: Real = 1e-16;

/// A pair with separating planes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SeparatedPair {
    pub pair: Pair,
    /// Unit normal from the second part to the first.
    normal: Vec3,
    /// Largest displacement of each vertex towards the other part [m].
    room: [Real; 4],
    /// Reserve for rounding [m].
    rounding: Real,
}

/// The displacements `d` of a vertex with `n·d ≥ -room`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HalfSpace {
    normal: Vec3,
    room: Real,
    rounding: Real,
}

impl SeparatedPair {
    /// Separating planes of a pair that moves from `x` to `y` [m], with the unit `normal` in its
    /// `gap` [m]. Between them `least` [m] is left, or the whole gap if it is smaller; the rest is
    /// divided by the approach of both parts, or belongs to the other part if one `stands` still.
    pub fn new(
        pair: Pair,
        x: &[Vec3; 4],
        y: &[Vec3; 4],
        (normal, gap): (Vec3, Real),
        least: Real,
        stands: Option<usize>,
    ) -> Self {
        let first = usize::from(pair.first);
        let height: [Real; 4] = std::array::from_fn(|i| (x[i] - x[0]).dot(normal));
        let approach = |range: std::ops::Range<usize>, sign: Real| {
            range.map(|i| sign * (x[i] - y[i]).dot(normal)).fold(0.0, Real::max)
        };
        let (of_first, of_second) = (approach(0..first, 1.0), approach(first..4, -1.0));
        let both = of_first + of_second;
        let share = if both > 0.0 { of_first / both } else { 0.5 };
        // NaN must not give more than there is
        let share = if share.is_nan() { 0.5 } else { share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE) };
        let share = stands.map_or(share, |part| if part == 0 { 0.0 } else { 1.0 });
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

impl HalfSpace {
    /// The same in a frame that has turned as `turn` turns directions.
    pub fn turned(self, turn: impl Fn(Vec3) -> Vec3) -> Self {
        Self { normal: turn(self.normal), ..self }
    }

    /// Distance of a displacement beyond the plane [m].
    fn beyond(&self, d: Vec3) -> Real {
        -self.room - self.normal.dot(d)
    }

    fn holds(&self, d: Vec3) -> bool {
        self.beyond(d) <= self.rounding
    }
}

/// The displacement within all half-spaces that is nearest to the wished one; zero is within all.
///
/// Incremental (Seidel 1991): if the nearest so far is within the next half-space as well, it
/// stays; otherwise the new one lies on its plane, and is the nearest there within the half-spaces
/// before.
pub(super) fn nearest_within(wish: Vec3, half_spaces: impl Iterator<Item = HalfSpace> + Clone) -> Vec3 {
    let mut d = wish;
    for (i, half) in half_spaces.clone().enumerate() {
        if !half.holds(d) {
            d = nearest_on_plane(wish, &half, half_spaces.clone().take(i));
        }
    }
    // the rest of rounding and of nearly parallel planes
    let share = half_spaces.map(|half| {
        let towards = -half.normal.dot(d);
        let room = half.room + half.rounding;
        if towards > room { room / towards } else { 1.0 }
    });
    d * share.fold(1.0, Real::min)
}

/// The nearest to `wish` on the plane of a half-space, within others.
fn nearest_on_plane(wish: Vec3, plane: &HalfSpace, others: impl Iterator<Item = HalfSpace> + Clone) -> Vec3 {
    let mut d = wish + plane.normal * plane.beyond(wish);
    for (i, half) in others.clone().enumerate() {
        if !half.holds(d) {
            d = nearest_on_line(wish, [plane, &half], others.clone().take(i)).unwrap_or(d);
        }
    }
    d
}

/// The nearest to `wish` on the intersection of two planes, within other half-spaces; none if the
/// planes are parallel or nothing is left.
fn nearest_on_line(wish: Vec3, [a, b]: [&HalfSpace; 2], others: impl Iterator<Item = HalfSpace>) -> Option<Vec3> {
    let along = a.normal.cross(b.normal);
    let sine = along.length_squared();
    if sine < PARALLEL {
        return None;
    }
    let cosine = a.normal.dot(b.normal);
    let (of_a, of_b) = (a.beyond(wish), b.beyond(wish));
    let d = wish + (a.normal * (of_a - cosine * of_b) + b.normal * (of_b - cosine * of_a)) / sine;
    let along = along / sine.sqrt();
    let (mut low, mut high) = (Real::NEG_INFINITY, Real::INFINITY);
    for half in others {
        let (beyond, slope) = (half.beyond(d), half.normal.dot(along));
        if slope.abs() > 1e-12 {
            if slope > 0.0 { low = low.max(beyond / slope) } else { high = high.min(beyond / slope) }
        }
    }
    (low <= high).then(|| d + along * 0.0_f64.clamp(low, high))
}
