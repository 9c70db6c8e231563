//! Balls, capsules and cylinders as triangles, where they are thin beside the cells of a cloth.
//!
//! The vertices keep the thickness from every surface. On a round one that is large beside the
//! cells, that keeps all of the cloth off it; a thin one comes between the vertices.

use std::f64::consts::PI;

use parry3d_f64::shape::Shape;

use crate::sim::Real;
use crate::sim::contact::colliders::mesh_tree::MeshTree;
use crate::sim::contact::colliders::surface::{EdgeRule, SurfaceSettings};

/// Share of the thickness to which the middle of a triangle may come before the shape counts as one
/// between the vertices.
const NEAR: Real = 0.5;
/// Radius below which a shape is thin, as a share of the longest edge of the cloth.
const THIN: Real = 0.5;
/// Largest distance of the surface from its triangles, as a share of the thickness, and the fewest
/// and most of them around the axis.
const SAGITTA: Real = 0.1;
const AROUND: [Real; 2] = [6.0, 256.0];

/// Radius of a round shape [m].
fn radius_of(shape: &dyn Shape) -> Option<Real> {
    let ball = shape.as_ball().map(|ball| ball.radius);
    let capsule = || shape.as_capsule().map(|capsule| capsule.radius);
    ball.or_else(capsule).or_else(|| shape.as_cylinder().map(|cylinder| cylinder.radius))
}

/// Whether a shape is not round, or comes too near to a cloth with edges up to `length` [m]
/// between its vertices.
pub(super) fn comes_between(shape: &dyn Shape, length: Real, surface: &SurfaceSettings) -> bool {
    let Some(radius) = radius_of(shape) else { return true };
    match surface.edges {
        EdgeRule::Off => false,
        EdgeRule::Sharp if radius > THIN * length => false,
        // its rims
        EdgeRule::All if shape.as_cylinder().is_some() => true,
        EdgeRule::Sharp | EdgeRule::All => {
            let around = radius + surface.thickness;
            // the distance of the corners of an equilateral triangle from its centre
            let left = (around * around - length * length / 3.0).max(0.0).sqrt() - radius;
            left < NEAR * surface.thickness
        }
    }
}

/// The triangles of a round shape, within a share of the `thickness` [m] of its surface.
pub(super) fn triangles(shape: &dyn Shape, thickness: Real) -> Option<MeshTree> {
    let radius = radius_of(shape)?;
    let half = (1.0 - (SAGITTA * thickness / radius).min(1.0)).acos();
    let around = (PI / half).ceil().clamp(AROUND[0], AROUND[1]) as u32;
    let (points, triangles) = if let Some(ball) = shape.as_ball() {
        ball.to_trimesh(around, around.div_ceil(2))
    } else if let Some(capsule) = shape.as_capsule() {
        capsule.to_trimesh(around, around.div_ceil(2))
    } else {
        shape.as_cylinder()?.to_trimesh(around)
    };
    Some(MeshTree::new(&points, &triangles))
}
