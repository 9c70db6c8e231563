//! A soft constraint on velocities, solved by impulses (`physics.md` section 4):
//! `Δλ = -(J v + β C/h + γ λ/h) / (J M⁻¹ Jᵀ + γ/h)`.

use std::f64::consts::TAU;

use crate::sim::exec::pool::Shared;
use crate::sim::{Real, Vec3};

/// Softness of a constraint over a step, in the form of game engines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softness {
    /// `β`, the share of the error that a step may remove (ERP).
    pub error_reduction: Real,
    /// `γ/h`, the addition to the inverse effective mass (CFM) [1/kg].
    pub force_mixing: Real,
}

impl Softness {
    /// From stiffness `k` [N/m] and damping `c` [N·s/m], not both zero, for a step of `h` [s].
    #[must_use]
    pub fn from_stiffness(k: Real, c: Real, h: Real) -> Self {
        Self { error_reduction: h * k / (c + h * k), force_mixing: 1.0 / (h * (c + h * k)) }
    }

    /// From frequency [Hz] and damping ratio of an effective mass [kg]: `k = m (2πf)²`,
    /// `c = 2 m ζ (2πf)`.
    #[must_use]
    pub fn from_frequency(frequency: Real, damping_ratio: Real, mass: Real, h: Real) -> Self {
        let omega = TAU * frequency;
        Self::from_stiffness(mass * omega * omega, 2.0 * mass * damping_ratio * omega, h)
    }
}

/// The numbers of a constraint in a step.
#[derive(Debug, Clone, Copy, Default)]
struct Scalars {
    /// `β C/h` [1/s times the unit of C].
    bias: Real,
    force_mixing: Real,
    /// `1/(J M⁻¹ Jᵀ + γ/h)`; zero for a constraint that cannot act.
    mass: Real,
}

impl Scalars {
    /// Of a constraint with value `error` and `J M⁻¹ Jᵀ = inverse`; `softness` is told its
    /// effective mass.
    fn new(error: Real, inverse: Real, h: Real, softness: impl Fn(Real) -> Softness) -> Self {
        if inverse <= 0.0 {
            return Self::default();
        }
        let Softness { error_reduction, force_mixing } = softness(1.0 / inverse);
        Self { bias: error_reduction * error / h, force_mixing, mass: 1.0 / (inverse + force_mixing) }
    }

    /// The impulse of the last step; a constraint that cannot act forgets its own.
    fn start(&self, impulse: &mut Real) -> Real {
        if self.mass == 0.0 {
            *impulse = 0.0;
        }
        *impulse
    }

    /// Adds the impulse for a `rate` of change to the accumulated one, and returns it.
    #[inline(always)]
    fn solve(&self, rate: Real, impulse: &mut Real) -> Real {
        let change = -self.mass * (rate + self.bias + self.force_mixing * *impulse);
        *impulse += change;
        change
    }
}

/// One constraint of a step: its vertices with their gradients, and its scalars.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConstraintRow<const N: usize> {
    vertices: [u32; N],
    gradient: [Vec3; N],
    scalars: Scalars,
}

impl<const N: usize> ConstraintRow<N> {
    /// One that cannot act.
    pub fn idle(vertices: [u32; N]) -> Self {
        Self { vertices, gradient: [Vec3::ZERO; N], scalars: Scalars::default() }
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
        Self { vertices, gradient, scalars: Scalars::new(error, terms.sum(), h, softness) }
    }

    /// `v += M⁻¹ Jᵀ λ`.
    ///
    /// # Safety
    /// Nobody else may use the velocities of its vertices meanwhile.
    #[inline(always)]
    unsafe fn push(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: Real) {
        for (&i, gradient) in self.vertices.iter().zip(self.gradient) {
            let w = inverse_masses[i as usize];
            if w > 0.0 {
                // SAFETY: as promised; a vertex at a time.
                unsafe { *velocities.entry(i as usize) += gradient * (w * impulse) };
            }
        }
    }

    /// Applies the impulse of the last step.
    ///
    /// # Safety
    /// As for [`push`](Self::push).
    pub unsafe fn start(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: &mut Real) {
        // SAFETY: as promised.
        unsafe { self.push(velocities, inverse_masses, self.scalars.start(impulse)) };
    }

    /// Solves the constraint for the velocities.
    ///
    /// # Safety
    /// As for [`push`](Self::push).
    pub unsafe fn solve(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: &mut Real) {
        // SAFETY: as promised; a vertex at a time.
        let velocity = |i: u32| unsafe { *velocities.entry(i as usize) };
        let rate: Real = self.vertices.iter().zip(self.gradient).map(|(&i, g)| g.dot(velocity(i))).sum();
        let change = self.scalars.solve(rate, impulse);
        // SAFETY: as promised.
        unsafe { self.push(velocities, inverse_masses, change) };
    }
}

/// [`ConstraintRow`] of a spring, whose gradients are opposite to each other: less than half of the
/// numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpringRow {
    ends: [u32; 2],
    direction: Vec3,
    scalars: Scalars,
}

impl SpringRow {
    /// One that cannot act.
    pub fn idle() -> Self {
        Self { ends: [0; 2], direction: Vec3::ZERO, scalars: Scalars::default() }
    }

    /// A spring stretched by `stretch` [m] along `direction`, from its first to its second end, of
    /// length 1 or 0; `softness` is told its effective mass.
    pub fn new(
        ends: [u32; 2],
        direction: Vec3,
        stretch: Real,
        h: Real,
        inverse_masses: &[Real],
        softness: impl Fn(Real) -> Softness,
    ) -> Self {
        let [a, b] = ends.map(|end| inverse_masses[end as usize]);
        let inverse = if direction == Vec3::ZERO { 0.0 } else { a + b };
        Self { ends, direction, scalars: Scalars::new(stretch, inverse, h, softness) }
    }

    /// As [`ConstraintRow::start`].
    ///
    /// # Safety
    /// Nobody else may use the velocities of its ends meanwhile.
    pub unsafe fn start(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: &mut Real) {
        // SAFETY: as promised.
        unsafe { self.apply(velocities, inverse_masses, |_| self.scalars.start(impulse)) };
    }

    /// As [`ConstraintRow::solve`].
    ///
    /// # Safety
    /// As for [`start`](Self::start).
    #[inline(always)]
    pub unsafe fn solve(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], impulse: &mut Real) {
        // SAFETY: as promised.
        unsafe { self.apply(velocities, inverse_masses, |rate| self.scalars.solve(rate, impulse)) };
    }

    /// Applies the impulse that `of` gives for the rate at which the spring grows [m/s].
    #[inline(always)]
    unsafe fn apply(&self, velocities: &Shared<Vec3>, inverse_masses: &[Real], of: impl FnOnce(Real) -> Real) {
        let [i, j] = self.ends.map(|end| end as usize);
        // SAFETY: the caller's promise; a vertex at a time.
        let [a, b] = unsafe { [*velocities.entry(i), *velocities.entry(j)] };
        let push = self.direction * of(self.direction.dot(b - a));
        // SAFETY: as above. Prescribed vertices have no inverse mass, and keep their velocity.
        unsafe {
            *velocities.entry(i) = a - push * inverse_masses[i];
            *velocities.entry(j) = b + push * inverse_masses[j];
        }
    }
}
