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
}

impl Blocks {
    /// Collects the elements of `terms`, whose vertices are at these `places`.
    pub fn gather(&mut self, terms: &Terms, places: &[u32]) {
        let column_of = |vertex: u32| places[vertex as usize];
        self.first = terms.lengths;
        self.blocks.clear();
        self.chunks.clear();
        for block in terms.blocks.iter().filter(|block| block.first >= self.first) {
            let mut elements = block.elements.clone();
            elements.renumber(column_of);
            let starts = (0..elements.len()).step_by(CHUNK);
            let at = self.blocks.len();
            self.chunks.extend(starts.map(|start| (at, start..(start + CHUNK).min(elements.len()))));
            self.blocks.push(Block { place: block.place, first: block.first - self.first, elements });
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

    /// Projects every constraint at the positions `q` by places.
    pub fn project(&mut self, q: &[F64x4], constraints: &Constraints, team: &Team) {
        let Self { blocks, chunks, pulls, projected, .. } = self;
        let list = constraints.list();
        let shared = Shared::new(projected);
        team.for_parts(chunks.len(), 1, |range| {
            for (block, elements) in &chunks[range] {
                let Block { place, first, elements: all } = &blocks[*block];
                let Some(constraint) = list[*place] else { continue };
                let rows = first + elements.start * all.rows()..first + elements.end * all.rows();
                // SAFETY: no element is in two chunks, and its rows are its own.
                let values = unsafe { shared.part(rows.clone()) };
                all.evaluate(elements.clone(), q, values);
                constraint.project(&mut all.chunk(elements.clone(), values));
                for (value, pull) in values.iter_mut().zip(&pulls[rows]) {
                    *value = *value * F64x4::splat(*pull);
                }
            }
        });
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
