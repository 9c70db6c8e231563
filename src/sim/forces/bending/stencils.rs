//! The stencils of isometric bending: vertices with their neighbours. Everything is computed from
//! the mesh at rest.

use super::curvature::Fan;
use crate::sim::math::cotangents_and_mixed_area;
use crate::sim::pattern::{OneRings, warps};
use crate::sim::{Pattern, Real, Vec3};

/// A vertex with its neighbours, and the coefficients of the three components of its curvature:
/// along the warp, along the weft, and their twist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stencil<'a> {
    /// The vertices, all different; first the one in the middle.
    pub vertices: &'a [u32],
    /// Coefficients `k` of each vertex, which sum to zero; in a flat cloth `Σ k x` is zero.
    pub coefficients: &'a [[Real; 3]],
    /// `w` of each component [1/m²]; zero if the vertex does not see it.
    pub weights: [Real; 3],
}

impl Stencil<'_> {
    /// `Σ k x` of each component [m], where `x` has an entry per vertex.
    #[inline]
    #[must_use]
    pub fn value(&self, x: &[Vec3]) -> [Vec3; 3] {
        let mut sum = [Vec3::ZERO; 3];
        for (&vertex, k) in self.vertices.iter().zip(self.coefficients) {
            let x = x[vertex as usize];
            sum.iter_mut().zip(k).for_each(|(sum, k)| *sum += x * *k);
        }
        sum
    }

    /// `½ Σ w |Σ k x|²`: its energy [J] for a stiffness of 1 N·m.
    #[must_use]
    pub fn energy(&self, x: &[Vec3]) -> Real {
        let value = self.value(x);
        (0..3).map(|c| 0.5 * self.weights[c] * value[c].length_squared()).sum()
    }
}

/// Share of the triangles that may have changed for the stencils around them alone to be computed.
const FEW: usize = 16;
/// Twice the area of a triangle without area, as a share of its longest edge squared.
const SLIVER: Real = 1e-9;

/// The stencils of a pattern. Edges of one triangle or of more than two, and triangles without
/// area, take no part.
#[derive(Debug, Clone, Default)]
pub struct Stencils {
    list: List,
    /// Input that they were computed from: each triangle with the direction of its warp.
    triangles: Vec<([u32; 3], Vec3)>,
    rest: Vec<Vec3>,
    weft: Real,
    /// Factors of the weights at each vertex by the stiffness of its piece; empty if all are 1.
    factors: Vec<Real>,
}

/// Stencils one after the other, by rising vertex in the middle.
#[derive(Debug, Clone, Default, PartialEq)]
struct List {
    /// Where the stencils of each vertex begin.
    of_vertex: Vec<u32>,
    /// Where the entries of each stencil begin, and its weights.
    heads: Vec<(u32, [Real; 3])>,
    vertices: Vec<u32>,
    coefficients: Vec<[Real; 3]>,
}

impl List {
    fn get(&self, at: usize) -> Stencil<'_> {
        let (start, weights) = self.heads[at];
        let end = self.heads.get(at + 1).map_or(self.vertices.len(), |(start, _)| *start as usize);
        let range = start as usize..end;
        Stencil { vertices: &self.vertices[range.clone()], coefficients: &self.coefficients[range], weights }
    }

    /// The stencils of a vertex.
    fn at_vertex(&self, vertex: usize) -> impl Iterator<Item = Stencil<'_>> {
        let end = self.of_vertex.get(vertex + 1).map_or(self.heads.len(), |end| *end as usize);
        (self.of_vertex[vertex] as usize..end).map(|at| self.get(at))
    }

    fn push(&mut self, stencil: Stencil) {
        self.heads.push((self.vertices.len() as u32, stencil.weights));
        self.vertices.extend_from_slice(stencil.vertices);
        self.coefficients.extend_from_slice(stencil.coefficients);
    }
}

impl PartialEq for Stencils {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Stencils {
    /// Number of stencils.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.heads.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.heads.is_empty()
    }

    /// A stencil by its number.
    #[must_use]
    pub fn get(&self, at: usize) -> Stencil<'_> {
        self.list.get(at)
    }

    /// The stencils by rising vertex in the middle.
    pub fn iter(&self) -> impl Iterator<Item = Stencil<'_>> + Clone {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Makes these the stencils of `pattern`, whose weft is `weft` times as stiff as its warp: of a
    /// torn one, only those around the tear are computed.
    pub fn update(&mut self, pattern: &Pattern, weft: Real) {
        let factors: Vec<Real> = pattern.override_of_vertices().iter().map(|factors| factors.bending).collect();
        let mesh = Mesh {
            pattern,
            rings: OneRings::of(pattern),
            rest: pattern.rest_positions(),
            pieces: pattern.piece_of_vertices(),
            warps: warps(pattern),
        };
        let triangles = (0_u32..).zip(pattern.triangles());
        let triangles: Vec<_> = triangles.map(|(at, &corners)| (corners, mesh.warp(at, corners[0]))).collect();
        let is_changed = self.changed_vertices(&triangles, mesh.rest, weft, &factors);
        let old = std::mem::take(&mut self.list);
        let (mut builder, mut coefficients) = (Builder::default(), Vec::new());
        let list = &mut self.list;
        list.vertices.reserve(old.vertices.len());
        list.coefficients.reserve(old.vertices.len());
        for vertex in 0..pattern.len() {
            list.of_vertex.push(list.heads.len() as u32);
            if is_changed.as_ref().is_some_and(|is_changed| !is_changed[vertex]) {
                old.at_vertex(vertex).for_each(|stencil| list.push(stencil));
                continue;
            }
            let factor = factors.get(vertex).copied().unwrap_or(1.0);
            builder.each_fan(&mesh, vertex as u32, |fan| {
                if let Some(weights) = fan.stencil(weft, &mut coefficients) {
                    let weights = weights.map(|weight| weight * factor);
                    let mut vertices = &fan.vertices[..];
                    // where the fan ends at the edge of more triangles that it starts from
                    if let [_, first, .., last] = *vertices
                        && first == last
                        && let Some(twice) = coefficients.pop()
                    {
                        vertices = &vertices[..vertices.len() - 1];
                        coefficients[1].iter_mut().zip(twice).for_each(|(k, other)| *k += other);
                    }
                    list.push(Stencil { vertices, coefficients: &coefficients, weights });
                }
            });
        }
        (self.triangles, self.factors, self.weft) = (triangles, factors, weft);
        self.rest.clear();
        self.rest.extend_from_slice(pattern.rest_positions());
    }

    /// Whether each vertex has other triangles than before, or other warps in them; `None` if more
    /// is different.
    fn changed_vertices(
        &self,
        triangles: &[([u32; 3], Vec3)],
        rest: &[Vec3],
        weft: Real,
        factors: &[Real],
    ) -> Option<Vec<bool>> {
        let common = rest.len().min(self.rest.len());
        let same_rest = rest[..common] == self.rest[..common];
        let some = common.min(factors.len());
        let same_factors = factors.is_empty() == self.factors.is_empty() && factors[..some] == self.factors[..some];
        let same_count = triangles.len() == self.triangles.len() && !triangles.is_empty();
        if !same_count || !same_rest || !same_factors || weft != self.weft {
            return None;
        }
        let mut is_changed = vec![false; rest.len()];
        is_changed[common..].fill(true);
        let mut count = 0;
        for (new, old) in triangles.iter().zip(&self.triangles).filter(|(new, old)| new != old) {
            count += 1;
            // some of the old ones may have been taken back
            let corners = new.0.iter().chain(&old.0).filter(|&&vertex| (vertex as usize) < rest.len());
            corners.for_each(|&vertex| is_changed[vertex as usize] = true);
        }
        (count * FEW <= triangles.len()).then_some(is_changed)
    }
}

/// The rest mesh.
struct Mesh<'a> {
    pattern: &'a Pattern,
    rings: OneRings<'a>,
    rest: &'a [Vec3],
    pieces: Vec<u32>,
    warps: Vec<Vec3>,
}

impl Mesh<'_> {
    /// Direction of the warp at rest in a triangle at `vertex`.
    fn warp(&self, triangle: u32, vertex: u32) -> Vec3 {
        self.pattern.warp_of(triangle as usize, self.pieces[vertex as usize] as usize, &self.warps)
    }
}

/// A triangle at a vertex.
#[derive(Debug, Clone, Copy)]
struct Corner {
    others: [u32; 2],
    /// Number of the triangle on the other side of the edges to `others`, among those of the
    /// vertex, or [`NONE`].
    beyond: [usize; 2],
    angle: Real,
    area: Real,
    triangle: u32,
    is_done: bool,
}

const NONE: usize = usize::MAX;

/// Finds the fans of vertices.
#[derive(Debug, Default)]
struct Builder {
    corners: Vec<Corner>,
    /// The sides of the triangles of a vertex: other end, triangle, and which of the two sides.
    sides: Vec<(u32, usize, usize)>,
    fan: Fan,
}

impl Builder {
    /// Calls `take` with every fan of a vertex.
    fn each_fan(&mut self, mesh: &Mesh, vertex: u32, mut take: impl FnMut(&Fan)) {
        self.find_corners(mesh, vertex);
        // fans with ends first, each from an end of it
        for closed in [false, true] {
            for start in 0..self.corners.len() {
                let Corner { beyond, is_done, .. } = self.corners[start];
                let Some(side) = (0..2).find(|&side| closed || beyond[side] == NONE) else { continue };
                if !is_done {
                    self.walk(mesh, vertex, start, side);
                    take(&self.fan);
                }
            }
        }
    }

    /// The triangles of a vertex that have an area, with those beside each.
    fn find_corners(&mut self, mesh: &Mesh, vertex: u32) {
        let Self { corners, sides, .. } = self;
        corners.clear();
        sides.clear();
        for &triangle in mesh.rings.of_vertex(vertex).iter().filter(|&&triangle| mesh.pattern.is_cloth(triangle)) {
            let all = mesh.rings.corners(triangle);
            let Some(own) = all.iter().position(|&corner| corner == vertex) else { continue };
            let others = [all[(own + 1) % 3], all[(own + 2) % 3]];
            let points = [vertex, others[0], others[1]].map(|vertex| mesh.rest[vertex as usize]);
            let (p, q) = (points[1] - points[0], points[2] - points[0]);
            let double = p.cross(q).length();
            let longest = p.length_squared().max(q.length_squared()).max((p - q).length_squared());
            if double > SLIVER * longest {
                let area = cotangents_and_mixed_area(points, double).1;
                let angle = double.atan2(p.dot(q));
                let at = corners.len();
                sides.extend([(others[0], at, 0), (others[1], at, 1)]);
                corners.push(Corner { others, beyond: [NONE; 2], angle, area, triangle, is_done: false });
            }
        }
        sides.sort_unstable();
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, first, of_first), (_, second, of_second)] = *edge
                && corners[first].others[1 - of_first] != corners[second].others[1 - of_second]
            {
                corners[first].beyond[of_first] = second;
                corners[second].beyond[of_second] = first;
            }
        }
    }

    /// Collects the fan of the triangle `start`, from its edge `side` on.
    fn walk(&mut self, mesh: &Mesh, vertex: u32, start: usize, side: usize) {
        let Self { corners, fan, .. } = self;
        fan.start(vertex);
        let own = mesh.rest[vertex as usize];
        let towards = |other: u32| mesh.rest[other as usize] - own;
        let [first, second] = [side, 1 - side].map(|side| towards(corners[start].others[side]));
        let along = first.normalize();
        let across = second.reject_from_normalized(along).normalize();
        let warp = mesh.warp(corners[start].triangle, vertex);
        let (x, y) = (warp.dot(along), warp.dot(across));
        // a cloth that is normal to the warp has it along its first edge
        fan.warp = if x.hypot(y) > 1e-6 { y.atan2(x) } else { 0.0 };
        let (mut at, mut from) = (start, side);
        loop {
            let corner = &mut corners[at];
            corner.is_done = true;
            fan.vertices.push(corner.others[from]);
            fan.lengths.push(towards(corner.others[from]).length());
            fan.angles.push(corner.angle);
            fan.area += corner.area;
            let (last, next) = (corner.others[1 - from], corner.beyond[1 - from]);
            if next == NONE {
                fan.vertices.push(last);
                fan.lengths.push(towards(last).length());
                return;
            }
            if next == start {
                fan.is_closed = true;
                return;
            }
            from = usize::from(corners[next].others[1] == last);
            at = next;
        }
    }
}
