//! Bending: the mean curvature of each interior vertex keeps its magnitude at rest (Bouaziz et al.
//! 2014, section 5.4).
//!
//! Row of vertex v: `z = (1/A_v) Σ_j ½ (cot α_j + cot β_j) (x_j - x_v)` [1/m], twice the mean
//! curvature normal, with the cotangents and the mixed area `A_v` (Meyer, Desbrun, Schröder and
//! Barr 2003, section 3.3) of the *rest* mesh. It is projected to its rest length,
//! `p = |z_rest| z/|z|` ([`super::with_length`]), with weight `w A_v`, `w` in N·m. Linear in the
//! positions because bending is nearly isometric, so that the rest mesh's cotangents stay right.
//! With limits it is free while its length is at most `less` below or `more` above that at rest,
//! and brought back to the end of this range beyond. A cylinder of radius `r` has `|z| = 1/r`.
//!
//! Cotangents of obtuse angles are negative, and so may coefficients be. They are kept: without
//! them flat cloth would have `z ≠ 0`. The matrix `Σ w A_v a aᵀ` is a sum of squares and so
//! positive semidefinite whatever the signs in a row.

use std::collections::BTreeMap;

use super::{Chunk, Constraint, Elements, with_length};
use crate::sim::math::cotangents_and_mixed_area;
use crate::sim::pattern::normal;
use crate::sim::{Pattern, Real, Vec3};

/// Below this share of the size of its terms a rest length is rounding.
const FLAT: Real = 1e-12;

/// The mean curvature keeps its magnitude at rest, or stays in a range around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bending {
    /// Bending stiffness `w` [N·m].
    pub stiffness: Real,
    /// How far `|z|` may be below that at rest without a force [1/m].
    pub less: Real,
    /// How far `|z|` may be above that at rest without a force [1/m].
    pub more: Real,
}

impl Bending {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] =
        &[Self { stiffness: 1e-3, less: 0.0, more: 0.0 }, Self { stiffness: 0.02, less: 0.1, more: 0.2 }];
}

impl Constraint for Bending {
    fn weight(&self) -> Real {
        self.stiffness
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        let rows = BendingRows::of(pattern);
        let mut elements = Elements::new(1, 1);
        for at in 0..rows.len() {
            let (vertices, coefficients) = rows.row(at);
            let entries = vertices.iter().zip(coefficients).map(|(&vertex, &a)| (vertex, [a]));
            elements.push(entries, rows.areas[at], &[rows.rest_lengths[at]]);
        }
        elements
    }

    fn project(&self, chunk: &mut Chunk) {
        chunk.project_each(|[z], rest| [with_length_within(z, [(rest[0] - self.less).max(0.0), rest[0] + self.more])]);
    }
}

/// The vector nearest to `z` whose length is in `low..=high`: `z` itself if it is, otherwise `z`
/// [brought](with_length) to the nearer end.
#[must_use]
pub fn with_length_within(z: Vec3, [low, high]: [Real; 2]) -> Vec3 {
    let length = z.length();
    if low < length && length < high { z } else { with_length(z, length.max(low).min(high)) }
}

/// The bending rows of a mesh, one for every vertex whose triangles form one closed fan, by rising
/// vertex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BendingRows {
    /// Where the entries of each row start in `vertices` and `coefficients`; one more than there
    /// are rows.
    pub starts: Vec<u32>,
    /// The vertices of the rows: first the vertex itself, then its neighbours by rising index.
    pub vertices: Vec<u32>,
    /// The coefficients [1/m²]; those of a row sum to zero.
    pub coefficients: Vec<Real>,
    /// Mixed area of the rows' vertices [m²].
    pub areas: Vec<Real>,
    /// Length of each row's value at rest [1/m], 0 where the rest mesh is flat.
    pub rest_lengths: Vec<Real>,
}

impl BendingRows {
    /// Of the rest mesh. Triangles of no area are left out. Vertices at a boundary, at an edge of
    /// more than two triangles, of a repeated triangle, where several fans touch, or of no triangle
    /// get no row; winding does not matter.
    #[must_use]
    pub fn of(pattern: &Pattern) -> Self {
        let rest = pattern.rest_positions();
        let mut corners: Vec<Vec<Corner>> = vec![Vec::new(); rest.len()];
        for triangle in pattern.cloth_triangles() {
            let points = triangle.map(|vertex| rest[vertex as usize]);
            let Some(normal) = normal(points) else { continue };
            for at in 0..3 {
                let turn = [at, (at + 1) % 3, (at + 2) % 3];
                let others = [triangle[turn[1]], triangle[turn[2]]];
                corners[triangle[at] as usize].push(Corner::of(others, turn.map(|k| points[k]), normal.length()));
            }
        }
        let mut rows = Self { starts: vec![0], ..Self::default() };
        for (vertex, corners) in corners.iter().enumerate() {
            if is_closed_fan(corners) {
                rows.push(vertex as u32, corners, rest);
            }
        }
        rows
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// The vertices and coefficients of a row.
    #[must_use]
    pub fn row(&self, row: usize) -> (&[u32], &[Real]) {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        (&self.vertices[range.clone()], &self.coefficients[range])
    }

    fn push(&mut self, vertex: u32, corners: &[Corner], rest: &[Vec3]) {
        let area: Real = corners.iter().map(|corner| corner.area).sum();
        let mut neighbours: BTreeMap<u32, Real> = BTreeMap::new();
        for corner in corners {
            for (other, weight) in corner.others.into_iter().zip(corner.weights) {
                *neighbours.entry(other).or_default() += weight / area;
            }
        }
        let own = rest[vertex as usize];
        let (mut value, mut size) = (Vec3::ZERO, 0.0);
        for (&other, &coefficient) in &neighbours {
            let place = rest[other as usize];
            value += (place - own) * coefficient;
            size += coefficient.abs() * place.abs().max(own.abs()).max_element();
        }
        self.vertices.push(vertex);
        self.coefficients.push(-neighbours.values().sum::<Real>());
        self.vertices.extend(neighbours.keys());
        self.coefficients.extend(neighbours.values());
        self.starts.push(self.vertices.len() as u32);
        self.areas.push(area);
        self.rest_lengths.push(if value.length() > FLAT * size { value.length() } else { 0.0 });
    }
}

/// Contribution of a triangle to the row of one of its vertices.
#[derive(Debug, Clone, Copy)]
struct Corner {
    others: [u32; 2],
    /// Half the cotangent at the opposite corner, for the edges to `others`.
    weights: [Real; 2],
    /// Part of the triangle's area that belongs to the vertex [m²].
    area: Real,
}

impl Corner {
    /// `points`: the vertex, then `others`; `double`: twice the triangle's area.
    fn of(others: [u32; 2], points: [Vec3; 3], double: Real) -> Self {
        let ([_, at_b, at_c], area) = cotangents_and_mixed_area(points, double);
        Self { others, weights: [at_c / 2.0, at_b / 2.0], area }
    }
}

/// Whether the edges opposite to a vertex form one ring.
fn is_closed_fan(corners: &[Corner]) -> bool {
    let mut ring: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &Corner { others: [i, j], .. } in corners {
        ring.entry(i).or_default().push(j);
        ring.entry(j).or_default().push(i);
    }
    if ring.len() < 3 || ring.values().any(|next| next.len() != 2) {
        return false;
    }
    let Some((&start, next)) = ring.first_key_value() else { return false };
    let (mut before, mut here, mut length) = (start, next[0], 1);
    while here != start {
        let next = &ring[&here];
        (before, here) = (here, if next[0] == before { next[1] } else { next[0] });
        length += 1;
    }
    length == ring.len()
}
