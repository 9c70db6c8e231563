//! Acceleration of a step: its choice, and the common part of its methods.
//!
//! One local/global iteration at `q` is the step `f = -A⁻¹ ∇E(q)`, with the constant matrix `A`.
//! Every acceleration goes along a combination of `f`, of the steps `s_j` before, and of the
//! changes `Δf_j` of `f` along these, with *weights* that it finds from scalar products alone, with
//! `A f = -∇E` and `A Δf_j = -Δ∇E_j`. No acceleration needs another solve; the product of the
//! matrix with the combination, for the change of the energy, costs a small part of one.

use super::anderson;
use super::chebyshev;
use super::products::{MOST, Products, Weighting};
use super::quasi_newton;
use super::start::Start;
use crate::sim::Real;
use crate::sim::params::{Choice, Kind};

crate::choices! {
    /// Acceleration of local/global iterations.
    pub enum Acceleration {
        /// Plain local/global iterations, as in the papers.
        None = "none",
        /// Extrapolation by a fixed recurrence for a given spectral radius (Wang 2015). Costs next
        /// to nothing per iteration.
        Chebyshev = "chebyshev",
        /// Extrapolation from the last iterates to the least residual (Peng et al. 2018).
        Anderson = "anderson",
        /// Correction of the constant matrix by the curvature of the last iterates (L-BFGS, Liu et
        /// al. 2017), with a line search.
        QuasiNewton = "quasi_newton",
    }
}

impl Acceleration {
    /// All, with their meaning.
    pub fn choices() -> &'static [Choice] {
        match Self::KIND {
            Kind::Choice(choices) => choices,
            _ => &[],
        }
    }

    /// Its key; `None` of plain iterations.
    pub fn key(self) -> Option<&'static str> {
        (self != Self::None).then(|| Self::choices().get(self as usize).map(|choice| choice.key)).flatten()
    }

    /// Why a parameter that means something to this acceleration alone has no effect with another.
    pub fn idle_unless(self, uses: impl Fn(Self) -> bool) -> Option<&'static str> {
        (!uses(self)).then_some("the chosen acceleration does not use it")
    }

    /// Whether it remembers several steps.
    #[must_use]
    pub fn remembers(self) -> bool {
        matches!(self, Self::Anderson | Self::QuasiNewton)
    }
}

/// How far a step goes towards its minimiser, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterationPlan {
    /// Most iterations.
    pub iterations: u32,
    /// How they are accelerated.
    pub acceleration: Acceleration,
    /// Steps that Anderson's acceleration and the quasi-Newton method remember.
    pub memory: u32,
    /// Spectral radius that Chebyshev's acceleration takes for given.
    pub radius: Real,
    /// Estimated relative error of the energy at which a step ends before that number of
    /// iterations.
    pub tolerance: Option<Real>,
    /// Where they start.
    pub start: Start,
    /// Rate at which a filter of velocities damps all but rigid motions after the step [1/s].
    pub velocity_filter: Real,
}

impl IterationPlan {
    /// Whether these are plain iterations, and a given number of them.
    pub fn is_plain(&self) -> bool {
        self.acceleration == Acceleration::None && self.tolerance.is_none()
    }

    /// Whether a step that would start at the inertial target may start elsewhere: not with plain
    /// iterations, which the papers start there.
    pub fn holds_back(&self) -> bool {
        self.acceleration != Acceleration::None && self.start == Start::Target
    }

    /// Steps to remember: with the last one alone its curvature is known.
    pub fn room(&self) -> usize {
        if self.acceleration.remembers() { (self.memory as usize).clamp(1, MOST) } else { 1 }
    }

    /// Whether steps are needed only together with the changes of `f` along them.
    pub fn joins(&self) -> bool {
        self.acceleration == Acceleration::Anderson
    }

    /// Times that a step which does not lower the energy enough is halved before a local/global
    /// step is taken instead. The direction of the quasi-Newton method leads down, and so may be
    /// shortened; an extrapolation need not.
    pub fn halvings(&self) -> u32 {
        if self.acceleration == Acceleration::QuasiNewton { 4 } else { 0 }
    }

    /// Whether steps are extended along surfaces: where they may be halved.
    pub fn slides(&self) -> bool {
        self.halvings() > 0
    }

    /// The step to try, `None` for a local/global step. `omega` is the weight of Chebyshev's
    /// recurrence.
    pub fn weights(&self, products: &Products, omega: &mut Real) -> Option<Weighting> {
        match self.acceleration {
            Acceleration::None => None,
            Acceleration::Chebyshev => chebyshev::weights(products, self.radius, omega),
            Acceleration::Anderson => anderson::weights(products),
            Acceleration::QuasiNewton => quasi_newton::weights(products),
        }
    }
}
