//! The elimination tree and what follows from it: the order of the columns, their sizes, and which
//! of them belong together.

use std::ops::Range;

use super::super::Graph;
use super::NONE;

/// Widest panel: what a solve keeps in the first-level cache and a factorisation in registers.
pub(in crate::sim::linear) const WIDEST: usize = 32;
/// Panels that are merged whatever it costs, and the share of zeros that wider ones may take in.
const MERGE_ALWAYS: usize = 4;
const MERGE_ZEROS: f64 = 0.1;

/// Parent of each place in the elimination tree (Liu 1986, with path compression).
pub(super) fn elimination_tree(graph: &Graph, order: &[u32], column_of: &[u32]) -> Vec<u32> {
    let n = order.len();
    let (mut parents, mut ancestors) = (vec![NONE; n], vec![NONE; n]);
    for (place, &vertex) in order.iter().enumerate() {
        for &neighbour in graph.of_vertex(vertex) {
            let mut at = column_of[neighbour as usize] as usize;
            while at < place {
                let next = std::mem::replace(&mut ancestors[at], place as u32);
                if next == NONE {
                    parents[at] = place as u32;
                    break;
                }
                at = next as usize;
            }
        }
    }
    parents
}

/// The places in an order in which every subtree is in one piece and ends with its root.
pub(super) fn postorder(parents: &[u32]) -> Vec<u32> {
    let n = parents.len();
    let (mut first_child, mut sibling) = (vec![NONE; n], vec![NONE; n]);
    let mut roots = Vec::new();
    for place in (0..n).rev() {
        match parents[place] {
            NONE => roots.push(place as u32),
            parent => {
                sibling[place] = first_child[parent as usize];
                first_child[parent as usize] = place as u32;
            }
        }
    }
    let mut post = Vec::with_capacity(n);
    let mut path = roots;
    while let Some(&at) = path.last() {
        let child = std::mem::replace(&mut first_child[at as usize], NONE);
        if child == NONE {
            post.push(at);
            path.pop();
            continue;
        }
        // the stack takes all children, the first on top
        let start = path.len();
        path.extend(std::iter::successors(Some(child), |&at| Some(sibling[at as usize]).filter(|&next| next != NONE)));
        path[start..].reverse();
    }
    post
}

/// Number of entries of each column of the factor, with the diagonal.
pub(super) fn column_counts(graph: &Graph, vertex_of: &[u32], column_of: &[u32], tree: &[u32]) -> Vec<u32> {
    let mut counts = vec![1_u32; tree.len()];
    let mut seen = vec![NONE; tree.len()];
    for (row, &vertex) in vertex_of.iter().enumerate() {
        seen[row] = row as u32;
        for &neighbour in graph.of_vertex(vertex) {
            let mut at = column_of[neighbour as usize] as usize;
            while at < row && seen[at] != row as u32 {
                counts[at] += 1;
                seen[at] = row as u32;
                at = tree[at] as usize;
            }
        }
    }
    counts
}

/// Groups neighbouring columns of a path of the tree into blocks, as long as that takes in few
/// zeros.
pub(super) fn merge(tree: &[u32], counts: &[u32]) -> Vec<Range<usize>> {
    struct Block {
        columns: Range<usize>,
        below: usize,
        entries: usize,
    }
    let full = |width: usize, below: usize| width * (width + 1) / 2 + width * below;
    let mut blocks: Vec<Block> = Vec::new();
    for (column, &count) in counts.iter().enumerate() {
        let below = count as usize - 1;
        blocks.push(Block { columns: column..column + 1, below, entries: full(1, below) });
        // the block before ends with a child of this one's first column: try to make them one
        while let [.., child, block] = &blocks[..] {
            if tree[child.columns.end - 1] as usize != block.columns.start {
                break;
            }
            let width = child.columns.len() + block.columns.len();
            let entries = child.entries + block.entries;
            let merged = full(width, block.below);
            let zeros = 1.0 - entries as f64 / merged as f64;
            if width > MERGE_ALWAYS && zeros > MERGE_ZEROS {
                break;
            }
            let block = Block { columns: child.columns.start..block.columns.end, below: block.below, entries };
            blocks.truncate(blocks.len() - 2);
            blocks.push(block);
        }
    }
    blocks.into_iter().map(|block| block.columns).collect()
}

/// Cuts blocks that are too wide into equal parts.
pub(super) fn split_wide(blocks: &[Range<usize>]) -> Vec<Range<usize>> {
    let parts = |block: &Range<usize>| {
        let count = block.len().div_ceil(WIDEST);
        let (start, length) = (block.start, block.len());
        (0..count).map(move |part| start + length * part / count..start + length * (part + 1) / count)
    };
    blocks.iter().flat_map(parts).collect()
}

/// A supernode while the shape is being found.
#[derive(Debug, Clone)]
pub(super) struct Panel {
    pub columns: Range<usize>,
    /// Its part of the list of all rows.
    pub rows: Range<usize>,
    pub parent: Option<usize>,
}

/// The blocks with their rows, and the list of those: the rows of the matrix and of the blocks
/// below in the tree.
pub(super) fn rows_of(
    graph: &Graph,
    blocks: &[Range<usize>],
    vertex_of: &[u32],
    column_of: &[u32],
) -> (Vec<Panel>, Vec<u32>) {
    let n = vertex_of.len();
    let mut block_of = vec![0; n];
    for (block, columns) in blocks.iter().enumerate() {
        block_of[columns.clone()].fill(block);
    }
    let mut panels: Vec<Panel> = Vec::with_capacity(blocks.len());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    let mut seen = vec![NONE; n];
    let mut rows: Vec<u32> = Vec::new();
    for (block, columns) in blocks.iter().enumerate() {
        let start = rows.len();
        let mut take = |rows: &mut Vec<u32>, row: u32| {
            if row as usize >= columns.end && seen[row as usize] != block as u32 {
                seen[row as usize] = block as u32;
                rows.push(row);
            }
        };
        for column in columns.clone() {
            for &neighbour in graph.of_vertex(vertex_of[column]) {
                take(&mut rows, column_of[neighbour as usize]);
            }
        }
        for &child in &children[block] {
            for at in panels[child].rows.clone() {
                let row = rows[at];
                take(&mut rows, row);
            }
        }
        rows[start..].sort_unstable();
        let parent = rows.get(start).map(|&row| block_of[row as usize]);
        if let Some(parent) = parent {
            children[parent].push(block);
        }
        panels.push(Panel { columns: columns.clone(), rows: start..rows.len(), parent });
    }
    (panels, rows)
}
