//! The Cholesky factor `A = L Lᵀ` of a scalar matrix in panels (supernodes), and its computation.
//!
//! Left-looking: a panel collects the updates of the earlier panels that reach it, factors its diagonal block and divides
//! its rows by it (Ng and Peyton 1993). Of each diagonal block the inverse is kept as well, so that a solve multiplies
//! instead of substituting number after number.
//!
//! A matrix that is not positive definite is `L S Lᵀ` with signs `S`, without pivoting. A computation can be called off between
//! two panels.

use std::sync::atomic::{AtomicBool, Ordering};

use super::dense::{cholesky, cholesky_signed, invert, product};
use super::symbolic::{Supernode, Symbolic, WIDEST, strips};
use super::{FactorError, LowerTriangle};
use crate::sim::exec::effort::Effort;
use crate::sim::exec::simd::F64x4;
use crate::sim::exec::team::{Shared, Team};

/// A sparse Cholesky factor that can be updated.
#[derive(Debug, Clone)]
pub struct SupernodalCholesky {
    pub(super) symbolic: Symbolic,
    /// The panels: `L` of the columns, then of the rows below, row by row.
    pub(super) panels: Vec<f64>,
    /// The inverse of each diagonal block.
    pub(super) inverses: Vec<f64>,
    /// The factor in the form that solves read.
    pub(super) packed: Vec<f64>,
    /// `S` by columns; empty where all are 1.
    pub(super) signs: Vec<f64>,
    /// Supernodes whose inverse and packed form are out of date.
    pub(super) stale: Vec<usize>,
    /// Whether updates have changed each supernode since it was computed.
    pub(super) is_updated: Vec<bool>,
    /// Where each entry of the matrix goes.
    slots: Vec<usize>,
    /// Contributions of each task to the columns above it, all zero between solves.
    pub(super) contributions: Vec<F64x4>,
    workspaces: Vec<Workspace>,
    /// Scratch of updates: one entry per column, all zero between updates.
    pub(super) vectors: Vec<F64x4>,
    pub(super) path: Vec<usize>,
    pub(super) on_path: Vec<bool>,
    pub(super) column: Vec<f64>,
}

/// Memory for the values of a factor.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory([Vec<f64>; 3]);

/// The values of a factor while threads compute it, each its own panels.
pub(super) struct Values<'a> {
    pub panels: Shared<'a, f64>,
    pub inverses: Shared<'a, f64>,
    pub packed: Shared<'a, f64>,
    /// The signs of the columns, of a matrix that need not be positive definite.
    pub signs: Option<Shared<'a, f64>>,
}

/// Scratch memory of a task.
#[derive(Debug, Clone, Default)]
struct Workspace {
    /// Row of the panel at hand for each column of the matrix.
    local: Vec<u32>,
    update: Vec<f64>,
    /// Rows of a panel times the signs of their columns.
    signed: Vec<f64>,
}

/// Panels of a factor that are known before it is computed.
pub(super) trait KnownPanels: Sync {
    /// Whether that of supernode `s` is.
    fn is_same(&self, s: usize) -> bool;

    /// Copies it.
    ///
    /// # Safety
    /// Nobody else may use the parts of `s` in `values`.
    unsafe fn copy(&self, symbolic: &Symbolic, s: usize, values: &Values);
}

impl SupernodalCholesky {
    /// A factor, not yet computed, for matrices with the sparsity of `matrix`, whose columns are numbered by `symbolic`.
    #[must_use]
    pub fn new(symbolic: Symbolic, matrix: &LowerTriangle) -> Self {
        Self::in_memory(symbolic, matrix, Memory::default())
    }

    /// [`new`](Self::new) in memory that was used before.
    pub(super) fn in_memory(symbolic: Symbolic, matrix: &LowerTriangle, memory: Memory) -> Self {
        let Memory([mut panels, mut inverses, mut packed]) = memory;
        let sizes = [symbolic.panel_values, symbolic.inverse_values, symbolic.packed_values];
        for (values, size) in [&mut panels, &mut inverses, &mut packed].into_iter().zip(sizes) {
            if values.capacity() == 0 {
                // zeros that need not be written
                *values = vec![0.0; size];
                continue;
            }
            // torn once, a cloth tears on
            if values.capacity() < size {
                values.reserve_exact(size + size / 16 - values.len());
            }
            values.resize(size, 0.0);
        }
        let slots = slots(&symbolic, matrix);
        let n = symbolic.len();
        let workspace = Workspace { local: vec![0; n], ..Workspace::default() };
        Self {
            panels,
            inverses,
            packed,
            signs: Vec::new(),
            stale: Vec::new(),
            is_updated: vec![false; symbolic.supernodes.len()],
            slots,
            contributions: vec![F64x4::ZERO; symbolic.tasks.len() * (n - symbolic.top)],
            workspaces: vec![workspace; symbolic.tasks.len()],
            vectors: vec![F64x4::ZERO; n],
            path: Vec::new(),
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

    /// Largest difference of an entry from that of `other`, which has the same shape, relative to the largest entry.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let largest = self.panels.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let difference = self.panels.iter().zip(&other.panels).fold(0.0_f64, |a, (b, c)| a.max((b - c).abs()));
        if largest > 0.0 { difference / largest } else { difference }
    }

    /// Computes the factor of `matrix`, which has to have the sparsity that the factor was made for.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`], [`FactorError::Cancelled`]; the factor is useless then.
    pub fn compute(&mut self, matrix: &LowerTriangle, effort: &Effort, team: &Team) -> Result<(), FactorError> {
        self.compute_with(matrix, None, effort, team)
    }

    /// [`compute`](Self::compute), or `L S Lᵀ` if the matrix is not positive definite. Returns whether it is. There is no pivoting,
    /// so an unlucky indefinite matrix costs accuracy.
    ///
    /// # Errors
    /// [`FactorError::Singular`], [`FactorError::Cancelled`]; the factor is useless then.
    pub fn compute_any(&mut self, matrix: &LowerTriangle, effort: &Effort, team: &Team) -> Result<bool, FactorError> {
        match self.compute(matrix, effort, team) {
            Err(FactorError::NotPositiveDefinite) => {}
            done => return done.map(|()| true),
        }
        self.signs.resize(self.symbolic.len(), 1.0);
        let done = self.compute_panels(matrix, None, effort, team)?;
        if done { Ok(false) } else { Err(FactorError::Singular) }
    }

    /// [`compute`](Self::compute), to the same bits, where the panels that are those of `like` are copied from there.
    pub(super) fn compute_with(
        &mut self,
        matrix: &LowerTriangle,
        like: Option<&dyn KnownPanels>,
        effort: &Effort,
        team: &Team,
    ) -> Result<(), FactorError> {
        self.signs.clear();
        let done = self.compute_panels(matrix, like, effort, team)?;
        if done { Ok(()) } else { Err(FactorError::NotPositiveDefinite) }
    }

    /// Computes all panels, with signs if there are any. Returns whether every pivot was as it has to be.
    fn compute_panels(
        &mut self,
        matrix: &LowerTriangle,
        like: Option<&dyn KnownPanels>,
        effort: &Effort,
        team: &Team,
    ) -> Result<bool, FactorError> {
        debug_assert_eq!(matrix.values.len(), self.slots.len());
        self.stale.clear();
        self.is_updated.fill(false);
        let Self { symbolic, panels, inverses, packed, signs, workspaces, slots, .. } = self;
        let failed = AtomicBool::new(false);
        let workspaces = Shared::new(workspaces);
        let signed = !signs.is_empty();
        let values = Values {
            panels: Shared::new(panels),
            inverses: Shared::new(inverses),
            packed: Shared::new(packed),
            signs: signed.then(|| Shared::new(signs)),
        };
        for level in &symbolic.levels {
            team.for_each(level.len(), |at| {
                let task = level.start + at;
                // SAFETY: a task has its own workspace.
                let workspace = unsafe { &mut workspaces.part(task..task + 1)[0] };
                for s in symbolic.tasks[task].supernodes.clone() {
                    if effort.check().is_err() {
                        return;
                    }
                    if let Some(like) = like.filter(|like| like.is_same(s)) {
                        // SAFETY: a panel is written by its own task only, and read by tasks of later levels.
                        unsafe { like.copy(symbolic, s, &values) };
                        continue;
                    }
                    let node = &symbolic.supernodes[s];
                    // SAFETY: as above.
                    unsafe { values.panels.part(node.panel_range()) }.fill(0.0);
                    let entries = matrix.starts[node.columns.start]..matrix.starts[node.columns.end];
                    for (&slot, &value) in slots[entries.clone()].iter().zip(&matrix.values[entries]) {
                        // SAFETY: as above; the entries of the columns of a panel go there.
                        unsafe { values.panels.part(slot..slot + 1)[0] = value };
                    }
                    // SAFETY: as above.
                    if !unsafe { compute_panel(symbolic, s, &values, workspace) } {
                        failed.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            });
            effort.check()?;
            if failed.load(Ordering::Relaxed) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The memory of the factor, for another one.
    pub(super) fn into_memory(self) -> Memory {
        Memory([self.panels, self.inverses, self.packed])
    }

    /// Brings the inverses and the packed form of the panels that updates have changed up to date.
    pub(super) fn refresh(&mut self) {
        self.stale.sort_unstable();
        self.stale.dedup();
        let Self { symbolic, panels, inverses, packed, stale, .. } = self;
        for s in stale.drain(..) {
            let node = &symbolic.supernodes[s];
            let size = node.width() * node.stride();
            let panel = &panels[node.panel..node.panel + size + node.rows.len() * node.stride()];
            let (block, below) = panel.split_at(size);
            let inverse = &mut inverses[node.inverse..node.inverse + size];
            invert(block, node.stride(), inverse);
            pack(node, inverse, below, &mut packed[node.packed.clone()]);
        }
    }
}

/// Computes panel `s` from the matrix entries in it and the panels before it. Returns whether its diagonal block is positive
/// definite, or, with signs, regular.
///
/// # Safety
/// Nobody else may use panel `s`, nor write the panels that update it.
unsafe fn compute_panel(symbolic: &Symbolic, s: usize, values: &Values, workspace: &mut Workspace) -> bool {
    let Values { panels, inverses, packed, signs } = values;
    let node = &symbolic.supernodes[s];
    let (width, stride) = (node.width(), node.stride());
    let rows = symbolic.rows_of(s);
    // SAFETY: as promised.
    let panel = unsafe { panels.part(node.panel_range()) };
    let Workspace { local, update, signed } = workspace;
    for (at, column) in node.columns.clone().enumerate() {
        local[column] = at as u32;
    }
    for (at, &row) in rows.iter().enumerate() {
        local[row as usize] = (width + at) as u32;
    }
    for descent in symbolic.descents_of(s) {
        let from = &symbolic.supernodes[descent.from];
        let reached = &symbolic.rows_of(descent.from)[descent.first..];
        let columns = descent.end - descent.first;
        let first = from.panel + (from.width() + descent.first) * from.stride();
        // SAFETY: as promised.
        let source = unsafe { panels.read(first..first + reached.len() * from.stride()) };
        update.resize(reached.len() * columns, 0.0);
        let mut others = &source[..columns * from.stride()];
        if let Some(signs) = signs {
            signed.clear();
            signed.extend_from_slice(others);
            // SAFETY: as promised.
            scale(signed, from.stride(), unsafe { signs.read(from.columns.clone()) });
            others = signed;
        }
        product(source, others, from.stride(), update);
        let first = reached[0] as usize;
        let is_whole = reached[columns - 1] as usize - first == columns - 1;
        for (&row, values) in reached.iter().zip(update.chunks_exact(columns)) {
            let target = &mut panel[local[row as usize] as usize * stride..][..width];
            if is_whole {
                let target = &mut target[first - node.columns.start..][..columns];
                target.iter_mut().zip(values).for_each(|(target, value)| *target -= value);
                continue;
            }
            for (&column, value) in reached[..columns].iter().zip(values) {
                target[column as usize - node.columns.start] -= value;
            }
        }
    }
    let (block, below) = panel.split_at_mut(width * stride);
    // SAFETY: each supernode has signs of its own.
    let mut own = signs.as_ref().map(|signs| unsafe { signs.part(node.columns.clone()) });
    let regular = match &mut own {
        None => cholesky(block, stride, width),
        Some(signs) => cholesky_signed(block, stride, signs),
    };
    if !regular {
        return false;
    }
    // SAFETY: each supernode has an inverse and a packed form of its own.
    let (inverse, packed) =
        unsafe { (inverses.part(node.inverse..node.inverse + width * stride), packed.part(node.packed.clone())) };
    invert(block, stride, inverse);
    // rows below := rows L⁻ᵀ S
    update.resize(WIDEST * WIDEST, 0.0);
    for rows in below.chunks_mut(WIDEST * stride) {
        let count = rows.len() / stride;
        product(rows, inverse, stride, &mut update[..count * width]);
        for (row, values) in rows.chunks_exact_mut(stride).zip(update.chunks_exact(width)) {
            row[..width].copy_from_slice(values);
        }
    }
    if let Some(signs) = own {
        scale(below, stride, signs);
    }
    pack(node, inverse, below, packed);
    true
}

/// Multiplies the columns of rows of `stride` numbers with `signs`.
fn scale(rows: &mut [f64], stride: usize, signs: &[f64]) {
    for row in rows.chunks_exact_mut(stride) {
        row.iter_mut().zip(signs).for_each(|(entry, sign)| *entry *= sign);
    }
}

/// Writes a panel in the form that solves read: strips of eight rows, then of four, filled up with zeros, column by column
/// within a strip; first the inverse of the diagonal block up to the diagonal, then the rows below inside and outside the
/// task.
pub(super) fn pack(node: &Supernode, inverse: &[f64], below: &[f64], packed: &mut [f64]) {
    let (width, stride) = (node.width(), node.stride());
    let mut out = packed.iter_mut();
    let mut write = |rows: &[f64], first: usize, height: usize, columns: usize| {
        for column in 0..columns {
            for (row, target) in (first..first + height).zip(&mut out) {
                *target = rows.get(row * stride + column).copied().unwrap_or(0.0);
            }
        }
    };
    for (first, height) in strips(width) {
        write(inverse, first, height, width.min(first + height));
    }
    let (inside, outside) = below.split_at(node.inside * stride);
    for rows in [inside, outside] {
        for (first, height) in strips(rows.len() / stride) {
            write(rows, first, height, width);
        }
    }
}

/// The place of each entry of the lower triangle in the panels.
fn slots(symbolic: &Symbolic, matrix: &LowerTriangle) -> Vec<usize> {
    let mut slots = Vec::with_capacity(matrix.rows.len());
    for column in 0..matrix.size() {
        let s = symbolic.supernode_of[column] as usize;
        let node = &symbolic.supernodes[s];
        let rows = symbolic.rows_of(s);
        for &row in &matrix.rows[matrix.starts[column]..matrix.starts[column + 1]] {
            let line = if row < node.columns.end {
                row - node.columns.start
            } else {
                let at = rows.binary_search(&(row as u32)).expect("the symbolic factor covers the matrix");
                node.width() + at
            };
            slots.push(node.panel + line * node.stride() + (column - node.columns.start));
        }
    }
    slots
}
