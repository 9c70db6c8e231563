//! Isometric bending for the methods that project constraints one after the other.
//!
//! Its energy `½ B w |Σ k x|²` (see [`bending`](crate::sim::forces::bending)) is that of the
//! constraint `C = Σ k x = 0` with the compliance `α = 1/(B w)`. `C` is a vector, and linear in the
//! positions: the three directions are solved at once, and a projection (Macklin, Müller, Chentanez
//! 2016, equation 18) is exact, not only for small changes. The components of the curvature at a
//! vertex are projected one after the other.

use std::ops::Range;

use crate::sim::exec::colouring::Colouring;
use crate::sim::exec::pool::{Chunks, Shared, ThreadPool};
use crate::sim::exec::simd::{F64x4, vectorised};
use crate::sim::forces::IsometricBending;
use crate::sim::forces::bending::BendingKey;
use crate::sim::math::csr::Csr;
use crate::sim::{Pattern, Real};

/// Stencils per task.
const GRAIN: usize = 64;

/// The stencils of a cloth by colour.
#[derive(Debug, Default)]
pub struct Curvatures {
    /// Vertices of each stencil with their coefficients.
    entries: Csr<(u32, [Real; 3])>,
    /// Weights of its components [1/m²].
    weights: Vec<[Real; 3]>,
    colours: Vec<Range<usize>>,
    /// Sums of the `Δλ` of a step [kg·m].
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
            self.entries.clear();
            self.weights.clear();
            for stencil in colouring.order().iter().map(|&at| stencils.get(at as usize)) {
                self.entries.push(stencil.vertices.iter().copied().zip(stencil.coefficients.iter().copied()));
                self.weights.push(stencil.weights);
            }
            self.colours = colouring.into_ranges();
        }
        self.multipliers.clear();
        self.multipliers.resize(self.weights.len(), [F64x4::ZERO; 3]);
    }

    /// Forgets all stencils.
    pub fn clear(&mut self) {
        self.of = None;
        self.entries.clear();
        self.weights.clear();
        self.colours.clear();
        self.multipliers.clear();
    }

    /// Number of constraints.
    #[must_use]
    pub fn len(&self) -> usize {
        3 * self.weights.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Projects every stencil once, colour after colour. `q` has the positions [m] with the inverse
    /// masses [1/kg] in the fourth lane; `stiffness` is `B h²` [kg·m⁴].
    pub fn sweep(&mut self, q: &mut [F64x4], stiffness: Real, pool: &ThreadPool) {
        let Self { entries, weights, colours, multipliers, .. } = self;
        let q = Shared::new(q);
        let flexibility = 1.0 / stiffness;
        for colour in colours {
            pool.change(Chunks::new(&mut multipliers[colour.clone()], GRAIN), 1, |chunks, multipliers| {
                let first = colour.start + chunks.start * GRAIN;
                // stencils of a colour, which are all that is at work at a time, have no vertex in
                // common
                project(ThreadStencils { entries, weights, first, multipliers, q: &q, flexibility });
            });
        }
    }
}

/// Stencils of a thread. While they are projected, no other thread uses their vertices in `q`.
struct ThreadStencils<'a> {
    entries: &'a Csr<(u32, [Real; 3])>,
    weights: &'a [[Real; 3]],
    /// The first of them.
    first: usize,
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

/// `Δλ = -(C + α λ)/(Σ k² w + α)`, `Δq = w k Δλ`.
#[inline(always)]
fn project_part<const FMA: bool>(part: ThreadStencils) {
    let ThreadStencils { entries, weights, first, multipliers, q, flexibility } = part;
    for (at, multipliers) in (first..).zip(multipliers) {
        let entries = entries.row(at);
        for (component, (multiplier, weight)) in multipliers.iter_mut().zip(weights[at]).enumerate() {
            if weight == 0.0 {
                continue;
            }
            let compliance = flexibility / weight;
            let mut error = *multiplier * F64x4::splat(compliance);
            let mut mass = compliance;
            for &(vertex, k) in entries {
                // SAFETY: the invariant of `ThreadStencils`; a vertex at a time
                let at = unsafe { *q.entry(vertex as usize) };
                error = error.plus::<FMA>(at, F64x4::splat(k[component]));
                mass += k[component] * k[component] * at.0[3];
            }
            let mut change = error * F64x4::splat(-1.0 / mass);
            // the inverse masses stay as they are
            change.0[3] = 0.0;
            *multiplier = *multiplier + change;
            for &(vertex, k) in entries {
                // SAFETY: as above
                let at = unsafe { q.entry(vertex as usize) };
                *at = at.plus::<FMA>(change, F64x4::splat(k[component] * at.0[3]));
            }
        }
    }
}
