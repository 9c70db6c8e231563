//! The linearised implicit step that several solvers share: `A dv = b` with
//!
//! ```text
//! A = M - h² Jˣ - h Jᵛ,   b = h F + h² Jˣ v,   Jᵛ_ij = c I, or c u uᵀ with damping along the springs
//! ```
//!
//! (Kang, algorithms 1 to 4, with the signs of `physics.md` section 2), kept as a 3×3 block per
//! spring and per vertex.

use crate::sim::contact::Contact;
use crate::sim::forces::SpringSum;
use crate::sim::forces::air::vertex_normals;
use crate::sim::forces::springs::{Blocks, SPRINGS, VERTICES, damping_block, damping_force, jacobian};
use crate::sim::pattern::Coefficients;
use crate::sim::{Cloth, Mat3, Pattern, Real, StepInput, Vec3};

/// The matrix `s M + Σ_e (a k J_e + c I)`, or with `c u uᵀ`, of a network of springs, as 3×3
/// blocks.
#[derive(Debug, Clone, Default)]
pub struct SpringBlocks {
    /// The block of each vertex with itself, one entry per vertex.
    pub diagonal: Vec<Mat3>,
    /// Minus the block between the ends of each spring, one entry per spring.
    pub couplings: Vec<Mat3>,
}

impl SpringBlocks {
    /// Computes the blocks at positions `x`, one entry per vertex [m], with the factors `s` of the
    /// masses, `a` of the Jacobians, and the weight `c` of the damping.
    #[expect(clippy::too_many_arguments, reason = "the terms of the formula")]
    pub fn compute(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        x: &[Vec3],
        blocks: Blocks,
        inertia: Real,
        elastic: Real,
        damping: Coefficients,
    ) {
        let StepInput { pattern, pool, .. } = *input;
        let springs = pattern.springs();
        let (stiffness, damping) = (input.material.stiffness_by_kind(pattern).on(pattern), damping.on(pattern));
        let law = input.material.damping_model;
        self.couplings.resize(springs.len(), Mat3::ZERO);
        pool.fill(&mut self.couplings, SPRINGS, |e| {
            let k = stiffness.at(e);
            if k == 0.0 {
                return Mat3::ZERO;
            }
            let [i, j] = springs.ends[e].map(|end| end as usize);
            let d = x[j] - x[i];
            jacobian(k, springs.rest_lengths[e], d, blocks) * elastic + damping_block(law, damping.at(e), d)
        });
        let couplings = &self.couplings;
        self.diagonal.resize(cloth.len(), Mat3::ZERO);
        pool.fill(&mut self.diagonal, VERTICES, |i| {
            let mass = Mat3::from_diagonal(Vec3::splat(inertia * cloth.masses[i]));
            neighbours(pattern, i).fold(mass, |sum, (e, _)| sum + couplings[e])
        });
    }
}

/// The blocks of the system.
#[derive(Debug, Clone, Default)]
pub struct Linearised {
    /// `A`, its couplings being `h² J_ij + h Jᵛ_ij` [kg].
    pub matrix: SpringBlocks,
    /// `b` [N·s], one entry per vertex.
    pub rhs: Vec<Vec3>,
    /// Spring forces [N], one entry per vertex.
    pub forces: Vec<Vec3>,
    springs: SpringSum,
}

impl Linearised {
    /// Adds the contacts of vertices that press on a collider.
    pub fn hold_contacts(&mut self, cloth: &Cloth, input: &StepInput) {
        for contact in input.contacts {
            let i = contact.vertex as usize;
            let (matrix, impulse) = contact_terms(contact, cloth, input);
            self.matrix.diagonal[i] += matrix;
            self.rhs[i] += impulse;
        }
    }

    /// Computes the blocks for a step from the state of `cloth`, without `h Jᵛ` unless the step is
    /// implicit in the damping.
    pub fn compute(&mut self, cloth: &Cloth, input: &StepInput, blocks: Blocks, implicit_damping: bool) {
        let StepInput { dt: h, pattern, external, pool, .. } = *input;
        let damping = damping_in_matrix(input, implicit_damping);
        self.matrix.compute(cloth, input, &cloth.positions, blocks, 1.0, h * h, damping.map(|c| h * c));
        self.springs.add_up_forces(pattern, input.material, cloth, &mut self.forces, pool);
        let (couplings, forces, damping) = (&self.matrix.couplings, &self.forces, damping.on(pattern));
        let (x, v, law) = (&cloth.positions, &cloth.velocities, input.material.damping_model);
        self.rhs.resize(cloth.len(), Vec3::ZERO);
        pool.fill(&mut self.rhs, VERTICES, |i| {
            let force = (forces[i] + external[i]) * h;
            // the couplings hold `h Jᵛ` as well, which is no part of `h² Jˣ v`
            neighbours(pattern, i).fold(force, |sum, (e, j)| {
                let relative = v[j] - v[i];
                let c = damping.at(e);
                sum + (couplings[e] * relative - damping_force(law, h * c, x[j] - x[i], relative))
            })
        });
    }
}

/// Damping whose derivative is in the matrix of a step, by kind [N·s/m]: that of the springs, or
/// none, as in algorithms 1 and 2 of Kang.
pub fn damping_in_matrix(input: &StepInput, is_implicit: bool) -> Coefficients {
    let damping = input.material.damping_by_kind(input.pattern);
    if is_implicit { damping } else { damping.map(|_| 0.0) }
}

/// The force of a contact, `W (b - x - h v⁺)`, and its load: the matrix `h² W` [kg], and the
/// impulse `h W (b - x - h v)` with that of the load [N·s].
pub fn contact_terms(contact: &Contact, cloth: &Cloth, input: &StepInput) -> (Mat3, Vec3) {
    let (h, i) = (input.dt, contact.vertex as usize);
    let hold = input.hold(contact, cloth.masses[i]);
    let gap = contact.point - cloth.positions[i] - cloth.velocities[i] * h;
    (hold * (h * h), hold * gap * h + contact.impulse())
}

/// Writes the normals that the preconditioner of an implicit step takes as soft to `normals`, one
/// per vertex, of unit length or zero: those of the cloth at the positions `q` [m], and where a
/// contact slides, as its matrix in `holds` says, the direction in which it holds.
pub fn frame_normals(input: &StepInput, holds: &[Mat3], q: &[Vec3], normals: &mut Vec<Vec3>) {
    vertex_normals(input.pattern, q, normals);
    for (contact, hold) in input.contacts.iter().zip(holds) {
        if !contact.sticks(hold) {
            normals[contact.vertex as usize] = contact.normal;
        }
    }
}

/// The springs of vertex `i` with the vertices at their other ends.
pub fn neighbours(pattern: &Pattern, i: usize) -> impl Iterator<Item = (usize, usize)> {
    pattern.neighbours().of_vertex(i as u32).iter().map(|&(spring, other)| (spring as usize, other as usize))
}

/// Writes to `change` the change of velocity over the step [m/s] that is known beforehand: that of
/// prescribed vertices; zero for free ones.
pub fn prescribed_changes(cloth: &Cloth, input: &StepInput, change: &mut Vec<Vec3>) {
    change.clear();
    change.resize(cloth.len(), Vec3::ZERO);
    for prescribed in &input.partition.prescribed {
        let i = prescribed.vertex as usize;
        change[i] = prescribed.velocity - cloth.velocities[i];
    }
}

/// Ends a step: `v⁺ = v + dv`, `x⁺ = x + h v⁺` for the free vertices. `change` has an entry per
/// vertex.
pub fn apply_changes(cloth: &mut Cloth, input: &StepInput, change: impl Fn(usize) -> Vec3) {
    let h: Real = input.dt;
    for &vertex in &input.partition.free {
        let i = vertex as usize;
        cloth.velocities[i] += change(i);
        cloth.positions[i] += cloth.velocities[i] * h;
    }
}
