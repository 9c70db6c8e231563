//! A surface of a collider that the cloth cannot pass, on its way through a step.

use std::sync::Arc;

use parry3d_f64::math::Pose;

use crate::sim::contact::mesh_tree::MeshTree;
use crate::sim::{Real, Vec3};

/// A surface on its way through a step.
#[derive(Debug, Clone)]
pub(super) struct Barrier {
    pub tree: Arc<MeshTree>,
    /// Where it is at the start and at the end of the step.
    pub places: [Pose; 2],
    /// Its number among surfaces, and among the solids.
    pub number: u32,
    pub solid: u32,
    /// Distance that the cloth keeps from it [m].
    pub thickness: Real,
    /// Whether it encloses a volume.
    pub is_solid: bool,
    /// All that it comes to [m].
    pub low: Vec3,
    pub high: Vec3,
}

impl Barrier {
    pub fn moves(&self) -> bool {
        self.places[0] != self.places[1]
    }

    /// Whether it comes to a box [m].
    pub fn meets(&self, low: Vec3, high: Vec3) -> bool {
        self.low.cmple(high).all() && low.cmple(self.high).all()
    }

    /// Where it has carried what is at `x` [m] at the start of the step.
    pub fn carry(&self, x: Vec3) -> Vec3 {
        if self.moves() { self.places[1].transform_point(self.places[0].inverse_transform_point(x)) } else { x }
    }
}
