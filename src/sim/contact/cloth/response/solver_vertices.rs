//! Vertices in the contact solver.

use crate::sim::exec::batches::LANES;
use crate::sim::exec::simd::F64x4;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Real, Vec3};

/// Spare vertices behind those of the cloth, for empty lanes.
pub(super) const SPARE: usize = 4;

/// Vertices in the contact solver, round after round, with [`SPARE`] ones behind.
#[derive(Debug, Default)]
pub(super) struct SolverVertices {
    /// Positions [m] and inverse masses [1/kg], which are 0 for prescribed vertices.
    pub q: Vec<F64x4>,
    /// Last round in which each vertex moved.
    moved: Vec<u32>,
    round: u32,
}

impl SolverVertices {
    /// Takes positions and masses from `cloth`.
    pub fn take(&mut self, cloth: &Cloth, partition: &Partition) {
        self.take_at(&cloth.positions, &cloth.masses, |vertex| partition.is_free(vertex));
    }

    /// Takes `positions` [m] and `masses` [kg]; only `movable` vertices can be moved.
    pub fn take_at(&mut self, positions: &[Vec3], masses: &[Real], movable: impl Fn(u32) -> bool) {
        self.q.clear();
        let vertex =
            |(i, (x, mass)): (u32, (&Vec3, &Real))| F64x4([x.x, x.y, x.z, if movable(i) { 1.0 / mass } else { 0.0 }]);
        self.q.extend((0..).zip(positions.iter().zip(masses)).map(vertex));
        self.q.extend([F64x4::ZERO; SPARE]);
    }

    /// Takes the positions of `cloth` alone.
    pub fn move_to(&mut self, cloth: &Cloth) {
        for (q, x) in self.q.iter_mut().zip(&cloth.positions) {
            q.0[..3].copy_from_slice(&x.to_array());
        }
    }

    /// Moves `cloth` to the positions, with velocities for a step of `dt` [s].
    pub fn give(&self, cloth: &mut Cloth, dt: Real) {
        for ((x, v), q) in cloth.positions.iter_mut().zip(&mut cloth.velocities).zip(&self.q) {
            let y = q.to_vec3();
            if *x != y {
                *v += (y - *x) / dt;
                *x = y;
            }
        }
    }

    /// Starts the first round, in which no vertex has moved yet.
    pub fn begin_rounds(&mut self) {
        self.moved.clear();
        self.moved.resize(self.q.len(), 0);
        self.round = 2;
    }

    /// Starts the next round.
    pub fn next_round(&mut self) {
        self.round += 1;
    }

    /// Notes that a vertex has moved, unless it is a spare one.
    #[inline(always)]
    pub fn note(&mut self, vertex: u32) {
        if (vertex as usize) < self.moved.len() - SPARE {
            self.moved[vertex as usize] = self.round;
        }
    }

    /// Notes that the vertices of some lanes have moved, a bit per lane.
    #[inline(always)]
    pub fn note_lanes<const N: usize>(&mut self, vertices: &[[u32; LANES]; N], lanes: u8) {
        let mut left = lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let mut k = 0;
            while k < N {
                self.note(vertices[k][lane]);
                k += 1;
            }
        }
    }

    /// Whether one of the vertices has moved in this round or in the last.
    #[inline(always)]
    pub fn has_one_moved<const N: usize>(&self, vertices: &[[u32; LANES]; N]) -> bool {
        let mut k = 0;
        while k < N {
            let mut lane = 0;
            while lane < LANES {
                if self.has_moved(vertices[k][lane]) {
                    return true;
                }
                lane += 1;
            }
            k += 1;
        }
        false
    }

    /// Whether a vertex has moved in this round or in the last.
    #[inline(always)]
    pub fn has_moved(&self, vertex: u32) -> bool {
        self.moved[vertex as usize] + 1 >= self.round
    }
}
