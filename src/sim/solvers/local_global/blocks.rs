//! The local step of the constraints other than lengths, chunk by chunk, and the sum of their
//! forces.

use std::ops::Range;

use super::terms::{Terms, Weights};
use crate::sim::Real;
use crate::sim::constraints::Elements;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;
use crate::sim::math::csr::Csr;
use crate::sim::measure::ExampleWeights;

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
    /// The values `z` of each row before the projection, and the energy of each element for a
    /// weight of one: only where energy is asked for.
    values: Vec<F64x4>,
    energies: Vec<Real>,
    /// First of the elements of each chunk among all elements.
    firsts: Vec<usize>,
    /// Energy of each chunk [J].
    partial: Vec<Real>,
    /// The rows at each place.
    entries: Csr<Entry>,
    /// States that the elements leave to the next iteration.
    states: Vec<Real>,
}

impl Blocks {
    /// Collects the elements of `terms`, whose vertices are at these `places`.
    pub fn gather(&mut self, terms: &Terms, places: &[u32]) {
        let column_of = |vertex: u32| places[vertex as usize];
        self.first = terms.lengths;
        self.blocks.clear();
        self.chunks.clear();
        self.firsts.clear();
        let mut count = 0;
        self.states.clear();
        for block in terms.blocks.iter().filter(|block| block.first >= self.first) {
            let mut elements = block.elements.clone();
            elements.renumber(column_of);
            let starts = (0..elements.len()).step_by(CHUNK);
            let at = self.blocks.len();
            self.firsts.extend(starts.clone().map(|start| count + start));
            count += elements.len();
            self.chunks.extend(starts.map(|start| (at, start..(start + CHUNK).min(elements.len()))));
            let first_state = self.states.len();
            self.states.extend(elements.fresh_states());
            self.blocks.push(Block { place: block.place, first: block.first - self.first, elements, first_state });
        }
        let rows = self.first..terms.projected;
        self.projected.clear();
        self.projected.resize(rows.len(), F64x4::ZERO);
        self.values.resize(rows.len(), F64x4::ZERO);
        self.energies.resize(count, 0.0);
        self.partial.resize(self.chunks.len(), 0.0);

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

    /// The weights of examples after the last iteration, piece by piece.
    pub fn example_weights(&self, weights: &Weights) -> Vec<ExampleWeights> {
        let list = weights.list();
        let of_block = |Block { place, elements, first_state, .. }: &Block| {
            let states = &self.states[*first_state..first_state + elements.len() * elements.states()];
            list[*place].map(|constraint| constraint.example_weights(elements, states))
        };
        self.blocks.iter().filter_map(of_block).flatten().collect()
    }

    /// Projects every constraint at the positions `q` by places.
    pub fn project(&mut self, q: &[F64x4], weights: &Weights, pool: &ThreadPool) {
        let Self { blocks, chunks, pulls, projected, states, .. } = self;
        let list = weights.list();
        let shared_states = Shared::new(states);
        let shared = Shared::new(projected);
        pool.for_parts(chunks.len(), 1, |range| {
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
            constraint.project_together(all, values, states, pool);
            for (value, pull) in values.iter_mut().zip(&pulls[rows]) {
                *value = *value * F64x4::splat(*pull);
            }
        }
    }

    /// [`project`](Self::project), and the part of the energy of these constraints that is not in
    /// the matrix: `Σ w (½ |z - p|² - ½ |z|²)` [J], with further terms of a constraint. None may
    /// carry states to the next iteration, as examples do.
    pub fn project_and_measure(&mut self, q: &[F64x4], weights: &Weights, pool: &ThreadPool) -> Real {
        let Self { blocks, chunks, pulls, projected, values, energies, firsts, partial, .. } = self;
        let list = weights.list();
        let projected = Shared::new(projected);
        let scratch = (Shared::new(values), Shared::new(energies));
        let sums = Shared::new(partial);
        pool.for_parts(chunks.len(), 1, |range| {
            for at in range {
                let (block, elements) = &chunks[at];
                let Block { place, first, elements: all, .. } = &blocks[*block];
                let Some(constraint) = list[*place] else { continue };
                let count = all.rows();
                let rows = first + elements.start * count..first + elements.end * count;
                // SAFETY: no element is in two chunks, and its rows and its energy are its own, as
                // is the sum of a chunk.
                let (p, z, energies, sum) = unsafe {
                    let own = firsts[at]..firsts[at] + elements.len();
                    (projected.part(rows.clone()), scratch.0.part(rows.clone()), scratch.1.part(own), sums.entry(at))
                };
                all.evaluate(elements.clone(), q, z);
                p.copy_from_slice(z);
                let mut chunk = all.chunk(elements.clone(), p, &mut []);
                constraint.project(&mut chunk);
                constraint.energies(z, &chunk, energies);
                *sum = 0.0;
                for ((z, energy), pull) in z.chunks_exact(count).zip(&*energies).zip(pulls[rows.clone()].chunks(count))
                {
                    // the rows of an element have one weight
                    let square: Real = z.iter().map(|z| (*z * *z).sum()).sum();
                    *sum += pull[0] * (energy - 0.5 * square);
                }
                for (value, pull) in p.iter_mut().zip(&pulls[rows]) {
                    *value = *value * F64x4::splat(*pull);
                }
            }
        });
        partial.iter().sum()
    }

    /// Adds the forces of the constraints at the places in `range` to `b`.
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
