//! Contact forces of cloth on cloth, carried from step to step.

use serde::{Deserialize, Serialize};

use super::nearness::closest;
use super::pair::Pair;
use crate::sim::Vec3;

/// Contact force between two parts of a cloth, with friction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerForce {
    /// Vertex and triangle, or the ends of two edges.
    pub vertices: [u32; 4],
    /// Number of vertices of the first part: 1 or 2.
    pub first: u8,
    /// Force on the first part in the last step [N]; the opposite acts on the second.
    pub force: Vec3,
    /// Force given to the solver of the next step [N] (`physics.md` section 13).
    #[serde(default)]
    pub lasting: Vec3,
}

impl LayerForce {
    pub(super) fn pair(&self) -> Pair {
        Pair { vertices: self.vertices, first: self.first }
    }

    /// Adds the forces for the solver, at the closest points of vertices at `positions` [m], to the
    /// sums per vertex [N].
    pub fn add(forces: &[Self], positions: &[Vec3], sums: &mut [Vec3]) {
        for of in forces.iter().filter(|of| of.lasting != Vec3::ZERO) {
            let pair = of.pair();
            let weights = closest(&pair, &pair.corners(positions)).weights;
            for (&vertex, weight) in pair.vertices.iter().zip(weights) {
                sums[vertex as usize] += of.lasting * weight;
            }
        }
    }
}
