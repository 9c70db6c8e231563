//! Reaction forces at contact points inside triangles, distributed to their three vertices.

use super::SelfContact;
use super::response::Response;
use super::solid_contact::{Borne, SolidForce};
use crate::sim::contact::contact_point::Contact;
use crate::sim::{Real, Vec3};

/// A vertex with contact points around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carrier {
    vertex: u32,
    /// Weight of its contact in the matrix [N/m].
    weight: Real,
    /// Its reaction: the force of that contact [N].
    borne: Vec3,
    /// Sum of its shares of the contact forces [N].
    loads: Real,
}

impl SelfContact {
    /// Distributes the reactions of the solver back to the contact points inside triangles, if the
    /// solver took these as contacts of their vertices. `contacts` are these contacts by rising
    /// vertex, each with its weight [N/m], and `positions` [m] are those that the solver has
    /// reached.
    pub fn note_borne(&mut self, contacts: Option<impl Iterator<Item = (Contact, Real)>>, positions: &[Vec3]) {
        let Self { response: Response { solids, .. }, carriers, .. } = self;
        solids.borne.clear();
        let Some(contacts) = contacts else { return };
        carriers.clear();
        carriers.extend(contacts.map(|(contact, weight)| {
            let way = contact.point - positions[contact.vertex as usize];
            let sticks = contact.carried.is_some_and(|carried| carried.sticks);
            let way = if sticks { way } else { contact.normal * way.dot(contact.normal) };
            Carrier { vertex: contact.vertex, weight, borne: way * weight, loads: 0.0 }
        }));
        let place = |carriers: &[Carrier], vertex: u32| carriers.binary_search_by_key(&vertex, |of| of.vertex).ok();
        let share = |force: &SolidForce, k: usize| force.weights[k] * force.force.length();
        for force in &solids.forces {
            for (k, &vertex) in force.vertices.iter().enumerate() {
                if let Some(at) = place(carriers, vertex) {
                    carriers[at].loads += share(force, k);
                }
            }
        }
        solids.borne.extend(solids.forces.iter().map(|force| {
            let (mut sum, mut inverse) = (Vec3::ZERO, 0.0);
            for (k, &vertex) in force.vertices.iter().enumerate() {
                let carrier = place(carriers, vertex).map(|at| carriers[at]).filter(|carrier| carrier.loads > 0.0);
                if let Some(Carrier { weight, borne, loads, .. }) = carrier {
                    sum += borne * (share(force, k) / loads);
                    inverse += force.weights[k] * force.weights[k] / weight;
                }
            }
            Borne { force: sum, weight: if inverse > 0.0 { 1.0 / inverse } else { 0.0 } }
        }));
    }
}
