//! Changing the factor instead of computing it anew: rank-k updates and downdates `A ± W Wᵀ`, and
//! taking a row and column out of the matrix or back in (Davis and Hager 1999, 2001, 2005), on the
//! panels.
//!
//! A vector changes the columns on the way from its first entry to the root of the elimination
//! tree, and nothing else. Up to four vectors go that way together. The sparsity is that of the
//! full matrix throughout, so nothing is allocated.

use super::SupernodalCholesky;
use super::symbolic::WIDEST;
use crate::sim::Real;

/// Vectors that are applied in one pass.
pub(super) const BATCH: usize = 4;

/// A hyperbolic or plane rotation of a column of the factor with a vector.
#[derive(Clone, Copy)]
struct Rotation {
    cosine: Real,
    inverse_cosine: Real,
    sine: Real,
    /// The sine with the sign of the update.
    signed_sine: Real,
}

const IDENTITY: Rotation = Rotation { cosine: 1.0, inverse_cosine: 1.0, sine: 0.0, signed_sine: 0.0 };

impl Rotation {
    /// The rotation that makes `value` part of the diagonal entry `pivot`, and the new entry;
    /// `None` when that would not be positive.
    fn of(pivot: Real, value: Real, sign: Real) -> Option<(Self, Real)> {
        if value == 0.0 {
            return Some((IDENTITY, pivot));
        }
        let square = pivot * pivot + sign * value * value;
        // a downdate that leaves next to nothing leaves only rounding errors
        if !(square > 1e-14 * pivot * pivot && square.is_finite()) {
            return None;
        }
        let new = square.sqrt();
        let sine = value / pivot;
        Some((Self { cosine: new / pivot, inverse_cosine: pivot / new, sine, signed_sine: sign * sine }, new))
    }
}

impl SupernodalCholesky {
    /// Makes this the factor of `A + sign Σ v vᵀ`, `sign` being 1 or -1, for up to four sparse
    /// vectors `v` of column and value. Every pair of columns of a vector has to be in the sparsity
    /// of the factor. Returns whether the result is positive definite; if not, the factor is
    /// useless.
    pub fn modify<'a>(&mut self, vectors: impl IntoIterator<Item = &'a [(usize, Real)]>, sign: Real) -> bool {
        let mut count = 0;
        for vector in vectors {
            for &(column, value) in vector {
                self.vectors[column].0[count] += value;
                self.enter_path(column);
            }
            count += 1;
        }
        debug_assert!(count <= BATCH);
        self.rotate(count, sign)
    }

    /// Takes row and column `column` out of the matrix, leaving 1 on the diagonal.
    pub fn delete(&mut self, column: usize) -> bool {
        let s = self.symbolic.supernode_of[column] as usize;
        for &(crossing, row) in self.symbolic.crossings_of(column) {
            let node = &self.symbolic.supernodes[crossing as usize];
            let start = (node.width() + row as usize) * node.stride();
            self.panels.list_mut(crossing as usize)[start..start + node.width()].fill(0.0);
            self.stale.push(crossing as usize);
            self.is_updated[crossing as usize] = true;
        }
        let node = &self.symbolic.supernodes[s];
        let (width, stride, at) = (node.width(), node.stride(), column - node.columns.start);
        let panel = self.panels.list_mut(s);
        panel[at * stride..at * stride + at].fill(0.0);
        panel[at * stride + at] = 1.0;
        let below = node.columns.clone().chain(self.symbolic.rows_of(s).iter().map(|&row| row as usize));
        for (line, row) in below.enumerate().skip(at + 1) {
            self.vectors[row].0[0] = std::mem::take(&mut panel[line * stride + at]);
        }
        debug_assert!(at < width);
        self.enter_path_at(s);
        self.rotate(1, 1.0)
    }

    /// Puts row and column `column` into the matrix, which has to have been deleted or to be empty
    /// but for the diagonal. `entries` are its entries on and off the diagonal. Returns whether the
    /// result is positive definite; if not, the factor is useless.
    pub fn add(&mut self, column: usize, entries: impl Iterator<Item = (usize, Real)>) -> bool {
        self.column.fill(0.0);
        entries.for_each(|(row, value)| self.column[row] = value);
        let s = self.symbolic.supernode_of[column] as usize;
        let own = (s as u32, (column - self.symbolic.supernodes[s].columns.start) as u32);
        for &(crossing, row) in self.symbolic.crossings_of(column).iter().chain([&own]) {
            let node = &self.symbolic.supernodes[crossing as usize];
            let stride = node.stride();
            let panel = self.panels.list_mut(crossing as usize);
            self.stale.push(crossing as usize);
            self.is_updated[crossing as usize] = true;
            // of its own supernode only the columns before it come first
            let is_own = crossing as usize == s;
            let width = if is_own { row as usize } else { node.width() };
            let line = if is_own { row as usize } else { node.width() + row as usize };
            let mut solved = [0.0; WIDEST];
            for j in 0..width {
                let row = &panel[j * stride..=j * stride + j];
                let known: Real = row[..j].iter().zip(&solved[..j]).map(|(l, y)| l * y).sum();
                solved[j] = (self.column[node.columns.start + j] - known) / row[j];
            }
            let rows = self.symbolic.rows_of(crossing as usize).iter().map(|&row| row as usize);
            for (at, row) in node.columns.clone().chain(rows).enumerate().skip(width) {
                if at == line {
                    panel[at * stride..at * stride + width].copy_from_slice(&solved[..width]);
                    self.column[column] -= solved[..width].iter().map(|y| y * y).sum::<Real>();
                } else {
                    let entries = &panel[at * stride..at * stride + width];
                    self.column[row] -= entries.iter().zip(&solved[..width]).map(|(l, y)| l * y).sum::<Real>();
                }
            }
        }
        let square = self.column[column];
        if !(square > 0.0 && square.is_finite()) {
            return false;
        }
        let pivot = square.sqrt();
        let node = &self.symbolic.supernodes[s];
        let (stride, at) = (node.stride(), column - node.columns.start);
        let panel = self.panels.list_mut(s);
        panel[at * stride + at] = pivot;
        let rows = self.symbolic.rows_of(s).iter().map(|&row| row as usize);
        for (line, row) in node.columns.clone().chain(rows).enumerate().skip(at + 1) {
            let entry = self.column[row] / pivot;
            panel[line * stride + at] = entry;
            self.vectors[row].0[0] = entry;
        }
        self.enter_path_at(s);
        self.rotate(1, -1.0)
    }

    /// Number of entries of the factor that a change of `column` goes through.
    #[must_use]
    pub fn reach(&self, column: usize) -> usize {
        let nodes = &self.symbolic.supernodes;
        let first = self.symbolic.supernode_of[column] as usize;
        let path = std::iter::successors(Some(first), |&s| nodes[s].parent);
        path.map(|s| nodes[s].width() * (nodes[s].width() + nodes[s].rows.len())).sum()
    }

    fn enter_path(&mut self, column: usize) {
        self.enter_path_at(self.symbolic.supernode_of[column] as usize);
    }

    /// Puts the supernodes from `s` to the root on the path, unless they are on it.
    fn enter_path_at(&mut self, s: usize) {
        let mut next = Some(s);
        while let Some(at) = next.filter(|&at| !std::mem::replace(&mut self.on_path[at], true)) {
            self.path.push(at);
            next = self.symbolic.supernodes[at].parent;
        }
    }

    /// Rotates the `count` vectors into the columns on the path, and leaves path and vectors empty.
    fn rotate(&mut self, count: usize, sign: Real) -> bool {
        self.path.sort_unstable();
        let mut definite = true;
        for at in 0..self.path.len() {
            let s = self.path[at];
            definite = definite
                && match count {
                    0 => true,
                    1 => self.rotate_panel::<1>(s, sign),
                    _ => self.rotate_panel::<BATCH>(s, sign),
                };
            self.on_path[s] = false;
            self.stale.push(s);
            self.is_updated[s] = true;
            for column in self.symbolic.supernodes[s].columns.clone() {
                self.vectors[column] = Default::default();
            }
        }
        self.path.clear();
        definite
    }

    fn rotate_panel<const K: usize>(&mut self, s: usize, sign: Real) -> bool {
        let node = &self.symbolic.supernodes[s];
        let (width, stride) = (node.width(), node.stride());
        let rows = &self.symbolic.rows[node.rows.clone()];
        let panel = self.panels.list_mut(s);
        let mut rotations = [[IDENTITY; K]; WIDEST];
        let (block, below) = panel.split_at_mut(width * stride);
        for (at, row) in block.chunks_exact_mut(stride).enumerate() {
            let vector = &mut self.vectors[node.columns.start + at];
            let mut values: [Real; K] = std::array::from_fn(|k| vector.0[k]);
            apply(&rotations[..at], &mut row[..at], &mut values);
            for k in 0..K {
                let Some((rotation, pivot)) = Rotation::of(row[at], values[k], sign) else { return false };
                rotations[at][k] = rotation;
                row[at] = pivot;
            }
        }
        for (row, &at) in below.chunks_exact_mut(stride).zip(rows) {
            let vector = &mut self.vectors[at as usize];
            let mut values: [Real; K] = std::array::from_fn(|k| vector.0[k]);
            apply(&rotations[..width], &mut row[..width], &mut values);
            vector.0[..K].copy_from_slice(&values);
        }
        true
    }
}

/// Applies the rotations of all columns to a row of the factor and the vectors' entries beside it.
#[inline]
fn apply<const K: usize>(rotations: &[[Rotation; K]], row: &mut [Real], values: &mut [Real; K]) {
    for (entry, rotations) in row.iter_mut().zip(rotations) {
        for (value, rotation) in values.iter_mut().zip(rotations) {
            *entry = (*entry + rotation.signed_sine * *value) * rotation.inverse_cosine;
            *value = rotation.cosine * *value - rotation.sine * *entry;
        }
    }
}
