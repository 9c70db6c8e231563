//! The force that it takes to hold a vertex.

use super::SpringSystem;
use crate::sim::forces::springs::{spring_force, spring_force_along};
use crate::sim::material::DampingModel;
use crate::sim::{Cloth, Material, Pattern, Real, Vec3};

/// Force [N] that a hand or pin exerts on `vertex` to hold it against the `elastic` force of the cloth and its own weight under
/// a downward acceleration of `gravity` [m/s²]. Inertia is left out: it is the load that a spring balance would show.
#[must_use]
pub fn reaction(cloth: &Cloth, gravity: Real, elastic: Vec3, vertex: u32) -> Vec3 {
    let weight = Vec3::NEG_Y * (gravity * cloth.masses[vertex as usize]);
    -(weight + elastic)
}

impl SpringSystem<'_> {
    /// Force [N] of its springs and their damping on one vertex.
    #[must_use]
    pub fn force_on(&self, vertex: u32) -> Vec3 {
        spring_force_on(self.cloth, self.pattern, self.material, vertex)
    }
}

/// Force [N] of its springs on one vertex.
#[must_use]
pub fn spring_force_on(cloth: &Cloth, pattern: &Pattern, material: &Material, vertex: u32) -> Vec3 {
    let i = vertex as usize;
    let springs = pattern.springs();
    let mut sum = Vec3::ZERO;
    for &(spring, other) in pattern.neighbours().of_vertex(vertex) {
        let (e, j) = (spring as usize, other as usize);
        let k = material.stiffness(springs.families[e]);
        if k > 0.0 {
            let offset = cloth.positions[j] - cloth.positions[i];
            let relative = cloth.velocities[j] - cloth.velocities[i];
            let force = match material.damping_model {
                DampingModel::Isotropic => spring_force,
                DampingModel::AlongSpring => spring_force_along,
            };
            sum += force(k, material.damping, springs.rest_lengths[e], offset, relative);
        }
    }
    sum
}
