//! Effort of a solver: the parameter by which it comes nearer to the solution for more time, the
//! settings of its effort ladder, and what a cloth demands of it.

use crate::sim::Real;

/// Key of such a parameter, which is an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkSetting {
    /// Its key.
    pub key: &'static str,
    /// Whether even values are to be avoided.
    is_odd: bool,
    /// Key of another one that is lowered to one before this one is lowered, as it brings less.
    pub lowered_first: Option<&'static str>,
}

impl WorkSetting {
    /// The parameter called `key`.
    #[must_use]
    pub const fn of(key: &'static str) -> Self {
        Self { key, is_odd: false, lowered_first: None }
    }

    /// Likewise, of which odd values alone are good.
    #[must_use]
    pub const fn odd(key: &'static str) -> Self {
        Self { key, is_odd: true, lowered_first: None }
    }

    /// The same, where another one brings less for its time.
    #[must_use]
    pub const fn after(self, lowered_first: &'static str) -> Self {
        Self { lowered_first: Some(lowered_first), ..self }
    }

    /// The value nearest to `value` that is good and in range, but zero where another one is.
    #[must_use]
    pub fn allowed(&self, value: u32, [min, max]: [u32; 2]) -> u32 {
        let value = value.clamp(min.max(1).min(max), max);
        match (self.is_odd && value % 2 == 0, value == max) {
            (true, true) => value.saturating_sub(1).max(min),
            (true, false) => value + 1,
            _ => value,
        }
    }
}

/// A rung of a ladder: settings by key, as `--set` takes them, of the solver or common ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung(pub &'static [(&'static str, &'static str)]);

/// Substeps of a solver whose step is cheap and has to be short.
pub const MANY_SUBSTEPS: &[Rung] = &[
    Rung(&[("substeps", "1")]),
    Rung(&[("substeps", "2")]),
    Rung(&[("substeps", "4")]),
    Rung(&[("substeps", "8")]),
    Rung(&[("substeps", "16")]),
    Rung(&[("substeps", "32")]),
    Rung(&[("substeps", "64")]),
];

/// Substeps of a solver of which one is stable already.
pub const FEW_SUBSTEPS: &[Rung] =
    &[Rung(&[("substeps", "1")]), Rung(&[("substeps", "2")]), Rung(&[("substeps", "4")]), Rung(&[("substeps", "8")])];

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
