//! What surrounds the cloth: gravity, air, and everything solid.

use super::contact::{Collider, Contact, Shape, Table};
use super::forces::Air;
use super::params::linear;
use super::{Real, Vec3};

crate::parameters! {
    /// Gravity.
    pub struct Gravity {
        /// Downward acceleration. The papers use 9.8; the Moon has 1.62.
        pub gravity: Real = 9.8, "Gravity", "m/s²", linear(0.0, 30.0);
    }
}

/// The surroundings of the cloth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct World {
    /// Downward acceleration.
    pub gravity: Gravity,
    /// Air and wind.
    pub air: Air,
    /// How the cloth meets what is solid.
    pub contact: Contact,
    /// The table.
    pub table: Table,
    /// Further colliders.
    pub colliders: Vec<Collider>,
}

impl World {
    /// Everything solid: floor, table and further colliders.
    pub fn solids(&self) -> impl Iterator<Item = Collider> + '_ {
        let floor = Collider::new(Shape::Plane { normal: Vec3::Y }, Vec3::ZERO);
        let floor = self.contact.ground.then_some(floor);
        floor.into_iter().chain(self.table.colliders()).chain(self.colliders.iter().copied())
    }
}
