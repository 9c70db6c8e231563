//! Sizes of pieces and colliders, and held vertices of a grid with another number of columns and
//! rows.

use std::collections::BTreeSet;

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

/// Lets a piece, where it holds the same numbers as `old` on another grid, hold the same places.
pub(super) fn keep_held(new: &mut Piece, old: &Piece) {
    let (Some(before), Some(after)) = (old.columns_and_rows(), new.columns_and_rows()) else { return };
    if before == after {
        return;
    }
    let moved = |numbers: &mut Vec<u32>| *numbers = on_other_grid(numbers, before, after);
    if new.pinned == old.pinned {
        moved(&mut new.pinned);
    }
    for (handle, old) in new.handles.iter_mut().zip(&old.handles) {
        if handle.pinned == old.pinned {
            moved(&mut handle.pinned);
        }
    }
}

/// The vertices of a grid at the places of vertices of another one: of each old one the nearest,
/// and all whose nearest old one is among them.
fn on_other_grid(numbers: &[u32], before: [usize; 2], after: [usize; 2]) -> Vec<u32> {
    let nearest = |at: usize, from: [usize; 2], to: [usize; 2]| {
        let along = |at: usize, axis: usize| {
            let share = at as f64 / (from[axis].max(2) - 1) as f64;
            (share * (to[axis].max(2) - 1) as f64).round() as usize
        };
        along(at / from[0], 1) * to[0] + along(at % from[0], 0)
    };
    let old: BTreeSet<usize> = numbers.iter().map(|&number| number as usize).collect();
    let from_old = old.iter().map(|&number| nearest(number, before, after));
    let around = (0..after[0] * after[1]).filter(|&number| old.contains(&nearest(number, after, before)));
    let found: BTreeSet<usize> = from_old.chain(around).collect();
    let count = after[0] * after[1];
    found.into_iter().filter(|&number| number < count).map(|number| number as u32).collect()
}
