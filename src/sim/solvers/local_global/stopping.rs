//! Estimate of the energy error of an iterate while the step runs.
//!
//! ```text
//! E(q) - E* ≈ ½ |∇E(q)|² / μ,   the norm that of A⁻¹,   μ = min_j s_jᵀ Δ∇E_j / s_jᵀ A s_j
//! error = (E(q) - E*) / (E(q_0) - E*)
//! ```
//!
//! `½ |∇E|²` in that norm is a lower bound of the remaining energy, because `A` is an upper bound
//! of the Hessian; it costs one scalar product. For a convex energy the quotient is an upper bound
//! if no direction is flatter than `μ`, relative to `A`. Known directions are those of the step so
//! far: plain and accelerated iterations both turn to the flattest remaining ones, so after the
//! first iterations `μ` is near the least relevant curvature. It is an estimate, not a bound.

use super::products::Products;
use crate::sim::Real;

/// Least `μ` that is believed, also of a compressed cloth, whose energy is not convex.
const FLATTEST: Real = 1e-4;

/// Estimate of the error in a step.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// By how much the energy has fallen since the start [J].
    pub gained: Real,
    /// `|∇E|²` of the iterate in the norm of `A⁻¹` [J].
    gradient: Real,
    /// `μ`.
    curvature: Real,
}

impl Default for Progress {
    fn default() -> Self {
        Self { gained: 0.0, gradient: Real::INFINITY, curvature: 1.0 }
    }
}

impl Progress {
    /// Hears the scalar products at an iterate.
    pub fn hear(&mut self, products: &Products) {
        self.gradient = products.gradient.max(0.0);
        if products.count > 0 && products.step_step[0] > 0.0 {
            let curvature = -products.step_change[0][0] / products.step_step[0];
            self.curvature = self.curvature.min(curvature.max(FLATTEST));
        }
    }

    /// The estimated error of the energy, relative to that at the start: 1 there.
    pub fn error(&self) -> Real {
        let left = 0.5 * self.gradient / self.curvature;
        if left > 0.0 { left / (left + self.gained.max(0.0)) } else { 0.0 }
    }
}
