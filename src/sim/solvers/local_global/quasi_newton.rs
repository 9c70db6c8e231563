//! L-BFGS with the constant matrix as the first Hessian (Liu, Bouaziz, Kavan, "Quasi-Newton methods
//! for real-time simulation of hyperelastic materials", 2017).
//!
//! ```text
//! d = H (-∇E),   the two loops of L-BFGS over the pairs (s_j, y_j = Δ∇E_j = -A Δf_j) with s_jᵀ y_j > 0, the inner H₀ = A⁻¹
//! ```
//!
//! `A⁻¹ y_j = -Δf_j` is known from the solves before, so both loops run over scalar products (as
//! Chen, Wang, Zhou, "Large-scale L-BFGS using MapReduce", 2014), and one solve per iteration is
//! all.

use super::products::{MOST, Products, Weighting};
use crate::sim::Real;

/// Least curvature along a step, relative to that of the constant matrix, of a pair that is used.
const FLATTEST: Real = 1e-8;

/// The weights of the next direction; `None` where no pair is known.
pub fn weights(products: &Products) -> Option<Weighting> {
    let Products { count, step_residual, change_residual, step_change, change_change, .. } = products;
    let count = *count;
    let mut used = [false; MOST];
    for (j, used) in used.iter_mut().enumerate().take(count) {
        *used = -step_change[j][j] > FLATTEST * products.step_step[j];
    }
    // from the newest to the oldest: α_j, with the gradient that is left expressed by the α before
    let mut alpha = [0.0; MOST];
    for i in (0..count).filter(|i| used[*i]) {
        let left: Real = (0..i).filter(|j| used[*j]).map(|j| alpha[j] * step_change[i][j]).sum();
        alpha[i] = (step_residual[i] + left) / -step_change[i][i];
    }
    // back from the oldest to the newest
    let mut steps = [0.0; MOST];
    for i in (0..count).rev().filter(|i| used[*i]) {
        let by_changes: Real = (0..count).filter(|j| used[*j]).map(|j| alpha[j] * change_change[i][j]).sum();
        let by_steps: Real = (i + 1..count).filter(|l| used[*l]).map(|l| steps[l] * step_change[l][i]).sum();
        let beta = -(change_residual[i] + by_changes + by_steps) / -step_change[i][i];
        steps[i] = alpha[i] - beta;
    }
    let weighting = Weighting { first: 1.0, steps, changes: alpha };
    (used.contains(&true) && weighting.is_finite()).then_some(weighting)
}
