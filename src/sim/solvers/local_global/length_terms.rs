//! The local step of length terms, springs and edges, four at a time, and the sum of their forces.
//!
//! The projection of a spring is `t = L d/|d|`. Its contribution to the right-hand side, `± w t`,
//! is `(w L/|d|) (q_i - q_j)` at `i` and the same with the ends exchanged at `j`, so one number per
//! spring has to be stored.

use std::ops::Range;

use super::terms::Terms;
use crate::sim::Real;
use crate::sim::exec::simd::{F64x4, FourVertices, RegF64x4, vectorised};
use crate::sim::math::csr::Csr;

/// Four springs. The last may be filled up with springs from a vertex to itself, which have no
/// length and do not pull.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
struct Batch {
    ends: [[u32; 4]; 2],
    /// `w L` [N].
    pulls: F64x4,
}

/// One end of a spring, in the row of its vertex.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    /// Place of the vertex at the other end.
    other: u32,
    /// Number of the spring.
    term: u32,
}

/// The springs, and the elements of constraints that keep lengths, by places.
#[derive(Debug, Default)]
pub struct LengthTerms {
    batches: Vec<Batch>,
    /// Rest lengths of the batches [m], for the energy alone.
    rests: Vec<F64x4>,
    /// `w L/|d|` of each [N/m], four per batch.
    pub factors: Vec<F64x4>,
    /// The row of each in the terms.
    rows: Vec<u32>,
    ends: Csr<End>,
    /// `c/h` of each [N/m].
    damping: Vec<Real>,
    vertices: usize,
}

impl LengthTerms {
    /// Collects the lengths of `terms`, whose vertices are at these `places`, sorted so that
    /// neighbours in the factor are neighbours in memory.
    pub fn gather(&mut self, terms: &Terms, places: &[u32]) {
        let place = |vertex: u32| places[vertex as usize];
        let placed: Vec<(u32, (u32, u32))> = (0..terms.lengths)
            .map(|row| {
                let (vertices, _) = terms.rows.row(row);
                let [i, j] = [vertices[0], vertices[1]].map(place);
                (i.max(j), (i.min(j), row as u32))
            })
            .collect();
        // by the later end, then by the earlier one, which keeps the order of the later ones
        let by_later = Csr::from_pairs(places.len(), placed.iter().copied());
        let mut by_earlier: Vec<(u32, (u32, u32))> = Vec::with_capacity(placed.len());
        for j in 0..places.len() as u32 {
            by_earlier.extend(by_later.row(j as usize).iter().map(|&(i, row)| (i, (j, row))));
        }
        let by_place = Csr::from_pairs(places.len(), by_earlier.iter().copied());
        let mut sorted: Vec<([u32; 2], u32)> = Vec::with_capacity(terms.lengths);
        for i in 0..places.len() as u32 {
            sorted.extend(by_place.row(i as usize).iter().map(|&(j, row)| ([i, j], row)));
        }
        self.vertices = places.len();
        self.rows.clear();
        self.rows.extend(sorted.iter().map(|(_, row)| *row));
        self.batches.clear();
        self.batches.extend(sorted.chunks(4).map(|four| {
            let mut batch = Batch { ends: [[0; 4]; 2], pulls: F64x4::ZERO };
            for (lane, ([i, j], _)) in four.iter().enumerate() {
                (batch.ends[0][lane], batch.ends[1][lane]) = (*i, *j);
            }
            batch
        }));
        assert!(sorted.iter().all(|([_, j], _)| (*j as usize) < self.vertices));
        self.factors.resize(self.batches.len(), F64x4::ZERO);
        self.rests.clear();
        self.rests.resize(self.batches.len(), F64x4::ZERO);

        let ends = (0..)
            .zip(&sorted)
            .flat_map(|(term, &([i, j], _))| [(i, End { other: j, term }), (j, End { other: i, term })]);
        self.ends.fill(self.vertices, ends);
    }

    /// Takes over the weights of `terms`.
    pub fn weigh(&mut self, terms: &Terms) {
        self.damping.clear();
        for (term, &row) in self.rows.iter().enumerate() {
            let row = row as usize;
            self.batches[term / 4].pulls.0[term % 4] = terms.pulls[row] * terms.rest_lengths[row];
            self.rests[term / 4].0[term % 4] = terms.rest_lengths[row];
            self.damping.push(terms.damping.get(row).copied().unwrap_or(0.0));
        }
    }

    /// Number of batches.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Finds the factors of the batches in `range` at the positions `q` by places, and writes them
    /// to `factors`.
    pub fn project(&self, q: &[F64x4], range: Range<usize>, factors: &mut [F64x4]) {
        assert!(q.len() >= self.vertices);
        project(&self.batches[range], q, factors);
    }

    /// [`project`](Self::project), and the part of the energy of these batches that the matrix does
    /// not have: `-Σ w L (|d| - L)` [J].
    pub fn project_and_measure(&self, q: &[F64x4], range: Range<usize>, factors: &mut [F64x4]) -> Real {
        assert!(q.len() >= self.vertices);
        project_and_measure(&self.batches[range.clone()], &self.rests[range], q, factors)
    }

    /// Adds the forces of the springs at the places in `range` to `b`, with the positions `q` of
    /// all places.
    pub fn pull(&self, q: &[F64x4], range: Range<usize>, b: &mut [F64x4]) {
        pull(self, q, range, b);
    }

    /// Adds the forces of damping at the places in `range` to `b`, with the positions `x` before
    /// the step.
    pub fn damp(&self, x: &[F64x4], range: Range<usize>, b: &mut [F64x4]) {
        for (place, b) in range.zip(b) {
            for end in self.ends_of(place) {
                let apart = x[place] - x[end.other as usize];
                *b = *b + apart * F64x4::splat(self.damping[end.term as usize]);
            }
        }
    }

    /// The other ends of the springs at a place, with the stiffness that the matrix has across each
    /// of them and a stretched spring has not, `k min(1, L/l)` [N/m].
    pub fn across(&self, place: usize) -> impl Iterator<Item = (u32, Real)> {
        self.ends_of(place).iter().map(|end| {
            let (batch, lane) = (end.term as usize / 4, end.term as usize % 4);
            let stiffness = self.batches[batch].pulls.0[lane] / self.rests[batch].0[lane];
            (end.other, self.factors[batch].0[lane].min(stiffness))
        })
    }

    #[inline(always)]
    fn ends_of(&self, place: usize) -> &[End] {
        self.ends.row(place)
    }
}

vectorised! {
    /// The ends of all batches have to be less than the length of `q`.
    fn project(batches: &[Batch], q: &[F64x4], factors: &mut [F64x4]) = project_generic
}

#[inline(always)]
fn project_generic<const FMA: bool>(batches: &[Batch], q: &[F64x4], factors: &mut [F64x4]) {
    for (batch, factor) in batches.iter().zip(factors) {
        // SAFETY: the ends are entries of `q`: `gather` and `LengthTerms::project` assert it.
        let (qi, qj) = unsafe {
            (FourVertices::<FMA>::gather(q.as_ptr(), &batch.ends[0]), FourVertices::gather(q.as_ptr(), &batch.ends[1]))
        };
        let [x, y, z, _] = (qi - qj).columns();
        let length = (x * x).plus(y, y).plus(z, z).sqrt();
        *factor = (RegF64x4(batch.pulls) * length.inverse_or_zero()).0;
    }
}

vectorised! {
    /// The ends of all batches have to be less than the length of `q`.
    fn project_and_measure(batches: &[Batch], rests: &[F64x4], q: &[F64x4], factors: &mut [F64x4]) -> Real
        = project_and_measure_generic
}

#[inline(always)]
fn project_and_measure_generic<const FMA: bool>(
    batches: &[Batch],
    rests: &[F64x4],
    q: &[F64x4],
    factors: &mut [F64x4],
) -> Real {
    let mut energy = RegF64x4::<FMA>::ZERO;
    for ((batch, rest), factor) in batches.iter().zip(rests).zip(factors) {
        // SAFETY: the ends are entries of `q`: `gather` and `LengthTerms::project_and_measure`
        // assert it.
        let (qi, qj) = unsafe {
            (FourVertices::<FMA>::gather(q.as_ptr(), &batch.ends[0]), FourVertices::gather(q.as_ptr(), &batch.ends[1]))
        };
        let [x, y, z, _] = (qi - qj).columns();
        let length = (x * x).plus(y, y).plus(z, z).sqrt();
        energy = energy.minus(RegF64x4(batch.pulls), length - RegF64x4(*rest));
        *factor = (RegF64x4(batch.pulls) * length.inverse_or_zero()).0;
    }
    energy.0.sum()
}

vectorised! {
    fn pull(terms: &LengthTerms, q: &[F64x4], range: Range<usize>, b: &mut [F64x4]) = pull_generic
}

#[inline(always)]
fn pull_generic<const FMA: bool>(terms: &LengthTerms, q: &[F64x4], range: Range<usize>, b: &mut [F64x4]) {
    let factors = terms.factors.as_flattened_numbers();
    for (place, b) in range.zip(b) {
        let here = RegF64x4::<FMA>(q[place]);
        let mut sum = RegF64x4::<FMA>(*b);
        for end in terms.ends_of(place) {
            sum = sum.plus(here - RegF64x4(q[end.other as usize]), RegF64x4::splat(factors[end.term as usize]));
        }
        *b = sum.0;
    }
}

/// Numbers of an array of lanes, one after the other.
trait Flattened {
    fn as_flattened_numbers(&self) -> &[Real];
}

impl Flattened for [F64x4] {
    fn as_flattened_numbers(&self) -> &[Real] {
        // SAFETY: `F64x4` is four numbers and nothing else.
        unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), 4 * self.len()) }
    }
}
