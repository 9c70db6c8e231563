//! What surrounds the cloth: gravity and everything solid.

use std::borrow::Cow;

use crate::sim::contact::{Collider, ColliderGrab, ContactSettings, Shape, Table};
use crate::sim::params::linear;
use crate::sim::{Real, Vec3};

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
    /// The user's hand, while it holds one of these.
    pub grab: Option<ColliderGrab>,
}

/// Position [m] and rotation (axis times angle [rad]) of a collider of the scene.
pub type Placement = (usize, (Vec3, Vec3));

impl World {
    /// Everything solid: the floor and the table of the parameters, and the further colliders.
    pub fn solids(&self, contact: &ContactSettings, table: &Table) -> impl Iterator<Item = Cow<'_, Collider>> {
        Self::solids_of(contact, table, &self.colliders)
    }

    /// The collider in the hand, by its place in `colliders`, and where it is after a step of `dt` [s].
    #[must_use]
    pub fn follow_hand(&self, dt: Real) -> Option<Placement> {
        let grab = self.grab.as_ref()?;
        let number = grab.collider as usize;
        Some((number, grab.follow(self.colliders.get(number)?, dt)))
    }

    /// Where the collider in the hand is.
    #[must_use]
    pub fn held(&self) -> Option<Placement> {
        let number = self.grab.as_ref()?.collider as usize;
        let Collider { position, rotation, .. } = self.colliders.get(number)?;
        Some((number, (*position, *rotation)))
    }

    /// Puts a collider in its place.
    pub fn place(&mut self, (number, (position, rotation)): Placement) {
        if let Some(collider) = self.colliders.get_mut(number) {
            (collider.position, collider.rotation) = (position, rotation);
        }
    }

    /// The lags of the further colliders [s].
    pub fn lags(&self) -> impl Iterator<Item = Real> {
        self.colliders.iter().map(|collider| collider.lag)
    }

    /// Puts back what [`lags`](Self::lags) gave.
    pub fn set_lags(&mut self, lags: &[Real]) {
        self.colliders.iter_mut().zip(lags).for_each(|(collider, lag)| collider.lag = *lag);
    }

    /// Notes which of the further colliders had to wait in a step of `dt` [s] that started at `time` [s]; the others make up for their lag.
    pub fn note_lags(&mut self, time: Real, dt: Real, waits: impl Fn(usize) -> bool) {
        for (number, collider) in self.colliders.iter_mut().enumerate() {
            collider.lag = collider.lag_after(time, dt, waits(number));
        }
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
