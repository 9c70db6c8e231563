//! Start of the iterations: the inertial target, or the positions before the step; of accelerated
//! ones the force-free position `x + h v` instead of the target if the energy is lower there.
//!
//! Bouaziz et al. 2014, section 3: from the target few iterations damp less than from the positions
//! before the step, since a motion that no constraint resists is there from the start.
//!
//! The target lies `h² f_ext/m` from a cloth that hangs or lies, and all its springs are stretched
//! there. At the force-free position they are nearly as long as before: the springs of such a cloth
//! balance the other forces, and it hardly accelerates. In free fall the target is the solution.
//! A vertex that slides does not leave the surface there, as it would along the tangent of a round
//! one.
//! Both follow from the state alone, so nothing is carried from step to step.

use super::{LocalGlobal, PLACES, Weights};
use crate::sim::contact::Contact;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Cloth, StepInput, Vec3};

crate::choices! {
    /// Where the iterations of a step start.
    pub enum Start {
        /// The inertial target: where the cloth would be without its constraints.
        Target = "target",
        /// The positions before the step: few iterations damp more.
        Last = "last",
    }
}

impl LocalGlobal {
    /// Takes `q`, which is the inertial target and for which iterations have begun, back to where
    /// the cloth would go without any force, if the energy is lower there.
    pub(super) fn hold_back(&mut self, cloth: &Cloth, input: &StepInput, weights: &Weights, pool: &ThreadPool) {
        let Self { system, prescribed, descent, q, contacts, .. } = self;
        let Some(system) = system else { return };
        let vertex_of = &system.symbolic().vertex_of;
        let h = input.dt;
        let fall = |place: usize| {
            let i = vertex_of[place] as usize;
            // a contact force has never been added
            let pressed = input.pressed.get(i).copied().unwrap_or(Vec3::ZERO);
            F64x4::from_vec3((pressed - input.external[i]) * (h * h / cloth.masses[i]))
        };
        pool.fill(&mut descent.way, PLACES, fall);
        prescribed.iter().for_each(|held| descent.way[held.0 as usize] = F64x4::ZERO);
        let slides = |contact: &Contact| contact.drag.is_some() && !contact.pushes();
        for (place, _, contact) in contacts.iter().filter(|(_, _, contact)| slides(contact)) {
            let way = &mut descent.way[*place as usize];
            let there = (q[*place as usize] + *way).to_vec3();
            let away = contact.normal.dot(there - contact.point).max(0.0);
            *way = *way - F64x4::from_vec3(contact.normal * away);
        }
        let way = &descent.way;
        pool.fill(&mut descent.trial, PLACES, |place| q[place] + way[place]);
        system.multiply(way, &mut descent.residual, pool);
        let proposal = descent.history.look(way, &descent.residual, [&descent.image, &self.constant], pool);
        let gain = self.judge(cloth, weights, &proposal, 1.0, pool);
        if gain.decrease > gain.rounding {
            let descent = &mut self.descent;
            std::mem::swap(&mut self.q, &mut descent.trial);
            let moved = &descent.residual;
            pool.update(&mut descent.image, PLACES, |place, image| *image = *image + moved[place]);
            descent.beyond = gain.beyond;
            // errors stay relative to the target
            descent.progress.gained = gain.decrease;
        } else {
            self.descent.beyond = self.project_and_measure(weights, pool);
        }
    }
}
