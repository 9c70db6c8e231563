//! The force that it takes to hold a vertex.

use super::SpringSystem;
use crate::sim::forces::springs::spring_force_on;
use crate::sim::{Cloth, Real, Vec3};

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
