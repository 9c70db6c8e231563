//! Surfaces of colliders with vertices on them, in the contact solver.

use super::pushed::PushedVertices;
use crate::sim::Real;
use crate::sim::contact::contact_point::Wall;
use crate::sim::exec::simd::F64x4;

/// A wall with its vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct WallContact {
    pub wall: Wall,
    /// Accumulated impulse times the step [kg·m], and what it was after two earlier sweeps.
    pressure: Real,
    earlier: [Real; 2],
    /// Whether it has moved its vertex.
    has_pushed: bool,
}

impl WallContact {
    /// A wall that has moved its vertex by `pushed` [m].
    pub fn new(wall: Wall, pushed: Real, vertices: &PushedVertices) -> Self {
        let inverse = vertices.q[wall.vertex as usize].0[3];
        Self {
            wall,
            pressure: if inverse > 0.0 { pushed / inverse } else { 0.0 },
            earlier: [0.0; 2],
            has_pushed: pushed > 0.0,
        }
    }

    /// Whether it has moved its vertex and presses no more.
    pub fn is_released(&self) -> bool {
        self.has_pushed && self.pressure == 0.0
    }

    /// Pushes the vertex off the wall, or lets it back as far as the wall has pushed it, and notes
    /// a displacement above the `tolerance` [m]. Returns the displacement [m].
    fn push(&mut self, tolerance: Real, vertices: &mut PushedVertices) -> Real {
        let Self { wall, pressure, .. } = self;
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

/// Stores the present impulses as the earlier ones number `k`, for the
/// [extrapolation](super::extrapolation).
pub(super) fn remember_walls(walls: &mut [WallContact], k: usize) {
    walls.iter_mut().for_each(|wall| wall.earlier[k] = wall.pressure);
}

/// Products of the last change with the one before, and of that one with itself, as displacements,
/// summed [m²].
pub(super) fn decay_of_walls(walls: &[WallContact], vertices: &PushedVertices) -> [Real; 2] {
    walls.iter().fold([0.0; 2], |[last, before], of| {
        let inverse = vertices.q[of.wall.vertex as usize].0[3];
        let [first, second] = of.earlier;
        let (now, then) = ((of.pressure - second) * inverse, (second - first) * inverse);
        [last + now * then, before + then * then]
    })
}

/// Continues the last change `times` as far, where that is more than the `tolerance` [m].
pub(super) fn extrapolate_walls(
    walls: &mut [WallContact],
    times: Real,
    tolerance: Real,
    vertices: &mut PushedVertices,
) {
    for WallContact { wall, pressure, earlier, .. } in walls {
        let q = &mut vertices.q[wall.vertex as usize];
        let to = (*pressure + times * (*pressure - earlier[1])).max(0.0);
        let change = (to - *pressure) * q.0[3];
        if change.abs() > tolerance {
            *pressure = to;
            *q = *q + F64x4::from_vec3(wall.normal * change);
            vertices.note(wall.vertex);
        }
    }
}
