//! Quadratic terms `w/2 |Σ_v a_v x_v - p|²`: what a constraint contributes to the matrix is `w a aᵀ`.

use super::Graph;
use crate::sim::Real;

/// Sparse rows `a` with their weights `w` [N/m], in compressed form.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    starts: Vec<u32>,
    vertices: Vec<u32>,
    coefficients: Vec<Real>,
    /// Weight of each row [N/m].
    pub weights: Vec<Real>,
}

impl Default for Rows {
    fn default() -> Self {
        Self { starts: vec![0], vertices: Vec::new(), coefficients: Vec::new(), weights: Vec::new() }
    }
}

impl Rows {
    /// Appends a row. It may not name a vertex twice.
    pub fn push(&mut self, weight: Real, entries: impl IntoIterator<Item = (u32, Real)>) {
        for (vertex, coefficient) in entries {
            self.vertices.push(vertex);
            self.coefficients.push(coefficient);
        }
        self.starts.push(self.vertices.len() as u32);
        self.weights.push(weight);
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.starts.truncate(1);
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

    /// The vertices of row `r`, and the coefficient of each.
    #[must_use]
    pub fn row(&self, r: usize) -> (&[u32], &[Real]) {
        let range = self.starts[r] as usize..self.starts[r + 1] as usize;
        (&self.vertices[range.clone()], &self.coefficients[range])
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
