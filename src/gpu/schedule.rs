//! Schedule of a step: the number of plain iterations, the spectral radius for the others, and when
//! the energy is measured.

use crate::sim::Real;

/// Iterations after which the energy is looked at.
pub const WATCHED: u32 = 16;
/// Bytes between entries of the table of iterations: the alignment of bindings on every device.
pub const STRIDE: u32 = 256;
/// Growth of the energy that may be rounding, relative to its parts.
const TOLERANCE: f32 = 1e-4;
/// Entries of the table of iterations before those of the iterations.
const BEFORE: u32 = 2;
/// Reduction by the recurrence within the iterations of a step, as a power of e.
const REDUCTION: Real = 4.0;

/// Purpose of an iteration or measurement: an entry of the table of iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Entry {
    /// The two states that a step may start from.
    Start,
    /// The best state once more, because the limits of friction have changed.
    Anew,
    /// This iteration, or the state after it.
    Iteration(u32),
}

impl Entry {
    /// Where it is in the table [bytes].
    #[must_use]
    pub const fn offset(self) -> u32 {
        STRIDE
            * match self {
                Self::Start => 0,
                Self::Anew => 1,
                Self::Iteration(index) => BEFORE + index,
            }
    }
}

/// The table of so many iterations: `Iteration` of the kernels by [`Entry`].
#[must_use]
pub fn table(iterations: u32) -> Vec<[u32; STRIDE as usize / 4]> {
    let entry = |index: u32, judged: u32, tolerance: f32| {
        let mut entry = [0; STRIDE as usize / 4];
        entry[..4].copy_from_slice(&[index, judged, WATCHED, tolerance.to_bits()]);
        entry
    };
    let before = [entry(0, 1, 0.0), entry(0, 2, 0.0)];
    before.into_iter().chain((0..iterations).map(|index| entry(index, 0, TOLERANCE))).collect()
}

/// Kind of an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// All vertices at once, each as if all others stayed.
    Jacobi {
        /// Whether Chebyshev's recurrence is used.
        accelerated: bool,
        /// Whether coarse levels are used where they pay.
        levels: bool,
    },
    /// Vertex block descent: one colour of vertices after the other, in place.
    Blocks {
        /// Whether coarse levels come before them where they pay.
        levels: bool,
    },
}

/// Number of plain iterations of a step, and spectral radius for the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// Iterations in all.
    pub iterations: u32,
    /// Method of the iterations.
    pub method: Method,
}

impl Schedule {
    fn accelerated(&self) -> bool {
        matches!(self.method, Method::Jacobi { accelerated: true, .. })
    }

    /// Plain iterations at the beginning.
    #[must_use]
    pub fn plain(&self) -> u32 {
        if self.accelerated() { (self.iterations / 4).min(10) } else { u32::MAX }
    }

    /// The iterations that single precision can use, where a plain one reduces the error by the
    /// share `least` at least: to its last digit, twice over.
    #[must_use]
    pub fn useful(&self, least: Real) -> u32 {
        let gap = least.clamp(1e-9, 0.999);
        let digits = -(Real::from(f32::EPSILON) / 2.0).ln();
        let by_each = if self.accelerated() {
            ((1.0 - gap) / (1.0 - (gap * (2.0 - gap)).sqrt())).ln()
        } else {
            -(1.0 - gap).ln()
        };
        // the conversion saturates
        ((2.0 * digits / by_each).ceil() as u32).saturating_add(WATCHED)
    }

    /// `1 - ρ`.
    #[must_use]
    pub fn gap(&self, least: Real) -> Real {
        let count = Real::from(self.iterations.saturating_sub(self.plain()).max(1));
        let useful = 0.5 * (REDUCTION / count).powi(2);
        useful.max(least).clamp(1e-7, 0.5)
    }
}
