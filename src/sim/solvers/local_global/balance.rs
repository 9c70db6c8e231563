//! The shift of connected parts as wholes ([`Wholes`]) where accelerated iterations start.

use super::{LocalGlobal, PLACES};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Cloth, StepInput};

impl LocalGlobal {
    /// Shifts the parts that nothing prescribes, where there are contacts; iterations have begun
    /// for `q`.
    pub(super) fn balance(&mut self, cloth: &Cloth, input: &StepInput, pool: &ThreadPool) {
        // absolute coordinates hold back translations
        if self.contacts.is_empty() || self.terms.is_absolute() {
            return;
        }
        let Self { system, wholes, contacts, constant, q, descent, inertia, .. } = self;
        let Some(system) = system else { return };
        let vertex_of = &system.symbolic().vertex_of;
        if !wholes.begin(input) {
            return;
        }
        for ((&vertex, q), constant) in vertex_of.iter().zip(&*q).zip(&*constant) {
            let resists = *inertia * cloth.masses[vertex as usize];
            // damping between the vertices of a part adds up to nothing
            wholes.add(vertex as usize, resists, (*constant - *q * F64x4::splat(resists)).to_vec3());
        }
        for (place, weight, contact) in &*contacts {
            wholes.touch(contact, *weight, q[*place as usize].to_vec3(), cloth.positions[contact.vertex as usize]);
        }
        if !wholes.solve() {
            return;
        }
        descent.progress.gained += wholes.gained;
        let shift = |place: usize| F64x4::from_vec3(wholes.shift(vertex_of[place] as usize));
        pool.update(q, PLACES, |place, q| *q = *q + shift(place));
        pool.update(&mut descent.image, PLACES, |place, image| {
            let resists = *inertia * cloth.masses[vertex_of[place] as usize];
            *image = *image + shift(place) * F64x4::splat(resists);
        });
        for &(place, weight, _) in &*contacts {
            let image = &mut descent.image[place as usize];
            *image = *image + shift(place as usize) * F64x4::splat(weight);
        }
    }
}
