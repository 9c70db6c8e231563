//! Chebyshev's semi-iterative method (Wang, "A Chebyshev semi-iterative approach for accelerating
//! projective and position-based dynamics", 2015).
//!
//! ```text
//! q_{k+1} = ω_{k+1} (q_k + f_k - q_{k-1}) + q_{k-1},   ω_1 = 1,   ω_2 = 2/(2 - ρ²),   ω_{k+1} = 4/(4 - ρ² ω_k)
//! ```

use super::products::{Products, Weighting};
use crate::sim::Real;

/// The weights of the next step after the one that had `omega`, zero at the start and after a step
/// that was not taken.
pub fn weights(products: &Products, radius: Real, omega: &mut Real) -> Option<Weighting> {
    let square = radius * radius;
    *omega = match *omega {
        _ if products.count == 0 => 1.0,
        0.0 => 1.0,
        1.0 => 2.0 / (2.0 - square),
        last => 4.0 / (4.0 - square * last),
    };
    if *omega == 1.0 {
        return None;
    }
    let mut weighting = Weighting { first: *omega, ..Weighting::PLAIN };
    weighting.steps[0] = *omega - 1.0;
    Some(weighting)
}
