//! Interface of a constraint of projective dynamics, and its elements on a cloth.
//!
//! ```text
//! E(q) = Σ_e w μ_e/2 Σ_r |z_er - p_er|²      [J]
//! z_er = Σ_v a_erv q_v,   p_e = projection of z_e
//! ```
//!
//! Bouaziz et al. 2014, equation 6. Elements `e` with their rows `r`, coefficients `a` and measure
//! `μ` (an area, a width over a length) follow from the rest mesh; the weight `w` and the
//! admissible values are settings. A solver evaluates the rows of some elements, a [`Chunk`], and
//! has the constraint project all of them by one call. Elements are independent of each other, so
//! the division into chunks does not change the result.

use std::fmt::Debug;
use std::ops::Range;

use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::measure::ExampleWeights;
use crate::sim::{Pattern, Real, Vec3};

/// A constraint of projective dynamics with its settings.
pub trait Constraint: Debug + Send + Sync {
    /// The weight `w` per measure; zero leaves the constraint out. It is the only setting that the
    /// matrix depends on. Every other one changes projections alone, and so costs nothing to
    /// change.
    fn weight(&self) -> Real;

    /// The elements on a cloth. They may depend on the pattern and on nothing else.
    fn elements(&self, pattern: &Pattern) -> Elements;

    /// Replaces the values `z` of each element by their projection `p`.
    fn project(&self, chunk: &mut Chunk);

    /// Writes the energy of each element for `w μ = 1`, given its values `z` and the chunk of its
    /// projections `p`: half the square of the distance from `z` to `p`, and any further terms.
    fn energies(&self, values: &[F64x4], projected: &Chunk, energies: &mut [Real]) {
        projected.distances(values, energies);
    }

    /// Whether its elements know of each other, so that they are projected together.
    fn is_coupled(&self) -> bool {
        false
    }

    /// [`project`](Self::project) for all elements at once, of one that [is
    /// coupled](Self::is_coupled).
    fn project_together(&self, all: &Elements, values: &mut [F64x4], states: &mut [Real], _: &ThreadPool) {
        let all = &mut all.chunk(0..all.len(), values, states);
        self.project(all);
    }

    /// The weights of examples in the states of its elements, piece by piece, of a constraint with
    /// examples.
    fn example_weights(&self, all: &Elements, states: &[Real]) -> Vec<ExampleWeights> {
        let _ = (all, states);
        Vec::new()
    }

    /// Projections one after the other that it takes to measure a shape, from states of zero.
    fn settling(&self) -> usize {
        1
    }

    /// Whether a projection is a nearest admissible value. Then no local step raises the energy,
    /// and the gradient of the energy is `Σ w μ aᵀ (z - p)`. Otherwise both hold only nearly.
    fn is_nearest(&self) -> bool {
        true
    }

    /// Whether every element is one row `q_i - q_j` with one number at rest, the length that its
    /// projection has ([`super::with_length`]). Such elements are projected four at a time together
    /// with the springs.
    fn keeps_lengths(&self) -> bool {
        false
    }
}

/// The elements of a constraint, with so many rows each.
#[derive(Debug, Clone, PartialEq)]
pub struct Elements {
    rows: usize,
    /// Where the vertices of each element start; one more than there are elements.
    starts: Vec<u32>,
    vertices: Vec<u32>,
    /// For each of `vertices` its coefficient in each row.
    coefficients: Vec<Real>,
    measures: Vec<Real>,
    /// Numbers of the rest shape per element, and these.
    kept: usize,
    rest: Vec<Real>,
    /// Numbers per element that one iteration leaves to the next.
    states: usize,
}

impl Elements {
    /// No elements yet. They will have `rows` rows each, 1 to 3, and `kept` numbers of the rest
    /// shape.
    ///
    /// # Panics
    /// On another number of rows.
    #[must_use]
    pub fn new(rows: usize, kept: usize) -> Self {
        assert!((1..=3).contains(&rows), "{rows} rows per element");
        Self {
            rows,
            kept,
            starts: vec![0],
            vertices: Vec::new(),
            coefficients: Vec::new(),
            measures: Vec::new(),
            rest: Vec::new(),
            states: 0,
        }
    }

    /// Each element leaves so many numbers to the next iteration of a step; at its start they are
    /// zero.
    #[must_use]
    pub fn with_states(self, states: usize) -> Self {
        Self { states, ..self }
    }

    /// Numbers that all elements leave to the next iteration, one element after the other: zero, as
    /// at the start of a step.
    #[must_use]
    pub fn fresh_states(&self) -> Vec<Real> {
        vec![0.0; self.len() * self.states]
    }

    /// Numbers that each element leaves to the next iteration.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// Numbers that each element keeps of the rest shape.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Appends an element: its vertices, each once, with their coefficients in the `R` rows, its
    /// measure, and the numbers of its rest shape.
    ///
    /// # Panics
    /// On another number of rows or numbers than `new` was given.
    pub fn push<const R: usize>(
        &mut self,
        entries: impl IntoIterator<Item = (u32, [Real; R])>,
        measure: Real,
        rest: &[Real],
    ) {
        assert_eq!((R, rest.len()), (self.rows, self.kept), "rows, and numbers of the rest shape");
        for (vertex, coefficients) in entries {
            self.vertices.push(vertex);
            self.coefficients.extend_from_slice(&coefficients);
        }
        self.starts.push(self.vertices.len() as u32);
        self.measures.push(measure);
        self.rest.extend_from_slice(rest);
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.measures.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.measures.is_empty()
    }

    /// Rows of each element.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The measure `μ` of an element.
    #[must_use]
    pub fn measure(&self, element: usize) -> Real {
        self.measures[element]
    }

    /// Numbers of the rest shape of an element.
    #[must_use]
    pub fn rest(&self, element: usize) -> &[Real] {
        &self.rest[element * self.kept..][..self.kept]
    }

    /// Numbers of the rest shape of all elements, one after the other.
    #[must_use]
    pub fn rests(&self) -> &[Real] {
        &self.rest
    }

    /// The vertices of an element with their coefficients in one of its rows.
    pub fn row(&self, element: usize, row: usize) -> impl Iterator<Item = (u32, Real)> {
        let range = self.starts[element] as usize..self.starts[element + 1] as usize;
        range.map(move |at| (self.vertices[at], self.coefficients[at * self.rows + row]))
    }

    /// Calls every vertex by another number.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        self.vertices.iter_mut().for_each(|vertex| *vertex = number(*vertex));
    }

    /// Writes the values `z` of the rows of some elements to `values`. `q` has the positions of all
    /// vertices [m].
    pub fn evaluate(&self, elements: Range<usize>, q: &[F64x4], values: &mut [F64x4]) {
        match self.rows {
            1 => self.evaluate_rows::<1>(elements, q, values),
            2 => self.evaluate_rows::<2>(elements, q, values),
            _ => self.evaluate_rows::<3>(elements, q, values),
        }
    }

    fn evaluate_rows<const R: usize>(&self, elements: Range<usize>, q: &[F64x4], values: &mut [F64x4]) {
        let (coefficients, _) = self.coefficients.as_chunks::<R>();
        for (element, values) in elements.zip(values.as_chunks_mut::<R>().0) {
            let range = self.starts[element] as usize..self.starts[element + 1] as usize;
            let mut sums = [F64x4::ZERO; R];
            for (&vertex, coefficients) in self.vertices[range.clone()].iter().zip(&coefficients[range]) {
                let position = q[vertex as usize];
                for (sum, &a) in sums.iter_mut().zip(coefficients) {
                    *sum = *sum + position * F64x4::splat(a);
                }
            }
            *values = sums;
        }
    }

    /// Some elements with their values and the states left to the next iteration, to project.
    #[must_use]
    pub fn chunk<'a>(&'a self, elements: Range<usize>, values: &'a mut [F64x4], states: &'a mut [Real]) -> Chunk<'a> {
        let rest = &self.rest[elements.start * self.kept..elements.end * self.kept];
        Chunk { rows: self.rows, kept: self.kept, values, rest, states_each: self.states, states }
    }

    /// Values of the rows of all elements, their projections, and the states that these leave. `q`
    /// has the positions of all vertices [m].
    #[must_use]
    pub fn projections(&self, constraint: &dyn Constraint, q: &[F64x4]) -> [Vec<F64x4>; 2] {
        let (values, projected, _) = self.settled(constraint, q);
        [values, projected]
    }

    fn settled(&self, constraint: &dyn Constraint, q: &[F64x4]) -> (Vec<F64x4>, Vec<F64x4>, Vec<Real>) {
        let mut values = vec![F64x4::ZERO; self.len() * self.rows];
        self.evaluate(0..self.len(), q, &mut values);
        let (mut projected, mut states) = (values.clone(), self.fresh_states());
        for _ in 0..constraint.settling() {
            projected.clone_from(&values);
            if constraint.is_coupled() {
                constraint.project_together(self, &mut projected, &mut states, &ThreadPool::alone());
            } else {
                constraint.project(&mut self.chunk(0..self.len(), &mut projected, &mut states));
            }
        }
        (values, projected, states)
    }

    /// The energy of each element under `constraint` [J]. `q` has the positions of all vertices
    /// [m].
    #[must_use]
    pub fn energies(&self, constraint: &dyn Constraint, q: &[F64x4]) -> Vec<Real> {
        let (values, mut projected, mut states) = self.settled(constraint, q);
        let chunk = self.chunk(0..self.len(), &mut projected, &mut states);
        let mut energies = vec![0.0; self.len()];
        constraint.energies(&values, &chunk, &mut energies);
        let weight = constraint.weight();
        energies.iter_mut().zip(&self.measures).for_each(|(energy, measure)| *energy *= weight * measure);
        energies
    }
}

/// Elements with states that are projected together.
pub const TOGETHER: usize = 4;

/// Some elements, one after the other, with the values of their rows.
#[derive(Debug)]
pub struct Chunk<'a> {
    rows: usize,
    kept: usize,
    values: &'a mut [F64x4],
    rest: &'a [Real],
    states_each: usize,
    states: &'a mut [Real],
}

impl Chunk<'_> {
    /// Numbers that each element keeps of the rest shape.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// States left to the next iteration, one element after the other.
    #[must_use]
    pub fn states(&self) -> &[Real] {
        self.states
    }

    /// Writes half the square of the distance of each element's `values` from these.
    pub fn distances(&self, values: &[F64x4], distances: &mut [Real]) {
        for ((z, p), half) in values.chunks_exact(self.rows).zip(self.values.chunks_exact(self.rows)).zip(distances) {
            let square = |(z, p): (&F64x4, &F64x4)| z.to_vec3().distance_squared(p.to_vec3());
            *half = z.iter().zip(p).map(square).sum::<Real>() / 2.0;
        }
    }

    /// Calls `project` for [`TOGETHER`] elements at a time, and in the end for fewer, with the
    /// values of their rows, the numbers of their rest shape and their states.
    pub fn project_with_states<const R: usize>(&mut self, project: impl Fn(&mut [[F64x4; R]], &[Real], &mut [Real])) {
        debug_assert_eq!(R, self.rows);
        let rest = self.rest.chunks(TOGETHER * self.kept.max(1));
        let states = self.states.chunks_mut(TOGETHER * self.states_each.max(1));
        let some = self.values.as_chunks_mut::<R>().0.chunks_mut(TOGETHER);
        some.zip(rest).zip(states).for_each(|((values, rest), states)| project(values, rest, states));
    }

    /// The values of the rows, element by element, to replace by projections. Their fourth lanes
    /// are zero.
    pub fn values_mut(&mut self) -> &mut [F64x4] {
        self.values
    }

    /// Calls `project` for every element, with the values of its rows and the numbers of its rest
    /// shape. `R` is the number of rows.
    #[inline(always)]
    pub fn project_each<const R: usize>(&mut self, project: impl Fn([Vec3; R], &[Real]) -> [Vec3; R]) {
        debug_assert_eq!(R, self.rows);
        for (element, values) in self.values.as_chunks_mut::<R>().0.iter_mut().enumerate() {
            let rest = &self.rest[element * self.kept..][..self.kept];
            *values = project(values.map(F64x4::to_vec3), rest).map(F64x4::from_vec3);
        }
    }
}
