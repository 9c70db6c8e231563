//! The force that it takes to hold a vertex.

use super::SpringSystem;
use crate::sim::forces::springs::spring_force_on;
use crate::sim::{Cloth, Real, Vec3};

/// Force [N] that a hand or pin exerts on `vertex` to hold it against the `elastic` force of the
/// cloth and its own weight under a downward acceleration of `gravity` [m/s²]. Inertia is left out:
/// it is the load that a spring balance would show.
#[must_use]
pub fn reaction(cloth: &Cloth, gravity: Real, elastic: Vec3, vertex: u32) -> Vec3 {
    let weight = Vec3::NEG_Y * (gravity * cloth.masses[vertex as usize]);
    -(weight + elastic)
}

impl SpringSystem<'_> {
    /// Force [N] of its springs, their damping, and isometric bending on one vertex.
    #[must_use]
    pub fn force_on(&self, vertex: u32) -> Vec3 {
        spring_force_on(self.cloth, self.pattern, self.material, vertex) + self.bending_force_on(vertex)
    }

    /// Force [N] of isometric bending on one vertex; zero where bending is by springs.
    #[must_use]
    pub fn bending_force_on(&self, vertex: u32) -> Vec3 {
        let stiffness = self.material.isometric_stiffness();
        let force = || self.bending.force_on(vertex, &self.cloth.positions) * stiffness;
        if stiffness > 0.0 { force() } else { Vec3::ZERO }
    }
}
