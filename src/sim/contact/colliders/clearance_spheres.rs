//! Clearance spheres: where a vertex or a triangle cannot touch which solids.

use parry3d_f64::bounding_volume::Aabb;

use super::solid::Solid;
use crate::sim::{Real, Vec3};

/// Vertices per task.
pub(super) const GRAIN: usize = 128;

/// The clearance sphere of a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClearanceSphere {
    center: Vec3,
    /// Negative if nothing is known [m].
    radius: Real,
    /// The radius wanted [m].
    pub margin: Real,
    /// Path of the solids until then [m].
    travel: Real,
    /// The solids that reach into the sphere, a bit each; the last bit stands for all from there
    /// on.
    pub near: u64,
}

impl ClearanceSphere {
    pub const UNKNOWN: Self = Self { center: Vec3::ZERO, radius: -1.0, margin: 0.0, travel: 0.0, near: u64::MAX };

    /// The sphere around `center` [m], with at least the radius `margin` [m] if it is known to
    /// contain no other solid.
    pub fn around(center: Vec3, margin: Real, solids: &[Solid], travel: Real) -> Self {
        let (mut radius, mut near) = (Real::INFINITY, 0);
        for (s, solid) in solids.iter().enumerate() {
            let clearance = solid.clearance(center, margin);
            // NaN is no clearance
            if clearance > margin {
                radius = radius.min(clearance);
            } else {
                near |= bit(s);
            }
        }
        Self { center, radius, margin, travel, near }
    }

    /// Whether it contains `x` [m] after the solids have moved to `travel` [m] in all.
    #[inline(always)]
    pub fn holds(&self, x: Vec3, travel: Real) -> bool {
        let radius = self.radius - (travel - self.travel);
        radius >= 0.0 && self.center.distance_squared(x) <= radius * radius
    }
}

/// Bounding box of `points` [m].
pub(super) fn around<'a>(points: impl Iterator<Item = &'a Vec3>) -> Aabb {
    points.fold(Aabb::new_invalid(), |bounds, x| Aabb { mins: bounds.mins.min(*x), maxs: bounds.maxs.max(*x) })
}

/// Whether a box comes near any of the solids. Most cloths hang free most of the time.
pub(super) fn any_near(solids: &[Solid], bounds: &Aabb) -> bool {
    solids.iter().any(|solid| solid.is_near(bounds))
}

pub(super) const fn bit(solid: usize) -> u64 {
    1 << if solid < 63 { solid } else { 63 }
}
