//! Isometric bending for the methods that project constraints one after the other.
//!
//! Its energy `½ B w |Σ k x|²` (see [`bending`](crate::sim::forces::bending)) is that of the
//! constraint `C = Σ k x = 0` with the compliance `α = 1/(B w)`. `C` is a vector, and linear in the
//! positions: the three components are solved at once, and a projection (Macklin, Müller, Chentanez
//! 2016, equation 18) is exact, not only for small changes.

use std::ops::Range;

use crate::sim::exec::colouring::Colouring;
use crate::sim::exec::pool::{Chunks, Shared, ThreadPool};
use crate::sim::exec::simd::{F64x4, vectorised};
use crate::sim::forces::IsometricBending;
use crate::sim::forces::bending::Stencil;
use crate::sim::{Pattern, Real};

/// Hinges per task.
const GRAIN: usize = 128;

/// The hinges of a cloth by colour.
#[derive(Debug, Default)]
pub struct Curvatures {
    stencils: Vec<Stencil>,
    colours: Vec<Range<usize>>,
    /// Sums of the `Δλ` of a step [kg·m].
    multipliers: Vec<F64x4>,
    /// Revision of their pattern.
    of: Option<u64>,
}

impl Curvatures {
    /// Makes these the hinges of `pattern`, of which `bending` is; the work is done once per
    /// pattern. All multipliers become zero.
    pub fn start(&mut self, pattern: &Pattern, bending: &IsometricBending) {
        if self.of.replace(pattern.revision()) != Some(pattern.revision()) {
            let stencils = bending.stencils();
            let colouring = Colouring::of(stencils.iter().map(|stencil| stencil.vertices), pattern.len());
            self.stencils.clear();
            self.stencils.extend(colouring.order().iter().map(|&at| stencils[at as usize]));
            self.colours = colouring.into_ranges();
        }
        self.multipliers.clear();
        self.multipliers.resize(self.stencils.len(), F64x4::ZERO);
    }

    /// Forgets all hinges.
    pub fn clear(&mut self) {
        self.of = None;
        self.stencils.clear();
        self.colours.clear();
        self.multipliers.clear();
    }

    /// Number of hinges.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stencils.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stencils.is_empty()
    }

    /// Projects every hinge once, colour after colour. `q` has the positions [m] with the inverse
    /// masses [1/kg] in the fourth lane; `stiffness` is `B h²` [kg·m⁴].
    pub fn sweep(&mut self, q: &mut [F64x4], stiffness: Real, pool: &ThreadPool) {
        let q = Shared::new(q);
        let flexibility = 1.0 / stiffness;
        for colour in &self.colours {
            let stencils = &self.stencils[colour.clone()];
            pool.change(Chunks::new(&mut self.multipliers[colour.clone()], GRAIN), 1, |chunks, multipliers| {
                // stencils of a colour, which are all that is at work at a time, have no vertex in
                // common
                project(ThreadHinges { stencils: &stencils[chunks.start * GRAIN..], multipliers, q: &q, flexibility });
            });
        }
    }
}

/// Hinges of a thread. While they are projected, no other thread uses their vertices in `q`.
struct ThreadHinges<'a> {
    stencils: &'a [Stencil],
    /// One for each of the first stencils, which are those of the part.
    multipliers: &'a mut [F64x4],
    q: &'a Shared<'a, F64x4>,
    /// `1/(B h²)` [1/(kg·m⁴)].
    flexibility: Real,
}

vectorised! {
    /// Projects the hinges of a part.
    fn project(part: ThreadHinges) = project_part
}

/// `Δλ = -(C + α λ)/(Σ k² w + α)`, `Δq = w k Δλ`.
#[inline(always)]
fn project_part<const FMA: bool>(part: ThreadHinges) {
    let ThreadHinges { stencils, multipliers, q, flexibility } = part;
    for (stencil, multiplier) in stencils.iter().zip(multipliers) {
        let compliance = flexibility / stencil.weight;
        // SAFETY: the invariant of `ThreadHinges`; a vertex at a time
        let at = stencil.vertices.map(|vertex| unsafe { *q.entry(vertex as usize) });
        let mut error = *multiplier * F64x4::splat(compliance);
        let mut mass = compliance;
        for (at, k) in at.iter().zip(stencil.coefficients) {
            error = error.plus::<FMA>(*at, F64x4::splat(k));
            mass += k * k * at.0[3];
        }
        let mut change = error * F64x4::splat(-1.0 / mass);
        // the inverse masses stay as they are
        change.0[3] = 0.0;
        *multiplier = *multiplier + change;
        for ((vertex, at), k) in stencil.vertices.into_iter().zip(at).zip(stencil.coefficients) {
            // SAFETY: as above
            unsafe { *q.entry(vertex as usize) = at.plus::<FMA>(change, F64x4::splat(k * at.0[3])) };
        }
    }
}
