//! Examples: elements prefer the deformations of a few example shapes to all others (Bouaziz et al.
//! 2014, section 5.3, equations 17 and 18; Martin, Thomaszewski, Grinspun and Gross 2011).
//!
//! ```text
//! E = Σ_e w μ_e/2 (|F - R H(ω)|² + ρ |ω|²)      [J]
//! H(ω) = I + Σ_i ω_i D_i,   D_i = S_i - I,   ω_i ≥ 0,   Σ ω_i ≤ 1
//! ```
//!
//! `S_i` is the symmetric stretch of the polar decomposition `F_i = R_i S_i` of an element in
//! example `i`, so position and rotation of an example do not matter. Open in the paper
//! (`physics.md` section 10): the remainder of the weights is the rest shape and nothing is
//! extrapolated, so `H` never inverts; `ρ = 1e-8` decides if no example deforms an element. The
//! weights are those of each element, or common to a body. The local step alternates: the rotation
//! nearest to `F Hᵀ`, then the exact minimum over the weights. They begin at zero in every time
//! step and are kept between its iterations, so `E` never rises and a step depends on positions and
//! velocities alone.

use super::signed_svd::SignedSvd;
use super::simplex::{MOST_EXAMPLES, RHO, best_weights};
use super::strain::{clamp_strains as clamp_triangles, elements as triangles};
use super::svd::Svd;
use super::tetrahedra::clamp_strains as clamp_tetrahedra;
use super::{Chunk, Constraint, Elements, TOGETHER};
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;
use crate::sim::measure::ExampleWeights;
use crate::sim::pattern::Tetrahedron;
use crate::sim::{Pattern, Real, Vec3};

/// Elements per task.
const GRAIN: usize = 128;
/// Alternations after which the energy of a shape is taken as found.
const SETTLED: usize = 60;

/// Examples of tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyExamples {
    /// Weight per volume [J/m³].
    pub weight: Real,
    /// Whether all tetrahedra of a body have the same weights of the examples.
    pub global: bool,
    /// Times that rotations and weights are found in turn, per iteration.
    pub alternations: u32,
}

/// Examples of triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothExamples {
    /// Weight per area [J/m²].
    pub weight: Real,
    /// Whether all triangles of a cloth have the same weights of the examples.
    pub global: bool,
    /// Times that rotations and weights are found in turn, per iteration.
    pub alternations: u32,
}

impl BodyExamples {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] =
        &[Self { weight: 3e4, global: false, alternations: 1 }, Self { weight: 700.0, global: true, alternations: 2 }];
}

impl ClothExamples {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] =
        &[Self { weight: 300.0, global: false, alternations: 2 }, Self { weight: 7.0, global: true, alternations: 1 }];
}

/// The deformation gradients of an element with `N` columns.
trait Columns: Sized {
    /// Replaces each, of at most four, by the nearest matrix with orthonormal columns; a rotation
    /// if there are three.
    fn make_rotations(some: &mut [Self]);
}

impl Columns for [F64x4; 3] {
    fn make_rotations(some: &mut [Self]) {
        clamp_tetrahedra(some.as_flattened_mut(), [1.0; 2]);
    }
}

impl Columns for [F64x4; 2] {
    fn make_rotations(some: &mut [Self]) {
        clamp_triangles(some.as_flattened_mut(), [1.0; 2]);
    }
}

/// Layout of the numbers of an element. Of the rest shape and the examples: its piece, the `D_i`
/// and the mean of `D_i:D_j` over the piece. As state between iterations: the weights, its
/// contribution to `b`, and its rotation.
struct Layout<const N: usize> {
    examples: usize,
}

impl<const N: usize> Layout<N> {
    fn kept(&self) -> usize {
        1 + self.examples * N * N + self.examples * self.examples
    }

    fn states(&self) -> usize {
        2 * self.examples + 3 * N
    }

    /// From the numbers that are kept.
    fn of(kept: usize) -> Self {
        let examples = (0..=MOST_EXAMPLES).find(|&examples| Self { examples }.kept() == kept);
        Self { examples: examples.unwrap_or(0) }
    }

    /// Row by row `D_i`, the one of example `example`.
    fn stretch<'a>(&self, rest: &'a [Real], example: usize) -> &'a [Real] {
        &rest[1 + example * N * N..][..N * N]
    }

    fn common<'a>(&self, rest: &'a [Real]) -> &'a [Real] {
        &rest[1 + self.examples * N * N..]
    }

    /// `H(ω)`, symmetric.
    fn blended(&self, rest: &[Real], weights: &[Real]) -> [[Real; N]; N] {
        let mut h = [[0.0; N]; N];
        for (j, row) in h.iter_mut().enumerate() {
            row[j] = 1.0;
        }
        for (example, &weight) in weights.iter().enumerate().take(self.examples) {
            for (at, d) in self.stretch(rest, example).iter().enumerate() {
                h[at / N][at % N] += weight * d;
            }
        }
        h
    }

    /// `b_i = D_i : (RᵀF - I)`.
    fn pulls(&self, rest: &[Real], f: &[Vec3; N], r: &[Vec3; N]) -> [Real; MOST_EXAMPLES] {
        let mut b = [0.0; MOST_EXAMPLES];
        for (example, b) in b.iter_mut().enumerate().take(self.examples) {
            for (at, d) in self.stretch(rest, example).iter().enumerate() {
                let (j, k) = (at / N, at % N);
                *b += d * (r[j].dot(f[k]) - if j == k { 1.0 } else { 0.0 });
            }
        }
        b
    }

    /// `K_ij = D_i : D_j`.
    fn products(&self, rest: &[Real]) -> [[Real; MOST_EXAMPLES]; MOST_EXAMPLES] {
        let of = |i: usize, j: usize| {
            let (a, b) = (self.stretch(rest, i), self.stretch(rest, j));
            a.iter().zip(b).map(|(a, b)| a * b).sum::<Real>()
        };
        let mut k = [[0.0; MOST_EXAMPLES]; MOST_EXAMPLES];
        for (i, row) in k.iter_mut().enumerate().take(self.examples) {
            for (j, entry) in row.iter_mut().enumerate().take(self.examples) {
                *entry = of(i, j);
            }
        }
        k
    }
}

fn times<const N: usize>(f: &[Vec3; N], h: &[[Real; N]; N]) -> [Vec3; N] {
    std::array::from_fn(|j| (0..N).map(|k| f[k] * h[k][j]).sum())
}

/// The symmetric stretches of an element in the examples, row by row; `None` where one turns it
/// inside out or takes its size.
fn stretch_of_tetrahedron(f: [Vec3; 3]) -> Option<[Real; 9]> {
    let svd = SignedSvd::of(f);
    (svd.values[2] > 0.0).then(|| {
        std::array::from_fn(|at| (0..3).map(|k| svd.values[k] * svd.right[k][at / 3] * svd.right[k][at % 3]).sum())
    })
}

fn stretch_of_triangle(f: [Vec3; 2]) -> [Real; 4] {
    let svd = Svd::of(f);
    std::array::from_fn(|at| (0..2).map(|k| svd.values[k] * svd.right[k][at / 2] * svd.right[k][at % 2]).sum())
}

/// An element before the means over its piece are known.
struct Draft<const N: usize> {
    entries: Vec<(u32, [Real; N])>,
    measure: Real,
    piece: u32,
    stretches: Vec<Real>,
}

/// The elements with their numbers, of those pieces that an example deforms.
fn with_means<const N: usize>(drafts: &[Draft<N>], examples: usize) -> Elements {
    let layout = Layout::<N> { examples };
    let mut elements = Elements::new(N, layout.kept()).with_states(layout.states());
    let pieces = drafts.iter().map(|draft| draft.piece as usize + 1).max().unwrap_or(0);
    let mut sums = vec![(0.0, vec![0.0; examples * examples]); pieces];
    let rest_of = |draft: &Draft<N>| {
        let mut rest = vec![Real::from(draft.piece)];
        rest.extend(&draft.stretches);
        rest.resize(layout.kept(), 0.0);
        rest
    };
    for draft in drafts {
        let products = layout.products(&rest_of(draft));
        let (measure, sum) = &mut sums[draft.piece as usize];
        *measure += draft.measure;
        for (at, sum) in sum.iter_mut().enumerate() {
            *sum += draft.measure * products[at / examples][at % examples];
        }
    }
    for draft in drafts {
        let mut rest = rest_of(draft);
        let (measure, sum) = &sums[draft.piece as usize];
        let start = 1 + examples * N * N;
        rest[start..].iter_mut().zip(sum).for_each(|(entry, sum)| *entry = sum / measure);
        elements.push(draft.entries.iter().copied(), draft.measure, &rest);
    }
    elements
}

/// The pieces that an example deforms, and the examples at every vertex, those that were torn off
/// as well.
pub(super) fn deformed(pattern: &Pattern) -> (Vec<bool>, Vec<Vec<Vec3>>) {
    let (pieces, origins) = (pattern.piece_of_vertices(), pattern.origins());
    let mut is_deformed = vec![false; pattern.pieces().len()];
    let at_all = |example: &Vec<Vec3>| origins.iter().map(|&origin| example[origin as usize]).collect::<Vec<_>>();
    let examples: Vec<Vec<Vec3>> = pattern.examples().iter().map(at_all).collect();
    for example in &examples {
        for ((x, rest), &piece) in example.iter().zip(pattern.rest_positions()).zip(&pieces) {
            is_deformed[piece as usize] |= x != rest;
        }
    }
    (is_deformed, examples)
}

/// `D_i = S_i - I` of every example, row by row.
fn offsets<const N: usize, const M: usize>(stretches: impl Iterator<Item = [Real; M]>) -> Vec<Real> {
    let offset = |stretch: [Real; M]| {
        stretch.into_iter().enumerate().map(|(at, entry)| if at % (N + 1) == 0 { entry - 1.0 } else { entry })
    };
    stretches.flat_map(offset).collect()
}

fn gradient<const N: usize>(entries: &[(u32, [Real; N])], x: &[Vec3]) -> [Vec3; N] {
    std::array::from_fn(|k| entries.iter().map(|(vertex, row)| x[*vertex as usize] * row[k]).sum())
}

fn tetrahedra_in_examples(pattern: &Pattern) -> Elements {
    let (is_deformed, examples) = deformed(pattern);
    let (rest, pieces) = (pattern.rest_positions(), pattern.piece_of_vertices());
    let mut drafts = Vec::new();
    for vertices in pattern.tetrahedra() {
        let piece = pieces[vertices[0] as usize];
        let element = Tetrahedron::of_rest(vertices.map(|vertex| rest[vertex as usize]));
        let Some(element) = element.filter(|_| is_deformed[piece as usize]) else { continue };
        let entries: Vec<_> = vertices.iter().copied().zip(element.coefficients()).collect();
        // one that an example turns inside out is as at rest there
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let stretch = |x: &Vec<Vec3>| stretch_of_tetrahedron(gradient(&entries, x)).unwrap_or(identity);
        let stretches = offsets::<3, 9>(examples.iter().map(stretch));
        drafts.push(Draft { entries, measure: element.volume, piece, stretches });
    }
    with_means(&drafts, examples.len())
}

fn triangles_in_examples(pattern: &Pattern) -> Elements {
    let (is_deformed, examples) = deformed(pattern);
    let pieces = pattern.piece_of_vertices();
    let mut drafts = Vec::new();
    for element in triangles(pattern) {
        let piece = pieces[element.vertices[0] as usize];
        if !is_deformed[piece as usize] {
            continue;
        }
        let [first, second] = element.rows();
        let entry = |corner: usize| (element.vertices[corner], [first[corner], second[corner]]);
        let entries: Vec<_> = [0, 1, 2].map(entry).to_vec();
        let stretches = offsets::<2, 4>(examples.iter().map(|x| stretch_of_triangle(gradient(&entries, x))));
        drafts.push(Draft { entries, measure: element.area, piece, stretches });
    }
    with_means(&drafts, examples.len())
}

/// Finds the rotations of at most [`TOGETHER`] elements for their present weights, and the
/// contribution of each to `b`; both go to its state.
fn turn<const N: usize>(layout: &Layout<N>, f: &[[F64x4; N]], rest: &[Real], states: &mut [Real])
where
    [F64x4; N]: Columns,
{
    let mut turned = [[F64x4::ZERO; N]; TOGETHER];
    let turned = &mut turned[..f.len()];
    let elements = || rest.chunks_exact(layout.kept());
    for (((f, turned), rest), state) in
        f.iter().zip(&mut *turned).zip(elements()).zip(states.chunks_exact(layout.states()))
    {
        let blended = layout.blended(rest, &state[..layout.examples]);
        *turned = times(&f.map(F64x4::to_vec3), &blended).map(F64x4::from_vec3);
    }
    Columns::make_rotations(turned);
    for (((f, r), rest), state) in f.iter().zip(turned).zip(elements()).zip(states.chunks_exact_mut(layout.states())) {
        let r = r.map(F64x4::to_vec3);
        let (pulls, rotation) = state[layout.examples..].split_at_mut(layout.examples);
        let b = layout.pulls(rest, &f.map(F64x4::to_vec3), &r);
        pulls.copy_from_slice(&b[..layout.examples]);
        r.iter().zip(rotation.chunks_exact_mut(3)).for_each(|(column, kept)| kept.copy_from_slice(&column.to_array()));
    }
}

/// `p = R H(ω)` with the rotation and the weights in the state.
fn blend<const N: usize>(layout: &Layout<N>, rest: &[Real], state: &[Real]) -> [Vec3; N] {
    let r: [Vec3; N] = std::array::from_fn(|k| Vec3::from_slice(&state[2 * layout.examples + 3 * k..]));
    times(&r, &layout.blended(rest, &state[..layout.examples]))
}

/// The local step with weights of their own.
fn project_locally<const N: usize>(chunk: &mut Chunk, alternations: u32)
where
    [F64x4; N]: Columns,
{
    let layout = Layout::<N>::of(chunk.kept());
    chunk.project_with_states(|f: &mut [[F64x4; N]], rest, states| {
        for _ in 0..alternations {
            turn(&layout, f, rest, states);
            for (rest, state) in rest.chunks_exact(layout.kept()).zip(states.chunks_exact_mut(layout.states())) {
                let mut b = [0.0; MOST_EXAMPLES];
                b[..layout.examples].copy_from_slice(&state[layout.examples..][..layout.examples]);
                let weights = best_weights(&layout.products(rest), &b, layout.examples);
                state[..layout.examples].copy_from_slice(&weights[..layout.examples]);
            }
        }
        let elements = rest.chunks_exact(layout.kept()).zip(states.chunks_exact(layout.states()));
        f.iter_mut().zip(elements).for_each(|(f, (rest, state))| {
            *f = blend(&layout, rest, state).map(F64x4::from_vec3);
        });
    });
}

/// The local step with weights common to each piece.
fn project_globally<const N: usize>(
    all: &Elements,
    values: &mut [F64x4],
    states: &mut [Real],
    alternations: u32,
    pool: &ThreadPool,
) where
    [F64x4; N]: Columns,
{
    let layout = Layout::<N>::of(all.kept());
    let (size, count) = (layout.states(), layout.examples);
    for _ in 0..alternations {
        let (shared, f) = (Shared::new(states), &*values);
        pool.for_parts(all.len(), GRAIN, |range| {
            // SAFETY: the parts do not overlap.
            let part = unsafe { shared.part(range.start * size..range.end * size) };
            let f = &f.as_chunks::<N>().0[range.clone()];
            let rest = &all.rests()[range.start * layout.kept()..range.end * layout.kept()];
            let rest = rest.chunks(TOGETHER * layout.kept());
            let some = f.chunks(TOGETHER).zip(rest).zip(part.chunks_mut(TOGETHER * size));
            some.for_each(|((f, rest), states)| turn(&layout, f, rest, states));
        });
        // pieces are one after another; sums are in the order of the elements
        let mut start = 0;
        while start < all.len() {
            let piece = all.rest(start)[0];
            let end = (start..all.len()).find(|&element| all.rest(element)[0] != piece).unwrap_or(all.len());
            let (mut b, mut measure) = ([0.0; MOST_EXAMPLES], 0.0);
            for element in start..end {
                measure += all.measure(element);
                let pulls = &states[element * size + count..][..count];
                b.iter_mut().zip(pulls).for_each(|(sum, pull)| *sum += all.measure(element) * pull);
            }
            let mut k = [[0.0; MOST_EXAMPLES]; MOST_EXAMPLES];
            for (at, entry) in layout.common(all.rest(start)).iter().enumerate() {
                k[at / count][at % count] = *entry;
            }
            let weights = best_weights(&k, &b.map(|sum| sum / measure), count);
            states[start * size..end * size]
                .chunks_exact_mut(size)
                .for_each(|state| state[..count].copy_from_slice(&weights[..count]));
            start = end;
        }
    }
    let (shared, states) = (Shared::new(values), &*states);
    pool.for_parts(all.len(), GRAIN, |range| {
        // SAFETY: the parts do not overlap.
        let part = unsafe { shared.part(range.start * N..range.end * N) };
        for (element, values) in range.zip(part.as_chunks_mut::<N>().0) {
            *values = blend::<N>(&layout, all.rest(element), &states[element * size..][..size]).map(F64x4::from_vec3);
        }
    });
}

/// The mean weights of `examples` shapes in each piece, by the measure of its elements; `states` has
/// those of each element first. Pieces are one after another.
pub(super) fn weights_of_pieces<'a>(
    all: &Elements,
    states: impl Iterator<Item = &'a [Real]>,
    examples: usize,
) -> Vec<ExampleWeights> {
    let mut pieces: Vec<ExampleWeights> = Vec::new();
    let mut measure = 0.0;
    for (element, state) in states.enumerate() {
        let piece = all.rest(element)[0] as u32;
        if pieces.last().is_none_or(|last| last.piece != piece) {
            pieces.push(ExampleWeights { piece, mean: vec![0.0; examples] });
            measure = 0.0;
        }
        measure += all.measure(element);
        let share = all.measure(element) / measure;
        if let Some(last) = pieces.last_mut() {
            last.mean.iter_mut().zip(state).for_each(|(mean, weight)| *mean += share * (weight - *mean));
        }
    }
    pieces
}

/// `ρ |ω|²/2` of each element.
fn add_weights<const N: usize>(projected: &Chunk, energies: &mut [Real]) {
    let layout = Layout::<N>::of(projected.kept());
    for (state, energy) in projected.states().chunks_exact(layout.states()).zip(energies) {
        *energy += 0.5 * RHO * state[..layout.examples].iter().map(|weight| weight * weight).sum::<Real>();
    }
}

macro_rules! examples {
    ($constraint:ident, $elements:ident, $rows:literal) => {
        impl Constraint for $constraint {
            fn weight(&self) -> Real {
                self.weight
            }

            fn elements(&self, pattern: &Pattern) -> Elements {
                $elements(pattern)
            }

            fn project(&self, chunk: &mut Chunk) {
                project_locally::<$rows>(chunk, self.alternations);
            }

            fn project_together(&self, all: &Elements, values: &mut [F64x4], states: &mut [Real], pool: &ThreadPool) {
                project_globally::<$rows>(all, values, states, self.alternations, pool);
            }

            fn is_coupled(&self) -> bool {
                self.global
            }

            fn energies(&self, values: &[F64x4], projected: &Chunk, energies: &mut [Real]) {
                projected.distances(values, energies);
                add_weights::<$rows>(projected, energies);
            }

            fn example_weights(&self, all: &Elements, states: &[Real]) -> Vec<ExampleWeights> {
                let layout = Layout::<$rows>::of(all.kept());
                weights_of_pieces(all, states.chunks_exact(layout.states()), layout.examples)
            }

            fn settling(&self) -> usize {
                SETTLED
            }

            // only from the weights of the last iteration on, and those of another shape are others
            fn is_nearest(&self) -> bool {
                false
            }
        }
    };
}
examples!(BodyExamples, tetrahedra_in_examples, 3);
examples!(ClothExamples, triangles_in_examples, 2);
