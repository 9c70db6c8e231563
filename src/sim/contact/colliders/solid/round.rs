//! Balls, capsules and cylinders that are thin beside the cells of a cloth.
//!
//! The vertices keep the thickness from every surface. On a round one that is large beside the
//! cells, that keeps all of the cloth off it; a thin one comes between the vertices. It counts as
//! its axis with a radius.

use std::f64::consts::PI;

use parry3d_f64::shape::Shape;

use crate::sim::contact::colliders::mesh_tree::MeshTree;
use crate::sim::contact::colliders::surface::{EdgeRule, SurfaceSettings};
use crate::sim::{Real, Vec3};

/// Share of the thickness to which the middle of a triangle may come before the shape counts as one
/// between the vertices.
const NEAR: Real = 0.5;
/// Radius below which a shape is thin, as a share of the longest edge of the cloth.
const THIN: Real = 0.5;
/// Largest distance of a rim from its chords, as a share of the thickness, and their fewest and
/// most.
const SAGITTA: Real = 0.1;
const CHORDS: [Real; 2] = [6.0, 256.0];

/// The axis of a round shape [m], and its radius [m].
fn axis_of(shape: &dyn Shape) -> Option<([Vec3; 2], Real)> {
    if let Some(ball) = shape.as_ball() {
        return Some(([Vec3::ZERO; 2], ball.radius));
    }
    if let Some(capsule) = shape.as_capsule() {
        return Some(([capsule.segment.a, capsule.segment.b], capsule.radius));
    }
    let cylinder = shape.as_cylinder()?;
    let half = Vec3::Y * cylinder.half_height;
    Some(([-half, half], cylinder.radius))
}

/// Whether a shape is not round, or comes too near to a cloth with edges up to `length` [m]
/// between its vertices.
pub(super) fn comes_between(shape: &dyn Shape, length: Real, surface: &SurfaceSettings) -> bool {
    let Some((_, radius)) = axis_of(shape) else { return true };
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

/// The axis of a round shape and its radius [m]; the triangles of a cylinder with rims.
pub(super) fn collision_mesh(shape: &dyn Shape, surface: &SurfaceSettings) -> Option<(MeshTree, Real)> {
    let (ends, radius) = axis_of(shape)?;
    if let Some(cylinder) = shape.as_cylinder().filter(|_| surface.edges == EdgeRule::All) {
        let half = (1.0 - (SAGITTA * surface.thickness / radius).min(1.0)).acos();
        let (points, triangles) = cylinder.to_trimesh((PI / half).ceil().clamp(CHORDS[0], CHORDS[1]) as u32);
        return Some((MeshTree::new(&points, &triangles), 0.0));
    }
    Some((MeshTree::of_segment(ends), radius))
}
