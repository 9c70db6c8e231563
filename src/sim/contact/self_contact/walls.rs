//! Surfaces of colliders with vertices on them, in the contact solver.

use super::pushed::PushedVertices;
use crate::sim::Real;
use crate::sim::contact::contact_point::Wall;
use crate::sim::exec::simd::F64x4;

/// A wall with its vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct WallContact {
    pub wall: Wall,
    /// Accumulated impulse times the step [kg·m].
    pressure: Real,
}

impl WallContact {
    /// A wall that has moved its vertex by `pushed` [m].
    pub fn new(wall: Wall, pushed: Real, vertices: &PushedVertices) -> Self {
        let inverse = vertices.q[wall.vertex as usize].0[3];
        Self { wall, pressure: if inverse > 0.0 { pushed / inverse } else { 0.0 } }
    }

    /// Pushes the vertex off the wall, or lets it back as far as the wall has pushed it, and notes
    /// a displacement above the `tolerance` [m]. Returns the displacement [m].
    fn push(&mut self, tolerance: Real, vertices: &mut PushedVertices) -> Real {
        let Self { wall, pressure } = self;
        let q = &mut vertices.q[wall.vertex as usize];
        let inverse = q.0[3];
        if inverse <= 0.0 {
            return 0.0;
        }
        let depth = wall.normal.dot(wall.point - q.to_vec3());
        let before = *pressure;
        *pressure = (before + depth / inverse).max(0.0);
        let change = (*pressure - before) * inverse;
        if change != 0.0 {
            *q = *q + F64x4::from_vec3(wall.normal * change);
            if change.abs() > tolerance {
                vertices.note(wall.vertex);
            }
        }
        change.abs()
    }
}

/// Pushes vertices off the walls, and notes those that move by more than the `tolerance` [m].
/// Returns the largest displacement [m].
pub(super) fn push_walls(walls: &mut [WallContact], tolerance: Real, vertices: &mut PushedVertices) -> Real {
    walls.iter_mut().fold(0.0, |largest: Real, wall| largest.max(wall.push(tolerance, vertices)))
}
