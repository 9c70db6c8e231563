//! What layers of cloth press on each other with, from step to step.

use serde::{Deserialize, Serialize};

use super::nearness::closest;
use super::pair::Pair;
use crate::sim::Vec3;

/// The force with which two parts of a cloth press on each other and rub against each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerForce {
    /// The vertex and the three of a triangle, or the two of each of two edges.
    pub vertices: [u32; 4],
    /// How many of the vertices belong to the first part: 1 or 2.
    pub first: u8,
    /// Force on the first part in the last step [N]; the opposite acts on the second.
    pub force: Vec3,
    /// What the solver of the next step is given of it [N].
    #[serde(default)]
    pub lasting: Vec3,
}

impl LayerForce {
    pub(super) fn pair(&self) -> Pair {
        Pair { vertices: self.vertices, first: self.first }
    }

    /// Adds what lasts of the forces on the closest points, for vertices at `positions` [m], to the sums of the vertices [N].
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
