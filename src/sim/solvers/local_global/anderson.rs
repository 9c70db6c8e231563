//! Anderson's acceleration (Peng, Deng, Zhang, Geng, Qin, Liu, "Anderson acceleration for geometry
//! optimization and physics simulation", 2018).
//!
//! ```text
//! γ = argmin |f_k - Σ_j γ_j Δf_j|_A,   s = f_k - Σ_j γ_j (s_j + Δf_j)
//! ```
//!
//! The norm is that of the constant matrix, `|f|_A² = fᵀ A f`, in which an iteration is a
//! contraction, and whose scalar products are known without a product with the matrix.

use super::products::{Products, Weighting, solve_gram};
use crate::sim::Real;

/// A change of `f` that is a combination of newer ones up to this share of its square adds nothing
/// but rounding.
const RANK: Real = 1e-10;

/// The weights of the next step; `None` where nothing is remembered.
pub fn weights(products: &Products) -> Option<Weighting> {
    let gamma = solve_gram(&products.change_change, &products.change_residual, products.count, RANK)?;
    // the steps are joined with their changes
    let weighting = Weighting { steps: gamma.map(|g| -g), ..Weighting::PLAIN };
    weighting.is_finite().then_some(weighting)
}
