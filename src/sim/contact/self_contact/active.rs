//! The contacts that are to be pushed in a round: all others are as they are to be, and stay so until one of their vertices moves.

use super::layer_contact::{LayerContact, Tolerance};
use super::pushed::PushedVertices;
use crate::sim::Real;
use crate::sim::exec::simd::vectorised;
use crate::sim::exec::team::{Chunks, Shared, Team};

/// Contacts that are judged at a time.
const PART: usize = 512;
/// Where more than one in so many is to be pushed, judging them beforehand costs more than it saves.
const MANY: usize = 2;

/// The contacts that are to be pushed in a round, or all of them where these are many.
#[derive(Debug, Default)]
pub(super) struct ActiveContacts {
    /// The numbers of those in each part of all, by rising number.
    parts: Vec<Vec<u32>>,
    /// The vertices of every contact: all that most are asked for.
    vertices: Vec<[u32; 4]>,
    /// Whether so many were to be pushed in the first round that all are looked at in every round, as they are pushed.
    all: bool,
}

impl ActiveContacts {
    /// Judges all contacts.
    pub fn begin(
        &mut self,
        contacts: &[LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &PushedVertices,
        team: &Team,
    ) {
        let Self { parts, vertices, all } = self;
        parts.resize_with(contacts.len().div_ceil(PART), Vec::new);
        vertices.resize(contacts.len(), [0; 4]);
        let lists = (Shared::new(parts), Chunks::new(vertices, PART));
        team.change(lists, 1, |range, (parts, vertices)| {
            for ((part, numbers), vertices) in range.zip(parts).zip(vertices.chunks_mut(PART)) {
                let first = part * PART;
                for (vertices, contact) in vertices.iter_mut().zip(&contacts[first..]) {
                    *vertices = contact.pair.vertices;
                }
                numbers.clear();
                numbers.extend(first as u32..(first + vertices.len()) as u32);
                judge(numbers, contacts, tolerance, friction, of);
            }
        });
        *all = MANY * parts.iter().map(Vec::len).sum::<usize>() > contacts.len();
        if *all {
            for (part, numbers) in parts.iter_mut().enumerate() {
                numbers.clear();
                numbers.extend((part * PART) as u32..((part + 1) * PART).min(contacts.len()) as u32);
            }
        }
    }

    /// Judges the contacts with a vertex that has been moved in the last round or in this; no other is to be pushed.
    pub fn go_on(
        &mut self,
        contacts: &[LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &PushedVertices,
        team: &Team,
    ) {
        let Self { parts, vertices, all } = self;
        if *all {
            return;
        }
        team.update(parts, 1, |part, numbers| {
            let range = part * PART..((part + 1) * PART).min(contacts.len());
            let has_moved = |(_, vertices): &(u32, &[u32; 4])| vertices.iter().any(|&vertex| of.has_moved(vertex));
            numbers.clear();
            numbers.extend((range.start as u32..).zip(&vertices[range]).filter(has_moved).map(|(number, _)| number));
            judge(numbers, contacts, tolerance, friction, of);
        });
    }

    /// Pushes those that are to be pushed, forth and back in turn. Returns by how much the largest impulse moved the parts of its contact [m].
    pub fn push(
        &self,
        sweep: usize,
        contacts: &mut [LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &mut PushedVertices,
    ) -> Real {
        let mut largest = 0.0;
        if sweep.is_multiple_of(2) {
            self.parts.iter().for_each(|part| push_forth(part, contacts, tolerance, friction, of, &mut largest));
        } else {
            self.parts.iter().rev().for_each(|part| push_back(part, contacts, tolerance, friction, of, &mut largest));
        }
        largest
    }
}

vectorised! {
    /// Keeps the numbers of the contacts that are not within the tolerance.
    fn judge(
        numbers: &mut Vec<u32>,
        contacts: &[LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &PushedVertices,
    ) = judge_either
}

#[inline(always)]
fn judge_either<const FMA: bool>(
    numbers: &mut Vec<u32>,
    contacts: &[LayerContact],
    tolerance: &Tolerance,
    friction: Real,
    of: &PushedVertices,
) {
    numbers.retain(|&number| !contacts[number as usize].is_settled(friction, tolerance, &of.q));
}

vectorised! {
    /// Pushes contacts one after the other.
    fn push_forth(
        numbers: &[u32],
        contacts: &mut [LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &mut PushedVertices,
        largest: &mut Real,
    ) = push_forth_either
}

#[inline(always)]
fn push_forth_either<const FMA: bool>(
    numbers: &[u32],
    contacts: &mut [LayerContact],
    tolerance: &Tolerance,
    friction: Real,
    of: &mut PushedVertices,
    largest: &mut Real,
) {
    for &number in numbers {
        push_one(&mut contacts[number as usize], tolerance, friction, of, largest);
    }
}

vectorised! {
    /// Pushes contacts one after the other, from the last to the first.
    fn push_back(
        numbers: &[u32],
        contacts: &mut [LayerContact],
        tolerance: &Tolerance,
        friction: Real,
        of: &mut PushedVertices,
        largest: &mut Real,
    ) = push_back_either
}

#[inline(always)]
fn push_back_either<const FMA: bool>(
    numbers: &[u32],
    contacts: &mut [LayerContact],
    tolerance: &Tolerance,
    friction: Real,
    of: &mut PushedVertices,
    largest: &mut Real,
) {
    for &number in numbers.iter().rev() {
        push_one(&mut contacts[number as usize], tolerance, friction, of, largest);
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
