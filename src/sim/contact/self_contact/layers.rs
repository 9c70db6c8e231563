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
use super::layer_contact::{Before, Keeping, LayerContact};
use super::layer_force::LayerForce;
use super::nearness::{crosses, distance_of};
use super::pair::Pair;
use super::pushed::PushedVertices;
use crate::sim::exec::simd::{F64x4, vectorised};
use crate::sim::exec::team::Shared;
use crate::sim::{Real, Vec3};

/// How many times the distance of layers those are apart that are looked at: pushing one pair apart brings others closer.
pub(super) const REACH: Real = 1.9;
/// Contacts that a thread makes at a time.
const CONTACTS: usize = 256;
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

/// A pair that a contact is made of.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    pair: Pair,
    before: Before,
}

/// The contacts, with their memory.
#[derive(Debug, Default)]
pub(super) struct Layers {
    candidates: Vec<Candidate>,
    pub contacts: Vec<LayerContact>,
    /// Their vertices.
    pub vertices: Vec<[u32; 4]>,
    /// For each the weights of what has acted on the closest points at the start.
    acted: Vec<[Real; 4]>,
    /// Whether a solver has solved them among its constraints.
    pub solved: bool,
    /// What they press with, by rising pairs.
    pub forces: Vec<LayerForce>,
}

impl Layers {
    /// Forgets the contacts of the last step.
    pub fn clear(&mut self) {
        self.solved = false;
        self.contacts.clear();
        self.candidates.clear();
    }

    /// Takes the contacts of the pairs in `found`, which are near each other after a step to `proposed` [m], and of those that pressed in the last
    /// step, which may press too much now. `pieces` are the parts of the cloth that the vertices belong to.
    pub fn begin(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &mut [Pair],
        proposed: &[Vec3],
        vertices: &mut PushedVertices,
    ) {
        self.gather(found, true, step.dt);
        self.make(step, pieces, proposed, RECOVERY_SPEED * step.dt, vertices);
        for ((contact, candidate), weights) in self.contacts.iter().zip(&self.candidates).zip(&self.acted) {
            contact.take_over(candidate.before.given, *weights, &mut vertices.q);
        }
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
        self.gather(found, false, step.dt);
        self.make(step, pieces, predicted, RECOVERY_SPEED * step.dt, vertices);
        true
    }

    /// Gathers the pairs in `found`, and others that pressed in the last step of `dt` [s] if `all`, by rising pairs.
    fn gather(&mut self, found: &mut [Pair], all: bool, dt: Real) {
        let Self { candidates, forces, .. } = self;
        candidates.clear();
        found.sort_unstable();
        let candidate = |force: &LayerForce| {
            let [pressed, given] = [force.force, force.lasting].map(|force| force * (dt * dt));
            Candidate { pair: force.pair(), before: Before { pressed, given } }
        };
        let mut pressed = forces.iter().map(candidate).peekable();
        for pair in found {
            while let Some(other) = pressed.next_if(|other| other.pair < *pair) {
                if all {
                    candidates.push(other);
                }
            }
            let same = pressed.next_if(|other| other.pair == *pair);
            candidates.push(same.unwrap_or(Candidate { pair: *pair, before: Before::default() }));
        }
        if all {
            candidates.extend(pressed);
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
        let Self { candidates, contacts, vertices: ends, acted, .. } = self;
        let candidates = &candidates[..];
        ends.clear();
        ends.extend(candidates.iter().map(|candidate| candidate.pair.vertices));
        let idle = LayerContact::idle(&Pair { vertices: [0; 4], first: 1 });
        contacts.resize(candidates.len(), idle);
        acted.resize(candidates.len(), [0.0; 4]);
        let ContactStep { settings, pattern, before, team, .. } = *step;
        let rest = pattern.rest_positions();
        let making = Making { settings, rest, before, pieces, proposed, recovery, q: &vertices.q };
        let parts = (Shared::new(contacts), Shared::new(acted));
        team.change(parts, CONTACTS, |range, (contacts, acted)| {
            make_part(&making, &candidates[range], contacts, acted);
        });
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
        let candidate = |pair: &Pair| Candidate { pair: *pair, before: Before::default() };
        self.candidates.clear();
        self.candidates.extend(found.iter().filter(passing).map(candidate));
        self.candidates.sort_unstable_by_key(|candidate| candidate.pair);
        self.make(step, pieces, proposed, 0.0, vertices);
    }

    /// Notes what they press with in a step of `dt` [s], with this `friction`.
    pub fn note_forces(&mut self, friction: Real, dt: Real) {
        let pressing = self.contacts.iter().zip(&self.candidates).filter(|(contact, _)| contact.pressure() > 0.0);
        self.forces.extend(pressing.map(|(contact, candidate)| contact.force(&candidate.before, friction, dt)));
    }
}

/// What contacts are made from.
struct Making<'a> {
    settings: LayerSettings,
    pieces: &'a [u32],
    /// Where the vertices are at rest, at the start, and where they are to go [m].
    rest: &'a [Vec3],
    before: &'a [Vec3],
    proposed: &'a [Vec3],
    /// By how much parts that are too close are moved apart at most [m].
    recovery: Real,
    q: &'a [F64x4],
}

vectorised! {
    /// Makes the contacts of the candidates.
    fn make_part(making: &Making, candidates: &[Candidate], contacts: &mut [LayerContact], acted: &mut [[Real; 4]]) = make_either
}

#[inline(always)]
fn make_either<const FMA: bool>(
    making: &Making,
    candidates: &[Candidate],
    contacts: &mut [LayerContact],
    acted: &mut [[Real; 4]],
) {
    let Making { settings: LayerSettings { distance, friction }, pieces, rest, before, proposed, recovery, q } =
        *making;
    for k in 0..candidates.len() {
        let Candidate { pair, before: known } = &candidates[k];
        let motion = [pair.corners(before), pair.corners(proposed)];
        let distance = distance_of(pair, &motion[1], pieces, rest, distance);
        let keeping = Keeping { distance, friction, recovery };
        (contacts[k], acted[k]) = LayerContact::new(pair, &keeping, known.given, q, &motion);
    }
}
