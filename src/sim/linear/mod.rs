//! Linear systems over the free vertices: sparsity, assembly, and the Cholesky factor. The only
//! place that knows faer.

mod cholesky;
mod constant;
mod constrained;
mod couplings;
mod dense;
mod factor;
mod factor_reuse;
mod history;
mod lists;
mod ordering;
mod panel;
mod passes;
mod rows;
mod single;
mod substitution;
mod symbolic;
mod update;
mod whole_shape;

pub use cholesky::{FactorError, FaerCholesky, approximate_minimum_degree};
pub use constant::ConstantSystem;
pub use constrained::FactorWork;
pub use factor::SupernodalCholesky;
pub use history::FactorHistory;
pub use ordering::nested_dissection;
pub use rows::Rows;
pub use symbolic::{Shape, Symbolic};
pub use whole_shape::WholeShape;

use super::math::csr::Csr;
use crate::sim::exec::simd::F64x4;

/// The lower triangle of a symmetric sparse matrix, in compressed columns, rows rising within a
/// column and the diagonal entry first.
#[derive(Debug, Clone, Default)]
pub struct LowerTriangle {
    /// Where each column starts; one more entry than columns.
    pub starts: Vec<usize>,
    /// Row of each entry.
    pub rows: Vec<usize>,
    /// Value of each entry.
    pub values: Vec<f64>,
}

impl LowerTriangle {
    /// Number of rows and columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The entry at two places in either order; zero where there is none.
    #[must_use]
    pub fn value(&self, i: usize, j: usize) -> f64 {
        let (row, column) = (i.max(j), i.min(j));
        let entries = self.starts[column]..self.starts[column + 1];
        self.rows[entries.clone()].binary_search(&row).map_or(0.0, |at| self.values[entries.start + at])
    }

    /// Writes the product of the symmetric matrix with `x` to `out`.
    pub fn multiply(&self, x: &[F64x4], out: &mut [F64x4]) {
        out.fill(F64x4::ZERO);
        for column in 0..self.size() {
            for at in self.starts[column]..self.starts[column + 1] {
                let (row, value) = (self.rows[at], F64x4::splat(self.values[at]));
                out[row] = out[row] + value * x[column];
                if row != column {
                    out[column] = out[column] + value * x[row];
                }
            }
        }
    }
}

/// Which unknowns a matrix couples: the neighbours of each vertex, rising.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph(Csr<u32>);

impl Graph {
    /// The graph of so many `vertices` with the edges `couplings`, in any order, repeated or not,
    /// without loops.
    #[must_use]
    pub fn of(vertices: usize, couplings: impl Iterator<Item = [u32; 2]>) -> Self {
        let couplings: Vec<[u32; 2]> = couplings.collect();
        let mut neighbours = Csr::from_pairs(vertices, couplings.iter().flat_map(|&[i, j]| [(i, j), (j, i)]));
        neighbours.sort_and_dedup();
        Self(neighbours)
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.rows()
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The neighbours of `vertex`, rising.
    #[must_use]
    pub fn of_vertex(&self, vertex: u32) -> &[u32] {
        self.0.row(vertex as usize)
    }
}
