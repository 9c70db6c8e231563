//! Which panels of a factor are those of another one, bit for bit: after a tear most of them.
//!
//! A panel follows from the entries of the matrix in its columns and from the panels that update it. Where those are the same, and
//! come in the same order, so is the panel, up to rows of zeros for vertices that the other factor did not have.

use super::LowerTriangle;
use super::factor::{KnownPanels, SupernodalCholesky, Values, pack};
use super::symbolic::{Supernode, Symbolic};

/// No such supernode.
const NONE: u32 = u32::MAX;

/// Another factor, and which of its supernodes each one equals.
pub(super) struct Likeness<'a> {
    other: &'a SupernodalCholesky,
    /// For each supernode the same of `other`, or [`NONE`].
    same: Vec<u32>,
    /// Place in `other` of each column, or [`NONE`].
    places: Vec<u32>,
}

impl<'a> Likeness<'a> {
    /// Compares the factor of `matrix` with `symbolic`, before it is computed, with `other`, that of `other_matrix`.
    pub fn find(
        symbolic: &Symbolic,
        matrix: &LowerTriangle,
        other: &'a SupernodalCholesky,
        other_matrix: &LowerTriangle,
    ) -> Self {
        let known = &other.symbolic.column_of;
        let places: Vec<u32> =
            symbolic.vertex_of.iter().map(|&vertex| known.get(vertex as usize).copied().unwrap_or(NONE)).collect();
        let mut like = Self { other, same: vec![NONE; symbolic.supernodes.len()], places };
        for (s, node) in symbolic.supernodes.iter().enumerate() {
            let first = like.places[node.columns.start];
            if first == NONE {
                continue;
            }
            let t = other.symbolic.supernode_of[first as usize];
            if !other.is_updated[t as usize]
                && like.has_columns(node, &other.symbolic.supernodes[t as usize])
                && like.has_entries(node, matrix, other_matrix)
                && like.has_rows(symbolic.rows_of(s), other.symbolic.rows_of(t as usize))
                && like.is_updated_alike(symbolic, s, t as usize)
            {
                like.same[s] = t;
            }
        }
        like
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
    fn is_updated_alike(&self, symbolic: &Symbolic, s: usize, t: usize) -> bool {
        let from = symbolic.descents_of(s).iter().map(|descent| self.same[descent.from]);
        let others = self.other.symbolic.descents_of(t).iter().map(|descent| descent.from as u32);
        from.eq(others)
    }
}

impl KnownPanels for Likeness<'_> {
    fn is_same(&self, s: usize) -> bool {
        self.same[s] != NONE
    }

    unsafe fn copy(&self, symbolic: &Symbolic, s: usize, values: &Values) {
        let (node, from) = (&symbolic.supernodes[s], &self.other.symbolic.supernodes[self.same[s] as usize]);
        let (width, stride) = (node.width(), node.stride());
        let source = &self.other.panels[from.panel_range()];
        // SAFETY: as promised.
        let (panel, inverse, packed) = unsafe {
            (
                values.panels.part(node.panel_range()),
                values.inverses.part(node.inverse..node.inverse + width * stride),
                values.packed.part(node.packed.clone()),
            )
        };
        inverse.copy_from_slice(&self.other.inverses[from.inverse..from.inverse + width * stride]);
        let rows = symbolic.rows_of(s);
        if rows.len() == from.rows.len() {
            panel.copy_from_slice(source);
            if node.inside == from.inside {
                packed.copy_from_slice(&self.other.packed[from.packed.clone()]);
                return;
            }
        } else {
            let (block, below) = panel.split_at_mut(width * stride);
            let (from_block, from_below) = source.split_at(width * stride);
            block.copy_from_slice(from_block);
            let mut from_rows = from_below.chunks_exact(stride);
            for (row, &at) in below.chunks_exact_mut(stride).zip(rows) {
                let known = self.places[at as usize] != NONE;
                match known.then(|| from_rows.next()).flatten() {
                    Some(values) => row.copy_from_slice(values),
                    None => row.fill(0.0),
                }
            }
        }
        pack(node, inverse, &panel[width * stride..], packed);
    }
}
