//! Linear systems over the free vertices: sparsity, assembly, and the Cholesky factor. The only place that knows faer.

mod blocks;
mod cholesky;
mod laplacian;
mod structure;

pub use blocks::{BlockMatrix, BlockSystem};
pub use cholesky::{Cholesky, FactorError};
pub use laplacian::{LaplacianSystem, Weights};
pub use structure::Structure;

/// The lower triangle of a symmetric sparse matrix, in compressed columns, rows rising within a column and the diagonal
/// entry first.
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
}
