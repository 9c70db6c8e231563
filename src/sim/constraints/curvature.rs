//! Isometric bending for the methods that project constraints one after the other.
//!
//! Its energy `½ B Σ w_c |Σ k_c x|²` (see [`bending`](crate::sim::forces::bending)) is that of the
//! constraints `C_c = Σ k_c x = 0` with the compliance `α_c = 1/(B w_c)`. `C_c` is a vector, and
//! linear in the positions: the three directions are solved at once, and a projection (Macklin,
//! Müller, Chentanez 2016, equation 18) is exact, not only for small changes. The three components
//! of the curvature at a vertex are one constraint, with a matrix of three rows in place of its
//! mass.

use std::ops::Range;

use crate::sim::exec::colouring::Colouring;
use crate::sim::exec::pool::{Chunks, Shared, ThreadPool};
use crate::sim::exec::simd::{F64x4, vectorised};
use crate::sim::forces::IsometricBending;
use crate::sim::forces::bending::{BendingKey, Stencils};
use crate::sim::{Pattern, Real};

/// Stencils per task.
const GRAIN: usize = 64;

/// The stencils of a cloth by colour.
#[derive(Debug, Default)]
pub struct Curvatures {
    /// Numbers of the stencils, colour by colour.
    order: Vec<u32>,
    colours: Vec<Range<usize>>,
    /// Sums of the `Δλ` of a step, of each component [kg·m].
    multipliers: Vec<[F64x4; 3]>,
    /// What they were made from.
    of: Option<BendingKey>,
}

impl Curvatures {
    /// Makes these the stencils of `pattern`, of which `bending` is; the work is done once per
    /// pattern. All multipliers become zero.
    pub fn start(&mut self, pattern: &Pattern, bending: &IsometricBending) {
        if self.of != bending.key() {
            self.of = bending.key();
            let stencils = bending.stencils();
            let colouring = Colouring::of(stencils.iter().map(|stencil| stencil.vertices), pattern.len());
            self.order.clear();
            self.order.extend_from_slice(colouring.order());
            self.colours = colouring.into_ranges();
        }
        self.multipliers.clear();
        self.multipliers.resize(self.order.len(), [F64x4::ZERO; 3]);
    }

    /// Forgets all stencils.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Number of constraints.
    #[must_use]
    pub fn len(&self) -> usize {
        3 * self.order.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Projects every stencil of `bending`, which these were started with, once, colour after
    /// colour. `q` has the positions [m] with the inverse masses [1/kg] in the fourth lane;
    /// `stiffness` is `B h²` [kg·m⁴].
    pub fn sweep(&mut self, q: &mut [F64x4], bending: &IsometricBending, stiffness: Real, pool: &ThreadPool) {
        assert!(self.of == bending.key());
        let stencils = bending.stencils();
        let q = Shared::new(q);
        let flexibility = 1.0 / stiffness;
        for colour in &self.colours {
            let order = &self.order[colour.clone()];
            pool.change(Chunks::new(&mut self.multipliers[colour.clone()], GRAIN), 1, |chunks, multipliers| {
                let order = &order[chunks.start * GRAIN..];
                // stencils of a colour, which are all that is at work at a time, have no vertex in
                // common
                project(ThreadStencils { stencils, order, multipliers, q: &q, flexibility });
            });
        }
    }
}

/// Stencils of a thread. While they are projected, no other thread uses their vertices in `q`.
struct ThreadStencils<'a> {
    stencils: &'a Stencils,
    /// The first of these.
    order: &'a [u32],
    /// One for each of them.
    multipliers: &'a mut [[F64x4; 3]],
    q: &'a Shared<'a, F64x4>,
    /// `1/(B h²)` [1/(kg·m⁴)].
    flexibility: Real,
}

vectorised! {
    /// Projects the stencils of a part.
    fn project(part: ThreadStencils) = project_part
}

/// `Δλ = -(K W Kᵀ + α)⁻¹ (C + α λ)`, `Δq = W Kᵀ Δλ`, with the coefficients `K` and the inverse
/// masses `W`.
#[inline(always)]
fn project_part<const FMA: bool>(part: ThreadStencils) {
    let ThreadStencils { stencils, order, multipliers, q, flexibility } = part;
    for (&at, multipliers) in order.iter().zip(multipliers) {
        let stencil = stencils.get(at as usize);
        let entries = || stencil.vertices.iter().zip(stencil.coefficients);
        let compliances = stencil.weights.map(|weight| if weight > 0.0 { flexibility / weight } else { 0.0 });
        let mut errors: [F64x4; 3] = std::array::from_fn(|c| multipliers[c] * F64x4::splat(compliances[c]));
        let mut masses = [F64x4::ZERO; 3];
        for (&vertex, k) in entries() {
            // SAFETY: the invariant of `ThreadStencils`; a vertex at a time
            let x = unsafe { *q.entry(vertex as usize) };
            let all = F64x4([k[0], k[1], k[2], 0.0]);
            for c in 0..3 {
                errors[c] = errors[c].plus::<FMA>(x, F64x4::splat(k[c]));
                masses[c] = masses[c].plus::<FMA>(all, F64x4::splat(k[c] * x.0[3]));
            }
        }
        let changes = solve(masses, compliances, errors).map(|change| {
            // the inverse masses stay as they are
            F64x4([-change.0[0], -change.0[1], -change.0[2], 0.0])
        });
        multipliers.iter_mut().zip(changes).for_each(|(multiplier, change)| *multiplier = *multiplier + change);
        for (&vertex, k) in entries() {
            // SAFETY: as above
            let x = unsafe { q.entry(vertex as usize) };
            for c in 0..3 {
                *x = x.plus::<FMA>(changes[c], F64x4::splat(k[c] * x.0[3]));
            }
        }
    }
}

/// The solution of `(M + α) y = right`, with a symmetric `M` and a diagonal `α`, by `L D Lᵀ`.
/// Components without a compliance, and those that the ones before them determine, as at vertices
/// of few free neighbours, are zero.
#[inline(always)]
fn solve(matrix: [F64x4; 3], compliances: [Real; 3], right: [F64x4; 3]) -> [F64x4; 3] {
    const SINGULAR: Real = 1e-12;
    let diagonal: [Real; 3] = std::array::from_fn(|c| matrix[c].0[c] + compliances[c]);
    let inverse = |c: usize, pivot: Real| {
        if compliances[c] > 0.0 && pivot > SINGULAR * diagonal[c] { 1.0 / pivot } else { 0.0 }
    };
    let [m10, m20, m21] = [matrix[1].0[0], matrix[2].0[0], matrix[2].0[1]];
    let first = inverse(0, diagonal[0]);
    let [l10, l20] = [m10 * first, m20 * first];
    let second = inverse(1, diagonal[1] - l10 * m10);
    let rest = m21 - l20 * m10;
    let l21 = rest * second;
    let third = inverse(2, diagonal[2] - l20 * m20 - l21 * rest);
    let y1 = right[1] - right[0] * F64x4::splat(l10);
    let y2 = (right[2] - right[0] * F64x4::splat(l20) - y1 * F64x4::splat(l21)) * F64x4::splat(third);
    let y1 = y1 * F64x4::splat(second) - y2 * F64x4::splat(l21);
    let y0 = right[0] * F64x4::splat(first) - y1 * F64x4::splat(l10) - y2 * F64x4::splat(l20);
    [y0, y1, y2]
}
