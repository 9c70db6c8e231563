//! The colliders around the cloth.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::sim::contact::{Collider, ColliderGrab, ContactSettings, Shape, Table};
use crate::sim::{Real, Vec3};

/// Colliders beside floor and table, which are parameters.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct World {
    /// The colliders, with their placement and lag.
    pub colliders: Vec<Collider>,
    /// The grab on one of them.
    pub grab: Option<ColliderGrab>,
}

/// A copy allocates nothing if colliders differ only by the changes of a step.
impl Clone for World {
    fn clone(&self) -> Self {
        Self { colliders: self.colliders.clone(), grab: self.grab }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { colliders, grab } = self;
        *grab = from.grab;
        colliders.truncate(from.colliders.len());
        for (to, from) in colliders.iter_mut().zip(&from.colliders) {
            (to.position, to.rotation, to.lag) = (from.position, from.rotation, from.lag);
            if to != from {
                to.clone_from(from);
            }
        }
        let known = colliders.len();
        colliders.extend_from_slice(&from.colliders[known..]);
    }
}

/// Position [m] and rotation (axis times angle [rad]) of a collider of the scene.
pub type Placement = (usize, (Vec3, Vec3));

impl World {
    /// Everything solid: the floor and the table of the parameters, and the further colliders.
    pub fn solids(&self, contact: &ContactSettings, table: &Table) -> impl Iterator<Item = Cow<'_, Collider>> {
        Self::solids_of(contact, table, &self.colliders)
    }

    /// The collider in the hand, by its place in `colliders`, and where it is after a step of `dt`
    /// [s].
    #[must_use]
    pub fn follow_hand(&self, dt: Real) -> Option<Placement> {
        let grab = self.grab.as_ref()?;
        let number = grab.collider as usize;
        Some((number, grab.follow(self.colliders.get(number)?, dt)))
    }

    /// Puts a collider in its place.
    pub fn place(&mut self, (number, (position, rotation)): Placement) {
        if let Some(collider) = self.colliders.get_mut(number) {
            (collider.position, collider.rotation) = (position, rotation);
        }
    }

    /// Updates the lags after a step of `dt` [s] that started at `time` [s]: that of a collider
    /// grows if it `waits`, and shrinks otherwise.
    pub fn update_lags(&mut self, time: Real, dt: Real, waits: impl Fn(usize) -> bool) {
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
