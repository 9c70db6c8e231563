//! What the solver has borne of the loads on points between the vertices, as contacts of the vertices around.

use super::SelfContact;
use super::response::Response;
use super::solid_contact::{Borne, SolidForce};
use crate::sim::contact::contact_point::Contact;
use crate::sim::{Real, Vec3};

/// A vertex that carries points that colliders press on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carrier {
    vertex: u32,
    /// Of its contact [N/m].
    weight: Real,
    /// The force on it beyond its share of the loads [N].
    borne: Vec3,
    /// Sum of its shares of the loads [N].
    loads: Real,
}

impl SelfContact {
    /// Notes what the solver has borne beyond the loads on points between the vertices, if it took them as contacts of these: `contacts` are
    /// all of them, by rising vertex, each with the weight [N/m] that it has, and `positions` [m] where the solver has brought the vertices.
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
