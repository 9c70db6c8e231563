//! Schemes of second order as steps of implicit Euler (`physics.md` section 3.1).
//!
//! ```text
//! y = x̂ + γ v̂ + γ² M⁻¹ f,   w = (q - x̂)/γ
//! q = argmin 1/(2γ²) Σ m |q - y|² + U(q) + c/(2γ) Σ |(q_j - q_i) - (x̂_j - x̂_i)|²
//!
//! BDF2, r = h/h₋:   x̂ = ((1+r)² x - r² x₋)/(1+2r), v̂ likewise,   γ = h (1+r)/(1+2r)
//!                   x⁺ = q,   v⁺ = w
//! θ:                x̂ = x, v̂ = v,   γ = θ h
//!                   x⁺ = x + (q - x)/θ,   v⁺ = v + (w - v)/θ
//! ```
//!
//! Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, section III.5, for BDF2
//! with steps of any length. So a solver that minimises needs no knowledge of the scheme: it is
//! given a step of `γ` from `(x̂, v̂)`, and its energy, matrix and damping are those of the scheme.
//! The air, which depends on velocities, is extrapolated from the last two steps to the time at
//! which forces balance.
//!
//! If a solver holds a vertex at a surface, both schemes would let it bounce: its velocity is that
//! of its displacement, `(x⁺ - x)/h`, as in implicit Euler.

use super::input::StepInput;
use crate::sim::contact::Contact;
use crate::sim::model::partition::{Partition, Prescribed, SoftPin};
use crate::sim::state::PreviousStep;
use crate::sim::step::timing::Rule;
use crate::sim::{Cloth, Real, Vec3};

/// The force of the air is extrapolated by at most this share of it. A wind that rises at once, or
/// a vertex that is stopped, is no trend; and drag that could use up a whole velocity within the
/// step must not throw the vertex back faster.
const MOST_EXTRAPOLATED: Real = 0.5;

/// By how much longer a step may be than allowed, for rounding.
const ROUNDING: Real = 1e-9;

/// A step as its solver is given it, and the way back.
#[derive(Debug, Default)]
pub struct SchemeStep {
    /// None where the solver is given the step as it is.
    way: Option<Way>,
    /// Positions [m] and velocities [m/s] at the start of the step, and those that the solver came
    /// to.
    start: [Vec<Vec3>; 2],
    solved: [Vec<Vec3>; 2],
    partition: Partition,
    external: Vec<Vec3>,
    air: Vec<Vec3>,
    contacts: Vec<Contact>,
}

#[derive(Debug, Clone, Copy)]
struct Way {
    /// Length of the step and of the one that is solved [s].
    dt: Real,
    gamma: Real,
    /// Share of the way at which forces balance: 1 for BDF2.
    theta: Real,
    /// The same share of the length for which a preconditioner is factored, for steps of any ratio.
    nominal: Real,
}

impl SchemeStep {
    /// The longest step, as a multiple of the last one, that is not one of implicit Euler: beyond
    /// `1 + √2` BDF2 is unstable. One that is taken only to be compared may be longer.
    pub const LONGEST: Real = 2.0;

    /// Begins the step of `input` by `rule`: brings `cloth` to where its solver is to start. `air`
    /// is the force of the air in the external forces [N], empty where there is none, and `longest`
    /// the largest ratio of the step to the last one.
    pub fn begin(
        &mut self,
        rule: Rule,
        previous: &PreviousStep,
        cloth: &mut Cloth,
        input: &StepInput,
        air: &[Vec3],
        longest: Real,
    ) {
        self.way = None;
        if rule == Rule::Own {
            return;
        }
        let h = input.dt;
        self.start[0].clone_from(&cloth.positions);
        self.start[1].clone_from(&cloth.velocities);
        let last = previous.of(cloth).filter(|last| h <= (longest + ROUNDING) * last.step);
        let way = match (rule, last) {
            (Rule::Theta(theta), _) => Way { dt: h, gamma: theta * h, theta, nominal: theta },
            (Rule::Bdf2, Some(last)) if last.positions.len() == cloth.len() => {
                let r = h / last.step;
                let share = 1.0 / (1.0 + 2.0 * r);
                let (now, before) = ((1.0 + r) * (1.0 + r) * share, r * r * share);
                for i in 0..cloth.len() {
                    let (x, v) = (&mut cloth.positions[i], &mut cloth.velocities[i]);
                    let faster = *v - last.left[i];
                    let earlier = if input.partition.is_free(i as u32) && faster != Vec3::ZERO {
                        [last.positions[i] - faster * last.step, last.velocities[i] + faster]
                    } else {
                        [last.positions[i], last.velocities[i]]
                    };
                    *x = *x * now - earlier[0] * before;
                    *v = *v * now - earlier[1] * before;
                }
                Way { dt: h, gamma: h * ((1.0 + r) * share), theta: 1.0, nominal: 2.0 / 3.0 }
            }
            _ => return,
        };
        self.way = Some(way);
        self.extrapolate(last.map(|last| (&last.air[..], way.theta * h / last.step)), input, air);
        self.set_partition(way, cloth, input.partition);
        self.set_contacts(way, input, cloth);
    }

    /// External forces with the air where forces balance: `f + s (f - f₋)`, with the forces of the
    /// last step and `s`.
    fn extrapolate(&mut self, last: Option<(&[Vec3], Real)>, input: &StepInput, air: &[Vec3]) {
        let Self { external, air: own, .. } = self;
        external.clear();
        external.extend_from_slice(input.external);
        own.clear();
        own.extend_from_slice(air);
        let Some((before, share)) = last.filter(|(before, _)| before.len() == air.len()) else { return };
        for ((external, own), before) in external.iter_mut().zip(own).zip(before) {
            let more = ((*own - *before) * share).clamp_length_max(MOST_EXTRAPOLATED * own.length());
            *external += more;
            *own += more;
        }
    }

    /// Prescribed vertices, and the ends of springs that hold others, go the same share of their
    /// way; prescribed ones from where `cloth` has them now.
    fn set_partition(&mut self, way: Way, cloth: &Cloth, of: &Partition) {
        let Partition { free, unknown_of, prescribed, soft, .. } = &mut self.partition;
        soft.clear();
        let back = (1.0 - way.theta) * way.dt;
        soft.extend(of.soft.iter().map(|pin| SoftPin { point: pin.point - pin.velocity * back, ..*pin }));
        free.clone_from(&of.free);
        unknown_of.clone_from(&of.unknown_of);
        prescribed.clear();
        prescribed.extend(of.prescribed.iter().map(|end| {
            let i = end.vertex as usize;
            let x = self.start[0][i];
            let position = if way.theta < 1.0 { x + (end.position - x) * way.theta } else { end.position };
            Prescribed { vertex: end.vertex, position, velocity: (position - cloth.positions[i]) / way.gamma }
        }));
    }

    /// The half-space in which a vertex has to end the step is one in which it has to be where
    /// forces balance.
    fn set_contacts(&mut self, way: Way, input: &StepInput, cloth: &Cloth) {
        let Way { dt, gamma, theta, .. } = way;
        let solved = StepInput { dt: gamma, ..*input };
        self.contacts.clear();
        self.contacts.extend(input.contacts.iter().map(|contact| {
            let i = contact.vertex as usize;
            let (x, mass) = (self.start[0][i], cloth.masses[i]);
            let point = if theta < 1.0 { x + (contact.point - x) * theta } else { contact.point };
            // the same force after another way
            let drag = contact.drag.map(|drag| drag / theta);
            let load_share = contact.load_share.map(|mut load_share| {
                let stiffer = solved.contact_weight(contact.vertex, mass) / input.contact_weight(contact.vertex, mass);
                load_share.load /= stiffer;
                load_share.impulse *= gamma / dt;
                load_share
            });
            Contact { point, motion: contact.motion * (gamma / dt), drag, load_share, ..*contact }
        }));
    }

    /// Whether the solver is given another step than that of `input`.
    #[must_use]
    pub fn is_another(&self) -> bool {
        self.way.is_some()
    }

    /// The step that the solver is given.
    #[must_use]
    pub fn input<'a>(&'a self, input: StepInput<'a>) -> StepInput<'a> {
        let Some(Way { gamma, nominal, .. }) = self.way else { return input };
        StepInput {
            dt: gamma,
            preconditioner_dt: input.preconditioner_dt * nominal,
            partition: &self.partition,
            external: &self.external,
            contacts: &self.contacts,
            ..input
        }
    }

    /// The force of the air [N] in the step that the solver is given, if that is another one.
    #[must_use]
    pub fn air(&self) -> Option<&[Vec3]> {
        self.way.map(|_| &self.air[..])
    }

    /// The time over which the velocity changes from that of the step that the solver is given to
    /// that of the end [s], if that is another one.
    #[must_use]
    pub fn span(&self) -> Option<Real> {
        self.way.map(|way| way.gamma / way.theta)
    }

    /// Puts the prescribed vertices where forces balance.
    pub fn place_prescribed(&self, cloth: &mut Cloth) {
        for held in &self.partition.prescribed {
            cloth.positions[held.vertex as usize] = held.position;
            cloth.velocities[held.vertex as usize] = held.velocity;
        }
    }

    /// Brings `cloth` from where its solver has left it to the end of the step.
    pub fn arrive(&self, cloth: &mut Cloth) {
        let Some(Way { dt, theta, .. }) = self.way else { return };
        let [from, before] = &self.start;
        if theta < 1.0 {
            for &vertex in &self.partition.free {
                let i = vertex as usize;
                let (x, v) = (&mut cloth.positions[i], &mut cloth.velocities[i]);
                *x = from[i] + (*x - from[i]) / theta;
                *v = before[i] + (*v - before[i]) / theta;
            }
        }
        for contact in &self.contacts {
            let i = contact.vertex as usize;
            cloth.velocities[i] = (cloth.positions[i] - from[i]) / dt;
        }
    }

    /// Notes the state that the solver came to, for [`end`](Self::end).
    pub fn note_solved(&mut self, rule: Rule, cloth: &Cloth) {
        if rule == Rule::Bdf2 {
            self.solved[0].clone_from(&cloth.positions);
            self.solved[1].clone_from(&cloth.velocities);
        }
    }

    /// Keeps the step of `dt` [s] by `rule` for the next one. `cloth` is the state at its end,
    /// `partition`, `contacts` and `air` are those that it was begun with.
    pub fn end(
        &mut self,
        (rule, dt): (Rule, Real),
        previous: &mut PreviousStep,
        cloth: &Cloth,
        partition: &Partition,
        contacts: &[Contact],
        air: &[Vec3],
    ) {
        if rule == Rule::Own || partition.free.is_empty() || (rule != Rule::Bdf2 && air.is_empty()) {
            previous.forget();
            return;
        }
        previous.keep_air(dt, air);
        if rule == Rule::Bdf2 {
            let held = |i: usize| contacts.binary_search_by_key(&(i as u32), |contact| contact.vertex).is_ok();
            previous.keep(dt, [&mut self.start, &mut self.solved], cloth, partition, held);
        } else {
            previous.forget_states();
        }
    }
}
