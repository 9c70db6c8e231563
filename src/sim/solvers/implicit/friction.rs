//! The friction of contacts in a step that is one linear solve.
//!
//! Whether a contact sticks, and how fast it slides, is found from the start of the step. Where a
//! cloth begins to slide, its speed at the end is a multiple of that at the start, and the drag of
//! the start is as many times more than Coulomb's friction. So where much of the friction of a part
//! is wrong after the solve, the step is solved once more with the friction at the first solution.

use crate::sim::solver_interface::Components;
use crate::sim::{Cloth, Mat3, Real, StepInput, Vec3};

/// Friction of a connected part that may be wrong, as a share of the outer forces on it.
const WRONG_FRICTION: Real = 0.3;

/// See the module.
#[derive(Debug, Default)]
pub struct Friction {
    /// The matrix of each contact [N/m].
    holds: Vec<Mat3>,
    corrected: Vec<Mat3>,
    parts: Components,
    /// For each connected part the friction that is wrong and the sum of the outer forces [N].
    wrong: Vec<[Real; 2]>,
}

impl Friction {
    /// The contacts as they were found.
    pub fn begin(&mut self, cloth: &Cloth, input: &StepInput) {
        self.holds.clear();
        self.holds.extend(input.holds(&cloth.masses));
    }

    /// The matrix of each contact [N/m].
    pub fn holds(&self) -> &[Mat3] {
        &self.holds
    }

    /// Contributions of the contacts to the matrix of the system [kg], by rising vertex.
    pub fn blocks(&self, input: &StepInput) -> impl Iterator<Item = (u32, Mat3)> {
        let scale = input.dt * input.dt;
        input.contacts.iter().zip(&self.holds).map(move |(contact, hold)| (contact.vertex, *hold * scale))
    }

    /// Corrects the friction for the changes of velocity `change(vertex)` [m/s]. If much of it was
    /// wrong, calls `add` with the vertex of each contact, and with the additions to its block of
    /// the matrix [kg] and to the right-hand side [N·s].
    pub fn correct(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        change: impl Fn(usize) -> Vec3,
        mut add: impl FnMut(usize, Mat3, Vec3),
    ) -> bool {
        if input.contacts.is_empty() {
            return false;
        }
        let h = input.dt;
        let Self { holds, corrected, parts, wrong } = self;
        corrected.clone_from(holds);
        let ahead = |i: usize| cloth.positions[i] + cloth.velocities[i] * h;
        parts.update(input);
        wrong.clear();
        wrong.resize(parts.count(), [0.0; 2]);
        let q = |i: usize| ahead(i) + change(i) * h;
        input.correct_friction(&cloth.masses, corrected, q, |i, friction| wrong[parts.of(i)][0] += friction);
        input.external.iter().enumerate().for_each(|(i, load)| wrong[parts.of(i)][1] += load.length());
        // a correction of one part must not change another
        let corrects = |vertex: usize| {
            let [friction, loads] = wrong[parts.of(vertex)];
            friction > WRONG_FRICTION * loads
        };
        if !input.contacts.iter().any(|contact| corrects(contact.vertex as usize)) {
            return false;
        }
        for ((contact, hold), corrected) in input.contacts.iter().zip(&*holds).zip(&mut *corrected) {
            let i = contact.vertex as usize;
            if !corrects(i) {
                *corrected = *hold;
            }
            let difference = *corrected - *hold;
            add(i, difference * (h * h), difference * (contact.point - ahead(i)) * h);
        }
        std::mem::swap(holds, corrected);
        true
    }
}
