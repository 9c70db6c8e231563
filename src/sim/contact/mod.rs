//! Contact of the cloth with colliders and with itself, on one tree of boxes, and the exact count
//! of intersections.

mod aabb;
mod bvh;
pub mod cloth;
mod colliders;
mod exact;
mod intersections;
mod settings;

pub use colliders::{
    Collider, ColliderGrab, Contact, LoadShare, Loads, Obstacles, Points, Shape, ShapeFile, Solid, SolidForce,
    SurfacePoint, Table, TableShape, TriangleMesh, Wall,
};
pub use intersections::{CrackFaces, Intersections};
pub use settings::ContactSettings;

use crate::sim::{Real, Vec3};
use cloth::ClothContactForce;

/// Distance from a surface, as a share of the thickness, up to which a vertex lies on it.
const NEAR: Real = 0.02;

/// Contacts of a cloth in its last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactMarks {
    /// Vertices on colliders, rising, with the outward unit normal of the surface.
    pub on_colliders: Vec<(u32, Vec3)>,
    /// Contact forces of cloth on cloth.
    pub cloth_contact: Vec<ClothContactForce>,
    /// Vertices with truncated motion, rising.
    pub truncated: Vec<u32>,
}

impl Obstacles {
    /// The vertices at `positions` [m] that lie on or in a solid at the end of the last step,
    /// rising, with the outward unit normal.
    #[must_use]
    pub fn resting(&self, positions: &[Vec3]) -> Vec<(u32, Vec3)> {
        let resting = |(vertex, &x): (u32, &Vec3)| Some((vertex, self.rests_on(x)?));
        (0..).zip(positions).filter_map(resting).collect()
    }

    /// Outward unit normal of the solid on or in which a vertex at `x` [m] lies at the end of the
    /// last step.
    #[must_use]
    pub fn rests_on(&self, x: Vec3) -> Option<Vec3> {
        let (_, solids, _) = self.solids();
        solids.iter().find_map(|solid| {
            let surface = solid.nearest(x)?;
            (surface.distance <= (1.0 + NEAR) * solid.surface.thickness).then_some(surface.normal)
        })
    }
}
