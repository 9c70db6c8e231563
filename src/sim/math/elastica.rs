//! The heavy elastica: a strip that is clamped level and bends under its weight.
//!
//! ```text
//! B θ'' = -σ g (L - s) cos θ,   θ(0) = 0,   θ'(L) = 0
//! ```
//!
//! `θ` is the angle below the horizontal at the length `s` from the clamp, `B` the bending stiffness
//! of a unit width [N·m], `σ` the mass per area [kg/m²]. Lengths enter as `L/c` alone, where
//! `c = (B/(σ g))^(1/3)` is the bending length.

use std::f64::consts::FRAC_PI_2;

use crate::sim::Real;

/// Parts of the strip in the integration, and bisections.
const PARTS: usize = 400;
const BISECTIONS: usize = 60;
/// Longest strip in bending lengths. The angle at the tip of a longer one is a right angle to the
/// last digit.
const LONGEST: Real = 10.0;

/// Angle of the chord from the clamp to the tip below the horizontal [rad], for a length of
/// `length_over_c` bending lengths.
#[must_use]
pub fn chord_angle(length_over_c: Real) -> Real {
    let [along, down] = tip(length_over_c);
    down.atan2(along)
}

/// How far the tip is from the clamp, along and down, in bending lengths, for a length of
/// `length_over_c` of them.
#[must_use]
pub fn tip(length_over_c: Real) -> [Real; 2] {
    // the angle at the tip with which the clamp is level
    let [mut low, mut high] = [0.0, FRAC_PI_2];
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if shoot(length_over_c, middle).angle > 0.0 { high = middle } else { low = middle }
    }
    let Clamp { along, down, .. } = shoot(length_over_c, 0.5 * (low + high));
    [along, down]
}

/// The bending length of a strip of `length` [m] whose chord is `angle` [rad] below the horizontal
/// [m]. Angles above 0, up to 80 degrees.
#[must_use]
pub fn bending_length(length: Real, angle: Real) -> Real {
    let [mut low, mut high]: [Real; 2] = [1e-3, LONGEST];
    for _ in 0..BISECTIONS {
        let middle = (low * high).sqrt();
        if chord_angle(middle) > angle { high = middle } else { low = middle }
    }
    length / (low * high).sqrt()
}

/// Peirce's approximation of the same, `c = L (cos(θ/2)/(8 tan θ))^(1/3)` [m]: within 2 % up to
/// 41.5 degrees (Peirce 1930).
#[must_use]
pub fn peirce(length: Real, angle: Real) -> Real {
    length * ((0.5 * angle).cos() / (8.0 * angle.tan())).cbrt()
}

/// The clamp as seen from the tip, in bending lengths.
struct Clamp {
    angle: Real,
    along: Real,
    down: Real,
}

/// Integrates from a tip at `angle` to the clamp, or to where the angle is negative, in bending
/// lengths, by the classical Runge-Kutta method. `t` is the length from the tip, and `dθ/dt` minus
/// the curvature.
fn shoot(length: Real, angle: Real) -> Clamp {
    let dt = length / PARTS as Real;
    let slope = |t: Real, [angle, turn, ..]: [Real; 4]| [turn, -t * angle.cos(), angle.cos(), angle.sin()];
    let add = |a: [Real; 4], b: [Real; 4], by: Real| std::array::from_fn(|k| a[k] + by * b[k]);
    let mut state = [angle, 0.0, 0.0, 0.0];
    for part in 0..PARTS {
        let t = part as Real * dt;
        let first = slope(t, state);
        let second = slope(t + 0.5 * dt, add(state, first, 0.5 * dt));
        let third = slope(t + 0.5 * dt, add(state, second, 0.5 * dt));
        let fourth = slope(t + dt, add(state, third, dt));
        // beyond, the solution swings about the vertical and may come back
        if state[0] < 0.0 {
            break;
        }
        for k in 0..4 {
            state[k] += dt / 6.0 * (first[k] + 2.0 * second[k] + 2.0 * third[k] + fourth[k]);
        }
    }
    let [angle, _, along, down] = state;
    Clamp { angle, along, down }
}
