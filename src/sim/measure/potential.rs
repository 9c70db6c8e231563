//! The incremental potential: what one step of implicit Euler minimises.
//!
//! ```text
//! E(q) = 1/(2h²) Σ m |q - y|² + Σ ½ k (|q_j - q_i| - L)² + c/(2h) Σ |(q_j - q_i) - (x_j - x_i)|² + ½ B qᵀ Q q
//! ```
//!
//! `physics.md` section 3, after Liu et al. 2013. With damping along the springs the last term is
//! `c/(2h) Σ (l - l₀)²`, where `l₀` is the length of the spring at the start of the step: a spring
//! like the elastic one, so that its force is along the spring where the step ends, as that of the
//! elastic one is, and takes no angular momentum. The last term is there where bending is isometric
//! ([`crate::sim::forces::bending`]); a membrane of triangles adds its energy
//! ([`crate::sim::forces::membrane`]). Soft pins add `½ w |q - p|²`, contacts
//! `½ (b - q)ᵀ W (b - q)` and the work of the loads that vertices carry.

use crate::sim::forces::springs::{add_membrane_forces, direction};
use crate::sim::forces::{SpringSum, membrane};
use crate::sim::model::material::DampingModel;
use crate::sim::{Cloth, Mat3, Real, StepInput, Vec3};

/// The incremental potential of a step from the state of `cloth`.
#[derive(Clone, Copy)]
pub struct Potential<'a> {
    /// The state at the start of the step.
    pub cloth: &'a Cloth,
    /// The step.
    pub input: &'a StepInput<'a>,
    /// Inertial target `y`, one entry per vertex [m].
    pub target: &'a [Vec3],
    /// For each contact of the step the matrix `W` [N/m] that holds it; empty to leave contacts
    /// out.
    pub holds: &'a [Mat3],
}

impl Potential<'_> {
    /// `E(q)` [J] of the step of `input` from the state of `cloth`, with its contacts held as in a
    /// matrix.
    #[must_use]
    pub fn of_step(cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Real {
        let holds: Vec<Mat3> = input.holds(&cloth.masses).collect();
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        Potential { cloth, input, target: &target, holds: &holds }.value(q)
    }

    /// `E(q)` [J]; `q` has an entry per vertex [m].
    #[must_use]
    pub fn value(&self, q: &[Vec3]) -> Real {
        let mut sum = 0.0;
        self.add_up(q, |_, energy| sum += energy);
        sum
    }

    /// Calls `add` with every term of `E(q)` [J] and a vertex that it depends on; `q` has an entry
    /// per vertex [m].
    pub fn add_up(&self, q: &[Vec3], mut add: impl FnMut(usize, Real)) {
        let Self { cloth, input, target, holds } = self;
        let h = input.dt;
        for &vertex in &input.partition.free {
            let i = vertex as usize;
            add(i, cloth.masses[i] / (2.0 * h * h) * q[i].distance_squared(target[i]));
        }
        let springs = input.pattern.springs();
        let law = input.material.damping_model;
        let stiffness = input.material.stiffness_by_kind(input.pattern).on(input.pattern);
        let damping = input.material.damping_by_kind(input.pattern).on(input.pattern);
        for (e, &[i, j]) in springs.ends.iter().enumerate() {
            let (k, c) = (stiffness.at(e), damping.at(e));
            if k > 0.0 {
                let (i, j) = (i as usize, j as usize);
                let d = q[j] - q[i];
                let stretch = d.length() - springs.rest_lengths[e];
                let before = cloth.positions[j] - cloth.positions[i];
                let moved = match law {
                    DampingModel::Isotropic => d.distance_squared(before),
                    DampingModel::AlongSpring => (d.length() - before.length()).powi(2),
                };
                add(i, 0.5 * k * stretch * stretch + c / (2.0 * h) * moved);
            }
        }
        membrane::energies(input.pattern, input.material, q).for_each(|(vertex, energy)| add(vertex as usize, energy));
        let bending = input.material.isometric_stiffness();
        if bending > 0.0 {
            input.bending.energies(q).for_each(|(vertex, energy)| add(vertex as usize, bending * energy));
        }
        for pin in &input.partition.soft {
            let i = pin.vertex as usize;
            let (weight, point) = pin.in_step(cloth.positions[i], h);
            add(i, 0.5 * weight * q[i].distance_squared(point));
        }
        for (contact, hold) in input.contacts.iter().zip(*holds) {
            let i = contact.vertex as usize;
            let gap = contact.point - q[i];
            let load = contact.impulse() / h;
            add(i, 0.5 * gap.dot(*hold * gap) - load.dot(q[i]));
        }
    }

    /// Writes `-∂E/∂q`, the force that is still unbalanced, to `force`, one entry per vertex [N];
    /// zero at prescribed vertices.
    pub fn descent(&self, q: &[Vec3], springs: &mut SpringSum, force: &mut Vec<Vec3>) {
        let Self { cloth, input, target, holds } = self;
        let h = input.dt;
        let StepInput { pool, .. } = **input;
        let pattern = input.pattern.springs();
        let law = input.material.damping_model;
        let stiffness = input.material.stiffness_by_kind(input.pattern).on(input.pattern);
        let damping = input.material.damping_by_kind(input.pattern).on(input.pattern);
        springs.add_up(input.pattern, force, pool, |e| {
            let (k, c) = (stiffness.at(e), damping.at(e));
            if k == 0.0 {
                return Vec3::ZERO;
            }
            let [i, j] = pattern.ends[e].map(|end| end as usize);
            let d = q[j] - q[i];
            let before = cloth.positions[j] - cloth.positions[i];
            let u = direction(d);
            let moved = match law {
                DampingModel::Isotropic => d - before,
                DampingModel::AlongSpring => u * (d.length() - before.length()),
            };
            u * (k * (d.length() - pattern.rest_lengths[e])) + moved * (c / h)
        });
        add_membrane_forces(input.pattern, input.material, q, force, pool);
        let bending = input.material.isometric_stiffness();
        if bending > 0.0 {
            pool.update(force, 512, |i, force| *force -= input.bending.apply(i, q) * bending);
        }
        for prescribed in &input.partition.prescribed {
            force[prescribed.vertex as usize] = Vec3::ZERO;
        }
        for &vertex in &input.partition.free {
            let i = vertex as usize;
            force[i] += (target[i] - q[i]) * (cloth.masses[i] / (h * h));
        }
        for pin in &input.partition.soft {
            let i = pin.vertex as usize;
            let (weight, point) = pin.in_step(cloth.positions[i], h);
            force[i] += (point - q[i]) * weight;
        }
        for (contact, hold) in input.contacts.iter().zip(*holds) {
            let i = contact.vertex as usize;
            force[i] += *hold * (contact.point - q[i]) + contact.impulse() / h;
        }
    }
}
