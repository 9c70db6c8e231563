//! The shape of the factor, found once per sparsity: elimination tree, supernodes, and which parts
//! of the work are independent.
//!
//! Columns with nearly the same rows are stored together, as a dense panel (a supernode). The tree
//! of supernodes is cut into tasks: subtrees that need nothing of each other, and above them the
//! chains in which they meet, level by level. The cut depends on the matrix alone, so results are
//! the same for any number of threads.

mod plan;
mod shape;
mod tree;

use std::ops::Range;
use std::sync::OnceLock;

pub use shape::Shape;
pub(super) use tree::WIDEST;

use super::Graph;
use crate::sim::math::csr::Csr;
use plan::TaskPlan;

/// No parent.
const NONE: u32 = u32::MAX;

/// A panel: columns that share their rows.
#[derive(Debug, Clone)]
pub(super) struct Supernode {
    /// Its columns.
    pub columns: Range<usize>,
    /// Its rows below the columns, in [`Symbolic::rows`].
    pub rows: Range<usize>,
    /// How many of these rows belong to its own task.
    pub inside: usize,
    /// Number of values of its packed form.
    pub packed: usize,
    /// Its rows inside its task, counted from the task's first column, and those outside, counted
    /// from [`Symbolic::top`], in [`Symbolic::targets`]; each filled up to whole strips.
    pub near: Range<usize>,
    pub far: Range<usize>,
    /// The supernode of its first row.
    pub parent: Option<usize>,
}

/// First row and height of the strips into which solves take so many rows.
pub(super) fn strips(rows: usize) -> impl Iterator<Item = (usize, usize)> {
    let rows = rows.next_multiple_of(4);
    let tall = rows / 8 * 8;
    (0..tall).step_by(8).map(|first| (first, 8)).chain((tall..rows).step_by(4).map(|first| (first, 4)))
}

impl Supernode {
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Number of values of its panel: `width + rows` rows of `stride` numbers.
    pub fn panel(&self) -> usize {
        (self.width() + self.rows.len()) * self.stride()
    }

    /// Number of values of the inverse of its diagonal block: `width` rows of `stride` numbers.
    pub fn inverse(&self) -> usize {
        self.width() * self.stride()
    }

    /// Length of a stored row: the width, filled up to whole vectors.
    pub fn stride(&self) -> usize {
        self.width().next_multiple_of(4)
    }
}

/// Part of the work: a subtree, or a chain above subtrees.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub supernodes: Range<usize>,
    pub columns: Range<usize>,
    /// The tasks below it, whose contributions it takes in.
    pub below: Vec<usize>,
}

/// An update of a supernode by an earlier one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Descent {
    /// The earlier supernode.
    pub from: usize,
    /// Which of its rows (counted from its first row below the columns) are columns of the later
    /// one: from `first` to before `end`.
    pub first: usize,
    pub end: usize,
}

/// The shape of a factor. Columns are numbered by their place in the elimination.
#[derive(Debug, Clone)]
pub struct Symbolic {
    /// Place of each vertex.
    pub column_of: Vec<u32>,
    /// Vertex at each place.
    pub vertex_of: Vec<u32>,
    pub(super) supernodes: Vec<Supernode>,
    pub(super) rows: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// Supernode of each column.
    pub(super) supernode_of: Vec<u32>,
    pub(super) tasks: Vec<Task>,
    /// Tasks that can be done at the same time; each level needs those before it.
    pub(super) levels: Vec<Range<usize>>,
    /// First column that does not belong to a leaf task.
    pub(super) top: usize,
    /// The updates that each supernode gets.
    descents: Csr<Descent>,
    /// For each column the supernodes that have it as a row, with the row's number there. Only rows
    /// that come and go need them, and a cloth that tears has a new shape in every step: found when
    /// they are first asked for.
    crossings: OnceLock<Csr<(u32, u32)>>,
}

impl Symbolic {
    /// The shape of the factor of a matrix with the sparsity of `graph`, eliminated in the order
    /// `order`.
    #[must_use]
    pub fn of(graph: &Graph, order: &[u32]) -> Self {
        let symbolic = Self::lay_out(&Shape::of(graph, order));
        symbolic.crossings();
        symbolic
    }

    /// Numbers the columns of `shape` task by task.
    #[must_use]
    pub fn lay_out(shape: &Shape) -> Self {
        let Shape { vertex_of: by_tree, panels, .. } = shape;
        let n = by_tree.len();
        let plan = TaskPlan::of(panels, n);
        let mut new_place = vec![0_u32; n];
        let mut vertex_of = Vec::with_capacity(n);
        for &block in &plan.sequence {
            for column in panels[block].columns.clone() {
                new_place[column] = vertex_of.len() as u32;
                vertex_of.push(by_tree[column]);
            }
        }
        Self::assemble(vertex_of, shape, &plan, &new_place)
    }

    fn assemble(vertex_of: Vec<u32>, shape: &Shape, plan: &TaskPlan, new_place: &[u32]) -> Self {
        let (n, panels) = (vertex_of.len(), &shape.panels);
        let mut tasks: Vec<Task> = Vec::with_capacity(plan.tasks.len());
        let (mut supernodes, mut rows) = (Vec::with_capacity(panels.len()), Vec::with_capacity(shape.rows.len()));
        let mut supernode_of = vec![0; n];
        let top = plan.levels.first().map_or(0..0, Clone::clone).map(|task| plan.columns_of(task, panels)).sum();
        let mut column = 0;
        let mut targets = Vec::with_capacity(shape.rows.len() + 8 * panels.len());
        for task in &plan.tasks {
            let (first, first_column) = (supernodes.len(), column);
            let end = first_column + plan.columns_of(tasks.len(), panels);
            for at in task.blocks.clone() {
                let block = &panels[plan.sequence[at]];
                let start = rows.len();
                rows.extend(shape.rows[block.rows.clone()].iter().map(|&row| new_place[row as usize]));
                rows[start..].sort_unstable();
                let columns = column..column + block.columns.len();
                supernode_of[columns.clone()].fill(supernodes.len() as u32);
                column = columns.end;
                let inside = rows[start..].partition_point(|&row| (row as usize) < end);
                let (inner, outer) = rows[start..].split_at(inside);
                let near = put_targets(&mut targets, inner, first_column);
                let far = put_targets(&mut targets, outer, top);
                let width = columns.len();
                let packed = strips(width).map(|(first, height)| height * width.min(first + height)).sum::<usize>()
                    + (near.len() + far.len()) * width;
                supernodes.push(Supernode {
                    columns,
                    rows: start..rows.len(),
                    inside,
                    packed,
                    near,
                    far,
                    parent: None,
                });
            }
            tasks.push(Task {
                supernodes: first..supernodes.len(),
                columns: first_column..column,
                below: task.below.clone(),
            });
        }
        for node in &mut supernodes {
            node.parent = rows[node.rows.clone()].first().map(|&row| supernode_of[row as usize] as usize);
        }
        let descents = descents(&supernodes, &rows, &supernode_of);
        Self {
            column_of: invert(&vertex_of),
            vertex_of,
            supernodes,
            rows,
            targets,
            supernode_of,
            tasks,
            levels: plan.levels.clone(),
            top,
            descents,
            crossings: OnceLock::new(),
        }
    }

    /// Number of rows and columns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vertex_of.len()
    }

    /// Whether the matrix is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vertex_of.is_empty()
    }

    /// Number of stored entries of the factor, the zeros that panels take in included.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.supernodes.iter().map(|s| s.width() * (s.width() + 1) / 2 + s.width() * s.rows.len()).sum()
    }

    /// Multiplications and additions of a factorisation.
    #[must_use]
    pub fn operations(&self) -> f64 {
        let column = |below: usize| (below * below) as f64;
        self.supernodes.iter().map(|s| (0..s.width()).map(|j| column(s.rows.len() + s.width() - j)).sum::<f64>()).sum()
    }

    /// The rows of supernode `s` below its columns.
    pub(super) fn rows_of(&self, s: usize) -> &[u32] {
        &self.rows[self.supernodes[s].rows.clone()]
    }

    /// The updates that supernode `s` gets.
    pub(super) fn descents_of(&self, s: usize) -> &[Descent] {
        self.descents.row(s)
    }

    /// The supernodes that have `column` as a row below their columns, rising, with the number of
    /// the row.
    pub(super) fn crossings_of(&self, column: usize) -> &[(u32, u32)] {
        self.crossings().row(column)
    }

    fn crossings(&self) -> &Csr<(u32, u32)> {
        self.crossings.get_or_init(|| crossings(&self.supernodes, &self.rows, self.len()))
    }
}

/// Appends `rows`, counted from `origin`, filled up to whole strips, and returns where they are.
/// What fills up belongs to zeros of the factor, so any row will do.
fn put_targets(targets: &mut Vec<u32>, rows: &[u32], origin: usize) -> Range<usize> {
    let start = targets.len();
    targets.extend(rows.iter().map(|row| row - origin as u32));
    let fill = targets.last().copied().unwrap_or(0);
    targets.resize(start + rows.len().next_multiple_of(4), fill);
    start..targets.len()
}

fn invert(order: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; order.len()];
    for (place, &vertex) in order.iter().enumerate() {
        inverse[vertex as usize] = place as u32;
    }
    inverse
}

fn descents(supernodes: &[Supernode], rows: &[u32], supernode_of: &[u32]) -> Csr<Descent> {
    let mut all: Vec<(u32, Descent)> = Vec::new();
    for (from, node) in supernodes.iter().enumerate() {
        let own = &rows[node.rows.clone()];
        let mut start = 0;
        while start < own.len() {
            let to = supernode_of[own[start] as usize];
            let end = start + own[start..].partition_point(|&row| supernode_of[row as usize] == to);
            all.push((to, Descent { from, first: start, end }));
            start = end;
        }
    }
    // those of a supernode stay in the order in which they were found: by rising `from`
    Csr::from_pairs(supernodes.len(), all.iter().copied())
}

fn crossings(supernodes: &[Supernode], rows: &[u32], columns: usize) -> Csr<(u32, u32)> {
    let pairs = (0_u32..).zip(supernodes).flat_map(|(s, node)| {
        let numbered = (0_u32..).zip(&rows[node.rows.clone()]);
        numbered.map(move |(at, &row)| (row, (s, at)))
    });
    Csr::from_pairs(columns, pairs)
}
