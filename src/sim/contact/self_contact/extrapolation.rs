//! Extrapolation of the impulses of contacts (`physics.md` section 11.3).
//!
//! While no row opens or closes, two sweeps of Gauss-Seidel are a linear map. In a stack its slowest
//! mode, the weight on its way to the floor, has a real eigenvalue `ρ` near one, and the changes of
//! the impulses become a geometric series. After four sweeps `ρ` is estimated from the last two
//! changes `D₀` and `D₁`, each over two sweeps, as `D₁·D₀ / D₀·D₀`, and the rest of the series,
//! `ρ/(1 - ρ) D₁`, is added at once (Aitken 1926). Impulses stay within their bounds and in pairs,
//! so momentum is kept; the sweeps that follow mend what the guess has missed.

use super::pushed::PushedVertices;
use super::pushing::Pushing;
use super::walls::{WallContact, decay_of_walls, extrapolate_walls, remember_walls};
use crate::sim::Real;

/// Sweeps of a change: one forth and one back.
const SWEEPS: usize = 2;
/// Largest multiple of the last change that is added.
const MOST: Real = 4.0;

/// Stores the impulses before the first sweep.
pub(super) fn begin(pushing: &mut Pushing, walls: &mut [WallContact]) {
    pushing.remember(0);
    remember_walls(walls, 0);
}

/// Continues after `done` sweeps; impulses that would move their parts by less than the `tolerance`
/// [m] stay.
pub(super) fn go_on(
    done: usize,
    pushing: &mut Pushing,
    walls: &mut [WallContact],
    tolerance: Real,
    vertices: &mut PushedVertices,
) {
    if !done.is_multiple_of(SWEEPS) {
        return;
    }
    if !done.is_multiple_of(2 * SWEEPS) {
        pushing.remember(1);
        remember_walls(walls, 1);
        return;
    }
    let ([rows, rows_before], [of_walls, walls_before]) = (pushing.decay(), decay_of_walls(walls, vertices));
    let rate = (rows + of_walls) / (rows_before + walls_before);
    if rate > 0.0 {
        let times = if rate < 1.0 { (rate / (1.0 - rate)).min(MOST) } else { MOST };
        pushing.extrapolate(times, tolerance, vertices);
        extrapolate_walls(walls, times, tolerance, vertices);
    }
    begin(pushing, walls);
}
