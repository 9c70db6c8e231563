//! The panels of a factor before they are numbered task by task; of a torn cloth from those of the
//! whole one.

use std::ops::Range;

use super::super::Graph;
use super::tree::{Panel, WIDEST, column_counts, elimination_tree, merge, postorder, rows_of, split_wide};
use super::{NONE, invert};
use crate::sim::math::csr::Csr;

/// The elimination of a graph: the vertices in an order in which every subtree is in one piece, and
/// the panels.
#[derive(Debug, Clone)]
pub struct Shape {
    pub(super) vertex_of: Vec<u32>,
    pub(super) panels: Vec<Panel>,
    /// The rows of all panels below their columns.
    pub(super) rows: Vec<u32>,
}

impl Shape {
    /// The shape of the factor of a matrix with the sparsity of `graph`, eliminated in the order
    /// `order`.
    #[must_use]
    pub fn of(graph: &Graph, order: &[u32]) -> Self {
        let mut column_of = invert(order);
        let parents = elimination_tree(graph, order, &column_of);
        // children before parents and subtrees in one piece
        let post = postorder(&parents);
        let vertex_of: Vec<u32> = post.iter().map(|&place| order[place as usize]).collect();
        column_of = invert(&vertex_of);
        let rank = invert(&post);
        let mut tree = vec![NONE; graph.len()];
        for (place, &parent) in parents.iter().enumerate() {
            if parent != NONE {
                tree[rank[place] as usize] = rank[parent as usize];
            }
        }
        let counts = column_counts(graph, &vertex_of, &column_of, &tree);
        let blocks = split_wide(&merge(&tree, &counts));
        let (panels, rows) = rows_of(graph, &blocks, &vertex_of, &column_of);
        Self { vertex_of, panels, rows }
    }

    /// The shape after vertices were split: `origins` names, for each vertex that there is now, the
    /// one that it was before, and those that there were keep their numbers. A part of a vertex is
    /// eliminated with it and couples what it coupled, so that takes in zeros, but the order stays
    /// and nothing has to be analysed.
    #[must_use]
    pub fn split(&self, origins: &[u32]) -> Self {
        let parts = Csr::from_pairs(self.vertex_of.len(), origins.iter().copied().zip(0..));
        let mut vertex_of: Vec<u32> = Vec::with_capacity(origins.len());
        let mut start = Vec::with_capacity(self.vertex_of.len() + 1);
        for &vertex in &self.vertex_of {
            start.push(vertex_of.len());
            vertex_of.extend_from_slice(parts.row(vertex as usize));
        }
        start.push(vertex_of.len());
        let mut panels: Vec<Panel> = Vec::with_capacity(self.panels.len());
        let mut rows: Vec<u32> = Vec::with_capacity(self.rows.len() + self.rows.len() / 8);
        let mut panel_of = vec![0_u32; origins.len()];
        for panel in &self.panels {
            let columns = start[panel.columns.start]..start[panel.columns.end];
            let count = columns.len().div_ceil(WIDEST);
            for part in 0..count {
                let cut = |part: usize| columns.start + columns.len() * part / count;
                let own: Range<usize> = cut(part)..cut(part + 1);
                panel_of[own.clone()].fill(panels.len() as u32);
                let first = rows.len();
                // of a panel that was cut, the columns of the later parts
                rows.extend(own.end as u32..columns.end as u32);
                for &row in &self.rows[panel.rows.clone()] {
                    rows.extend(start[row as usize] as u32..start[row as usize + 1] as u32);
                }
                panels.push(Panel { columns: own, rows: first..rows.len(), parent: None });
            }
        }
        for panel in &mut panels {
            panel.parent = rows[panel.rows.clone()].first().map(|&row| panel_of[row as usize] as usize);
        }
        Self { vertex_of, panels, rows }
    }
}
