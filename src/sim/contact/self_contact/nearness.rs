//! Classification of a pair in a motion: near, far or passing through itself; its sides and its
//! distance (`physics.md` sections 11.1 and 11.2).

use super::distance::{Closest, edge_edge_inline, vertex_triangle_inline};
use super::pair::Pair;
use crate::sim::{Real, Vec3};

/// Within one component, a pair keeps at most this share of its rest distance.
const AT_REST: Real = 0.5;
/// Cosine of the largest angle between the normal of a triangle and the vector to a vertex in
/// contact with it.
const STEEP: Real = 0.98;
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
        if changes_sides(pair, x, y) {
            return if Crossing::of(pair, x, y).is_some() { Self::Passing } else { Self::Far };
        }
        let closest = closest(pair, y);
        let is_near = closest.difference.length_squared() < distance * distance && counts(pair, y, &closest);
        if is_near { Self::Near } else { Self::Far }
    }
}

/// The contact of a pair that passes through itself.
pub(in crate::sim::contact) struct Crossing {
    pub weights: [Real; 4],
    pub(super) normal: Vec3,
}

impl Crossing {
    /// Of a pair that changes sides in the motion from `x` to `y` [m], if its parts meet when they
    /// lie in one plane. That time is interpolated linearly between both ends.
    pub fn of(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4]) -> Option<Self> {
        let (from, to) = (side(pair, x), side(pair, y));
        let time = from / (from - to);
        let middle: [Vec3; 4] = std::array::from_fn(|i| x[i].lerp(y[i], time));
        let weights = closest(pair, &middle).weights;
        if weights.contains(&0.0) {
            return None;
        }
        let across = if pair.first == 1 {
            (middle[2] - middle[1]).cross(middle[3] - middle[1])
        } else {
            (middle[1] - middle[0]).cross(middle[3] - middle[2])
        };
        Some(Self { weights, normal: across.try_normalize()? * from.signum() })
    }
}

/// Signed volume of a pair: its sign tells on which side of the second part the first is.
#[inline(always)]
pub(in crate::sim::contact) fn side(pair: &Pair, x: &[Vec3; 4]) -> Real {
    if pair.first == 1 {
        (x[2] - x[1]).cross(x[3] - x[1]).dot(x[0] - x[1])
    } else {
        (x[1] - x[0]).cross(x[3] - x[2]).dot(x[0] - x[2])
    }
}

/// Whether a pair that moves from `x` to `y` [m] passes through itself.
pub(super) fn crosses(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4]) -> bool {
    changes_sides(pair, x, y) && Crossing::of(pair, x, y).is_some()
}

/// Whether the first part changes sides of the second in the motion from `x` to `y` [m].
#[inline(always)]
pub(in crate::sim::contact) fn changes_sides(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4]) -> bool {
    side(pair, x) * side(pair, y) < 0.0
}

/// Whether the contact belongs to the pair. If the closest points lie on the boundary of a triangle
/// or at the end of an edge, a neighbour has them as well, and the line between them may point
/// along the cloth: pushing along it would drive the parts sideways.
#[inline(always)]
pub(super) fn counts(pair: &Pair, x: &[Vec3; 4], closest: &Closest) -> bool {
    if pair.first == 2 {
        return closest.weights.iter().all(|weight| *weight != 0.0);
    }
    let across = (x[2] - x[1]).cross(x[3] - x[1]);
    let along = across.dot(closest.difference);
    along * along >= STEEP * STEEP * across.length_squared() * closest.difference.length_squared()
}

#[inline(always)]
pub(in crate::sim::contact) fn closest(pair: &Pair, x: &[Vec3; 4]) -> Closest {
    if pair.first == 1 { vertex_triangle_inline(x) } else { edge_edge_inline(x) }
}

/// The distance of a pair: the cloth-cloth distance, at most a share of its rest distance within
/// one component.
#[inline(always)]
pub(super) fn distance_of(pair: &Pair, x: &[Vec3; 4], pieces: &[u32], rest: &[Vec3], layers: Real) -> Real {
    let of_pair = if pair.first == 2 {
        let (u, v) = (x[1] - x[0], x[3] - x[2]);
        let lengths = u.length_squared() * v.length_squared();
        let sine = if lengths > 0.0 { u.cross(v).length_squared() / lengths } else { 0.0 };
        layers * (sine / NEARLY_PARALLEL).min(1.0)
    } else {
        layers
    };
    let [a, _, _, d] = pair.vertices.map(|vertex| pieces[vertex as usize]);
    if a == d { of_pair.min(AT_REST * closest(pair, &pair.corners(rest)).distance()) } else { of_pair }
}
