//! Demand of a cloth on its solver, by which a solver chooses suitable settings.

use crate::sim::Real;

/// Stretch that position-based methods are to leave.
const STRETCH: Real = 0.01;
/// Share of the pull of a small step that one of its sweeps leaves, as measured on cloths that hang
/// by two corners.
const LEFT_BY_SWEEP: Real = 1.7;
/// Visits of springs in a step with which a cloth of some thousand vertices still moves as one
/// watches.
const MOST_VISITS: Real = 3e6;

/// Demand of a cloth on its solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// Strain of the springs at a pin after a substep if only inertia resisted: `N a h²/L` for `N`
    /// vertices per pin, the acceleration `a` by gravity and wind, substeps of `h`, and springs of
    /// the length `L`.
    pub pull: Real,
    /// Number of springs.
    pub springs: usize,
}

impl Demand {
    /// Number of parts, from `least` to `most`, of a substep of a position-based method with so
    /// many `sweeps` in each: the error falls with the number of sweeps and with the square of the
    /// number of parts (Macklin et al. 2019).
    #[must_use]
    pub fn small_steps(&self, sweeps: u32, [least, most]: [u32; 2]) -> u32 {
        let wanted = (LEFT_BY_SWEEP * self.pull / (STRETCH * Real::from(sweeps))).sqrt().ceil();
        let affordable = MOST_VISITS / (self.springs.max(1) * sweeps as usize) as Real;
        (wanted.min(affordable) as u32).clamp(least, most)
    }
}
