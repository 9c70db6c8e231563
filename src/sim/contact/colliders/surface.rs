//! Surfaces of colliders: position, properties, and their effect on a velocity.

use crate::sim::{Real, Vec3};

/// Distance from the surface, as a share of the thickness, up to which a vertex lies on it.
pub(super) const SLACK: Real = 0.05;

/// The place of a collider's surface nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Distance of the point from the surface [m], negative inside.
    pub distance: Real,
    /// Outward unit normal there.
    pub normal: Vec3,
}

/// Edges, corners and thin parts of a collider from which the cloth is kept off between its
/// vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sim::contact) enum EdgeRule {
    /// None.
    Off,
    /// Edges and corners of triangles, and round shapes that are thin beside a cell.
    Sharp,
    /// All that come nearer to the middle of a cell than the distance to be kept.
    All,
}

/// Properties of the surface of a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::sim::contact) struct SurfaceSettings {
    /// Distance that the cloth keeps [m].
    pub thickness: Real,
    /// Coulomb friction coefficient.
    pub friction: Real,
    /// Coefficient of restitution.
    pub restitution: Real,
    /// Features kept out of the cloth between its vertices.
    pub edges: EdgeRule,
}

/// Velocity after contact [m/s], relative to the surface, and the share of the sliding that
/// friction leaves.
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
