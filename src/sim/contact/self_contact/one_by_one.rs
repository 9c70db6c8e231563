//! Sweeps over rows that a solver has solved among its constraints, one row after the other. There
//! are few sweeps with little left to do, so [batches](super::batch) do not pay.

use super::layer_contact::{LayerContact, Tolerance};
use super::pushed::PushedVertices;
use crate::sim::Real;
use crate::sim::exec::simd::vectorised;

/// Solves the rows that are not within the tolerance, forth and back in turn: in the first sweep
/// all, then those with a vertex that has moved since. Returns the largest displacement of the
/// parts of a row [m].
pub(super) fn push_one_by_one(
    sweep: usize,
    contacts: &mut [LayerContact],
    tolerance: &Tolerance,
    friction: Real,
    of: &mut PushedVertices,
) -> Real {
    let mut sweeping = Sweeping { contacts, all: sweep == 0, tolerance, friction, largest: 0.0 };
    if sweep.is_multiple_of(2) {
        push_forth(&mut sweeping, of);
    } else {
        push_back(&mut sweeping, of);
    }
    sweeping.largest
}

/// State of a sweep.
struct Sweeping<'a> {
    contacts: &'a mut [LayerContact],
    all: bool,
    tolerance: &'a Tolerance,
    friction: Real,
    largest: Real,
}

vectorised! {
    /// From the first to the last.
    fn push_forth(sweeping: &mut Sweeping, of: &mut PushedVertices) = push_forth_either
}

#[inline(always)]
fn push_forth_either<const FMA: bool>(sweeping: &mut Sweeping, of: &mut PushedVertices) {
    let mut at = 0;
    while at < sweeping.contacts.len() {
        push_one(sweeping, at, of);
        at += 1;
    }
}

vectorised! {
    /// From the last to the first.
    fn push_back(sweeping: &mut Sweeping, of: &mut PushedVertices) = push_back_either
}

#[inline(always)]
fn push_back_either<const FMA: bool>(sweeping: &mut Sweeping, of: &mut PushedVertices) {
    let mut at = sweeping.contacts.len();
    while at > 0 {
        at -= 1;
        push_one(sweeping, at, of);
    }
}

#[inline(always)]
fn push_one(sweeping: &mut Sweeping, at: usize, of: &mut PushedVertices) {
    let vertices = sweeping.contacts[at].vertices();
    if !sweeping.all && !of.has_one_moved(&[vertices]) {
        return;
    }
    let change = sweeping.contacts[at].push(sweeping.friction, sweeping.tolerance, &mut of.q);
    if change > 0.0 {
        sweeping.largest = sweeping.largest.max(change);
        vertices.iter().for_each(|&vertex| of.note(vertex));
    }
}
