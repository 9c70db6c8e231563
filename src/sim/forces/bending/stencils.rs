//! The stencils of isometric bending, one for every edge between exactly two triangles. Everything
//! is computed from the lengths of the edges at rest: triangles around another are unfolded into
//! its plane.

use super::fit::{Near, Plane, fit};
use crate::sim::pattern::OneRings;
use crate::sim::{Pattern, Real, Vec3};

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

/// Marks a side of a triangle without a hinge.
const NONE: u32 = u32::MAX;

/// A corner of a triangle, with its place in the plane.
type Corner = (u32, Plane);

/// Share of the triangles that may have changed for the stencils around them alone to be computed.
const FEW: usize = 16;

/// The stencils of a pattern. Edges of one triangle or of more than two, and of triangles without
/// area, have none.
#[derive(Debug, Clone, Default)]
pub struct Stencils {
    list: Vec<Stencil>,
    /// The hinge of each, rising. A hinge has the number of a side: three times the lower of its
    /// triangles, and which side of it.
    numbers: Vec<u32>,
    /// The hinge at each side of the triangles, or [`NONE`].
    hinges: Vec<[u32; 3]>,
    /// Input that they were computed from.
    triangles: Vec<[u32; 3]>,
    rest: Vec<Vec3>,
    /// Factors of the weights at each vertex by the stiffness of its piece; empty if all are 1.
    factors: Vec<Real>,
}

/// A hinge whose weight is not known yet.
struct Hinge {
    number: u32,
    vertices: [u32; 4],
    coefficients: [Real; 4],
    area: Real,
}

impl Hinge {
    /// Its stencil, when the fits have given it so much `share` of the cloth [m²] and its piece is
    /// `factor` times as stiff.
    fn stencil(&self, share: Real, factor: Real) -> Option<Stencil> {
        let weight = share / (self.area * self.area);
        let Self { vertices, coefficients, .. } = *self;
        (weight > 0.0 && weight.is_finite()).then_some(Stencil { vertices, coefficients, weight: weight * factor })
    }
}

impl Stencils {
    /// The stencils, by rising hinge.
    #[must_use]
    pub fn list(&self) -> &[Stencil] {
        &self.list
    }

    /// Makes these the stencils of `pattern`: of a torn one, only those around the tear are
    /// computed.
    pub fn update(&mut self, pattern: &Pattern) {
        let mesh = Mesh { rings: OneRings::of(pattern), rest: pattern.rest_positions() };
        let triangles = pattern.triangles();
        let factors: Vec<Real> = pattern.override_of_vertices().iter().map(|factors| factors.bending).collect();
        let changed =
            self.changed_triangles(pattern, &factors).filter(|changed| changed.len() * FEW <= triangles.len());
        let (inner, outer) = match changed {
            Some(changed) => self.around(&mesh, &changed),
            None => {
                self.list.clear();
                self.numbers.clear();
                self.hinges.clear();
                self.hinges.resize(triangles.len(), [NONE; 3]);
                let all: Vec<u32> =
                    (0..triangles.len() as u32).filter(|&triangle| pattern.is_cloth(triangle)).collect();
                (all.clone(), all)
            }
        };
        let found = self.find(&mesh, &inner);
        let mut shares_of = vec![0.0; 3 * triangles.len()];
        let (mut near, mut shares) = (Vec::new(), Vec::new());
        for &triangle in &outer {
            let corners = triangles[triangle as usize];
            mesh.hinges_around(&self.hinges, triangle, corners, &mut near);
            fit(&near, &mut shares);
            let area = mesh.area(corners);
            near.iter().zip(&shares).for_each(|(near, share)| shares_of[near.hinge as usize] += area * share);
        }
        let stencil = |hinge: &Hinge| {
            let factor = factors.get(hinge.vertices[0] as usize).copied().unwrap_or(1.0);
            (hinge.number, hinge.stencil(shares_of[hinge.number as usize], factor))
        };
        self.put(&inner, found.iter().map(stencil));
        self.factors = factors;
        self.triangles.clear();
        self.triangles.extend_from_slice(triangles);
        self.rest.clear();
        self.rest.extend_from_slice(pattern.rest_positions());
    }

    /// The triangles that have other corners in `pattern`; `None` if more is different.
    fn changed_triangles(&self, pattern: &Pattern, factors: &[Real]) -> Option<Vec<u32>> {
        let (triangles, rest) = (pattern.triangles(), pattern.rest_positions());
        let common = rest.len().min(self.rest.len());
        let same_rest = rest[..common] == self.rest[..common];
        let some = common.min(factors.len());
        let same_factors = factors.is_empty() == self.factors.is_empty() && factors[..some] == self.factors[..some];
        if triangles.is_empty() || triangles.len() != self.triangles.len() || !same_rest || !same_factors {
            return None;
        }
        let changed = (0_u32..).zip(triangles.iter().zip(&self.triangles)).filter(|(_, (new, old))| new != old);
        Some(changed.map(|(triangle, _)| triangle).collect())
    }

    /// The triangles whose stencils may be others after these have changed, and those whose fits
    /// give them their weights, both rising.
    ///
    /// Which hinges there are at a triangle depends on the triangles that it shares vertices with;
    /// its fit on their hinges; and the weight of a hinge on the fits of triangles that share a
    /// vertex with one of its own.
    fn around(&self, mesh: &Mesh, changed: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let now = changed.iter().map(|&triangle| mesh.rings.corners(triangle));
        let before = changed.iter().map(|&triangle| self.triangles[triangle as usize]);
        let mut vertices: Vec<u32> = now.chain(before).flatten().collect();
        let mut is_reached = vec![false; self.triangles.len()];
        let mut reached: Vec<u32> = Vec::new();
        let (mut inner, mut from) = (Vec::new(), 0);
        for ring in 0..4 {
            vertices.sort_unstable();
            vertices.dedup();
            // some may have been taken back
            for &vertex in vertices.iter().filter(|&&vertex| (vertex as usize) < mesh.rest.len()) {
                let fan = mesh.rings.of_vertex(vertex).iter();
                reached.extend(fan.filter(|&&at| !std::mem::replace(&mut is_reached[at as usize], true)));
            }
            if ring == 2 {
                inner.clone_from(&reached);
            }
            vertices.clear();
            vertices.extend(reached[from..].iter().flat_map(|&triangle| mesh.rings.corners(triangle)));
            from = reached.len();
        }
        inner.sort_unstable();
        reached.sort_unstable();
        (inner, reached)
    }

    /// Finds the hinges at the sides of `triangles`, which rise, and returns those of which they
    /// are the lower triangle.
    fn find(&mut self, mesh: &Mesh, triangles: &[u32]) -> Vec<Hinge> {
        let mut found = Vec::with_capacity(2 * triangles.len());
        for &triangle in triangles {
            let corners = mesh.rings.corners(triangle);
            for side in 0..3 {
                let [i, j, k] = turned(corners, side);
                let hinge = match mesh.across(triangle, [i, j]) {
                    Some((other, _)) if other < triangle => mesh.hinge(&self.hinges, other, [i, j]),
                    Some((_, facing)) => {
                        let [a, b, c] = mesh.unfolded([i, j, k]);
                        match coefficients([a, b, c, mesh.beyond((i, a), (j, b), c, facing)]) {
                            Some((coefficients, area)) if facing != k => {
                                let number = 3 * triangle + side as u32;
                                found.push(Hinge { number, vertices: [i, j, k, facing], coefficients, area });
                                number
                            }
                            _ => NONE,
                        }
                    }
                    None => NONE,
                };
                self.hinges[triangle as usize][side] = hinge;
            }
        }
        found
    }

    /// Puts the stencils `found` of the hinges of these `triangles` in the place of those before,
    /// all of them rising.
    fn put(&mut self, triangles: &[u32], found: impl Iterator<Item = (u32, Option<Stencil>)>) {
        let (old, old_numbers) = (std::mem::take(&mut self.list), std::mem::take(&mut self.numbers));
        self.list.reserve(old.len() + 3 * triangles.len());
        self.numbers.reserve(old.len() + 3 * triangles.len());
        let mut kept = 0;
        let mut keep = |list: &mut Vec<Stencil>, numbers: &mut Vec<u32>, before: u32, next: u32| {
            let end = kept + old_numbers[kept..].partition_point(|&number| number < before);
            list.extend_from_slice(&old[kept..end]);
            numbers.extend_from_slice(&old_numbers[kept..end]);
            kept = end + old_numbers[end..].iter().take_while(|&&number| number < next).count();
        };
        let mut found = found.peekable();
        for &triangle in triangles {
            let next = 3 * triangle + 3;
            keep(&mut self.list, &mut self.numbers, 3 * triangle, next);
            while let Some((number, stencil)) = found.next_if(|(number, _)| *number < next) {
                if let Some(stencil) = stencil {
                    self.list.push(stencil);
                    self.numbers.push(number);
                }
            }
        }
        keep(&mut self.list, &mut self.numbers, NONE, NONE);
    }
}

/// The rest mesh.
struct Mesh<'a> {
    rings: OneRings<'a>,
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

    /// The triangle beside `triangle` across the edge `i j`, if there is exactly one, with its
    /// corner that faces the edge.
    fn across(&self, triangle: u32, [i, j]: [u32; 2]) -> Option<(u32, u32)> {
        let mut found = None;
        for other in self.rings.at_edge(i, j).filter(|other| *other != triangle) {
            let corners = self.rings.corners(other);
            let facing = corners.into_iter().find(|&corner| corner != i && corner != j)?;
            if found.replace((other, facing)).is_some() {
                return None;
            }
        }
        found
    }

    /// The hinge of `triangle` at the edge `i j`.
    fn hinge(&self, hinges: &[[u32; 3]], triangle: u32, [i, j]: [u32; 2]) -> u32 {
        let corners = self.rings.corners(triangle);
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

    /// Writes the hinges of a triangle to `near`, and where it has fewer than three those of the
    /// triangles beside it.
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

/// The coefficients of a hinge at the edge `a b`, with `c` and `d` facing it from both sides, and
/// the area of both triangles [m²].
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
