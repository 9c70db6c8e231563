//! What layers of cloth press on each other with, from step to step.

use serde::{Deserialize, Serialize};

use super::layer_contact::closest;
use super::pair::Pair;
use crate::sim::{Real, Vec3};

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
    /// The part of it that the step before had as well [N]. The solver of the next step is given most of it.
    #[serde(default)]
    pub lasting: Vec3,
}

impl LayerForce {
    /// Share of what lasts that is a force on the solver.
    ///
    /// The response moves vertices as if nothing held them in the cloth (`M`), while a solver answers a force with all of its stiffness (`M + h² K`). With
    /// the whole of it, what the solver was given would follow the shape of a stiff cloth only slowly, by a share of about `M/h²K` per step: a cloth
    /// that is stiffer the slower it is deformed takes energy from nowhere, and fine layers shake themselves apart with every method that
    /// damps little. With a part of it what is given is renewed within a few steps.
    pub(super) const SHARE: Real = 0.8;

    pub(super) fn pair(&self) -> Pair {
        Pair { vertices: self.vertices, first: self.first }
    }

    /// Adds the [share](Self::SHARE) of what lasts of the forces on the closest points, for vertices at `positions` [m], to the sums of the vertices [N].
    pub fn add(forces: &[Self], positions: &[Vec3], sums: &mut [Vec3]) {
        for of in forces.iter().filter(|of| of.lasting != Vec3::ZERO) {
            let pair = of.pair();
            let weights = closest(&pair, &pair.corners(positions)).weights;
            for (&vertex, weight) in pair.vertices.iter().zip(weights) {
                sums[vertex as usize] += of.lasting * (Self::SHARE * weight);
            }
        }
    }
}
