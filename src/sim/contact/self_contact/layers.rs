//! The contacts of layers of cloth with each other: those of a step, and what they pressed with in the last.
//!
//! What a contact pressed with in the last two steps is a force on the solver in the next, and the response adds what is missing and takes
//! back what was too much. So every solver knows what lies on the cloth: at rest its proposal is in balance with the layers, and the
//! response has nothing left to do (Uzawa's iteration, one round per step). An impact, which is over after a step, is no force on the next.
//!
//! A position-based method takes the contacts as constraints among its own instead, in every iteration, so that elasticity and contact
//! are solved together: those of the layers that inertia and forces from outside would bring near each other.

use super::ContactStep;
use super::layer_contact::{Keeping, LayerContact, Pressed, crosses, distance_of};
use super::layer_force::LayerForce;
use super::pair::Pair;
use super::pushed::PushedVertices;
use crate::sim::{Real, Vec3};

/// How many times the distance of layers those are apart that are looked at: pushing one pair apart brings others closer.
pub(super) const REACH: Real = 1.9;
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

/// The contacts, with their memory.
#[derive(Debug, Default)]
pub(super) struct Layers {
    pub contacts: Vec<LayerContact>,
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
        let Self { contacts, forces, .. } = self;
        let dt = step.dt;
        let mut add = |pair: &Pair, force: Option<&LayerForce>| {
            let motion = [pair.corners(step.before), pair.corners(proposed)];
            let keeping = keeping(step, pieces, pair, &motion[1]);
            let pressed = force.map_or(Pressed::default(), |force| Pressed {
                last: force.force * (dt * dt),
                acted: force.lasting * (dt * dt),
            });
            contacts.extend(LayerContact::new(pair, &keeping, &pressed, vertices, &motion));
        };
        found.sort_unstable();
        let (mut near, mut pressed) = (found.iter().copied().peekable(), forces.iter().peekable());
        loop {
            let next = match (near.peek().copied(), pressed.peek().map(|force| force.pair())) {
                (Some(a), Some(b)) => a.min(b),
                (Some(a), None) => a,
                (None, Some(b)) => b,
                (None, None) => break,
            };
            near.next_if(|pair| *pair == next);
            let force = pressed.next_if(|force| force.pair() == next);
            add(&next, force);
        }
    }

    /// Takes the contacts of the pairs in `found`, which would be near each other after a step to `predicted` [m], for a solver that takes them as
    /// constraints. They start from what pressed in the last two steps. Returns false, and there are none, if some would pass through each
    /// other: that is an impact.
    pub fn constrain(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &mut [Pair],
        predicted: &[Vec3],
        vertices: &mut PushedVertices,
    ) -> bool {
        let Self { contacts, forces, .. } = self;
        contacts.clear();
        if found.is_empty() {
            return true;
        }
        if found.iter().any(|pair| crosses(pair, &pair.corners(step.before), &pair.corners(predicted))) {
            // nothing of them has acted, so nothing is to be taken back
            forces.clear();
            return false;
        }
        let dt = step.dt;
        found.sort_unstable();
        let mut pressed = forces.iter().peekable();
        for pair in found {
            while pressed.next_if(|force| force.pair() < *pair).is_some() {}
            let force = pressed.next_if(|force| force.pair() == *pair);
            let motion = [pair.corners(step.before), pair.corners(predicted)];
            let keeping = keeping(step, pieces, pair, &motion[1]);
            let [last, lasting] =
                force.map_or([Vec3::ZERO; 2], |force| [force.force, force.lasting].map(|f| f * (dt * dt)));
            // nothing has acted yet, so no positions are corrected
            let pressed = Pressed { last, acted: Vec3::ZERO };
            if let Some(mut contact) = LayerContact::new(pair, &keeping, &pressed, vertices, &motion) {
                contact.warm(lasting, step.settings.friction);
                contacts.push(contact);
            }
        }
        true
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
        vertices: &mut PushedVertices,
    ) {
        for pair in found {
            let motion = [pair.corners(step.before), pair.corners(proposed)];
            if crosses(pair, &motion[0], &motion[1]) {
                let keeping = Keeping { recovery: 0.0, ..keeping(step, pieces, pair, &motion[1]) };
                self.contacts.extend(LayerContact::new(pair, &keeping, &Pressed::default(), vertices, &motion));
            }
        }
        self.contacts.sort_unstable_by_key(|contact| contact.pair);
    }

    /// Notes what they press with in a step of `dt` [s].
    pub fn note_forces(&mut self, dt: Real) {
        let pressing = self.contacts.iter().filter(|contact| contact.pressure > 0.0);
        self.forces.extend(pressing.map(|contact| contact.force(dt)));
    }
}

/// What the contact of a pair that comes to `y` [m] is to keep in a step.
fn keeping(step: &ContactStep, pieces: &[u32], pair: &Pair, y: &[Vec3; 4]) -> Keeping {
    let LayerSettings { distance, friction } = step.settings;
    let distance = distance_of(pair, y, pieces, step.pattern.rest_positions(), distance);
    Keeping { distance, friction, recovery: RECOVERY_SPEED * step.dt }
}
