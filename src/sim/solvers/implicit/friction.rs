//! The friction of contacts in a step that is one linear solve.
//!
//! Whether a contact sticks, and how fast it slides, is found from the start of the step. Where a
//! cloth begins to slide, its speed at the end is a multiple of that at the start, and the drag of
//! the start is as many times more than Coulomb's friction. So where a part has too much friction
//! after the solve, the step is solved again with the friction at that solution, up to five times: a
//! contact that begins to slide loads the next one.

use crate::sim::solver::Components;
use crate::sim::{Cloth, Mat3, Real, StepInput, Vec3};

/// Friction beyond Coulomb's limit that a connected part may have, as a share of the outer forces on
/// it. A strip over a rod slips if it has 3 % or less; a lack of friction lasts a step.
const EXCESS: Real = 0.03;
/// Most corrections of friction in a step.
pub const CORRECTIONS: u32 = 5;

/// See the module.
#[derive(Debug, Default)]
pub struct Friction {
    /// The matrix of each contact [N/m].
    holds: Vec<Mat3>,
    corrected: Vec<Mat3>,
    parts: Components,
    /// For each connected part the friction beyond its limit and the sum of the outer forces [N].
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

    /// Corrects the friction for the changes of velocity `change(vertex)` [m/s]. If there was too much
    /// of it, calls `add` with the vertex of each contact, and with the additions to its block of
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
        input.correct_friction(&cloth.masses, corrected, q, |i, excess| {
            wrong[parts.of(i)][0] += excess.max(0.0);
        });
        input.external.iter().enumerate().for_each(|(i, load)| wrong[parts.of(i)][1] += load.length());
        // a correction of one part must not change another
        let corrects = |vertex: usize| {
            let [excess, loads] = wrong[parts.of(vertex)];
            excess > EXCESS * loads
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
