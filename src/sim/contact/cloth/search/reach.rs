//! Reach of triangles and edges along the axes: the largest distances of their bounding boxes from
//! those of parts that are near (`physics.md` section 11.1).
//!
//! A vertex in contact with a triangle is nearly above it: the vector between them is within `ψ` of
//! the normal `n`, and along the axis `k` at most `|nₖ| cos ψ + √(1 - nₖ²) sin ψ` of its length, or
//! all of it if the axis is within `ψ` of the normal. The shortest line between the insides of two
//! edges is perpendicular to both: along the axis `k` it has at most `√(1 - uₖ²)` of its length for
//! an edge along the unit vector `u`. So little is near along a sheet, where most parts are.

use glam::{Vec3A, Vec3Swizzles};

use super::boxes::Sweep;
use super::screen::Limits;
use crate::sim::Real;
use crate::sim::contact::cloth::nearness::STEEP;

/// Distances within which a search finds pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Width {
    /// Those at the positions of the search.
    pub limits: Limits,
    /// Uncertainty of the positions of vertices, apart from a common translation [m].
    pub skin: Real,
}

impl Width {
    /// Largest distance of the boxes of near parts along each axis [m], if the vector between such
    /// parts has at most these shares of its length along the axes.
    pub fn along(&self, shares: Vec3A) -> Vec3A {
        let Limits { near, room } = self.limits;
        let reach = (shares * near as f32).max(Vec3A::splat(room as f32));
        (reach + 2.0 * self.skin as f32) * (1.0 + 1e-5)
    }
}

/// Reach of a triangle with these corners, which are at `points` [m].
pub(super) fn of_triangle(corners: &[u32; 3], points: &[Sweep], width: &Width) -> Vec3A {
    let [a, b, c] = corners.map(|corner| points[corner as usize].end());
    let (u, v) = (b - a, c - a);
    let across = u.cross(v);
    let longest = u.length_squared().max(v.length_squared()).max(u.distance_squared(v)).sqrt();
    let (area, off) = (across.length(), uncertainty(&[a, b, c], width));
    // the heights of the corners above the plane differ by `2 off` over the least height
    let turn = 2.0 * off / (area / longest - 2.0 * off);
    let steep = (1.0 - STEEP * STEEP).sqrt() as f32;
    width.along(shares(across.abs() / area, steep + turn, area > 4.0 * off * longest))
}

/// Reach of an edge with these ends, which are at `points` [m].
pub(super) fn of_edge(ends: &[u32; 2], points: &[Sweep], width: &Width) -> Vec3A {
    let [a, b] = ends.map(|end| points[end as usize].end());
    let along = b - a;
    let (length, off) = (along.length(), uncertainty(&[a, b], width));
    let squares = along * along;
    let across = (squares.yzx() + squares.zxy()).sqrt();
    width.along(shares(across / length, 2.0 * off / (length - 2.0 * off), length > 4.0 * off))
}

/// How far vertices at these places may be from them [m].
fn uncertainty(places: &[Vec3A], width: &Width) -> f32 {
    let size = places.iter().fold(Vec3A::ZERO, |size, place| size.max(place.abs())).max_element();
    width.skin as f32 + 4.0 * f32::EPSILON * size
}

/// Largest shares of the length of a vector along the axes. Its direction is within an angle with
/// this `sine` of a direction or a plane at angles with the `cosines` to the axes. If this is not
/// known, the shares are one.
fn shares(cosines: Vec3A, sine: f32, is_known: bool) -> Vec3A {
    // NaN is no bound
    if !(is_known && sine < 0.99) {
        return Vec3A::ONE;
    }
    let (cosines, sine) = (cosines * (1.0 - 1e-6), sine + 1e-5);
    let cosine = (1.0 - sine * sine).sqrt();
    let sines = (Vec3A::ONE - cosines * cosines).max(Vec3A::ZERO).sqrt();
    Vec3A::select(cosines.cmpge(Vec3A::splat(cosine)), Vec3A::ONE, cosines * cosine + sines * sine)
}
