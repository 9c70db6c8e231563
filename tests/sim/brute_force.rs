//! An independent count of the triangles of a mesh that intersect: brute force, with exact predicates.

use robust::{Coord, Coord3D, orient2d, orient3d};
use weft::sim::Vec3;

fn side(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> f64 {
    let at = |x: Vec3| Coord3D { x: x.x, y: x.y, z: x.z };
    orient3d(at(a), at(b), at(c), at(p))
}

/// Without the coordinate `axis`.
fn side_in_plane(axis: usize, [a, b, c]: [Vec3; 3]) -> f64 {
    let at = |x: Vec3| match axis {
        0 => Coord { x: x.y, y: x.z },
        1 => Coord { x: x.z, y: x.x },
        _ => Coord { x: x.x, y: x.y },
    };
    orient2d(at(a), at(b), at(c))
}

/// Whether two segments in a plane have a point in common.
fn segments_meet(axis: usize, [p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) -> bool {
    let of = |a, b, c| side_in_plane(axis, [a, b, c]);
    let (first, second) = ((of(p, q, r), of(p, q, s)), (of(r, s, p), of(r, s, q)));
    if [first.0, first.1, second.0, second.1] == [0.0; 4] {
        // on one line
        let (low, high) = (p.min(q), p.max(q));
        let (other_low, other_high) = (r.min(s), r.max(s));
        return low.cmple(other_high).all() && other_low.cmple(high).all();
    }
    first.0.signum() * first.1.signum() <= 0.0 && second.0.signum() * second.1.signum() <= 0.0
        || [first.0, first.1].contains(&0.0) && second.0 * second.1 <= 0.0
        || [second.0, second.1].contains(&0.0) && first.0 * first.1 <= 0.0
}

/// Whether a segment and a triangle have a point in common.
fn segment_meets_triangle([p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
    let (of_p, of_q) = (side(a, b, c, p), side(a, b, c, q));
    if of_p * of_q > 0.0 || (of_p > 0.0) == (of_q > 0.0) && of_p != 0.0 && of_q != 0.0 {
        return false;
    }
    if of_p == 0.0 && of_q == 0.0 {
        // all in one plane: look along the axis that sees most of the triangle
        let areas = [0, 1, 2].map(|axis| side_in_plane(axis, [a, b, c]).abs());
        let axis = if areas[0] >= areas[1].max(areas[2]) {
            0
        } else if areas[1] >= areas[2] {
            1
        } else {
            2
        };
        let turns = [[a, b], [b, c], [c, a]].map(|[from, to]| side_in_plane(axis, [from, to, p]));
        let inside = turns.iter().all(|t| *t >= 0.0) || turns.iter().all(|t| *t <= 0.0);
        return inside && areas[axis] > 0.0 || [[a, b], [b, c], [c, a]].iter().any(|s| segments_meet(axis, [p, q], *s));
    }
    let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    turns.iter().all(|t| *t >= 0.0) || turns.iter().all(|t| *t <= 0.0)
}

/// Whether two segments that lie in one plane have a point in common.
fn coplanar_edges_meet([p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) -> bool {
    if side(p, q, r, s) != 0.0 {
        return false;
    }
    let area = |axis: usize| side_in_plane(axis, [p, q, r]).abs().max(side_in_plane(axis, [p, q, s]).abs());
    let axis = (0..3).max_by(|a, b| area(*a).total_cmp(&area(*b))).expect("three");
    segments_meet(axis, [p, q], [r, s])
}

fn boxes_meet(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let low = |t: &[Vec3; 3]| t[0].min(t[1]).min(t[2]);
    let high = |t: &[Vec3; 3]| t[0].max(t[1]).max(t[2]);
    low(a).cmple(high(b)).all() && low(b).cmple(high(a)).all()
}

/// Whether two triangles have more in common than what follows from the vertices that they share.
fn triangles_meet(first: [u32; 3], second: [u32; 3], x: &[Vec3]) -> bool {
    let points = |t: [u32; 3]| t.map(|vertex| x[vertex as usize]);
    if !boxes_meet(&points(first), &points(second)) {
        return false;
    }
    // an edge that shares no vertex with the other triangle must not meet it
    let edge_meets = |of: [u32; 3], other: [u32; 3]| {
        (0..3).any(|k| {
            let ends = [of[k], of[(k + 1) % 3]];
            ends.iter().all(|end| !other.contains(end))
                && segment_meets_triangle(ends.map(|end| x[end as usize]), points(other))
        })
    };
    // a vertex of two triangles with a common edge must not lie in the other
    let vertex_meets = |of: [u32; 3], other: [u32; 3]| {
        of.iter().any(|vertex| {
            let at = x[*vertex as usize];
            !other.contains(vertex) && segment_meets_triangle([at, at], points(other))
        })
    };
    // nor must two edges meet that share no vertex, in a plane that both triangles lie in
    let edges = |of: [u32; 3]| [[of[0], of[1]], [of[1], of[2]], [of[2], of[0]]];
    let edges_meet = || {
        edges(first).iter().any(|one| {
            edges(second).iter().any(|other| {
                one.iter().all(|end| !other.contains(end))
                    && coplanar_edges_meet(one.map(|end| x[end as usize]), other.map(|end| x[end as usize]))
            })
        })
    };
    edge_meets(first, second)
        || edge_meets(second, first)
        || vertex_meets(first, second)
        || vertex_meets(second, first)
        || edges_meet()
}

/// The pairs of triangles that intersect or touch.
pub fn intersections(triangles: &[[u32; 3]], x: &[Vec3]) -> usize {
    let of = |i: usize| triangles[i + 1..].iter().filter(move |other| triangles_meet(triangles[i], **other, x)).count();
    (0..triangles.len()).map(of).sum()
}

#[test]
fn crossing_touching_and_coplanar_triangles_are_counted_and_near_misses_are_not() {
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let count = |second: [Vec3; 3]| {
        let x: Vec<Vec3> = flat.into_iter().chain(second).collect();
        intersections(&[[0, 1, 2], [3, 4, 5]], &x)
    };
    let at = |x, y, z| Vec3::new(x, y, z);
    assert_eq!(count([at(0.2, 0.2, -1.0), at(0.2, 0.2, 1.0), at(3.0, 3.0, 1.0)]), 1, "an edge through the face");
    assert_eq!(count([at(0.2, 0.2, 0.0), at(0.2, 0.2, 1.0), at(3.0, 3.0, 1.0)]), 1, "a vertex on the face");
    assert_eq!(count([at(0.2, 0.2, 1e-9), at(0.2, 0.2, 1.0), at(3.0, 3.0, 1.0)]), 0, "a vertex just above the face");
    assert_eq!(count([at(0.1, 0.1, 0.0), at(0.2, 0.1, 0.0), at(0.1, 0.2, 0.0)]), 1, "inside, in the plane");
    assert_eq!(count([at(0.2, 0.2, 0.0), at(2.0, 0.2, 0.0), at(2.0, 0.5, 0.0)]), 1, "crossing, in the plane");
    assert_eq!(count([at(1.1, 0.2, 0.0), at(2.0, 0.2, 0.0), at(2.0, 0.5, 0.0)]), 0, "beside, in the plane");
    assert_eq!(count([at(0.5, -1.0, 0.0), at(0.5, 0.0, 0.0), at(0.6, -1.0, 1.0)]), 1, "touching an edge");

    // with a vertex, or an edge, in common
    let shared = |x: &[Vec3], second: [u32; 3]| intersections(&[[0, 1, 2], second], x);
    assert_eq!(shared(&[Vec3::ZERO, Vec3::X, Vec3::Y, at(-1.0, 0.0, 0.0), at(-1.0, -1.0, 0.0)], [0, 3, 4]), 0);
    assert_eq!(shared(&[Vec3::ZERO, Vec3::X, Vec3::Y, at(1.0, 1.0, 1.0), at(1.0, 1.0, -1.0)], [0, 3, 4]), 1);
    assert_eq!(shared(&[Vec3::ZERO, Vec3::X, Vec3::Y, at(1.0, -1.0, 0.0)], [0, 1, 3]), 0);
    assert_eq!(shared(&[Vec3::ZERO, Vec3::X, Vec3::Y, at(0.3, 1.0, 0.0)], [0, 1, 3]), 1, "folded flat");
    assert_eq!(shared(&[Vec3::ZERO, Vec3::X, Vec3::Y, at(0.3, 1.0, 1e-9)], [0, 1, 3]), 0, "nearly folded flat");
}
