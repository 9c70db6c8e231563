//! Contact rows of cloth on cloth, and the contact forces carried from step to step (`physics.md`
//! sections 11 and 13).
//!
//! The solver of a step gets the contact forces of the last step as external forces; the contact
//! solver adds the missing force and removes the excess. At rest the proposal of the solver is in
//! balance with the contacts (Uzawa's iteration, one per step).
//!
//! Along the normal the solver gets a running mean, with the gain `κ`, of the forces of this step
//! and the last: an impact, which lasts one step, is no force on the next. With a share `α` of an
//! approach corrected per step and a share `ρ` of a lack of distance recovered, it comes to rest if
//! `α (1 + κ)(κ + ρ) > κ ρ` (Routh's criterion for small `α`). Friction recovers no distance
//! (`ρ = 0`), is stable for any `κ`, and is passed on unchanged, within the limit by the mean: a
//! mean of friction would act on cloth that has separated, turned or stopped.
//!
//! Position-based solvers take the rows among their constraints instead, for the pairs that inertia
//! and external forces would bring near each other.

use super::ContactStep;
use super::layer_contact::{LayerContact, Pressing};
use super::layer_force::LayerForce;
use super::making::{Candidate, Making};
use super::nearness::crosses;
use super::pair::Pair;
use super::pushed::PushedVertices;
use super::pushing::Pushing;
use crate::sim::exec::batches::NONE;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::{Real, Vec3};

/// Reach of near pairs, as a multiple of the cloth-cloth distance: a pair that is pushed apart
/// brings others closer.
pub(super) const REACH: Real = 1.9;
/// Rows per task.
const CONTACTS: usize = 1024;
/// Largest speed of recovery from a lack of distance [m/s].
const RECOVERY_SPEED: Real = 0.05;

/// Distance and friction of cloth-cloth contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerSettings {
    /// Cloth-cloth distance [m].
    pub distance: Real,
    /// Coulomb friction coefficient of cloth on cloth.
    pub friction: Real,
}

/// Gain of the running mean of contact forces, per step.
const GAIN: Real = 0.3;

/// The rows, with their memory.
#[derive(Debug, Default)]
pub(super) struct Layers {
    candidates: Vec<Candidate>,
    pub contacts: Vec<LayerContact>,
    /// Whether a solver has solved them among its constraints.
    pub solved: bool,
    /// Contact forces of this step, sorted by pairs, and of the step before.
    pub forces: Vec<LayerForce>,
    last: Vec<LayerForce>,
    /// Number of pressing rows up to the end of each part.
    ends: Vec<usize>,
}

impl Layers {
    /// Drops the rows of the last step.
    pub fn clear(&mut self) {
        self.solved = false;
        self.contacts.clear();
        self.candidates.clear();
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Gives `pushing` the rows of the pairs in `found`, which are near after a step to `proposed`
    /// [m], and of those that pressed in the last step. `pieces` names the component of each
    /// vertex.
    pub fn begin(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &mut [Pair],
        proposed: &[Vec3],
        (pushing, vertices): (&mut Pushing, &mut PushedVertices),
    ) {
        self.gather(found, true);
        let making = self.making(step, pieces, proposed, RECOVERY_SPEED * step.dt);
        pushing.make(step, making, &self.candidates, vertices);
    }

    /// Builds the rows of the pairs in `found`, which would be near after a step to `predicted`
    /// [m], for a solver that takes them as constraints. They start from the forces of the last
    /// step. Returns false, without rows, if a pair would pass through itself: that is an impact.
    pub fn constrain(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &mut [Pair],
        predicted: &[Vec3],
        vertices: &PushedVertices,
    ) -> bool {
        self.clear();
        if found.iter().any(|pair| crosses(pair, &pair.corners(step.before), &pair.corners(predicted))) {
            // the solver was given no forces, so there is nothing to take back
            self.forces.clear();
            return false;
        }
        self.gather(found, false);
        self.make(step, pieces, predicted, RECOVERY_SPEED * step.dt, vertices);
        true
    }

    /// Merges the pairs in `found` with the forces of the last step, sorted; with `all` also the
    /// pairs with a force that are not in `found`.
    fn gather(&mut self, found: &mut [Pair], all: bool) {
        let Self { candidates, forces, .. } = self;
        candidates.clear();
        found.sort_unstable();
        let mut pressed = (0..).zip(&*forces).map(|(at, force)| Candidate { pair: force.pair(), at }).peekable();
        for pair in found {
            while let Some(other) = pressed.next_if(|other| other.pair < *pair) {
                if all {
                    candidates.push(other);
                }
            }
            let same = pressed.next_if(|other| other.pair == *pair);
            candidates.push(same.unwrap_or(Candidate { pair: *pair, at: NONE }));
        }
        if all {
            candidates.extend(pressed);
        }
    }

    /// Input of rows in a step to `proposed` [m] with at most `recovery` [m] per step.
    fn making<'a>(
        &'a self,
        step: &ContactStep<'a>,
        pieces: &'a [u32],
        proposed: &'a [Vec3],
        recovery: Real,
    ) -> Making<'a> {
        let ContactStep { settings, pattern, before, dt, .. } = *step;
        let (rest, forces, squared) = (pattern.rest_positions(), &self.forces[..], dt * dt);
        let (candidates, x, q) = (&self.candidates[..], &[][..], &[][..]);
        Making {
            distance: settings.distance,
            friction: settings.friction,
            pieces,
            rest,
            before,
            proposed,
            recovery,
            forces,
            squared,
            x,
            q,
            candidates,
        }
    }

    /// Builds the rows of the candidates, with at most `recovery` [m] per step.
    fn make(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        proposed: &[Vec3],
        recovery: Real,
        vertices: &PushedVertices,
    ) {
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.resize(self.candidates.len(), LayerContact::idle(&Pair::NONE));
        let making = Making { q: &vertices.q, ..self.making(step, pieces, proposed, recovery) };
        step.pool.change(Shared::new(&mut contacts), CONTACTS, |range, contacts| making.contacts(range, contacts));
        self.contacts = contacts;
    }

    /// Takes the rows back as a solver has left them.
    pub fn take(&mut self, contacts: &[LayerContact]) {
        contacts.clone_into(&mut self.contacts);
        self.solved = true;
    }

    /// Builds the rows of those `found` pairs that pass through themselves in a step to `proposed`
    /// [m], without warm start.
    pub fn take_passing(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &[Pair],
        proposed: &[Vec3],
        vertices: &PushedVertices,
    ) {
        let passing = |pair: &&Pair| crosses(pair, &pair.corners(step.before), &pair.corners(proposed));
        let candidate = |pair: &Pair| Candidate { pair: *pair, at: NONE };
        self.candidates.clear();
        self.candidates.extend(found.iter().filter(passing).map(candidate));
        self.candidates.sort_unstable_by_key(|candidate| candidate.pair);
        self.make(step, pieces, proposed, 0.0, vertices);
    }

    /// Stores the contact forces of a step of `dt` [s], with the `friction` coefficient.
    pub fn note_forces(&mut self, pushing: &Pushing, friction: Real, (dt, pool): (Real, &ThreadPool)) {
        let Self { candidates, contacts, solved, forces, last, ends } = self;
        std::mem::swap(forces, last);
        let (candidates, contacts, last, solved) = (&candidates[..], &contacts[..], &last[..], *solved);
        let of_contact = |number: usize| contacts.get(number).and_then(LayerContact::pressing);
        let presses = |number: &usize| if solved { of_contact(*number).is_some() } else { pushing.presses(*number) };
        let pressing = |number: usize| if solved { of_contact(number) } else { pushing.pressing(number) };
        let range = |part: usize| part * CONTACTS..candidates.len().min((part + 1) * CONTACTS);
        ends.clear();
        ends.resize(candidates.len().div_ceil(CONTACTS), 0);
        pool.fill(ends, 1, |part| range(part).filter(presses).count());
        let mut sum = 0;
        for end in &mut *ends {
            sum += *end;
            *end = sum;
        }
        let nothing = LayerForce { vertices: [0; 4], first: 1, force: Vec3::ZERO, lasting: Vec3::ZERO };
        forces.resize(sum, nothing);
        let (rows, ends) = (Shared::new(forces), &ends[..]);
        pool.for_parts(ends.len(), 1, |parts| {
            for part in parts {
                let start = if part == 0 { 0 } else { ends[part - 1] };
                // SAFETY: the rows of different parts do not overlap, and each is written once
                let mut row = unsafe { rows.part(start..ends[part]) }.iter_mut();
                for number in range(part) {
                    let Candidate { pair, at } = &candidates[number];
                    if let Some(pressing) = pressing(number)
                        && let Some(entry) = row.next()
                    {
                        *entry = force(pair, &pressing, last.get(*at as usize), friction, dt);
                    }
                }
            }
        });
    }
}

/// Contact force of a row in a step of `dt` [s], and the part of it for the next solver: along the
/// normal a running mean with the force of the step before, and friction within the limit by the
/// mean. `before` is the force of the step before.
fn force(pair: &Pair, pressing: &Pressing, before: Option<&LayerForce>, friction: Real, dt: Real) -> LayerForce {
    let Pressing { normal, along, across } = *pressing;
    let of_last = |force: Vec3| normal.dot(force * (dt * dt)).max(0.0);
    let (given, pressed) = before.map_or((0.0, 0.0), |before| (of_last(before.lasting), of_last(before.force)));
    let mean = given + GAIN * (along.min(pressed) - given);
    let rubs = across.clamp_length_max(friction * mean);
    let [force, lasting] = [normal * along + across, normal * mean + rubs].map(|impulse| impulse / (dt * dt));
    LayerForce { vertices: pair.vertices, first: pair.first, force, lasting }
}
