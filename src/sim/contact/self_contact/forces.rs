//! The contact forces of a step, which the next one starts from (`physics.md` section 13).

use serde::{Deserialize, Serialize};

use super::pair::Pair;
use crate::sim::{Real, Vec3};

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
    /// Force given to the solver of the next step [N].
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
            let weights = pair.closest(&pair.corners(positions)).weights;
            for (&vertex, weight) in pair.vertices.iter().zip(weights) {
                sums[vertex as usize] += of.lasting * weight;
            }
        }
    }
}

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
    pub(super) fn point(&self, positions: &[Vec3]) -> Vec3 {
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

/// Forces of the contacts between the vertices: of cloth on cloth, and of colliders on cloth.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactForces {
    /// Cloth on cloth, by rising pairs.
    pub layers: Vec<LayerForce>,
    /// Colliders on the cloth, by rising keys.
    pub solids: Vec<SolidForce>,
}

impl ContactForces {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.layers.clear();
        self.solids.clear();
    }

    /// Memory that they take beside their own [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.layers[..]) + size_of_val(&self.solids[..])
    }
}

/// A copy asks for no memory where there is enough.
impl Clone for ContactForces {
    fn clone(&self) -> Self {
        Self { layers: self.layers.clone(), solids: self.solids.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { layers, solids } = self;
        layers.clone_from(&from.layers);
        solids.clone_from(&from.solids);
    }
}
