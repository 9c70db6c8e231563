//! A sweep over the contacts of layers: one after the other, each with what those before it have moved.

use super::layer_contact::{LayerContact, Tolerance};
use super::pushed::PushedVertices;
use crate::sim::Real;
use crate::sim::exec::simd::vectorised;

/// Pushes all that are not within the tolerance, forth and back in turn. Returns by how much the largest impulse moved the parts of its contact [m].
pub(super) fn push_layers(
    sweep: usize,
    contacts: &mut [LayerContact],
    tolerance: &Tolerance,
    friction: Real,
    of: &mut PushedVertices,
) -> Real {
    let mut largest = 0.0;
    if sweep.is_multiple_of(2) {
        push_forth(contacts, tolerance, friction, of, &mut largest);
    } else {
        push_back(contacts, tolerance, friction, of, &mut largest);
    }
    largest
}

vectorised! {
    /// From the first to the last.
    fn push_forth(
        contacts: &mut [LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &mut PushedVertices,
        largest: &mut Real,
    ) = push_forth_either
}

#[inline(always)]
fn push_forth_either<const FMA: bool>(
    contacts: &mut [LayerContact],
    tolerance: &Tolerance,
    friction: Real,
    of: &mut PushedVertices,
    largest: &mut Real,
) {
    for contact in contacts {
        push_one(contact, tolerance, friction, of, largest);
    }
}

vectorised! {
    /// From the last to the first.
    fn push_back(
        contacts: &mut [LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &mut PushedVertices,
        largest: &mut Real,
    ) = push_back_either
}

#[inline(always)]
fn push_back_either<const FMA: bool>(
    contacts: &mut [LayerContact],
    tolerance: &Tolerance,
    friction: Real,
    of: &mut PushedVertices,
    largest: &mut Real,
) {
    for contact in contacts.iter_mut().rev() {
        push_one(contact, tolerance, friction, of, largest);
    }
}

#[inline(always)]
fn push_one(
    contact: &mut LayerContact,
    tolerance: &Tolerance,
    friction: Real,
    of: &mut PushedVertices,
    largest: &mut Real,
) {
    let change = contact.push(friction, tolerance, &mut of.q);
    if change > 0.0 {
        *largest = largest.max(change);
        contact.pair.vertices.iter().for_each(|&vertex| of.note(vertex));
    }
}
