//! Four contact rows without a common vertex, side by side.
//!
//! The impulse of a row is stored as the displacement by which it alone would move its two parts
//! apart, so that no masses enter comparisons. Everything is in double precision: with single
//! precision a heap keeps trembling under methods that are far from the minimum after a step.

use super::row::ContactRow;
use super::solver_vertices::SolverVertices;
use crate::sim::exec::batches::LANES;
use crate::sim::exec::simd::{F64x4, FourVertices, RegF64x4};

/// Four rows; see [`ContactRow`].
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Batch {
    /// The four vertices of each row; spare ones where a lane or a weight is empty.
    pub vertices: [[u32; LANES]; 4],
    pub weights: [F64x4; 4],
    pub normal: [F64x4; 3],
    /// Target height [m].
    pub target: F64x4,
    /// Origin of sliding [m].
    pub start: [F64x4; 3],
    /// Effective mass [kg].
    pub mass: F64x4,
    /// Accumulated displacements along the normal and across it, and the bounds along it [m].
    pub pressure: F64x4,
    pub shear: [F64x4; 3],
    pub least: F64x4,
    pub most: F64x4,
    /// Coulomb friction coefficient.
    pub friction: F64x4,
    /// Whether every row has a single vertex, and whether one has friction.
    pub is_of_vertices: bool,
    pub has_friction: bool,
}

impl Batch {
    /// Four empty lanes, with the spare vertices from `spare` on.
    pub fn empty(spare: u32) -> Self {
        const ZERO: F64x4 = F64x4::ZERO;
        Self {
            vertices: std::array::from_fn(|k| [spare + k as u32; LANES]),
            weights: [ZERO; 4],
            normal: [ZERO; 3],
            target: ZERO,
            start: [ZERO; 3],
            mass: ZERO,
            pressure: ZERO,
            shear: [ZERO; 3],
            least: ZERO,
            most: ZERO,
            friction: ZERO,
            is_of_vertices: true,
            has_friction: false,
        }
    }

    /// Sets the row of an empty lane.
    pub fn set(&mut self, lane: usize, row: &ContactRow) {
        let (mass, weights) = (row.mass(), row.weights.0);
        // no vertex is twice in a batch
        for (k, (&vertex, &weight)) in row.vertices.iter().zip(&weights).enumerate().filter(|(_, of)| *of.1 != 0.0) {
            self.vertices[k][lane] = vertex;
            self.weights[k].0[lane] = weight;
            self.is_of_vertices &= k == 0;
        }
        for k in 0..3 {
            self.normal[k].0[lane] = row.normal.0[k];
            self.start[k].0[lane] = row.start.0[k];
            self.shear[k].0[lane] = row.impulse.0[k] / mass;
        }
        self.target.0[lane] = row.normal.0[3];
        self.mass.0[lane] = mass;
        self.pressure.0[lane] = row.pressure() / mass;
        self.least.0[lane] = row.bounds[0] / mass;
        self.most.0[lane] = row.bounds[1] / mass;
        self.friction.0[lane] = row.friction;
        self.has_friction |= row.friction > 0.0;
    }

    /// Accumulated displacements of a lane, across the normal and along it [m].
    pub fn displacement(&self, lane: usize) -> F64x4 {
        let [x, y, z] = self.shear.map(|numbers| numbers.0[lane]);
        F64x4([x, y, z, self.pressure.0[lane]])
    }
}

#[inline(always)]
pub(super) fn dot<const FMA: bool>(a: &[RegF64x4<FMA>; 3], b: &[RegF64x4<FMA>; 3]) -> RegF64x4<FMA> {
    (a[0] * b[0]).plus(a[1], b[1]).plus(a[2], b[2])
}

#[inline(always)]
pub(super) fn three<const FMA: bool>(numbers: &[F64x4; 3]) -> [RegF64x4<FMA>; 3] {
    [RegF64x4(numbers[0]), RegF64x4(numbers[1]), RegF64x4(numbers[2])]
}

/// The first vertices and weights of four rows.
#[inline(always)]
pub(super) fn first<const N: usize>(batch: &Batch) -> ([[u32; LANES]; N], [F64x4; N]) {
    let (mut vertices, mut weights) = ([[0; LANES]; N], [F64x4::ZERO; N]);
    vertices.copy_from_slice(&batch.vertices[..N]);
    weights.copy_from_slice(&batch.weights[..N]);
    (vertices, weights)
}

/// `Σ wᵢ xᵢ` of four rows.
#[inline(always)]
pub(super) fn weighted<const FMA: bool, const N: usize>(
    weights: &[F64x4; N],
    places: &[[RegF64x4<FMA>; 4]; N],
) -> [RegF64x4<FMA>; 3] {
    let (w, [x, y, z, _]) = (RegF64x4(weights[0]), places[0]);
    let mut sum = [w * x, w * y, w * z];
    let mut k = 1;
    while k < N {
        let (w, [x, y, z, _]) = (RegF64x4(weights[k]), places[k]);
        sum = [sum[0].plus(w, x), sum[1].plus(w, y), sum[2].plus(w, z)];
        k += 1;
    }
    sum
}

/// Positions and inverse masses of the vertices of four rows.
///
/// # Safety
/// All vertices have to be below the length of the slice that `q` points to.
#[inline(always)]
pub(super) unsafe fn places<const FMA: bool, const N: usize>(
    q: *const F64x4,
    at: &[[u32; LANES]; N],
) -> [[RegF64x4<FMA>; 4]; N] {
    let mut places = [[RegF64x4::ZERO; 4]; N];
    let mut k = 0;
    while k < N {
        // SAFETY: the caller's promise
        places[k] = unsafe { FourVertices::<FMA>::gather(q, &at[k]).columns() };
        k += 1;
    }
    places
}

/// Moves the vertices of four rows, which are at `places`, by an impulse times the step [kg·m],
/// times the weights.
///
/// # Safety
/// All vertices have to be below the length of `q`.
#[inline(always)]
pub(super) unsafe fn move_by<const FMA: bool, const N: usize>(
    of: &mut SolverVertices,
    at: &[[u32; LANES]; N],
    places: &[[RegF64x4<FMA>; 4]; N],
    weights: &[F64x4; N],
    impulse: &[RegF64x4<FMA>; 3],
) {
    let q = of.q.as_mut_ptr();
    let mut k = 0;
    while k < N {
        let [x, y, z, inverse] = places[k];
        let share = RegF64x4(weights[k]) * inverse;
        let moved = [x.plus(share, impulse[0]), y.plus(share, impulse[1]), z.plus(share, impulse[2]), inverse];
        // SAFETY: the caller's promise; no vertex is in two rows, except spare ones
        unsafe { FourVertices::from_columns(moved).scatter(q, &at[k]) };
        k += 1;
    }
}
