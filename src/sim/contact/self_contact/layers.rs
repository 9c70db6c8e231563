//! The contacts of layers of cloth with each other: those of a step, and what they pressed with in the last.
//!
//! What contacts press with is a force on the solver in the steps that follow, and the response adds what is missing and takes back what was
//! too much. So every solver knows what lies on the cloth: at rest its proposal is in balance with the layers, and the response has nothing
//! left to do (Uzawa's iteration, one round per step).
//!
//! Of what presses along the normals the solver is given a running mean, into which a share `κ` of what is new enters in each step, as far as
//! the step before pressed with it as well: an impact, which is over after a step, is no force on the next. Let the response make up for a share
//! `α` of an approach, which is little where many layers move together: then what is missing becomes a velocity and a force, and with all of
//! it given at once the layers swing, and leap, from step to step. They come to rest if `α (1 + κ)(κ + ρ) > κ ρ`, where `ρ` is the share of
//! a lack of distance that a step recovers (Routh's criterion for small `α`).
//!
//! What rubs recovers no distance (`ρ = 0`), so that it comes to rest for any `κ`. It is given as it is, within what the mean of what presses
//! allows: its own mean would go on to rub at cloth that has let go, turned or stopped.
//!
//! A position-based method takes the contacts as constraints among its own instead, in every iteration, so that elasticity and contact
//! are solved together: those of the layers that inertia and forces from outside would bring near each other.

use super::ContactStep;
use super::layer_contact::{LayerContact, Pressing};
use super::layer_force::LayerForce;
use super::making::{Candidate, Making};
use super::nearness::crosses;
use super::pair::Pair;
use super::pushed::PushedVertices;
use super::pushing::Pushing;
use crate::sim::exec::batches::NONE;
use crate::sim::exec::team::{Shared, Team};
use crate::sim::{Real, Vec3};

/// How many times the distance of layers those are apart that are looked at: pushing one pair apart brings others closer.
pub(super) const REACH: Real = 1.9;
/// Contacts that a thread makes, or notes, at a time.
const CONTACTS: usize = 1024;
/// Velocity with which layers that are too close move apart at most [m/s].
const RECOVERY_SPEED: Real = 0.05;

/// How layers keep apart.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerSettings {
    /// Distance of layers [m].
    pub distance: Real,
    /// Coulomb friction between layers.
    pub friction: Real,
}

/// Share of the difference between what a contact presses with along its normal and what the solver was given of it by which the solver is given
/// more of it in the next step.
const GAIN: Real = 0.3;

/// The contacts, with their memory.
#[derive(Debug, Default)]
pub(super) struct Layers {
    candidates: Vec<Candidate>,
    pub contacts: Vec<LayerContact>,
    /// Whether a solver has solved them among its constraints.
    pub solved: bool,
    /// What they press with, by rising pairs, and what they pressed with in the step before.
    pub forces: Vec<LayerForce>,
    last: Vec<LayerForce>,
    /// How many press among those up to the end of each part of the contacts.
    ends: Vec<usize>,
}

impl Layers {
    /// Forgets the contacts of the last step.
    pub fn clear(&mut self) {
        self.solved = false;
        self.contacts.clear();
        self.candidates.clear();
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Takes the contacts of the pairs in `found`, which are near each other after a step to `proposed` [m], and of those that pressed in the last
    /// step, which may press too much now, to `pushing`. `pieces` are the parts of the cloth that the vertices belong to.
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

    /// Takes the contacts of the pairs in `found`, which would be near each other after a step to `predicted` [m], for a solver that takes them as
    /// constraints. They start from what has pressed in the last steps. Returns false, and there are none, if some would pass through each
    /// other: that is an impact.
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
            // nothing of them has acted, so nothing is to be taken back
            self.forces.clear();
            return false;
        }
        self.gather(found, false);
        self.make(step, pieces, predicted, RECOVERY_SPEED * step.dt, vertices);
        true
    }

    /// Gathers the pairs in `found`, and others that pressed in the last step if `all`, by rising pairs.
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

    /// What contacts in a step to `proposed` [m] are made from, which move parts that are too close apart by a `recovery` [m] at most.
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

    /// Makes the contacts of the candidates, which move parts that are too close apart by a `recovery` [m] at most.
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
        step.team.change(Shared::new(&mut contacts), CONTACTS, |range, contacts| making.contacts(range, contacts));
        self.contacts = contacts;
    }

    /// Takes over the contacts as a solver has left them.
    pub fn take(&mut self, contacts: &[LayerContact]) {
        contacts.clone_into(&mut self.contacts);
        self.solved = true;
    }

    /// Takes the contacts of those `found` pairs that pass through each other in a step to `proposed` [m], of which nothing is known.
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

    /// Notes what they press with in a step of `dt` [s], with this `friction`.
    pub fn note_forces(&mut self, pushing: &Pushing, friction: Real, (dt, team): (Real, &Team)) {
        let Self { candidates, contacts, solved, forces, last, ends } = self;
        std::mem::swap(forces, last);
        let (candidates, contacts, last, solved) = (&candidates[..], &contacts[..], &last[..], *solved);
        let of_contact = |number: usize| contacts.get(number).and_then(LayerContact::pressing);
        let presses = |number: &usize| if solved { of_contact(*number).is_some() } else { pushing.presses(*number) };
        let pressing = |number: usize| if solved { of_contact(number) } else { pushing.pressing(number) };
        let range = |part: usize| part * CONTACTS..candidates.len().min((part + 1) * CONTACTS);
        ends.clear();
        ends.resize(candidates.len().div_ceil(CONTACTS), 0);
        team.fill(ends, 1, |part| range(part).filter(presses).count());
        let mut sum = 0;
        for end in &mut *ends {
            sum += *end;
            *end = sum;
        }
        let nothing = LayerForce { vertices: [0; 4], first: 1, force: Vec3::ZERO, lasting: Vec3::ZERO };
        forces.resize(sum, nothing);
        let (rows, ends) = (Shared::new(forces), &ends[..]);
        team.for_parts(ends.len(), 1, |parts| {
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

/// What a contact presses with in a step of `dt` [s], and what of it lasts: a running mean of what presses along the normal, as far as it did so in the
/// step before as well, and what rubs now, within what the mean allows. `before` is what is known from then.
fn force(pair: &Pair, pressing: &Pressing, before: Option<&LayerForce>, friction: Real, dt: Real) -> LayerForce {
    let Pressing { normal, along, across } = *pressing;
    let of_last = |force: Vec3| normal.dot(force * (dt * dt)).max(0.0);
    let (given, pressed) = before.map_or((0.0, 0.0), |before| (of_last(before.lasting), of_last(before.force)));
    let mean = given + GAIN * (along.min(pressed) - given);
    let rubs = across.clamp_length_max(friction * mean);
    let [force, lasting] = [normal * along + across, normal * mean + rubs].map(|impulse| impulse / (dt * dt));
    LayerForce { vertices: pair.vertices, first: pair.first, force, lasting }
}
