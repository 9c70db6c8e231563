//! Where a cloth touches something, to be shown.

use super::obstacles::Obstacles;
use super::self_contact::LayerForce;
use crate::sim::{Real, Vec3};

/// Share of the thickness by which a vertex may be off a surface that it lies on.
const NEAR: Real = 0.02;

/// Where a cloth touched something in its last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactMarks {
    /// The vertices that lie on colliders, rising, with the outward unit normal of the surface.
    pub on_colliders: Vec<(u32, Vec3)>,
    /// What layers of cloth press on each other with.
    pub layers: Vec<LayerForce>,
    /// The vertices whose motion was cut, rising.
    pub held_back: Vec<u32>,
}

impl Obstacles {
    /// The vertices at `positions` [m] that lie on a solid, or in it, at the end of the last step, rising, with the outward unit normal.
    #[must_use]
    pub fn resting(&self, positions: &[Vec3]) -> Vec<(u32, Vec3)> {
        let resting = |(vertex, &x): (u32, &Vec3)| Some((vertex, self.rests_on(x)?));
        (0..).zip(positions).filter_map(resting).collect()
    }

    /// The outward unit normal of the solid on which a vertex at `x` [m] lies, or in it, at the end of the last step.
    #[must_use]
    pub fn rests_on(&self, x: Vec3) -> Option<Vec3> {
        let (_, solids, _) = self.solids();
        solids.iter().find_map(|solid| {
            let surface = solid.nearest(x)?;
            (surface.distance <= (1.0 + NEAR) * solid.surface.thickness).then_some(surface.normal)
        })
    }
}
