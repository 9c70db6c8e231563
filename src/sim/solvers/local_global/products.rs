//! Numbers of accelerations: scalar products of the remembered steps, and weights of a combination.

use crate::sim::Real;

/// Most steps that are remembered.
pub const MOST: usize = 8;

/// Scalar products of the remembered steps, the newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Products {
    /// Number of steps.
    pub count: usize,
    /// `fᵀ R`, the square of the gradient in the norm of `A⁻¹` [J].
    pub gradient: Real,
    /// `s_jᵀ R`; not known where steps are joined with their changes.
    pub step_residual: [Real; MOST],
    /// `Δf_jᵀ R`.
    pub change_residual: [Real; MOST],
    /// `s_iᵀ ΔR_j` for steps `i` not newer than `j`; where steps are joined with their changes for
    /// `i = j` alone.
    pub step_change: [[Real; MOST]; MOST],
    /// `Δf_iᵀ ΔR_j`, which is symmetric.
    pub change_change: [[Real; MOST]; MOST],
    /// `s_jᵀ A s_j`.
    pub step_step: [Real; MOST],
}

impl Products {
    /// Forgets the oldest step if there are `room`, and makes room for a new one in front.
    pub fn shift(&mut self, room: usize) {
        fn later<T>(list: &mut [T; MOST]) {
            list.rotate_right(1);
        }
        self.count = (self.count + 1).min(room);
        later(&mut self.step_step);
        for table in [&mut self.step_change, &mut self.change_change] {
            later(table);
            table.iter_mut().for_each(later);
        }
    }
}

/// A step as a combination: `first f + Σ_j steps_j s_j + changes_j Δf_j`, the newest `j` first;
/// where steps are joined with their changes, `s_j` is `s_j + Δf_j`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighting {
    /// Weight of the local/global step `f`.
    pub first: Real,
    /// Weights of the steps before.
    pub steps: [Real; MOST],
    /// Weights of the changes along them.
    pub changes: [Real; MOST],
}

impl Weighting {
    /// The local/global step.
    pub const PLAIN: Self = Self { first: 1.0, steps: [0.0; MOST], changes: [0.0; MOST] };

    /// Whether all weights are numbers.
    pub fn is_finite(&self) -> bool {
        let mut all = self.steps.iter().chain(&self.changes).chain(std::iter::once(&self.first));
        all.all(|weight| weight.is_finite())
    }
}

/// Solves `G x = b` of `count` unknowns with a positive semidefinite `G`, by its Cholesky factor.
/// Rows that up to the share `rank` of their diagonal depend on those before are left out; `None`
/// if all of them are.
pub fn solve_gram(gram: &[[Real; MOST]; MOST], b: &[Real; MOST], count: usize, rank: Real) -> Option<[Real; MOST]> {
    let mut factor = [[0.0; MOST]; MOST];
    let mut right = [0.0; MOST];
    let mut kept = [false; MOST];
    for i in 0..count {
        let mut pivot = gram[i][i];
        for j in (0..i).filter(|j| kept[*j]) {
            let before: Real = (0..j).filter(|l| kept[*l]).map(|l| factor[i][l] * factor[j][l]).sum();
            factor[i][j] = (gram[i][j] - before) / factor[j][j];
            pivot -= factor[i][j] * factor[i][j];
        }
        kept[i] = pivot > rank * gram[i][i];
        if kept[i] {
            factor[i][i] = pivot.sqrt();
            let before: Real = (0..i).filter(|l| kept[*l]).map(|l| factor[i][l] * right[l]).sum();
            right[i] = (b[i] - before) / factor[i][i];
        }
    }
    let mut x = [0.0; MOST];
    for i in (0..count).rev().filter(|i| kept[*i]) {
        let after: Real = (i + 1..count).filter(|l| kept[*l]).map(|l| factor[l][i] * x[l]).sum();
        x[i] = (right[i] - after) / factor[i][i];
    }
    kept.contains(&true).then_some(x)
}
