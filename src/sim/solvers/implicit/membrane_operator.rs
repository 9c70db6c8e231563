//! The membrane in the matrix of an implicit step: applied to vectors without being assembled, or as
//! blocks of the assembled matrix.

use std::ops::Range;

use super::blocks::BlockSystem;
use crate::sim::exec::simd::F64x4;
use crate::sim::forces::membrane::{self, TriangleHessian};
use crate::sim::forces::springs::Blocks;
use crate::sim::linear::Symbolic;
use crate::sim::math::csr::Csr;
use crate::sim::pattern::MembraneTriangle;
use crate::sim::{Material, Pattern, Real, StepInput, Vec3};

/// The second derivatives of the membrane. All vectors are by places.
#[derive(Debug, Default)]
pub struct MembraneOperator {
    /// The triangles by places, with their second derivatives.
    triangles: Vec<(MembraneTriangle, TriangleHessian)>,
    /// For each place its triangles, with the corner that it is there.
    of_place: Csr<(u32, u32)>,
    /// A bound on the entries of the diagonal.
    largest: Real,
}

impl MembraneOperator {
    /// Collects the triangles of the membrane at work, if there is one.
    pub fn gather(&mut self, pattern: &Pattern, material: &Material, symbolic: &Symbolic) {
        self.triangles.clear();
        self.triangles.extend(membrane::triangles(pattern, material).map(|(triangle, _)| {
            let vertices = triangle.vertices.map(|vertex| symbolic.column_of[vertex as usize]);
            (MembraneTriangle { vertices, ..*triangle }, TriangleHessian::default())
        }));
        let corners = (0_u32..).zip(&self.triangles).flat_map(|(number, (triangle, _))| {
            [0, 1, 2].map(|corner: u32| (triangle.vertices[corner as usize], (number, corner)))
        });
        self.of_place.fill(symbolic.len(), corners);
    }

    /// Number of triangles.
    #[must_use]
    pub fn count(&self) -> usize {
        self.triangles.len()
    }

    /// Sets the derivatives to `factor` times those at the positions `q` [m].
    pub fn set(&mut self, q: &[F64x4], material: &Material, factor: Real, blocks: Blocks) {
        let mut largest: Real = 0.0;
        for (triangle, hessian) in &mut self.triangles {
            let stiffness = material.stiffness_of_triangle(triangle);
            (0..3).for_each(|corner| largest = largest.max(stiffness.bound(triangle.corner(corner))));
            let images = triangle.images(|place| q[place as usize].to_vec3());
            *hessian = stiffness.hessian(images, blocks).times(factor);
        }
        let most = (0..self.of_place.rows()).map(|place| self.of_place.row(place).len() as u32).max().unwrap_or(0);
        self.largest = factor * largest * Real::from(most);
    }

    /// Adds the product with `x` at the places in `range` to `out`.
    pub fn add_product(&self, x: &[F64x4], range: Range<usize>, out: &mut [F64x4]) {
        if self.triangles.is_empty() {
            return;
        }
        for (place, out) in range.zip(out) {
            let mut sum = Vec3::ZERO;
            for &(number, corner) in self.of_place.row(place) {
                let (triangle, hessian) = &self.triangles[number as usize];
                let [of_a, of_b] = hessian.apply(triangle.images(|place| x[place as usize].to_vec3()));
                let [a, b] = triangle.corner(corner as usize);
                sum += of_a * a + of_b * b;
            }
            *out = *out + F64x4::from_vec3(sum);
        }
    }

    /// `nᵀ H_ii n` at a place [as the matrix], without a negative part.
    #[must_use]
    pub fn stiffness_along(&self, place: usize, n: Vec3) -> Real {
        let around = if self.triangles.is_empty() { &[] } else { self.of_place.row(place) };
        let of_triangle = |&(number, corner): &(u32, u32)| {
            let (triangle, hessian) = &self.triangles[number as usize];
            let own = triangle.corner(corner as usize);
            n.dot(hessian.block(own, own) * n)
        };
        around.iter().map(of_triangle).sum::<Real>().max(0.0)
    }

    /// A bound on its entries of the diagonal.
    #[must_use]
    pub fn largest_diagonal(&self) -> Real {
        if self.triangles.is_empty() { 0.0 } else { self.largest }
    }
}

impl BlockSystem {
    /// Adds `factor` times the second derivatives of the membrane at the positions `x` [m], one per
    /// vertex.
    pub fn add_membrane(&mut self, input: &StepInput, x: &[Vec3], factor: Real, blocks: Blocks) {
        for (triangle, stiffness) in membrane::triangles(input.pattern, input.material) {
            let hessian = stiffness.hessian(triangle.images(|vertex| x[vertex as usize]), blocks).times(factor);
            let unknowns = triangle.vertices.map(|vertex| input.partition.unknown_of[vertex as usize]);
            let block = |row: usize, column: usize| hessian.block(triangle.corner(row), triangle.corner(column));
            for corner in 0..3 {
                if input.partition.is_free(triangle.vertices[corner]) {
                    self.add_to_diagonal(unknowns[corner] as usize, &block(corner, corner));
                }
                let next = (corner + 1) % 3;
                let (row, column) = if unknowns[corner] > unknowns[next] { (corner, next) } else { (next, corner) };
                self.add_to_spring(triangle.sides[corner] as usize, || block(row, column));
            }
        }
    }
}

/// The part of the membrane in the right-hand side of a linearised step, `-h² H (v + Δv)` with the
/// known `change` of the velocity of prescribed vertices: added to `rhs` [N·s], one entry per vertex.
pub fn add_to_right_hand_side(
    input: &StepInput,
    (x, v, change): (&[Vec3], &[Vec3], &[Vec3]),
    blocks: Blocks,
    rhs: &mut [Vec3],
) {
    let factor = input.dt * input.dt;
    for (triangle, stiffness) in membrane::triangles(input.pattern, input.material) {
        let hessian = stiffness.hessian(triangle.images(|vertex| x[vertex as usize]), blocks).times(factor);
        let [of_a, of_b] = hessian.apply(triangle.images(|vertex| v[vertex as usize] + change[vertex as usize]));
        for (corner, vertex) in triangle.vertices.into_iter().enumerate() {
            let [a, b] = triangle.corner(corner);
            rhs[vertex as usize] -= of_a * a + of_b * b;
        }
    }
}
