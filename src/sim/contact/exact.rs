//! Exact predicates: whether two triangles meet.
//!
//! Every decision is the sign of an orientation determinant of the coordinates, computed by the
//! adaptive predicates of Shewchuk (1997), so that rounding does not change it; only products
//! beyond the range of doubles are inexact. All sets are closed: touching is meeting.
//!
//! The predicates are slowest for coplanar points, as in a flat cloth. Most neighbours in a cloth
//! are separated before by a test with a rounding bound.

use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::sim::{Real, Vec3};

/// Side of the plane through `a`, `b`, `c` on which the point `d` lies: 0 on the plane, -1 on the
/// side to which `(b - a) × (c - a)` points, 1 on the other.
pub fn side(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> i8 {
    let point = |x: Vec3| Coord3D { x: x.x, y: x.y, z: x.z };
    sign(orient3d(point(a), point(b), point(c), point(d)))
}

fn sign(x: Real) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

/// Projection of space along one of its axes: a plane that does not contain the axis maps one to
/// one, and the order of its points is kept.
#[derive(Clone, Copy)]
struct View {
    axis: usize,
}

impl View {
    /// A projection in which one of the `triples` is not collinear; none if all are collinear in
    /// every projection, and so in space.
    fn of<const N: usize>(triples: [[Vec3; 3]; N]) -> Option<Self> {
        (0..3).map(|axis| Self { axis }).find(|view| triples.iter().any(|&[a, b, c]| view.turn(a, b, c) != 0))
    }

    fn point(self, x: Vec3) -> Coord<Real> {
        let x = x.to_array();
        Coord { x: x[(self.axis + 1) % 3], y: x[(self.axis + 2) % 3] }
    }

    /// Orientation of `a`, `b`, `c`: 0 if collinear.
    fn turn(self, a: Vec3, b: Vec3, c: Vec3) -> i8 {
        sign(orient2d(self.point(a), self.point(b), self.point(c)))
    }

    /// Whether two coplanar edges meet.
    fn edges_meet(self, [p, q]: [Vec3; 2], [a, b]: [Vec3; 2]) -> bool {
        let ends = [self.turn(p, q, a), self.turn(p, q, b), self.turn(a, b, p), self.turn(a, b, q)];
        if ends == [0; 4] {
            return boxes_meet([p, q], [a, b]);
        }
        ends[0] * ends[1] <= 0 && ends[2] * ends[3] <= 0
    }

    /// Whether a point lies in a triangle of the same plane.
    fn holds(self, [a, b, c]: [Vec3; 3], p: Vec3) -> bool {
        agree([self.turn(a, b, p), self.turn(b, c, p), self.turn(c, a, p)])
    }
}

/// Whether no two signs are opposite.
fn agree(signs: [i8; 3]) -> bool {
    !(signs.contains(&1) && signs.contains(&-1))
}

/// Whether the boxes around two edges meet; for collinear edges, whether they do.
fn boxes_meet([p, q]: [Vec3; 2], [a, b]: [Vec3; 2]) -> bool {
    p.min(q).cmple(a.max(b)).all() && a.min(b).cmple(p.max(q)).all()
}

/// Whether two edges meet.
fn edges_meet([p, q]: [Vec3; 2], [a, b]: [Vec3; 2]) -> bool {
    if !boxes_meet([p, q], [a, b]) || side(p, q, a, b) != 0 {
        return false;
    }
    // without a projection they are collinear
    View::of([[p, q, a], [p, q, b], [a, b, p], [a, b, q]]).is_none_or(|view| view.edges_meet([p, q], [a, b]))
}

/// Whether an edge meets a triangle.
pub fn edge_meets([p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    if !(p.min(q).cmple(high).all() && low.cmple(p.max(q)).all()) {
        return false;
    }
    let (from, to) = (side(a, b, c, p), side(a, b, c, q));
    if from * to > 0 {
        return false;
    }
    if from != to {
        // the line crosses the plane in one point, which lies on the edge
        return agree([side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)]);
    }
    let rim = [[a, b], [b, c], [c, a]];
    match View::of([[a, b, c]]) {
        Some(view) => view.holds([a, b, c], p) || rim.into_iter().any(|edge| view.edges_meet([p, q], edge)),
        // a triangle without area is the union of its edges
        None => rim.into_iter().any(|edge| edges_meet([p, q], edge)),
    }
}

/// Whether the triangles `u v a` and `u v b`, which share an edge, have more in common than that
/// edge: whether they are folded flat onto each other.
pub fn is_folded_flat([u, v]: [Vec3; 2], a: Vec3, b: Vec3) -> bool {
    if side(u, v, a, b) != 0 {
        return false;
    }
    match View::of([[u, v, a], [u, v, b]]) {
        Some(view) => view.turn(u, v, a) * view.turn(u, v, b) > 0,
        // both have no area: they may leave the edge at the same end
        None => leaves(u, v, a) * leaves(u, v, b) > 0,
    }
}

/// End of the edge `u v` beyond which a point on its line lies: -1 at `u`, 1 at `v`, 0 on the edge.
fn leaves(u: Vec3, v: Vec3, x: Vec3) -> i8 {
    if boxes_meet([u, v], [x, x]) {
        return 0;
    }
    if boxes_meet([u, x], [v, v]) { 1 } else { -1 }
}

/// Whether the plane through `point` across `axis` certainly has all of `ahead` strictly on the
/// side of the axis, and all of `behind` strictly on the other.
pub fn separates<'a>(
    (point, axis): (Vec3, Vec3),
    ahead: impl IntoIterator<Item = &'a Vec3>,
    behind: impl IntoIterator<Item = &'a Vec3>,
) -> bool {
    let is_ahead = |x: &Vec3, axis: Vec3| {
        let terms = (*x - point) * axis;
        // one rounding each for difference and product, two for the sum, of half an epsilon each
        terms.element_sum() > 4.0 * Real::EPSILON * terms.abs().element_sum()
    };
    ahead.into_iter().all(|x| is_ahead(x, axis)) && behind.into_iter().all(|x| is_ahead(x, -axis))
}

/// Whether the triangles `u v a` and `u v b`, which share an edge, certainly form an angle of more
/// than 90°.
pub fn is_open([u, v]: [Vec3; 2], a: Vec3, b: Vec3) -> bool {
    let (e, a, b) = (v - u, a - u, b - u);
    // a generous bound of the rounding of these products
    let rounding = 64.0 * Real::EPSILON * e.length_squared() * a.length() * b.length();
    e.cross(a).dot(e.cross(b)) < -rounding
}

/// Whether two triangles without a common corner have any point in common.
pub(super) fn triangles_meet(own: [Vec3; 3], other: [Vec3; 3]) -> bool {
    let middle = |[a, b, c]: [Vec3; 3]| (a + b + c) / 3.0;
    let (from, to) = (middle(other), middle(own));
    !separates((from.midpoint(to), to - from), &own, &other)
        && (edges(own).into_iter().any(|edge| edge_meets(edge, other))
            || edges(other).into_iter().any(|edge| edge_meets(edge, own)))
}

/// The sides of a triangle.
pub(super) fn edges([a, b, c]: [Vec3; 3]) -> [[Vec3; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
