//! Four contact rows without a common vertex, side by side.
//!
//! The impulse of a row is stored as the displacement by which it alone would move its two parts
//! apart, so that no masses enter comparisons. Everything is in double precision: with single
//! precision a heap keeps trembling under methods that are far from the minimum after a step.

use super::layer_contact::{LayerContact, Pressing};
use super::pushed::PushedVertices;
use crate::sim::Vec3;
use crate::sim::exec::batches::LANES;
use crate::sim::exec::simd::{F64x4, FourVertices, RegF64x4};

/// Four rows; see [`LayerContact`].
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Batch {
    /// The four vertices of each row; spare ones in an empty lane.
    pub vertices: [[u32; LANES]; 4],
    /// Weights of all vertices but the first; the sum of all is zero.
    pub weights: [F64x4; 3],
    pub normal: [F64x4; 3],
    /// Target distance [m].
    pub target: F64x4,
    /// Difference of the contact points at the start of the step [m].
    pub start: [F64x4; 3],
    /// Effective mass [kg].
    pub mass: F64x4,
    /// Accumulated displacements along the normal and across it, and the upper bound along it [m].
    pub pressure: F64x4,
    pub shear: [F64x4; 3],
    pub most: F64x4,
}

impl Batch {
    /// Four empty lanes, with the spare vertices from `spare` on.
    pub fn empty(spare: u32) -> Self {
        const ZERO: F64x4 = F64x4::ZERO;
        Self {
            vertices: std::array::from_fn(|k| [spare + k as u32; LANES]),
            weights: [ZERO; 3],
            normal: [ZERO; 3],
            target: ZERO,
            start: [ZERO; 3],
            mass: ZERO,
            pressure: ZERO,
            shear: [ZERO; 3],
            most: ZERO,
        }
    }

    /// Sets the row of a lane, unless it is idle.
    pub fn set(&mut self, lane: usize, contact: &LayerContact) {
        if contact.is_idle() {
            return;
        }
        let (vertices, of) = (contact.vertices(), contact.numbers());
        self.vertices.iter_mut().zip(vertices).for_each(|(lanes, vertex)| lanes[lane] = vertex);
        for k in 0..3 {
            self.weights[k].0[lane] = of.weights[k + 1];
            self.normal[k].0[lane] = of.normal[k];
            self.start[k].0[lane] = of.start[k];
            self.shear[k].0[lane] = of.shear[k] / of.mass;
        }
        self.target.0[lane] = of.target;
        self.mass.0[lane] = of.mass;
        self.pressure.0[lane] = of.pressure / of.mass;
        self.most.0[lane] = of.most / of.mass;
    }

    /// Whether the row of a lane presses.
    pub fn presses(&self, lane: usize) -> bool {
        self.pressure.0[lane] > 0.0
    }

    /// Impulse of the row of a lane, if it presses.
    pub fn pressing(&self, lane: usize) -> Option<Pressing> {
        let vector = |numbers: &[F64x4; 3]| Vec3::from_array(numbers.map(|numbers| numbers.0[lane]));
        let mass = self.mass.0[lane];
        self.presses(lane).then(|| Pressing {
            normal: vector(&self.normal),
            along: self.pressure.0[lane] * mass,
            across: vector(&self.shear) * mass,
        })
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

/// `Σ wᵢ xᵢ` of four contacts, by the weights of all vertices but the first.
#[inline(always)]
pub(super) fn weighted<const FMA: bool>(
    [u, v, w]: &[RegF64x4<FMA>; 3],
    [a, b, c, d]: &[[RegF64x4<FMA>; 4]; 4],
) -> [RegF64x4<FMA>; 3] {
    [
        (*u * (b[0] - a[0])).plus(*v, c[0] - a[0]).plus(*w, d[0] - a[0]),
        (*u * (b[1] - a[1])).plus(*v, c[1] - a[1]).plus(*w, d[1] - a[1]),
        (*u * (b[2] - a[2])).plus(*v, c[2] - a[2]).plus(*w, d[2] - a[2]),
    ]
}

/// Positions and inverse masses of the vertices of four rows.
///
/// # Safety
/// All vertices have to be below the length of the slice that `q` points to.
#[inline(always)]
pub(super) unsafe fn places<const FMA: bool>(q: *const F64x4, at: &[[u32; LANES]; 4]) -> [[RegF64x4<FMA>; 4]; 4] {
    // SAFETY: the caller's promise
    unsafe {
        [
            FourVertices::<FMA>::gather(q, &at[0]).columns(),
            FourVertices::<FMA>::gather(q, &at[1]).columns(),
            FourVertices::<FMA>::gather(q, &at[2]).columns(),
            FourVertices::<FMA>::gather(q, &at[3]).columns(),
        ]
    }
}

/// Moves the vertices of four rows, which are at `places`, by an impulse times the step [kg·m],
/// times the weights.
///
/// # Safety
/// All vertices have to be below the length of `q`.
#[inline(always)]
pub(super) unsafe fn move_by<const FMA: bool>(
    of: &mut PushedVertices,
    at: &[[u32; LANES]; 4],
    places: &[[RegF64x4<FMA>; 4]; 4],
    [u, v, w]: &[RegF64x4<FMA>; 3],
    impulse: &[RegF64x4<FMA>; 3],
) {
    let q = of.q.as_mut_ptr();
    let weights = [RegF64x4::<FMA>::ZERO - (*u + *v + *w), *u, *v, *w];
    let mut k = 0;
    while k < 4 {
        let [x, y, z, inverse] = places[k];
        let share = weights[k] * inverse;
        let moved = [x.plus(share, impulse[0]), y.plus(share, impulse[1]), z.plus(share, impulse[2]), inverse];
        // SAFETY: the caller's promise; no vertex is in two rows, except spare ones
        unsafe { FourVertices::from_columns(moved).scatter(q, &at[k]) };
        k += 1;
    }
}
