//! The stencils of isometric bending, one for every edge between exactly two triangles. Everything is computed from the lengths of the edges
//! at rest: triangles around another are unfolded into its plane.

use super::fit::{Near, fit};
use crate::sim::pattern::Fans;
use crate::sim::{Pattern, Real, Vec3};

/// A point in the plane of a triangle [m].
pub type Plane = glam::DVec2;

/// Four vertices around an edge: its ends, then the corners that face it from both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stencil {
    /// The vertices, all different.
    pub vertices: [u32; 4],
    /// Their coefficients `k`, which sum to zero; in a flat cloth `Σ k x` is zero.
    pub coefficients: [Real; 4],
    /// `w` [1/m²].
    pub weight: Real,
}

impl Stencil {
    /// The vertices with their coefficients.
    pub fn entries(&self) -> impl Iterator<Item = (u32, Real)> + Clone {
        self.vertices.into_iter().zip(self.coefficients)
    }

    /// `Σ k x` [m], where `x` has an entry per vertex.
    #[inline]
    #[must_use]
    pub fn value(&self, x: &[Vec3]) -> Vec3 {
        self.entries().fold(Vec3::ZERO, |sum, (vertex, k)| sum + x[vertex as usize] * k)
    }
}

/// Marks an edge of a triangle without a hinge.
const NONE: u32 = u32::MAX;

/// A corner of a triangle, with its place in the plane.
type Corner = (u32, Plane);

/// The stencils of `pattern`. Edges of one triangle or of more than two, and of triangles without area, have none.
#[must_use]
pub fn stencils(pattern: &Pattern) -> Vec<Stencil> {
    let mesh = Mesh { fans: Fans::of(pattern), rest: pattern.rest_positions() };
    let triangles = pattern.triangles();
    let mut found: Vec<([u32; 4], [Real; 4], Real)> = Vec::new();
    let mut hinges = vec![[NONE; 3]; triangles.len()];
    for (triangle, &corners) in (0_u32..).zip(triangles) {
        for side in 0..3 {
            let [i, j, k] = turned(corners, side);
            let Some((other, facing)) = mesh.across(triangle, [i, j]) else { continue };
            if other < triangle {
                hinges[triangle as usize][side] = mesh.hinge(&hinges, other, [i, j]);
                continue;
            }
            let [a, b, c] = mesh.unfolded([i, j, k]);
            if let Some((coefficients, area)) = coefficients([a, b, c, mesh.beyond((i, a), (j, b), c, facing)])
                && facing != k
            {
                hinges[triangle as usize][side] = found.len() as u32;
                found.push(([i, j, k, facing], coefficients, area));
            }
        }
    }

    let mut weights = vec![0.0; found.len()];
    let (mut near, mut shares) = (Vec::new(), Vec::new());
    for (triangle, &corners) in (0_u32..).zip(triangles) {
        mesh.hinges_around(&hinges, triangle, corners, &mut near);
        fit(&near, &mut shares);
        let area = mesh.area(corners);
        near.iter().zip(&shares).for_each(|(near, share)| weights[near.hinge as usize] += area * share);
    }
    let stencil = |((vertices, coefficients, area), weight): (([u32; 4], [Real; 4], Real), Real)| {
        let weight = weight / (area * area);
        (weight > 0.0 && weight.is_finite()).then_some(Stencil { vertices, coefficients, weight })
    };
    found.into_iter().zip(weights).filter_map(stencil).collect()
}

/// The rest mesh.
struct Mesh<'a> {
    fans: Fans<'a>,
    rest: &'a [Vec3],
}

impl Mesh<'_> {
    fn distance(&self, i: u32, j: u32) -> Real {
        self.rest[i as usize].distance(self.rest[j as usize])
    }

    fn area(&self, corners: [u32; 3]) -> Real {
        let [a, b, c] = corners.map(|vertex| self.rest[vertex as usize]);
        0.5 * (b - a).cross(c - a).length()
    }

    /// The triangle beside `triangle` across the edge `i j`, if there is exactly one, with its corner that faces the edge.
    fn across(&self, triangle: u32, [i, j]: [u32; 2]) -> Option<(u32, u32)> {
        let mut found = None;
        for &other in self.fans.of_vertex(i) {
            let corners = self.fans.corners(other);
            if other == triangle || !corners.contains(&j) {
                continue;
            }
            let facing = corners.into_iter().find(|&corner| corner != i && corner != j)?;
            if found.replace((other, facing)).is_some() {
                return None;
            }
        }
        found
    }

    /// The hinge of `triangle` at the edge `i j`.
    fn hinge(&self, hinges: &[[u32; 3]], triangle: u32, [i, j]: [u32; 2]) -> u32 {
        let corners = self.fans.corners(triangle);
        let is_there = |side: &usize| {
            let [a, b, _] = turned(corners, *side);
            [a, b] == [i, j] || [a, b] == [j, i]
        };
        (0..3).find(is_there).map_or(NONE, |side| hinges[triangle as usize][side])
    }

    /// The corners of a triangle in its plane.
    fn unfolded(&self, [i, j, k]: [u32; 3]) -> [Plane; 3] {
        let (a, b) = (Plane::ZERO, Plane::new(self.distance(i, j), 0.0));
        [a, b, self.beyond((i, a), (j, b), Plane::NEG_Y, k)]
    }

    /// The place of `facing`, beyond the edge from `i` to `j` as seen from the place `c`.
    fn beyond(&self, (i, a): Corner, (j, b): Corner, c: Plane, facing: u32) -> Plane {
        let (from_a, from_b) = (self.distance(i, facing), self.distance(j, facing));
        let edge = b - a;
        let squared = edge.length_squared();
        let along = 0.5 * (1.0 + (from_a * from_a - from_b * from_b) / squared);
        let height = (from_a * from_a / squared - along * along).max(0.0).sqrt();
        let across = edge.perp();
        let side = if across.dot(c - a) > 0.0 { -height } else { height };
        a + edge * along + across * side
    }

    /// Writes the hinges of a triangle to `near`, and where it has fewer than three those of the triangles beside it.
    fn hinges_around(&self, hinges: &[[u32; 3]], triangle: u32, corners: [u32; 3], near: &mut Vec<Near>) {
        near.clear();
        let places = self.unfolded(corners);
        let mut add = |hinge: u32, x: [Plane; 4], own: bool| {
            if hinge != NONE
                && let Some((k, area)) = coefficients(x)
            {
                near.push(Near::new(hinge, x, k, area, own));
            }
        };
        let sides: [_; 3] = std::array::from_fn(|side| {
            let ([i, j, _], [a, b, c]) = (turned(corners, side), turned(places, side));
            let (other, facing) = self.across(triangle, [i, j])?;
            Some(((i, a), (j, b), c, other, (facing, self.beyond((i, a), (j, b), c, facing))))
        });
        for (side, hinge) in sides.iter().zip(hinges[triangle as usize]) {
            if let Some(((_, a), (_, b), c, _, (_, d))) = *side {
                add(hinge, [a, b, c, d], true);
            }
        }
        if hinges[triangle as usize].iter().all(|hinge| *hinge != NONE) {
            return;
        }
        for (i, j, _, other, facing) in sides.into_iter().flatten() {
            for (end, rest) in [(i, j), (j, i)] {
                let Some((_, beyond)) = self.across(other, [end.0, facing.0]) else { continue };
                let x = [end.1, facing.1, rest.1, self.beyond(end, facing, rest.1, beyond)];
                add(self.hinge(hinges, other, [end.0, facing.0]), x, false);
            }
        }
    }
}

/// The corners from `side` on.
fn turned<T: Copy>(corners: [T; 3], side: usize) -> [T; 3] {
    [corners[side], corners[(side + 1) % 3], corners[(side + 2) % 3]]
}

/// The coefficients of a hinge at the edge `a b`, with `c` and `d` facing it from both sides, and the area of both triangles [m²].
fn coefficients([a, b, c, d]: [Plane; 4]) -> Option<([Real; 4], Real)> {
    let cotangent = |at: Plane, p: Plane, q: Plane| {
        let (p, q) = (p - at, q - at);
        p.dot(q) / p.perp_dot(q).abs()
    };
    let [at_a, at_b] = [(a, b), (b, a)].map(|(at, other)| [cotangent(at, other, c), cotangent(at, other, d)]);
    let area = 0.5 * ((b - a).perp_dot(c - a).abs() + (b - a).perp_dot(d - a).abs());
    let k = [at_b[0] + at_b[1], at_a[0] + at_a[1], -at_a[0] - at_b[0], -at_a[1] - at_b[1]];
    (k.iter().all(|k| k.is_finite()) && area > 0.0).then_some((k, area))
}
