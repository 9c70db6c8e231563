//! The contact force of a collider on the cloth between its vertices (`physics.md` section 13).

use serde::{Deserialize, Serialize};

use crate::sim::{Real, Vec3};

/// Contact force of a collider at a point between the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolidForce {
    /// The three vertices of a triangle, or the two of an edge with the second one twice.
    pub vertices: [u32; 3],
    /// Number of the solid: floor and table first, then the colliders of the scene.
    pub solid: u32,
    /// Number of its edge, corner or thin part.
    pub feature: u32,
    /// Weights of the vertices in the point.
    pub weights: [Real; 3],
    /// Outward unit normal of the collider.
    pub normal: Vec3,
    /// Force on the cloth in the last step [N].
    pub force: Vec3,
    /// Force given to the solver of the next step [N]: the mean of the force given to the last one,
    /// and of the present force as far as it acted in the step before.
    pub lasting: Vec3,
    /// Whether the point sticks.
    pub sticks: bool,
}

impl SolidForce {
    /// Its identity.
    #[must_use]
    pub fn key(&self) -> ([u32; 3], [u32; 2]) {
        (self.vertices, [self.solid, self.feature])
    }

    /// The point, with vertices at `positions` [m].
    pub(in crate::sim::contact) fn point(&self, positions: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(self.weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum()
    }

    /// Adds the forces for the solver to the sums per vertex [N].
    pub fn add(forces: &[Self], sums: &mut [Vec3]) {
        for SolidForce { vertices, weights, lasting, .. } in forces {
            for (&vertex, weight) in vertices.iter().zip(weights) {
                sums[vertex as usize] += *lasting * *weight;
            }
        }
    }
}
