//! Anderson's acceleration (Peng, Deng, Zhang, Geng, Qin, Liu, "Anderson acceleration for geometry
//! optimization and physics simulation", 2018).
//!
//! ```text
//! γ = argmin |f_k - Σ_j γ_j Δf_j|_A,   s = f_k - Σ_j γ_j (s_j + Δf_j)
//! ```
//!
//! The norm is that of the constant matrix, `|f|_A² = fᵀ A f`, in which an iteration is a
//! contraction, and whose scalar products are known without a product with the matrix.

use super::products::{MOST, Products, Weighting};
use crate::sim::Real;

/// A change of `f` that is a combination of newer ones up to this share of its square adds nothing
/// but rounding.
const RANK: Real = 1e-10;

/// The weights of the next step; `None` where nothing is remembered.
pub fn weights(products: &Products) -> Option<Weighting> {
    let count = products.count;
    // Cholesky factor of the Gram matrix of the changes, the newest first; rows that depend on
    // those before are left out
    let mut factor = [[0.0; MOST]; MOST];
    let mut right = [0.0; MOST];
    let mut kept = [false; MOST];
    for i in 0..count {
        let mut pivot = products.change_change[i][i];
        for j in (0..i).filter(|j| kept[*j]) {
            let before: Real = (0..j).filter(|l| kept[*l]).map(|l| factor[i][l] * factor[j][l]).sum();
            factor[i][j] = (products.change_change[i][j] - before) / factor[j][j];
            pivot -= factor[i][j] * factor[i][j];
        }
        kept[i] = pivot > RANK * products.change_change[i][i];
        if kept[i] {
            factor[i][i] = pivot.sqrt();
            let before: Real = (0..i).filter(|l| kept[*l]).map(|l| factor[i][l] * right[l]).sum();
            right[i] = (products.change_residual[i] - before) / factor[i][i];
        }
    }
    let mut gamma = [0.0; MOST];
    for i in (0..count).rev().filter(|i| kept[*i]) {
        let after: Real = (i + 1..count).filter(|l| kept[*l]).map(|l| factor[l][i] * gamma[l]).sum();
        gamma[i] = (right[i] - after) / factor[i][i];
    }
    // the steps are joined with their changes
    let weighting = Weighting { steps: gamma.map(|g| -g), ..Weighting::PLAIN };
    (kept.contains(&true) && weighting.is_finite()).then_some(weighting)
}
