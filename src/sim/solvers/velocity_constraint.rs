//! A soft constraint on velocities, solved by impulses (`physics.md` section 4): `Δλ = -(J v + β C/h + γ λ/h) / (J M⁻¹ Jᵀ + γ/h)`.

use std::f64::consts::TAU;

use crate::sim::exec::team::Shared;
use crate::sim::{Real, Vec3};

/// Softness of a constraint over a step, in the form of game engines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softness {
    /// `β`, the share of the error that a step may remove (ERP).
    pub error_reduction: Real,
    /// `γ/h`, what is added to the inverse effective mass (CFM) [1/kg].
    pub force_mixing: Real,
}

impl Softness {
    /// From stiffness `k` [N/m] and damping `c` [N·s/m], not both zero, for a step of `h` [s].
    #[must_use]
    pub fn from_stiffness(k: Real, c: Real, h: Real) -> Self {
        Self { error_reduction: h * k / (c + h * k), force_mixing: 1.0 / (h * (c + h * k)) }
    }

    /// From frequency [Hz] and damping ratio of an effective mass [kg]: `k = m (2πf)²`, `c = 2 m ζ (2πf)`.
    #[must_use]
    pub fn from_frequency(frequency: Real, damping_ratio: Real, mass: Real, h: Real) -> Self {
        let omega = TAU * frequency;
        Self::from_stiffness(mass * omega * omega, 2.0 * mass * damping_ratio * omega, h)
    }
}

/// One constraint of a step: its vertices with their gradients, and its scalars.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<const N: usize> {
    vertices: [u32; N],
    gradient: [Vec3; N],
    /// `β C/h` [1/s times the unit of C].
    bias: Real,
    force_mixing: Real,
    /// `1/(J M⁻¹ Jᵀ + γ/h)`; zero for a constraint that cannot act.
    mass: Real,
}

impl<const N: usize> Row<N> {
    /// One that cannot act.
    pub fn idle(vertices: [u32; N]) -> Self {
        Self { vertices, gradient: [Vec3::ZERO; N], bias: 0.0, force_mixing: 0.0, mass: 0.0 }
    }

    /// The constraint with value `error`; `softness` is told its effective mass.
    pub fn new(
        vertices: [u32; N],
        gradient: [Vec3; N],
        error: Real,
        h: Real,
        inverse_masses: &[Real],
        softness: impl Fn(Real) -> Softness,
    ) -> Self {
        let terms = vertices.iter().zip(gradient).map(|(&i, g)| inverse_masses[i as usize] * g.length_squared());
        let inverse: Real = terms.sum();
        if inverse <= 0.0 {
            return Self::idle(vertices);
        }
        let Softness { error_reduction, force_mixing } = softness(1.0 / inverse);
        let bias = error_reduction * error / h;
        Self { vertices, gradient, bias, force_mixing, mass: 1.0 / (inverse + force_mixing) }
    }

    /// `v += M⁻¹ Jᵀ λ`.
    ///
    /// # Safety
    /// Nobody else may use the velocities of its vertices meanwhile.
    unsafe fn push(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: Real) {
        for (&i, gradient) in self.vertices.iter().zip(self.gradient) {
            let w = inverse_masses[i as usize];
            if w > 0.0 {
                // SAFETY: as promised; a vertex at a time.
                unsafe { *velocities.entry(i as usize) += gradient * (w * impulse) };
            }
        }
    }

    /// Applies the impulse of the last step; a constraint that cannot act forgets its own.
    ///
    /// # Safety
    /// As for [`push`](Self::push).
    pub unsafe fn start(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: &mut Real) {
        if self.mass == 0.0 {
            *impulse = 0.0;
        } else {
            // SAFETY: as promised.
            unsafe { self.push(velocities, inverse_masses, *impulse) };
        }
    }

    /// Solves the constraint for the velocities.
    ///
    /// # Safety
    /// As for [`push`](Self::push).
    pub unsafe fn solve(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: &mut Real) {
        // SAFETY: as promised; a vertex at a time.
        let velocity = |i: u32| unsafe { *velocities.entry(i as usize) };
        let rate: Real = self.vertices.iter().zip(self.gradient).map(|(&i, g)| g.dot(velocity(i))).sum();
        let change = -self.mass * (rate + self.bias + self.force_mixing * *impulse);
        *impulse += change;
        // SAFETY: as promised.
        unsafe { self.push(velocities, inverse_masses, change) };
    }
}
