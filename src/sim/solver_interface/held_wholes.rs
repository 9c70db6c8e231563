//! Shift of connected parts that nothing prescribes as wholes, to where their
//! [potential](crate::sim::measure::Potential) is lowest, with contacts that are held by matrices.
//! Springs do not change in a shift, and inertia and contacts are quadratic: one linear equation.

use super::components::Components;
use super::freedom::NormalSum;
use crate::sim::{Cloth, Mat3, Real, StepInput, Vec3};

/// The parts, with memory.
#[derive(Debug, Default)]
pub struct HeldWholes {
    wholes: Vec<HeldWhole>,
}

/// Forces that move a connected part as a whole.
#[derive(Debug, Clone, Copy)]
struct HeldWhole {
    /// Stiffness of inertia and contacts [N/m].
    stiffness: Mat3,
    /// Total force [N].
    force: Vec3,
    normals: NormalSum,
    /// Displacement of the whole [m].
    shift: Vec3,
}

impl HeldWholes {
    /// Shifts each of the `parts` that nothing prescribes, in the directions that its contacts
    /// leave, from the positions `q` [m]. `target` is the inertial target [m]; both have an entry
    /// per vertex. `holds` has the matrix of each contact [N/m]. Returns the longest shift [m].
    pub fn balance(
        &mut self,
        parts: &Components,
        cloth: &Cloth,
        input: &StepInput,
        target: &[Vec3],
        holds: &[Mat3],
        q: &mut [Vec3],
    ) -> Real {
        let wholes = &mut self.wholes;
        let rate: Real = 1.0 / (input.dt * input.dt);
        wholes.clear();
        let normals = NormalSum::default();
        let nothing = HeldWhole { stiffness: Mat3::ZERO, force: Vec3::ZERO, normals, shift: Vec3::ZERO };
        wholes.resize(parts.count(), nothing);
        for (i, ((q, y), mass)) in q.iter().zip(target).zip(&cloth.masses).enumerate() {
            let whole = &mut wholes[parts.of(i)];
            whole.stiffness += Mat3::from_diagonal(Vec3::splat(mass * rate));
            whole.force += (*y - *q) * (mass * rate);
        }
        for (contact, hold) in input.contacts.iter().zip(holds) {
            let i = contact.vertex as usize;
            let whole = &mut wholes[parts.of(i)];
            whole.stiffness += *hold;
            whole.force += *hold * (contact.point - q[i]) + contact.impulse() / input.dt;
            whole.normals.add(contact.normal);
        }
        let mut longest: Real = 0.0;
        for (_, whole) in wholes.iter_mut().enumerate().filter(|(part, _)| parts.is_free(*part)) {
            whole.shift = whole.normals.freedom().solve(whole.stiffness, whole.force);
            longest = longest.max(whole.shift.length());
        }
        q.iter_mut().enumerate().for_each(|(i, q)| *q += wholes[parts.of(i)].shift);
        longest
    }
}
