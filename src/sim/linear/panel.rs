//! One panel of a factor: its values from the matrix and the panels before it, and the form in
//! which solves read them.

use super::LowerTriangle;
use super::dense::{cholesky, cholesky_signed, invert, product};
use super::lists::{Lists, Places};
use super::symbolic::{Supernode, Symbolic, WIDEST, strips};
use crate::sim::exec::pool::Shared;

/// Lists of which each thread changes its own.
pub(super) struct SharedLists<'a> {
    values: Shared<'a, f64>,
    places: Places<'a>,
}

impl<'a> SharedLists<'a> {
    pub fn new(lists: &'a mut Lists) -> Self {
        let (values, places) = lists.share();
        Self { values: Shared::new(values), places }
    }

    /// List `s`, to change.
    ///
    /// # Safety
    /// Nobody else may use it meanwhile.
    #[expect(clippy::mut_from_ref, reason = "each list has one user")]
    pub unsafe fn part(&self, s: usize) -> &mut [f64] {
        // SAFETY: lists do not overlap.
        unsafe { self.values.part(self.places.range(s)) }
    }

    /// List `s`.
    ///
    /// # Safety
    /// Nobody may change it meanwhile.
    pub unsafe fn read(&self, s: usize) -> &[f64] {
        // SAFETY: as promised.
        unsafe { self.values.read(self.places.range(s)) }
    }
}

/// The values of a factor while threads compute it, each its own panels.
pub(super) struct Values<'a> {
    pub panels: SharedLists<'a>,
    pub inverses: SharedLists<'a>,
    pub packed: SharedLists<'a>,
    /// The signs of the columns, of a matrix that need not be positive definite.
    pub signs: Option<Shared<'a, f64>>,
}

/// Scratch memory of a task.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    /// Row of the panel at hand for each column of the matrix.
    local: Vec<u32>,
    update: Vec<f64>,
    /// Rows of a panel times the signs of their columns.
    signed: Vec<f64>,
}

impl Workspace {
    /// For factors of so many columns.
    pub fn new(columns: usize) -> Self {
        Self { local: vec![0; columns], ..Self::default() }
    }

    /// Notes where the columns of a supernode, and its `rows` below them, stand in its panel.
    fn place(&mut self, node: &Supernode, rows: &[u32]) {
        for (at, column) in node.columns.clone().enumerate() {
            self.local[column] = at as u32;
        }
        for (at, &row) in rows.iter().enumerate() {
            self.local[row as usize] = (node.width() + at) as u32;
        }
    }
}

/// Computes panel `s` from the matrix entries in it and the panels before it. Returns whether its
/// diagonal block is positive definite, or, with signs, regular.
///
/// # Safety
/// Nobody else may use panel `s`, nor write the panels that update it.
pub(super) unsafe fn compute_panel(
    symbolic: &Symbolic,
    s: usize,
    matrix: &LowerTriangle,
    values: &Values,
    workspace: &mut Workspace,
) -> bool {
    let node = &symbolic.supernodes[s];
    let (width, stride) = (node.width(), node.stride());
    let rows = symbolic.rows_of(s);
    // SAFETY: as promised.
    let panel = unsafe { values.panels.part(s) };
    panel.fill(0.0);
    workspace.place(node, rows);
    let Workspace { local, update, signed } = workspace;
    for (at, column) in node.columns.clone().enumerate() {
        let entries = matrix.starts[column]..matrix.starts[column + 1];
        for (&row, &value) in matrix.rows[entries.clone()].iter().zip(&matrix.values[entries]) {
            debug_assert!(row < node.columns.end || rows.binary_search(&(row as u32)).is_ok());
            panel[local[row] as usize * stride + at] = value;
        }
    }
    for descent in symbolic.descents_of(s) {
        let from = &symbolic.supernodes[descent.from];
        let reached = &symbolic.rows_of(descent.from)[descent.first..];
        let columns = descent.end - descent.first;
        // SAFETY: as promised.
        let source = &unsafe { values.panels.read(descent.from) }[(from.width() + descent.first) * from.stride()..];
        update.resize(reached.len() * columns, 0.0);
        let mut others = &source[..columns * from.stride()];
        if let Some(signs) = &values.signs {
            signed.clear();
            signed.extend_from_slice(others);
            // SAFETY: as promised.
            scale(signed, from.stride(), unsafe { signs.read(from.columns.clone()) });
            others = signed;
        }
        product(source, others, from.stride(), update);
        subtract(update, (reached, columns), node, local, panel);
    }
    let (block, below) = panel.split_at_mut(width * stride);
    // SAFETY: each supernode has signs, an inverse and a packed form of its own.
    let (mut own, inverse, packed) = unsafe {
        let signs = values.signs.as_ref().map(|signs| signs.part(node.columns.clone()));
        (signs, values.inverses.part(s), values.packed.part(s))
    };
    let regular = match &mut own {
        None => cholesky(block, stride, width),
        Some(signs) => cholesky_signed(block, stride, signs),
    };
    if !regular {
        return false;
    }
    invert(block, stride, inverse);
    multiply_below(below, inverse, stride, update);
    if let Some(signs) = own {
        scale(below, stride, signs);
    }
    pack(node, inverse, below, packed);
    true
}

/// Rows below the diagonal block of a panel := rows L⁻ᵀ, with the inverse of the block; `update` is
/// room for products.
fn multiply_below(below: &mut [f64], inverse: &[f64], stride: usize, update: &mut Vec<f64>) {
    let width = inverse.len() / stride;
    update.resize(WIDEST * WIDEST, 0.0);
    for rows in below.chunks_mut(WIDEST * stride) {
        let count = rows.len() / stride;
        product(rows, inverse, stride, &mut update[..count * width]);
        for (row, values) in rows.chunks_exact_mut(stride).zip(update.chunks_exact(width)) {
            row[..width].copy_from_slice(values);
        }
    }
}

/// Subtracts an update from a panel: it has a row for each of those `reached`, and a column for
/// each of the first of them.
#[inline]
fn subtract(update: &[f64], (reached, columns): (&[u32], usize), node: &Supernode, local: &[u32], panel: &mut [f64]) {
    let (width, stride) = (node.width(), node.stride());
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

/// Multiplies the columns of rows of `stride` numbers with `signs`.
fn scale(rows: &mut [f64], stride: usize, signs: &[f64]) {
    for row in rows.chunks_exact_mut(stride) {
        row.iter_mut().zip(signs).for_each(|(entry, sign)| *entry *= sign);
    }
}

/// Writes a panel in the form that solves read: strips of eight rows, then of four, filled up with
/// zeros, column by column within a strip; first the inverse of the diagonal block up to the
/// diagonal, then the rows below inside and outside the task.
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
