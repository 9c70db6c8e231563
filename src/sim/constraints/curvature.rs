//! Isometric bending for the methods that project constraints one after the other.
//!
//! Its energy `½ B w |Σ k x|²` (see [`bending`](crate::sim::forces::bending)) is that of the constraint `C = Σ k x = 0` with the compliance
//! `α = 1/(B w)`. `C` is a vector, and linear in the positions: the three components are solved at once, and a
//! projection (Macklin, Müller, Chentanez 2016, equation 18) is exact, not only for small changes.

use std::ops::Range;

use crate::sim::exec::colouring::{Colouring, sweep};
use crate::sim::exec::simd::F64x4;
use crate::sim::exec::team::{Shared, Team};
use crate::sim::forces::IsometricBending;
use crate::sim::forces::bending::Stencil;
use crate::sim::{Pattern, Real};

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
    /// Makes these the hinges of `pattern`, of which `bending` is; the work is done once per pattern. All multipliers become zero.
    pub fn start(&mut self, pattern: &Pattern, bending: &IsometricBending) {
        if self.of.replace(pattern.revision()) != Some(pattern.revision()) {
            let stencils = bending.stencils();
            let colouring = Colouring::of(stencils.iter().map(|stencil| stencil.vertices), pattern.len());
            self.stencils.clear();
            self.stencils.extend(colouring.order().iter().map(|&at| stencils[at as usize]));
            self.colours = colouring.into_colours();
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

    /// Projects every hinge once, colour after colour. `q` has the positions [m] with the inverse masses [1/kg] in the fourth lane;
    /// `stiffness` is `B h²` [kg·m⁴].
    pub fn sweep(&mut self, q: &mut [F64x4], stiffness: Real, team: &Team) {
        let q = Shared::new(q);
        sweep(&self.colours, &self.stencils, &mut self.multipliers, team, |stencil, multiplier| {
            // SAFETY: stencils of a colour, which are all that is at work at a time, have no vertex in common
            unsafe { project(stencil, multiplier, &q, stiffness) };
        });
    }
}

/// `Δλ = -(C + α λ)/(Σ k² w + α)`, `Δq = w k Δλ`.
///
/// # Safety
/// Nobody else may use the vertices of the stencil in `q` meanwhile.
#[inline(always)]
unsafe fn project(stencil: &Stencil, multiplier: &mut F64x4, q: &Shared<F64x4>, stiffness: Real) {
    let compliance = 1.0 / (stencil.weight * stiffness);
    let mut error = *multiplier * F64x4::splat(compliance);
    let mut mass = compliance;
    for (vertex, k) in stencil.entries() {
        // SAFETY: as promised; a vertex at a time
        let at = unsafe { *q.entry(vertex as usize) };
        error = error + at * F64x4::splat(k);
        mass += k * k * at.0[3];
    }
    let mut change = error * F64x4::splat(-1.0 / mass);
    // the inverse masses stay as they are
    change.0[3] = 0.0;
    *multiplier = *multiplier + change;
    for (vertex, k) in stencil.entries() {
        // SAFETY: as promised; a vertex at a time
        let at = unsafe { q.entry(vertex as usize) };
        *at = *at + change * F64x4::splat(k * at.0[3]);
    }
}
