//! Closest points of a vertex and a triangle and of two edges (Ericson 2005, *Real-Time Collision
//! Detection*, sections 5.1.5 and 5.1.9), for shapes of any kind: edges without length, triangles
//! without area, parallel edges.

use crate::sim::{Real, Vec3};

/// Squared sine of the angle below which two edges count as parallel and a triangle as one without
/// area.
pub(super) const PARALLEL: Real = 1e-20;

/// Closest points of two parts of a cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    /// Weights of the four vertices: those of a point of the first part minus those of a point of
    /// the second. `Σ wᵢ xᵢ` is the difference of the points, and the weights add up to zero.
    pub weights: [Real; 4],
    /// `Σ wᵢ xᵢ` [m], from the second part to the first.
    pub difference: Vec3,
}

impl Closest {
    /// Of the points at `s` and `t` of two edges.
    #[inline(always)]
    const fn of_edges(s: Real, t: Real, difference: Vec3) -> Self {
        Self { weights: [1.0 - s, s, t - 1.0, -t], difference }
    }

    /// The distance [m].
    #[must_use]
    pub fn distance(&self) -> Real {
        self.difference.length()
    }

    /// Unit vector from the second part to the first; none if they touch.
    #[must_use]
    pub fn normal(&self) -> Option<Vec3> {
        self.difference.try_normalize()
    }
}

/// Closest points of the vertex `x[0]` and the triangle `x[1] x[2] x[3]` [m]. Weights are
/// `[1, -α, -β, -γ]`.
#[must_use]
#[inline(always)]
pub fn vertex_triangle(x: &[Vec3; 4]) -> Closest {
    let [p, a, b, c] = *x;
    // relative to the vertex, so that close points lose no digits
    let (a, ab, ac) = (a - p, b - a, c - a);
    let normal = ab.cross(ac);
    let area = normal.length_squared();
    if area > PARALLEL * ab.length_squared() * ac.length_squared() {
        let beta = ac.cross(a).dot(normal) / area;
        let gamma = a.cross(ab).dot(normal) / area;
        let alpha = 1.0 - beta - gamma;
        if alpha >= 0.0 && beta >= 0.0 && gamma >= 0.0 {
            // along the normal of the triangle, which is more exact than the difference of the
            // points
            let difference = normal * (-a.dot(normal) / area);
            return Closest { weights: [1.0, -alpha, -beta, -gamma], difference };
        }
    }
    vertex_sides(a, ab, ac)
}

/// Closest points of the origin and the sides of the triangle with corners `a`, `a + ab` and
/// `a + ac` [m].
#[inline(never)]
fn vertex_sides(a: Vec3, ab: Vec3, ac: Vec3) -> Closest {
    let (b, c) = (a + ab, a + ac);
    let sides = [(a, b, [1, 2]), (b, c, [2, 3]), (c, a, [3, 1])];
    let of_side = |(from, to, [i, j]): (Vec3, Vec3, [usize; 2])| {
        let t = nearest_on_segment(from, to);
        let mut weights = [1.0, 0.0, 0.0, 0.0];
        (weights[i], weights[j]) = (t - 1.0, -t);
        Closest { weights, difference: -from.lerp(to, t) }
    };
    nearest(sides.map(of_side))
}

/// Closest points of the edges `x[0] x[1]` and `x[2] x[3]` [m]. Weights are `[1-s, s, t-1, -t]`.
#[must_use]
#[inline(always)]
pub fn edge_edge(x: &[Vec3; 4]) -> Closest {
    let [p, q, r, s] = *x;
    let (u, v, w) = (q - p, s - r, p - r);
    let normal = u.cross(v);
    let sine = normal.length_squared();
    if sine > PARALLEL * u.length_squared() * v.length_squared() {
        // p + s u - r - t v is along the normal
        let s = v.cross(w).dot(normal) / sine;
        let t = u.cross(w).dot(normal) / sine;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            return Closest::of_edges(s, t, normal * (w.dot(normal) / sine));
        }
    }
    edge_ends(x)
}

/// [`edge_edge`] if one of the four ends is a closest point.
#[inline(never)]
fn edge_ends(x: &[Vec3; 4]) -> Closest {
    let [p, q, r, s] = *x;
    let (u, v) = (q - p, s - r);
    let at = Closest::of_edges;
    let from_first = |s: Real, end: Vec3| {
        let t = nearest_on_segment(r - end, r + v - end);
        at(s, t, end - r - v * t)
    };
    let from_second = |t: Real, end: Vec3| {
        let s = nearest_on_segment(p - end, q - end);
        at(s, t, p - end + u * s)
    };
    nearest([from_first(0.0, p), from_first(1.0, q), from_second(0.0, r), from_second(1.0, s)])
}

/// Parameter of the point nearest to the origin on the segment from `a` (0) to `b` (1).
fn nearest_on_segment(a: Vec3, b: Vec3) -> Real {
    let along = b - a;
    let length = along.length_squared();
    if length > 0.0 { (-a.dot(along) / length).clamp(0.0, 1.0) } else { 0.0 }
}

/// The first of the closest.
fn nearest<const N: usize>(pairs: [Closest; N]) -> Closest {
    let mut best = pairs[0];
    for pair in &pairs[1..] {
        if pair.difference.length_squared() < best.difference.length_squared() {
            best = *pair;
        }
    }
    best
}
