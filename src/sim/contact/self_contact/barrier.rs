//! The motion of a collision mesh through a step.

use std::sync::Arc;

use parry3d_f64::math::Pose;

use crate::sim::contact::mesh_tree::MeshTree;
use crate::sim::{Real, Vec3};

/// A collision mesh in motion.
#[derive(Debug, Clone)]
pub(super) struct Barrier {
    pub tree: Arc<MeshTree>,
    /// Pose at the start and at the end of the step.
    pub places: [Pose; 2],
    /// Index among the collision meshes, and among the solids.
    pub number: u32,
    pub solid: u32,
    /// Distance between cloth and surface [m].
    pub thickness: Real,
    /// Whether it encloses a volume.
    pub is_solid: bool,
    /// Bounding box of the motion [m].
    pub low: Vec3,
    pub high: Vec3,
}

impl Barrier {
    pub fn moves(&self) -> bool {
        self.places[0] != self.places[1]
    }

    /// Whether its bounding box meets another one [m].
    pub fn meets(&self, low: Vec3, high: Vec3) -> bool {
        self.low.cmple(high).all() && low.cmple(self.high).all()
    }

    /// Image of the point `x` [m] under its motion from the start to the end of the step.
    pub fn carry(&self, x: Vec3) -> Vec3 {
        if self.moves() { self.places[1].transform_point(self.places[0].inverse_transform_point(x)) } else { x }
    }
}
