//! Quadratic terms `w/2 |Σ_v a_v x_v - p|²`: what a constraint contributes to the matrix is
//! `w a aᵀ`.

use super::Graph;
use crate::sim::Real;
use crate::sim::math::csr::Csr;

/// Sparse rows `a` with their weights `w` [N/m], in compressed rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    vertices: Csr<u32>,
    coefficients: Vec<Real>,
    /// Weight of each row [N/m].
    pub weights: Vec<Real>,
}

impl Rows {
    /// Appends a row. It may not name a vertex twice.
    pub fn push(&mut self, weight: Real, entries: impl IntoIterator<Item = (u32, Real)>) {
        let coefficients = &mut self.coefficients;
        self.vertices.push(entries.into_iter().map(|(vertex, coefficient)| {
            coefficients.push(coefficient);
            vertex
        }));
        self.weights.push(weight);
    }

    /// [`push`](Self::push) of a row that lies in two arrays.
    pub fn push_array<const N: usize>(&mut self, weight: Real, vertices: [u32; N], coefficients: [Real; N]) {
        self.vertices.push(vertices);
        self.coefficients.extend_from_slice(&coefficients);
        self.weights.push(weight);
    }

    /// Makes room for so many more rows with so many `entries` in all.
    pub fn reserve(&mut self, rows: usize, entries: usize) {
        self.vertices.reserve(rows, entries);
        self.coefficients.reserve(entries);
        self.weights.reserve(rows);
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.coefficients.clear();
        self.weights.clear();
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Number of pairs of vertices that a row couples, over all rows.
    #[must_use]
    pub fn couplings(&self) -> usize {
        (0..self.len()).map(|r| self.vertices.range(r).len()).map(|length| length * length.saturating_sub(1) / 2).sum()
    }

    /// The vertices of row `r`, and the coefficient of each.
    #[must_use]
    pub fn row(&self, r: usize) -> (&[u32], &[Real]) {
        (self.vertices.row(r), &self.coefficients[self.vertices.range(r)])
    }

    /// Which of so many `vertices` the rows couple.
    #[must_use]
    pub fn graph(&self, vertices: usize) -> Graph {
        let mut pairs = Vec::with_capacity(self.len());
        for r in 0..self.len() {
            let (of_row, _) = self.row(r);
            for (at, &i) in of_row.iter().enumerate() {
                pairs.extend(of_row[at + 1..].iter().filter(|&&j| i != j).map(|&j| [i, j]));
            }
        }
        Graph::of(vertices, pairs.into_iter())
    }
}
