//! Surfaces of colliders: where they are, what they are like, and what they do to a velocity.

use crate::sim::{Real, Vec3};

/// Where a collider's surface is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Distance of the point from the surface [m], negative inside.
    pub distance: Real,
    /// Outward unit normal there.
    pub normal: Vec3,
}

/// Which edges, corners and thin parts of a collider the cloth is kept from between its vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgeRule {
    /// None.
    Off,
    /// Those that are sharp or thin beside a cell.
    Sharp,
    /// All that come nearer to the middle of a cell than the distance to be kept.
    All,
}

/// What the surface of a collider is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SurfaceSettings {
    /// Distance that the cloth keeps [m].
    pub thickness: Real,
    /// Coulomb friction.
    pub friction: Real,
    /// Share of the approaching velocity that is given back.
    pub restitution: Real,
    /// Whether the cloth is kept from it between its vertices as well.
    pub edges: EdgeRule,
}

/// The velocity [m/s], relative to a surface, after contact, and the share of the sliding that friction leaves.
pub(super) fn rebound(surface: &SurfaceSettings, v: Vec3, normal: Vec3) -> (Vec3, Real) {
    let approach = v.dot(normal);
    if approach >= 0.0 {
        return (v, 1.0);
    }
    let normal_change = -approach * (1.0 + surface.restitution);
    let tangential = v - normal * approach;
    let speed = tangential.length();
    let kept = if speed > 0.0 { (1.0 - surface.friction * normal_change / speed).max(0.0) } else { 0.0 };
    (tangential * kept - normal * (approach * surface.restitution), kept)
}
