//! Balls that hold nothing of the solids: where a vertex or a triangle is safe from which of them.

use parry3d_f64::bounding_volume::Aabb;

use super::solid::Solid;
use crate::sim::{Real, Vec3};

/// Vertices that a thread takes at a time.
pub(super) const GRAIN: usize = 128;

/// Where a vertex is safe from which solids.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    center: Vec3,
    /// Negative when nothing is known [m].
    radius: Real,
    /// The radius that was wanted [m].
    pub margin: Real,
    /// How far the solids had moved then [m].
    travel: Real,
    /// The solids that come into the ball, a bit each; the last bit stands for all from there on.
    pub near: u64,
}

impl Ball {
    pub const UNKNOWN: Self = Self { center: Vec3::ZERO, radius: -1.0, margin: 0.0, travel: 0.0, near: u64::MAX };

    /// The ball around `center` [m], of at least the radius `margin` [m], if it is known to hold nothing of the other solids.
    pub fn around(center: Vec3, margin: Real, solids: &[Solid], travel: Real) -> Self {
        let (mut radius, mut near) = (Real::INFINITY, 0);
        for (s, solid) in solids.iter().enumerate() {
            let clearance = solid.clearance(center, margin);
            // nor does a number that is none clear it
            if clearance > margin {
                radius = radius.min(clearance);
            } else {
                near |= bit(s);
            }
        }
        Self { center, radius, margin, travel, near }
    }

    /// Whether it holds `x` [m] after the solids have moved by `travel` [m] in all.
    #[inline(always)]
    pub fn holds(&self, x: Vec3, travel: Real) -> bool {
        let radius = self.radius - (travel - self.travel);
        radius >= 0.0 && self.center.distance_squared(x) <= radius * radius
    }
}

/// A box around `points` [m].
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
