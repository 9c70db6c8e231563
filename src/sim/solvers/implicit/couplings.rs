//! The couplings of a [`SpringOperator`]: the Jacobians of the springs (`physics.md` section 1).

use super::spring_operator::SpringOperator;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::forces::springs::Blocks;
use crate::sim::pattern::Coefficients;
use crate::sim::{Pattern, Real, Vec3};

/// Least `1 - L/l` that counts: a spring that is pressed together to nearly nothing has a curvature
/// beyond all bounds.
const MOST_COMPRESSED: Real = -10.0;

impl SpringOperator {
    /// Sets the couplings of all springs at the positions `q` by places to their Jacobians, clamped
    /// or raw, with the `stiffness` by kind. Springs may have a second stiffness, `second(e)`, of
    /// the same unit, with a rest length [m]. Damping along the springs is such a one: with an
    /// infinite rest length its block is `k u uᵀ`.
    pub fn set_jacobians(
        &mut self,
        q: &[F64x4],
        pattern: &Pattern,
        stiffness: &Coefficients,
        blocks: Blocks,
        second: impl Fn(usize) -> Option<(Real, Real)> + Sync,
        pool: &ThreadPool,
    ) {
        let (springs, stiffness) = (pattern.springs(), stiffness.on(pattern));
        let least = if blocks == Blocks::Raw { MOST_COMPRESSED } else { 0.0 };
        let coupling = |e: usize, d: Vec3| {
            let l = d.length();
            if l <= 0.0 {
                // without a rest length it is linear
                return (Vec3::ZERO, if springs.rest_lengths[e] == 0.0 { stiffness.at(e) } else { 0.0 });
            }
            let part = |(k, rest_length): (Real, Real)| {
                let least = if rest_length.is_finite() { least } else { 0.0 };
                let a = (1.0 - rest_length / l).max(least);
                (k * (1.0 - a), k * a)
            };
            let (mut along, mut across) = part((stiffness.at(e), springs.rest_lengths[e]));
            if let Some(second) = second(e) {
                let (more_along, more_across) = part(second);
                (along, across) = (along + more_along, across + more_across);
            }
            (d * (along.sqrt() / l), across)
        };
        self.couple(q, coupling, pool);
    }
}
