//! Classification of a pair in a motion: near, far or passing through itself; its sides and its
//! distance (`physics.md` sections 11.1 and 11.2).

use super::distance::Closest;
use super::pair::Pair;
use crate::sim::{Real, Vec3};

/// Within one component, a pair keeps at most this share of its rest distance, so a part that is
/// compressed no further needs no contacts.
pub(super) const AT_REST: Real = 0.5;
/// Cosine of the largest angle between the normal of a triangle and the vector to a vertex in
/// contact with it.
pub(super) const STEEP: Real = 0.98;
/// Squared sine of the angle below which two edges keep a smaller distance: the normal of parallel
/// edges is not unique.
const NEARLY_PARALLEL: Real = 0.1;

/// Class of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nearness {
    Far,
    /// It ends near, and the contact belongs to it.
    Near,
    /// It passes through itself.
    Passing,
}

impl Nearness {
    /// Class of a pair that moves from `x` to `y` [m]; `distance` [m] is the reach.
    pub fn of(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4], distance: Real) -> Self {
        if pair.changes_sides(x, y) {
            return if Crossing::of(pair, x, y).is_some() { Self::Passing } else { Self::Far };
        }
        let closest = pair.closest(y);
        let is_near = closest.difference.length_squared() < distance * distance && counts(pair, y, &closest);
        if is_near { Self::Near } else { Self::Far }
    }
}

/// The contact of a pair that passes through itself.
pub(super) struct Crossing {
    pub weights: [Real; 4],
    pub normal: Vec3,
}

impl Crossing {
    /// Of a pair that changes sides in the motion from `x` to `y` [m] and whose parts meet when
    /// they lie in one plane. That time is interpolated linearly between both ends.
    pub fn of(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4]) -> Option<Self> {
        if !pair.changes_sides(x, y) {
            return None;
        }
        let (from, to) = (pair.side(x), pair.side(y));
        let time = from / (from - to);
        let middle: [Vec3; 4] = std::array::from_fn(|i| x[i].lerp(y[i], time));
        let weights = pair.closest(&middle).weights;
        if weights.contains(&0.0) {
            return None;
        }
        Some(Self { weights, normal: pair.across(&middle).try_normalize()? * from.signum() })
    }
}

/// Whether the contact belongs to the pair. If the closest points lie on the boundary of a triangle
/// or at the end of an edge, a neighbour has them as well, and the line between them may point
/// along the cloth: pushing along it would drive the parts sideways.
#[inline(always)]
pub(super) fn counts(pair: &Pair, x: &[Vec3; 4], closest: &Closest) -> bool {
    if pair.first == 2 {
        return closest.weights.iter().all(|weight| *weight != 0.0);
    }
    let across = pair.across(x);
    let along = across.dot(closest.difference);
    along * along >= STEEP * STEEP * across.length_squared() * closest.difference.length_squared()
}

/// The distance of a pair: the cloth-cloth distance, at most a share of its rest distance within
/// one component.
#[inline(always)]
pub(super) fn distance_of(pair: &Pair, x: &[Vec3; 4], pieces: &[u32], rest: &[Vec3], distance: Real) -> Real {
    let of_pair = if pair.first == 2 {
        let (u, v) = (x[1] - x[0], x[3] - x[2]);
        let lengths = u.length_squared() * v.length_squared();
        let sine = if lengths > 0.0 { u.cross(v).length_squared() / lengths } else { 0.0 };
        distance * (sine / NEARLY_PARALLEL).min(1.0)
    } else {
        distance
    };
    let [a, _, _, d] = pair.vertices.map(|vertex| pieces[vertex as usize]);
    if a == d { of_pair.min(AT_REST * pair.closest(&pair.corners(rest)).distance()) } else { of_pair }
}
