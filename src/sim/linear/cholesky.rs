//! Sparse Cholesky factorisation `A = L Lᵀ` by faer, to compare with, and its order of minimum
//! degree.
//!
//! Everything runs sequentially: faer's threads make a solve of this size slower, not faster.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use super::{Graph, LowerTriangle};
use crate::sim::exec::budget::Cancelled;

/// Most right-hand sides that one solve takes.
const RIGHT_HAND_SIDES: usize = 3;

/// Why there is no factor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FactorError {
    /// A pivot was not positive.
    #[error("the matrix is not positive definite")]
    NotPositiveDefinite,
    /// A pivot of an indefinite matrix was zero.
    #[error("the matrix is singular")]
    Singular,
    /// The analysis failed: too large for memory or for the index type.
    #[error("the matrix cannot be analysed: {0}")]
    Analysis(String),
    /// It was called off.
    #[error("the factorisation was called off")]
    Cancelled,
}

impl From<Cancelled> for FactorError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// A sparse Cholesky factor.
pub struct FaerCholesky {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    scratch: MemBuffer,
}

impl std::fmt::Debug for FaerCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cholesky").field("size", &self.symbolic.nrows()).field("nnz", &self.values.len()).finish()
    }
}

fn symbolic_view(matrix: &LowerTriangle) -> SymbolicSparseColMatRef<'_, usize> {
    let n = matrix.size();
    SymbolicSparseColMatRef::new_checked(n, n, &matrix.starts, None, &matrix.rows)
}

impl FaerCholesky {
    /// Orders and analyses a matrix with the sparsity of `matrix`; no values are read.
    ///
    /// # Errors
    /// [`FactorError::Analysis`] when it does not fit into memory.
    pub fn analyse(matrix: &LowerTriangle) -> Result<Self, FactorError> {
        let (params, order) = (CholeskySymbolicParams::default(), SymmetricOrdering::Amd);
        let symbolic = factorize_symbolic_cholesky(symbolic_view(matrix), Side::Lower, order, params)
            .map_err(|error| FactorError::Analysis(error.to_string()))?;
        let scratch = buffer(StackReq::any_of(&[
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, faer::Spec::default()),
            symbolic.solve_in_place_scratch::<f64>(RIGHT_HAND_SIDES, Par::Seq),
        ]))?;
        let values = vec![0.0; symbolic.len_val()];
        Ok(Self { symbolic, values, scratch })
    }

    /// Number of entries of the factor.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// Computes the factor of `matrix`, which must have the sparsity that was analysed.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`]; the factor is useless then.
    pub fn factor(&mut self, matrix: &LowerTriangle) -> Result<(), FactorError> {
        let view = SparseColMatRef::new(symbolic_view(matrix), &matrix.values);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.values,
                view,
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.scratch),
                faer::Spec::default(),
            )
            .map(|_| ())
            .map_err(|_| FactorError::NotPositiveDefinite)
    }

    /// Solves `A X = B` in place. `columns` holds the right-hand sides one after the other, each as
    /// long as the matrix; one to three of them.
    pub fn solve(&mut self, columns: &mut [f64]) {
        let n = self.symbolic.nrows();
        if n == 0 {
            return;
        }
        let count = columns.len() / n;
        debug_assert!(count * n == columns.len() && count <= RIGHT_HAND_SIDES);
        let right_hand_sides = MatMut::from_column_major_slice_mut(columns, n, count);
        let factor = LltRef::new(&self.symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, right_hand_sides, Par::Seq, MemStack::new(&mut self.scratch));
    }
}

/// The vertices of `graph` in an order of approximate minimum degree (Amestoy, Davis, Duff 1996);
/// in their own order when there is no memory for it.
#[must_use]
pub fn approximate_minimum_degree(graph: &Graph) -> Vec<u32> {
    let n = graph.len();
    let mut matrix = LowerTriangle::default();
    for vertex in 0..n as u32 {
        matrix.starts.push(matrix.rows.len());
        let below = graph.of_vertex(vertex).iter().filter(|&&other| other > vertex);
        matrix.rows.push(vertex as usize);
        matrix.rows.extend(below.map(|&other| other as usize));
    }
    matrix.starts.push(matrix.rows.len());
    let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
    let done = buffer(amd::order_scratch::<usize>(n, matrix.rows.len())).is_ok_and(|mut scratch| {
        let stack = MemStack::new(&mut scratch);
        amd::order(&mut forward, &mut inverse, symbolic_view(&matrix), amd::Control::default(), stack).is_ok()
    });
    if done { forward.into_iter().map(|vertex| vertex as u32).collect() } else { (0..n as u32).collect() }
}

fn buffer(size: StackReq) -> Result<MemBuffer, FactorError> {
    MemBuffer::try_new(size).map_err(|_| FactorError::Analysis("out of memory".to_owned()))
}
