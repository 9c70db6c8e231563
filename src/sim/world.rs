//! What surrounds the cloth: gravity and everything solid.

use std::borrow::Cow;

use super::contact::{Collider, ContactSettings, Shape, Table};
use super::params::linear;
use super::{Real, Vec3};

crate::parameters! {
    /// Gravity.
    pub struct Gravity {
        /// Downward acceleration. The papers use 9.8; the Moon has 1.62.
        pub gravity: Real = 9.8, "Gravity", "m/s²", linear(0.0, 30.0);
    }
}

/// Gravity as a plain number in files.
pub(crate) mod plain_gravity {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Gravity, Real};

    pub fn serialize<S: Serializer>(gravity: &Gravity, serializer: S) -> Result<S::Ok, S::Error> {
        gravity.gravity.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Gravity, D::Error> {
        Ok(Gravity { gravity: Real::deserialize(deserializer)? })
    }
}

/// What surrounds the cloth and is no parameter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct World {
    /// Colliders beside floor and table.
    pub colliders: Vec<Collider>,
}

impl World {
    /// Everything solid: the floor and the table of the parameters, and the further colliders.
    pub fn solids(&self, contact: &ContactSettings, table: &Table) -> impl Iterator<Item = Cow<'_, Collider>> {
        Self::solids_of(contact, table, &self.colliders)
    }

    /// Likewise, with these further colliders.
    pub fn solids_of<'a>(
        contact: &ContactSettings,
        table: &Table,
        colliders: &'a [Collider],
    ) -> impl Iterator<Item = Cow<'a, Collider>> + use<'a> {
        let floor = Collider::new(Shape::Plane { normal: Vec3::Y }, Vec3::ZERO);
        let floor = contact.ground.then_some(floor);
        floor.into_iter().chain(table.colliders()).map(Cow::Owned).chain(colliders.iter().map(Cow::Borrowed))
    }
}
