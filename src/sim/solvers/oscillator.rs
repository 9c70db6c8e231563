//! The exact impulse of a damped spring between two masses over a step (`physics.md` section 2.1;
//! Kang, algorithm 5, without the phase that loses the sign of the velocity).

use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::direction_of_change;
use crate::sim::{Cloth, Real, StepInput, Vec3};

/// A spring with its two masses as a damped oscillator.
#[derive(Debug, Clone, Copy)]
pub struct Oscillator {
    /// Stiffness `k` [N/m].
    pub stiffness: Real,
    /// Damping `c` [N·s/m], along the spring only.
    pub damping: Real,
    /// Reduced mass `μ = m_i m_j/(m_i + m_j)` [kg]; the other mass when one end is held.
    pub reduced_mass: Real,
}

impl Oscillator {
    /// Stretch [m] and its rate [m/s] after `h` [s], from `stretch` and `rate` now.
    #[must_use]
    pub fn after(&self, h: Real, stretch: Real, rate: Real) -> (Real, Real) {
        let mu = self.reduced_mass;
        let omega2 = self.stiffness / mu;
        let alpha = self.damping / (2.0 * mu);
        let (e, c, s) = envelope(alpha, omega2, h);
        let stretch_after = e * c * stretch + e * s * (rate + alpha * stretch);
        let rate_after = e * c * rate - e * s * (alpha * rate + omega2 * stretch);
        (stretch_after, rate_after)
    }

    /// Impulse [N·s] on the first end, along the spring, over `h` [s]: `P = μ (δ̇ - δ̇(h))`.
    #[must_use]
    pub fn impulse(&self, h: Real, stretch: Real, rate: Real) -> Real {
        self.reduced_mass * (rate - self.after(h, stretch, rate).1)
    }
}

/// `exp(-α h)` with `C = cos ω_d h` and `S = sin(ω_d h)/ω_d`, where `ω_d² = ω² - α²`. When
/// overdamped the exponential is merged with the growing hyperbolic functions, so that neither
/// overflows: the first factor is then 1.
fn envelope(alpha: Real, omega2: Real, h: Real) -> (Real, Real, Real) {
    let square = omega2 - alpha * alpha;
    if square > 0.0 {
        let omega = square.sqrt();
        ((-alpha * h).exp(), (omega * h).cos(), (omega * h).sin() / omega)
    } else if square < 0.0 {
        let beta = (-square).sqrt();
        // ω²/(α + β) instead of α - β, which cancels
        let slow = (-h * omega2 / (alpha + beta)).exp();
        let fast = (-(alpha + beta) * h).exp();
        let c = 0.5 * (slow + fast);
        // (slow - fast)/(2 β), which cancels for small β h
        let s = slow * -(-2.0 * beta * h).exp_m1() / (2.0 * beta);
        (1.0, c, s)
    } else {
        ((-alpha * h).exp(), 1.0, h)
    }
}

/// Writes to `impulses`, one entry per vertex [N·s], the sum of the oscillator impulses of its
/// springs, times `share`.
pub fn add_up_impulses(sum: &mut SpringSum, cloth: &Cloth, input: &StepInput, share: Real, impulses: &mut Vec<Vec3>) {
    let StepInput { dt, pattern, partition, pool, .. } = *input;
    let springs = pattern.springs();
    let stiffness = input.material.stiffness_by_kind(pattern).on(pattern);
    let damping = input.material.damping_by_kind(pattern).on(pattern);
    let (x, v, m) = (&cloth.positions, &cloth.velocities, &cloth.masses);
    sum.add_up(pattern, impulses, pool, |e| {
        let k = stiffness.at(e);
        let [i, j] = springs.ends[e];
        let free = [i, j].map(|end| partition.is_free(end));
        let [i, j] = [i as usize, j as usize];
        let reduced_mass = match free {
            [true, true] => m[i] * m[j] / (m[i] + m[j]),
            [true, false] => m[i],
            [false, true] => m[j],
            [false, false] => return Vec3::ZERO,
        };
        if k == 0.0 {
            return Vec3::ZERO;
        }
        let d = x[j] - x[i];
        let u = direction_of_change(springs.rest_lengths[e], d, v[j] - v[i]);
        let oscillator = Oscillator { stiffness: k, damping: damping.at(e), reduced_mass };
        let (stretch, rate) = (d.length() - springs.rest_lengths[e], u.dot(v[j] - v[i]));
        u * (share * oscillator.impulse(dt, stretch, rate))
    });
}
