//! The Cholesky factor `A = L Lᵀ` of a scalar matrix in panels (supernodes), and its computation.
//!
//! Left-looking: a panel collects the updates of the earlier panels that reach it, factors its
//! diagonal block and divides its rows by it (Ng and Peyton 1993). Of each diagonal block the
//! inverse is kept as well, so that a solve multiplies instead of substituting number after number.
//!
//! A matrix that is not positive definite is `L S Lᵀ` with signs `S`, without pivoting. A
//! computation can be called off between two panels.

use std::sync::atomic::{AtomicBool, Ordering};

use super::dense::invert;
use super::factor_reuse::{FactorReuse, Known};
use super::lists::Lists;
use super::panel::{SharedLists, Values, Workspace, compute_panel, pack};
use super::single::SingleFactor;
use super::symbolic::{Supernode, Symbolic};
use super::{FactorError, LowerTriangle};
use crate::sim::exec::budget::WorkBudget;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;

/// A sparse Cholesky factor that can be updated.
#[derive(Debug, Clone)]
pub struct SupernodalCholesky {
    pub(super) symbolic: Symbolic,
    /// The panel of each supernode: `L` of the columns, then of the rows below, row by row.
    pub(super) panels: Lists,
    /// The inverse of each diagonal block.
    pub(super) inverses: Lists,
    /// Each panel in the form that solves read.
    pub(super) packed: Lists,
    /// The packed form in single precision, if it has been asked for.
    pub(super) single: Option<Box<SingleFactor>>,
    /// `S` by columns; empty where all are 1.
    pub(super) signs: Vec<f64>,
    /// Supernodes whose inverse and packed form are out of date.
    pub(super) stale: Vec<usize>,
    /// Whether updates have changed each supernode since it was computed.
    pub(super) is_updated: Vec<bool>,
    /// Contributions of each task to the columns above it, all zero between solves.
    pub(super) contributions: Vec<F64x4>,
    workspaces: Vec<Workspace>,
    /// Scratch of updates: one entry per column, all zero between updates.
    pub(super) vectors: Vec<F64x4>,
    pub(super) path: Vec<usize>,
    pub(super) on_path: Vec<bool>,
    pub(super) column: Vec<f64>,
}

impl SupernodalCholesky {
    /// A factor, not yet computed, for matrices whose columns are numbered by `symbolic` and whose
    /// entries it has.
    #[must_use]
    pub fn new(symbolic: Symbolic) -> Self {
        let n = symbolic.len();
        Self {
            panels: Lists::default(),
            inverses: Lists::default(),
            packed: Lists::default(),
            single: None,
            signs: Vec::new(),
            stale: Vec::with_capacity(symbolic.supernodes.len()),
            is_updated: vec![false; symbolic.supernodes.len()],
            contributions: vec![F64x4::ZERO; symbolic.tasks.len() * (n - symbolic.top)],
            workspaces: vec![Workspace::new(n); symbolic.tasks.len()],
            vectors: vec![F64x4::ZERO; n],
            path: Vec::with_capacity(symbolic.supernodes.len()),
            on_path: vec![false; symbolic.supernodes.len()],
            column: vec![0.0; n],
            symbolic,
        }
    }

    /// The shape of the factor.
    #[must_use]
    pub fn symbolic(&self) -> &Symbolic {
        &self.symbolic
    }

    /// Largest difference of an entry from that of `other`, which has the same shape, relative to
    /// the largest entry.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let values = |factor: &Self| -> Vec<f64> {
            (0..factor.panels.len()).flat_map(|s| factor.panels.list(s)).copied().collect()
        };
        let (own, others) = (values(self), values(other));
        let largest = own.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let difference = own.iter().zip(&others).fold(0.0_f64, |a, (b, c)| a.max((b - c).abs()));
        if largest > 0.0 { difference / largest } else { difference }
    }

    /// Computes the factor of `matrix`, which has to have the sparsity that the factor was made
    /// for.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`], [`FactorError::Cancelled`]; the factor is useless
    /// then.
    pub fn compute(
        &mut self,
        matrix: &LowerTriangle,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<(), FactorError> {
        let nodes = &self.symbolic.supernodes;
        if self.panels.len() < nodes.len() {
            self.panels.lay_out(nodes.iter().map(Supernode::panel));
            self.inverses.lay_out(nodes.iter().map(Supernode::inverse));
            self.packed.lay_out(nodes.iter().map(|node| node.packed));
        }
        self.compute_with(matrix, None, budget, pool)
    }

    /// [`compute`](Self::compute), to the same bits, in the memory of `other` with those of its
    /// panels that are known to be the same.
    pub(super) fn compute_from(
        &mut self,
        matrix: &LowerTriangle,
        other: Self,
        reuse: &FactorReuse,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<(), FactorError> {
        let nodes = &self.symbolic.supernodes;
        let counterpart = |s: usize| reuse.counterpart(s);
        self.panels.take_over(other.panels, nodes.iter().map(Supernode::panel), counterpart);
        self.inverses.take_over(other.inverses, nodes.iter().map(Supernode::inverse), counterpart);
        self.packed.take_over(other.packed, nodes.iter().map(|node| node.packed), counterpart);
        self.compute_with(matrix, Some(reuse), budget, pool)
    }

    /// [`compute`](Self::compute), or `L S Lᵀ` if the matrix is not positive definite. Returns
    /// whether it is. There is no pivoting, so an unlucky indefinite matrix costs accuracy.
    ///
    /// # Errors
    /// [`FactorError::Singular`], [`FactorError::Cancelled`]; the factor is useless then.
    pub fn compute_any(
        &mut self,
        matrix: &LowerTriangle,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<bool, FactorError> {
        match self.compute(matrix, budget, pool) {
            Err(FactorError::NotPositiveDefinite) => {}
            done => return done.map(|()| true),
        }
        self.signs.resize(self.symbolic.len(), 1.0);
        let done = self.compute_panels(matrix, None, budget, pool)?;
        if done { Ok(false) } else { Err(FactorError::Singular) }
    }

    fn compute_with(
        &mut self,
        matrix: &LowerTriangle,
        reuse: Option<&FactorReuse>,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<(), FactorError> {
        self.signs.clear();
        let done = self.compute_panels(matrix, reuse, budget, pool)?;
        if done { Ok(()) } else { Err(FactorError::NotPositiveDefinite) }
    }

    /// Computes all panels, with signs if there are any. Returns whether every pivot was as it has
    /// to be.
    fn compute_panels(
        &mut self,
        matrix: &LowerTriangle,
        reuse: Option<&FactorReuse>,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<bool, FactorError> {
        self.stale.clear();
        self.is_updated.fill(false);
        if let Some(single) = &mut self.single {
            single.forget();
        }
        let Self { symbolic, panels, inverses, packed, signs, workspaces, .. } = self;
        let failed = AtomicBool::new(false);
        let workspaces = Shared::new(workspaces);
        let signed = !signs.is_empty();
        let values = Values {
            panels: SharedLists::new(panels),
            inverses: SharedLists::new(inverses),
            packed: SharedLists::new(packed),
            signs: signed.then(|| Shared::new(signs)),
        };
        for level in &symbolic.levels {
            pool.for_each(level.len(), |at| {
                let task = level.start + at;
                // SAFETY: a task has its own workspace.
                let workspace = unsafe { &mut workspaces.part(task..task + 1)[0] };
                for s in symbolic.tasks[task].supernodes.clone() {
                    if budget.check().is_err() {
                        return;
                    }
                    match reuse.map(|reuse| (reuse.known(s), reuse)) {
                        Some((Known::All, _)) => {}
                        Some((Known::Panel, reuse)) => {
                            let node = &symbolic.supernodes[s];
                            // SAFETY: a panel is changed by its own task only, and read by tasks of
                            // later levels.
                            let (panel, inverse, packed) =
                                unsafe { (values.panels.part(s), values.inverses.part(s), values.packed.part(s)) };
                            reuse.spread(node, symbolic.rows_of(s), panel);
                            pack(node, inverse, &panel[node.inverse()..], packed);
                        }
                        // SAFETY: as above.
                        _ if unsafe { compute_panel(symbolic, s, matrix, &values, workspace) } => {}
                        _ => {
                            failed.store(true, Ordering::Relaxed);
                            return;
                        }
                    }
                }
            });
            budget.check()?;
            if failed.load(Ordering::Relaxed) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Solves `A X = B` in place, in single precision. `x` has an entry per column of the matrix,
    /// in its order.
    pub fn solve_in_single(&mut self, x: &mut [F64x4], pool: &ThreadPool) {
        self.refresh();
        let Self { symbolic, packed, signs, single, .. } = self;
        single.get_or_insert_default().solve((symbolic, packed, signs), x, pool);
    }

    /// Brings the inverses and the packed form of the panels that updates have changed up to date.
    pub(super) fn refresh(&mut self) {
        self.stale.sort_unstable();
        self.stale.dedup();
        let Self { symbolic, panels, inverses, packed, single, stale, .. } = self;
        for s in stale.drain(..) {
            let node = &symbolic.supernodes[s];
            let (block, below) = panels.list(s).split_at(node.inverse());
            invert(block, node.stride(), inverses.list_mut(s));
            pack(node, inverses.list(s), below, packed.list_mut(s));
            if let Some(single) = single {
                single.note(s);
            }
        }
    }
}
