//! Bending with examples: the mean curvature of each interior vertex prefers its magnitudes in a few
//! example shapes and mixtures of them (Bouaziz et al. 2014, sections 5.3 and 5.4, which leave it to
//! the future).
//!
//! ```text
//! E = Σ_v w A_v/2 ((|z| - g(ω))² + ρ |ω|²)      [J]
//! g(ω) = g_0 + Σ_i ω_i d_i,   d_i = g_i - g_0,   ω_i ≥ 0,   Σ ω_i ≤ 1
//! ```
//!
//! Rows are those of [`Bending`](super::Bending), `g_0` and `g_i` the lengths of their values in the
//! rest shape and in example `i`, so position and rotation of an example do not matter, nor on which
//! side it is bent. The rotation of equation 21 is eliminated: the nearest vector of length `g` has
//! the direction of `z`. What is left is quadratic in `ω`, so its exact minimum takes one projection
//! without alternation. Weights are those of each vertex, which then is free to bend between its
//! examples, or common to a piece.

use super::examples::{deformed, weights_of_pieces};
use super::simplex::{MOST_EXAMPLES, RHO, best_weights};
use super::{BendingRows, Chunk, Constraint, Elements, with_length};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::measure::ExampleWeights;
use crate::sim::{Pattern, Real, Vec3};

/// Examples of the bending of cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BendingExamples {
    /// Bending stiffness `w` towards the examples [N·m].
    pub stiffness: Real,
    /// Whether all vertices of a piece have the same weights of the examples.
    pub global: bool,
}

impl BendingExamples {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] = &[Self { stiffness: 1e-3, global: false }, Self { stiffness: 0.02, global: true }];
}

impl Constraint for BendingExamples {
    fn weight(&self) -> Real {
        self.stiffness
    }

    /// An element keeps its piece, `g_0` and the `d_i`; its states are the weights.
    fn elements(&self, pattern: &Pattern) -> Elements {
        let (is_deformed, examples) = deformed(pattern);
        let (pieces, rows) = (pattern.piece_of_vertices(), BendingRows::of(pattern));
        let mut chosen: Vec<usize> = (0..rows.len()).collect();
        let piece = |row: usize| pieces[rows.row(row).0[0] as usize];
        chosen.retain(|&row| is_deformed[piece(row) as usize]);
        chosen.sort_by_key(|&row| piece(row));
        let mut elements = Elements::new(1, 2 + examples.len()).with_states(examples.len());
        for row in chosen {
            let (vertices, coefficients) = rows.row(row);
            let own = vertices[0] as usize;
            let length = |shape: &Vec<Vec3>| {
                let offset = |(&vertex, &a): (&u32, &Real)| (shape[vertex as usize] - shape[own]) * a;
                vertices.iter().zip(coefficients).map(offset).sum::<Vec3>().length()
            };
            let at_rest = rows.rest_lengths[row];
            let mut kept = vec![Real::from(piece(row)), at_rest];
            kept.extend(examples.iter().map(|shape| length(shape) - at_rest));
            elements.push(vertices.iter().copied().zip(coefficients.iter().map(|&a| [a])), rows.areas[row], &kept);
        }
        elements
    }

    fn project(&self, chunk: &mut Chunk) {
        chunk.project_with_states::<1>(|values, rest, states| {
            let count = states.len() / values.len();
            let elements = values.iter_mut().zip(rest.chunks(2 + count)).zip(states.chunks_mut(count.max(1)));
            for (([z], rest), weights) in elements {
                let mut sums = Sums::default();
                sums.add(1.0, z.to_vec3().length(), rest);
                weights.copy_from_slice(&sums.weights(count)[..count]);
                *z = F64x4::from_vec3(with_length(z.to_vec3(), blend(rest, weights)));
            }
        });
    }

    fn project_together(&self, all: &Elements, values: &mut [F64x4], states: &mut [Real], _: &ThreadPool) {
        let count = all.states();
        let mut start = 0;
        while start < all.len() {
            let piece = all.rest(start)[0];
            let end = (start..all.len()).find(|&element| all.rest(element)[0] != piece).unwrap_or(all.len());
            let mut sums = Sums::default();
            for (element, z) in (start..end).zip(&values[start..end]) {
                sums.add(all.measure(element), z.to_vec3().length(), all.rest(element));
            }
            let weights = sums.weights(count);
            for (element, z) in (start..end).zip(&mut values[start..end]) {
                states[element * count..][..count].copy_from_slice(&weights[..count]);
                let length = blend(all.rest(element), &weights[..count]);
                *z = F64x4::from_vec3(with_length(z.to_vec3(), length));
            }
            start = end;
        }
    }

    fn is_coupled(&self) -> bool {
        self.global
    }

    fn energies(&self, values: &[F64x4], projected: &Chunk, energies: &mut [Real]) {
        projected.distances(values, energies);
        let count = projected.kept() - 2;
        for (weights, energy) in projected.states().chunks(count.max(1)).zip(energies) {
            *energy += 0.5 * RHO * weights.iter().map(|weight| weight * weight).sum::<Real>();
        }
    }

    fn example_weights(&self, all: &Elements, states: &[Real]) -> Vec<ExampleWeights> {
        weights_of_pieces(all, states.chunks(all.states().max(1)), all.states())
    }

    // weights are those of the last iteration in the energy
    fn is_nearest(&self) -> bool {
        false
    }
}

/// `g(ω)` of an element [1/m].
fn blend(rest: &[Real], weights: &[Real]) -> Real {
    rest[1] + rest[2..].iter().zip(weights).map(|(d, weight)| d * weight).sum::<Real>()
}

/// `Σ A d_i d_j` and `Σ A d_i (|z| - g_0)` of some vertices, with `Σ A`.
#[derive(Default)]
struct Sums {
    products: [[Real; MOST_EXAMPLES]; MOST_EXAMPLES],
    pulls: [Real; MOST_EXAMPLES],
    area: Real,
}

impl Sums {
    fn add(&mut self, area: Real, length: Real, rest: &[Real]) {
        self.area += area;
        for (i, d) in rest[2..].iter().enumerate() {
            self.pulls[i] += area * d * (length - rest[1]);
            for (j, other) in rest[2..].iter().enumerate() {
                self.products[i][j] += area * d * other;
            }
        }
    }

    fn weights(&self, count: usize) -> [Real; MOST_EXAMPLES] {
        let products = self.products.map(|row| row.map(|product| product / self.area));
        best_weights(&products, &self.pulls.map(|pull| pull / self.area), count)
    }
}
