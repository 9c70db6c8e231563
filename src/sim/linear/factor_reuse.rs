//! Reuse of the panels of a factor after a tear, where they are the same bit for bit: most of them.
//!
//! A panel follows from the entries of the matrix in its columns and from the panels that update
//! it. Where those are the same, and come in the same order, so is the panel, up to rows of zeros
//! for vertices that the other factor did not have.

use super::LowerTriangle;
use super::symbolic::{Supernode, Symbolic};

/// No such supernode.
const NONE: u32 = u32::MAX;

/// Known values of a supernode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// The panel, but for rows of zeros, and the inverse of its diagonal block.
    Panel,
    /// All of it.
    All,
}

/// The supernodes of another factor that equal those of this one.
pub(super) struct FactorReuse {
    known: Vec<Known>,
    /// For each supernode that of the other factor which has its first column, or [`NONE`].
    counterparts: Vec<u32>,
    /// Place in the other factor of each column, or [`NONE`].
    places: Vec<u32>,
}

impl FactorReuse {
    /// Compares the factor of `matrix` with the shape `symbolic`, before it is computed, with that
    /// of `other_matrix` with the shape `other`, of which the supernodes `is_updated` have been
    /// changed since it was computed.
    pub fn find(
        symbolic: &Symbolic,
        matrix: &LowerTriangle,
        other: &Symbolic,
        is_updated: &[bool],
        other_matrix: &LowerTriangle,
    ) -> Self {
        let (known, nodes) = (&other.column_of, &other.supernodes);
        let places: Vec<u32> =
            symbolic.vertex_of.iter().map(|&vertex| known.get(vertex as usize).copied().unwrap_or(NONE)).collect();
        let counterpart = |node: &Supernode| {
            let first = places[node.columns.start];
            if first == NONE { NONE } else { other.supernode_of[first as usize] }
        };
        let counterparts = symbolic.supernodes.iter().map(counterpart).collect();
        let mut reuse = Self { known: vec![Known::Nothing; symbolic.supernodes.len()], counterparts, places };
        for (s, node) in symbolic.supernodes.iter().enumerate() {
            let Some(t) = reuse.counterpart(s) else { continue };
            if !is_updated[t]
                && reuse.has_columns(node, &nodes[t])
                && reuse.has_entries(node, matrix, other_matrix)
                && reuse.has_rows(symbolic.rows_of(s), other.rows_of(t))
                && reuse.is_updated_alike(symbolic, s, other, t)
            {
                let same = (node.rows.len(), node.inside) == (nodes[t].rows.len(), nodes[t].inside);
                reuse.known[s] = if same { Known::All } else { Known::Panel };
            }
        }
        reuse
    }

    /// Known values of supernode `s`.
    pub fn known(&self, s: usize) -> Known {
        self.known[s]
    }

    /// The supernode of the other factor that has the first column of supernode `s`. Where
    /// something is known of `s`, that is the counterpart of no other.
    pub fn counterpart(&self, s: usize) -> Option<usize> {
        Some(self.counterparts[s] as usize).filter(|&t| t != NONE as usize)
    }

    /// Makes the panel of the counterpart, with which `panel` begins, that of a supernode whose
    /// panel is known, with these `rows`.
    pub fn spread(&self, node: &Supernode, rows: &[u32], panel: &mut [f64]) {
        let (width, stride) = (node.width(), node.stride());
        let mut left = width + rows.iter().filter(|&&row| self.places[row as usize] != NONE).count();
        // from the end, since rows only move back
        for (line, &row) in (width..width + rows.len()).zip(rows).rev() {
            let range = line * stride..(line + 1) * stride;
            if self.places[row as usize] == NONE {
                panel[range].fill(0.0);
            } else {
                left -= 1;
                panel.copy_within(left * stride..(left + 1) * stride, range.start);
            }
        }
        debug_assert_eq!(left, width);
    }

    fn has_columns(&self, node: &Supernode, other: &Supernode) -> bool {
        let places = self.places[node.columns.clone()].iter().map(|&place| place as usize);
        places.eq(other.columns.clone())
    }

    /// Whether the matrices agree in the columns of a supernode.
    fn has_entries(&self, node: &Supernode, matrix: &LowerTriangle, other: &LowerTriangle) -> bool {
        node.columns.clone().all(|column| {
            let entries = matrix.starts[column]..matrix.starts[column + 1];
            let place = self.places[column] as usize;
            let others = other.starts[place]..other.starts[place + 1];
            let row = |row: usize| self.places[row] as usize;
            entries.len() == others.len()
                && matrix.rows[entries.clone()].iter().map(|&r| row(r)).eq(other.rows[others.clone()].iter().copied())
                && matrix.values[entries] == other.values[others]
        })
    }

    /// Whether the rows are those of the other one, in the same order, and rows of new vertices.
    fn has_rows(&self, rows: &[u32], others: &[u32]) -> bool {
        let known = rows.iter().map(|&row| self.places[row as usize]).filter(|&place| place != NONE);
        known.eq(others.iter().copied())
    }

    /// Whether the same panels update both, in the same order.
    fn is_updated_alike(&self, symbolic: &Symbolic, s: usize, other: &Symbolic, t: usize) -> bool {
        let from = symbolic.descents_of(s).iter().map(|descent| descent.from);
        let from = from.map(|from| self.counterpart(from).filter(|_| self.known[from] != Known::Nothing));
        from.eq(other.descents_of(t).iter().map(|descent| Some(descent.from)))
    }
}
