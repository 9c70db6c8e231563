//! Sizes of pieces and colliders.

use crate::scene::{Body, InputError, Piece};
use crate::sim::Real;
use crate::sim::contact::{Points, Shape, TriangleMesh};

/// Scales a piece; its resolution stays.
pub(super) fn scale_piece(piece: &mut Piece, by: Real) {
    match (&mut piece.body, &piece.mesh) {
        (Some(body), _) => scale_body(body, by),
        (None, Some(_)) => piece.import.mesh_scale *= by,
        (None, None) => {
            piece.grid.width *= by;
            piece.grid.height *= by;
        }
    }
}

fn scale_body(body: &mut Body, by: Real) {
    match body {
        Body::Bar { size, .. } => *size *= by,
        Body::Ball { radius: length, cell } | Body::Hippo { length, cell } => {
            *length *= by;
            *cell *= by;
        }
        Body::Letters { height, .. } => *height *= by,
        Body::File { scale, .. } => *scale *= by,
        Body::Filled { cell, scale, .. } => {
            *cell *= by;
            *scale *= by;
        }
    }
}

/// Scales a shape.
///
/// # Errors
/// A plane has no size.
pub(super) fn scale_shape(shape: &mut Shape, by: Real) -> Result<(), InputError> {
    let is_of_file = shape.file().is_some();
    match shape {
        Shape::Plane { .. } => return Err(InputError::new("", "a plane has no size; shift or turn it")),
        Shape::Sphere { radius } => *radius *= by,
        Shape::Box { half_extents } => *half_extents *= by,
        Shape::Capsule { half_height, radius } | Shape::Cylinder { half_height, radius } => {
            *half_height *= by;
            *radius *= by;
        }
        // the file is read again at the new scale
        Shape::Hull { scale, points, .. } if is_of_file => {
            *scale *= by;
            *points = Points::default();
        }
        Shape::Mesh { scale, mesh, .. } if is_of_file => {
            *scale *= by;
            *mesh = TriangleMesh::default();
        }
        Shape::Hull { points, .. } => *points = points.scaled(by),
        Shape::Mesh { mesh, .. } => *mesh = mesh.scaled(by),
    }
    Ok(())
}
