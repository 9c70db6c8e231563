//! The contact forces of a step, which the next one starts from (`physics.md` section 13).

use serde::{Deserialize, Serialize};

use crate::sim::Vec3;
use crate::sim::contact::SolidForce;
use crate::sim::contact::cloth::pair::Pair;

/// Contact force between two parts of a cloth, with friction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClothContactForce {
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

impl ClothContactForce {
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

/// Forces of the contacts between the vertices: of cloth on cloth, and of colliders on cloth.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactForces {
    /// Cloth on cloth, by rising pairs.
    pub cloth_contact: Vec<ClothContactForce>,
    /// Colliders on the cloth, by rising keys.
    pub solids: Vec<SolidForce>,
}

impl ContactForces {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.cloth_contact.clear();
        self.solids.clear();
    }

    /// Memory that they take beside their own [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.cloth_contact[..]) + size_of_val(&self.solids[..])
    }
}

/// A copy asks for no memory where there is enough.
impl Clone for ContactForces {
    fn clone(&self) -> Self {
        Self { cloth_contact: self.cloth_contact.clone(), solids: self.solids.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { cloth_contact, solids } = self;
        cloth_contact.clone_from(&from.cloth_contact);
        solids.clone_from(&from.solids);
    }
}
