//! The guard against blow-up: which states are absurd.
//!
//! Distances and speeds count relative to the cloth as a whole, because a cloth that falls freely for a minute is far
//! away and fast, and nothing is wrong with it.

use super::{Cloth, Real};

/// Farthest that a vertex may be from the centroid [m].
pub const FARTHEST: Real = 1e3;
/// Fastest that a vertex may be relative to the mean velocity [m/s].
pub const FASTEST: Real = 1e4;

/// Why a state is absurd.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Absurd {
    /// A position or velocity is infinite or not a number.
    #[error("vertex {vertex} has no finite position or velocity")]
    NotFinite {
        /// The first such vertex.
        vertex: u32,
    },
    /// A vertex is absurdly far away.
    #[error("vertex {vertex} is {distance:.3e} m away from the rest of the cloth")]
    TooFar {
        /// The farthest vertex.
        vertex: u32,
        /// Its distance from the centroid [m].
        distance: Real,
    },
    /// A vertex is absurdly fast.
    #[error("vertex {vertex} moves at {speed:.3e} m/s relative to the rest of the cloth")]
    TooFast {
        /// The fastest vertex.
        vertex: u32,
        /// Its speed relative to the mean velocity [m/s].
        speed: Real,
    },
}

/// Checks the state.
///
/// # Errors
/// [`Absurd`], with the vertex at fault.
pub fn check(cloth: &Cloth) -> Result<(), Absurd> {
    let mut states = cloth.positions.iter().zip(&cloth.velocities).zip(0_u32..);
    if let Some((_, vertex)) = states.find(|((x, v), _)| !(x.is_finite() && v.is_finite())) {
        return Err(Absurd::NotFinite { vertex });
    }
    let (centroid, mean_velocity) = (cloth.centroid(), cloth.mean_velocity());
    // the one farthest out is at fault, not the first that its flight has moved the mean away from
    let worst = |measure: &dyn Fn(usize) -> Real| {
        (0..cloth.len()).map(|i| (measure(i), i as u32)).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
    };
    let (distance, vertex) = worst(&|i| finite_or_huge(cloth.positions[i].distance(centroid)));
    if distance > FARTHEST {
        return Err(Absurd::TooFar { vertex, distance });
    }
    let (speed, vertex) = worst(&|i| finite_or_huge(cloth.velocities[i].distance(mean_velocity)));
    if speed > FASTEST {
        return Err(Absurd::TooFast { vertex, speed });
    }
    Ok(())
}

/// Differences of huge finite numbers can overflow to infinity, and then to NaN, which no comparison finds.
fn finite_or_huge(length: Real) -> Real {
    if length.is_finite() { length } else { Real::MAX }
}
