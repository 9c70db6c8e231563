//! The local step of the constraints that are no lengths, chunk by chunk, and the sum of what they pull.

use std::ops::Range;

use super::terms::Terms;
use crate::sim::Real;
use crate::sim::constraints::{Constraints, Elements};
use crate::sim::csr::Csr;
use crate::sim::exec::simd::F64x4;
use crate::sim::exec::team::{Shared, Team};

/// Elements that a constraint projects by one call.
const CHUNK: usize = 128;

/// A row's coefficient at a vertex.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    row: u32,
    coefficient: Real,
}

/// The elements of one constraint by places.
#[derive(Debug)]
struct Block {
    /// Place in the list of constraints.
    place: usize,
    /// First of its rows here.
    first: usize,
    elements: Elements,
    /// First of their states here.
    first_state: usize,
}

/// The constraints that are no lengths by places.
#[derive(Debug, Default)]
pub struct Blocks {
    /// First of these rows in the terms.
    first: usize,
    blocks: Vec<Block>,
    /// Each a block and some of its elements.
    chunks: Vec<(usize, Range<usize>)>,
    pulls: Vec<Real>,
    /// `w p` of each row [N].
    projected: Vec<F64x4>,
    /// The rows at each place.
    entries: Csr<Entry>,
    /// What the elements leave to the next iteration.
    states: Vec<Real>,
}

impl Blocks {
    /// Collects the elements of `terms`, whose vertices are at these `places`.
    pub fn gather(&mut self, terms: &Terms, places: &[u32]) {
        let column_of = |vertex: u32| places[vertex as usize];
        self.first = terms.lengths;
        self.blocks.clear();
        self.chunks.clear();
        self.states.clear();
        for block in terms.blocks.iter().filter(|block| block.first >= self.first) {
            let mut elements = block.elements.clone();
            elements.renumber(column_of);
            let starts = (0..elements.len()).step_by(CHUNK);
            let at = self.blocks.len();
            self.chunks.extend(starts.map(|start| (at, start..(start + CHUNK).min(elements.len()))));
            let first_state = self.states.len();
            self.states.extend(elements.fresh_states());
            self.blocks.push(Block { place: block.place, first: block.first - self.first, elements, first_state });
        }
        let rows = self.first..terms.projected;
        self.projected.clear();
        self.projected.resize(rows.len(), F64x4::ZERO);

        // by rising row
        let entries = (0..).zip(rows).flat_map(|(row, of_terms)| {
            let (vertices, coefficients) = terms.rows.row(of_terms);
            let entry = move |(&vertex, &coefficient)| (column_of(vertex), Entry { row, coefficient });
            vertices.iter().zip(coefficients).map(entry)
        });
        self.entries.fill(places.len(), entries);
    }

    /// Takes over the weights of `terms`.
    pub fn weigh(&mut self, terms: &Terms) {
        self.pulls.clear();
        self.pulls.extend_from_slice(&terms.pulls[self.first..terms.projected]);
    }

    /// Begins a step: nothing is left of earlier iterations.
    pub fn begin(&mut self) {
        self.states.fill(0.0);
    }

    /// Projects every constraint at the positions `q` by places.
    pub fn project(&mut self, q: &[F64x4], constraints: &Constraints, team: &Team) {
        let Self { blocks, chunks, pulls, projected, states, .. } = self;
        let list = constraints.list();
        let shared_states = Shared::new(states);
        let shared = Shared::new(projected);
        team.for_parts(chunks.len(), 1, |range| {
            for (block, elements) in &chunks[range] {
                let Block { place, first, elements: all, first_state } = &blocks[*block];
                let Some(constraint) = list[*place] else { continue };
                let rows = first + elements.start * all.rows()..first + elements.end * all.rows();
                let kept = |element: usize| first_state + element * all.states();
                // SAFETY: no element is in two chunks, and its rows and states are its own.
                let (values, states) = unsafe {
                    (shared.part(rows.clone()), shared_states.part(kept(elements.start)..kept(elements.end)))
                };
                all.evaluate(elements.clone(), q, values);
                if constraint.is_coupled() {
                    continue;
                }
                constraint.project(&mut all.chunk(elements.clone(), values, states));
                for (value, pull) in values.iter_mut().zip(&pulls[rows]) {
                    *value = *value * F64x4::splat(*pull);
                }
            }
        });
        for Block { place, first, elements: all, first_state } in &*blocks {
            let Some(constraint) = list[*place].filter(|constraint| constraint.is_coupled()) else { continue };
            let rows = *first..first + all.len() * all.rows();
            let values = &mut projected[rows.clone()];
            let states = &mut states[*first_state..first_state + all.len() * all.states()];
            constraint.project_together(all, values, states, team);
            for (value, pull) in values.iter_mut().zip(&pulls[rows]) {
                *value = *value * F64x4::splat(*pull);
            }
        }
    }

    /// Adds to `b` what the constraints pull at the places in `range`.
    pub fn pull(&self, range: Range<usize>, b: &mut [F64x4]) {
        if self.projected.is_empty() {
            return;
        }
        for (place, b) in range.zip(b) {
            for entry in self.entries.row(place) {
                *b = *b + self.projected[entry.row as usize] * F64x4::splat(entry.coefficient);
            }
        }
    }
}
