//! Contact points of colliders and the cloth between its vertices.

use super::row::{ContactRow, Plane};
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// A contact point of the cloth near a collider.
#[derive(Debug, Clone, Copy)]
pub(in crate::sim::contact::cloth) struct ContactPoint {
    /// Vertices of the point with their weights; an edge has its second vertex twice.
    pub vertices: [u32; 3],
    pub weights: [Real; 3],
    /// Numbers of the solid, and of its edge or point.
    pub solid: u32,
    pub feature: u32,
    /// The tangent plane of the collider at the distance to be kept; sliding is measured from the
    /// position to which the collider has carried the point from its start.
    pub plane: Plane,
    /// Height above the plane at the end of the step [m], at least zero.
    pub gap: Real,
}

impl ContactPoint {
    /// The point, with vertices at `positions` [m].
    pub(super) fn point(&self, positions: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(self.weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum()
    }

    /// Its row, for vertices at `q`, positions [m] with inverse masses [1/kg] in the fourth lane.
    pub(super) fn row(&self, q: &[F64x4]) -> ContactRow {
        let ([a, b, c], [u, v, w]) = (self.vertices, self.weights);
        ContactRow::new([a, b, c, a], [u, v, w, 0.0], &self.plane, q)
    }

    /// Its identity.
    pub fn key(&self) -> ([u32; 3], [u32; 2]) {
        (self.vertices, [self.solid, self.feature])
    }
}
