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
