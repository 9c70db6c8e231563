//! The shape of the factor, found once per sparsity: elimination tree, supernodes, and which parts of the work are
//! independent.
//!
//! Columns with nearly the same rows are stored together, as a dense panel (a supernode). The tree of supernodes is cut
//! into tasks: subtrees that need nothing of each other, and above them the chains in which they meet, level by level.
//! The cut depends on the matrix alone, so results are the same for any number of threads.

use std::ops::Range;

use super::Graph;

/// Widest panel: what a solve keeps in the first-level cache and a factorisation in registers.
pub(super) const WIDEST: usize = 32;
/// Panels that are merged whatever it costs, and the share of zeros that wider ones may take in.
const MERGE_ALWAYS: usize = 4;
const MERGE_ZEROS: f64 = 0.1;
/// Leaf tasks that the tree is cut into, and the smallest number of columns that is worth it.
const LEAF_TASKS: usize = 8;
const WORTH_CUTTING: usize = 1000;

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
    /// Where its panel starts in the values: `(width + rows)` rows of `stride` numbers.
    pub panel: usize,
    /// Where the inverse of its diagonal block starts: `width` rows of `stride` numbers.
    pub inverse: usize,
    /// Its part of the packed values.
    pub packed: Range<usize>,
    /// Its rows inside its task, counted from the task's first column, and those outside, counted from [`Symbolic::top`], in
    /// [`Symbolic::targets`]; each filled up to whole strips.
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
#[derive(Debug, Clone)]
pub(super) struct Descent {
    /// The earlier supernode.
    pub from: usize,
    /// Which of its rows (counted from its first row below the columns) are columns of the later one.
    pub rows: Range<usize>,
}

/// The shape of a factor. Columns are numbered by their place in the elimination.
#[derive(Debug, Clone)]
pub struct Symbolic {
    /// Place of each vertex.
    pub place_of: Vec<u32>,
    /// Vertex at each place.
    pub vertex_at: Vec<u32>,
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
    descents: Vec<Descent>,
    descents_of: Vec<u32>,
    /// For each column the supernodes that have it as a row, with the row's number there.
    crossings: Vec<(u32, u32)>,
    crossings_of: Vec<u32>,
    pub(super) panel_values: usize,
    pub(super) inverse_values: usize,
    pub(super) packed_values: usize,
}

impl Symbolic {
    /// The shape of the factor of a matrix with the sparsity of `graph`, eliminated in the order `order`.
    #[must_use]
    pub fn of(graph: &Graph, order: &[u32]) -> Self {
        let n = graph.len();
        let mut place_of = invert(order);
        let parents = elimination_tree(graph, order, &place_of);
        // children before parents and subtrees in one piece
        let post = postorder(&parents);
        let mut vertex_at: Vec<u32> = post.iter().map(|&place| order[place as usize]).collect();
        place_of = invert(&vertex_at);
        let rank = invert(&post);
        let mut tree = vec![NONE; n];
        for (place, &parent) in parents.iter().enumerate() {
            if parent != NONE {
                tree[rank[place] as usize] = rank[parent as usize];
            }
        }
        let counts = column_counts(graph, &vertex_at, &place_of, &tree);
        let blocks = split_wide(&merge(&tree, &counts));
        let panels = rows_of(graph, &blocks, &vertex_at, &place_of);
        let plan = Plan::of(&panels, n);

        // number the columns task by task
        let mut new_place = vec![0_u32; n];
        let mut next = 0;
        for &block in &plan.sequence {
            for column in panels[block].columns.clone() {
                new_place[column] = next;
                next += 1;
            }
        }
        let mut renumbered = vec![0; n];
        for (old, &new) in new_place.iter().enumerate() {
            renumbered[new as usize] = vertex_at[old];
        }
        vertex_at = renumbered;
        place_of = invert(&vertex_at);
        Self::assemble(place_of, vertex_at, &panels, &plan, &new_place)
    }

    fn assemble(place_of: Vec<u32>, vertex_at: Vec<u32>, panels: &[Panel], plan: &Plan, new_place: &[u32]) -> Self {
        let n = vertex_at.len();
        let mut tasks: Vec<Task> = Vec::with_capacity(plan.tasks.len());
        let (mut supernodes, mut rows) = (Vec::with_capacity(panels.len()), Vec::new());
        let mut supernode_of = vec![0; n];
        let top = plan.levels.first().map_or(0..0, Clone::clone).map(|task| plan.columns_of(task, panels)).sum();
        let (mut column, mut panel, mut inverse, mut packed) = (0, 0, 0, 0);
        let mut targets = Vec::new();
        for task in &plan.tasks {
            let (first, first_column) = (supernodes.len(), column);
            let end = first_column + plan.columns_of(tasks.len(), panels);
            for at in task.blocks.clone() {
                let block = &panels[plan.sequence[at]];
                let start = rows.len();
                rows.extend(block.rows.iter().map(|&row| new_place[row as usize]));
                rows[start..].sort_unstable();
                let columns = column..column + block.columns.len();
                supernode_of[columns.clone()].fill(supernodes.len() as u32);
                column = columns.end;
                let inside = rows[start..].partition_point(|&row| (row as usize) < end);
                let (inner, outer) = rows[start..].split_at(inside);
                let near = put_targets(&mut targets, inner, first_column);
                let far = put_targets(&mut targets, outer, top);
                let width = columns.len();
                let size = strips(width).map(|(first, height)| height * width.min(first + height)).sum::<usize>()
                    + (near.len() + far.len()) * width;
                let node = Supernode {
                    columns,
                    rows: start..rows.len(),
                    inside,
                    panel,
                    inverse,
                    packed: packed..packed + size,
                    near,
                    far,
                    parent: None,
                };
                packed += size;
                panel += (node.width() + node.rows.len()) * node.stride();
                inverse += node.width() * node.stride();
                supernodes.push(node);
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
        let (descents, descents_of) = descents(&supernodes, &rows, &supernode_of);
        let (crossings, crossings_of) = crossings(&supernodes, &rows, n);
        Self {
            place_of,
            vertex_at,
            supernodes,
            rows,
            targets,
            supernode_of,
            tasks,
            levels: plan.levels.clone(),
            top,
            descents,
            descents_of,
            crossings,
            crossings_of,
            panel_values: panel,
            inverse_values: inverse,
            packed_values: packed,
        }
    }

    /// Number of rows and columns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vertex_at.len()
    }

    /// Whether the matrix is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vertex_at.is_empty()
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
        &self.descents[self.descents_of[s] as usize..self.descents_of[s + 1] as usize]
    }

    /// The supernodes that have `column` as a row below their columns, rising, with the number of the row.
    pub(super) fn crossings_of(&self, column: usize) -> &[(u32, u32)] {
        &self.crossings[self.crossings_of[column] as usize..self.crossings_of[column + 1] as usize]
    }
}

/// Appends `rows`, counted from `origin`, filled up to whole strips, and returns where they are. What fills up belongs to
/// zeros of the factor, so any row will do.
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

/// Parent of each place in the elimination tree (Liu 1986, with path compression).
fn elimination_tree(graph: &Graph, order: &[u32], place_of: &[u32]) -> Vec<u32> {
    let n = order.len();
    let (mut parents, mut ancestors) = (vec![NONE; n], vec![NONE; n]);
    for (place, &vertex) in order.iter().enumerate() {
        for &neighbour in graph.of_vertex(vertex) {
            let mut at = place_of[neighbour as usize] as usize;
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
fn postorder(parents: &[u32]) -> Vec<u32> {
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
fn column_counts(graph: &Graph, vertex_at: &[u32], place_of: &[u32], tree: &[u32]) -> Vec<u32> {
    let mut counts = vec![1_u32; tree.len()];
    let mut seen = vec![NONE; tree.len()];
    for (row, &vertex) in vertex_at.iter().enumerate() {
        seen[row] = row as u32;
        for &neighbour in graph.of_vertex(vertex) {
            let mut at = place_of[neighbour as usize] as usize;
            while at < row && seen[at] != row as u32 {
                counts[at] += 1;
                seen[at] = row as u32;
                at = tree[at] as usize;
            }
        }
    }
    counts
}

/// Groups neighbouring columns of a path of the tree into blocks, as long as that takes in few zeros.
fn merge(tree: &[u32], counts: &[u32]) -> Vec<Range<usize>> {
    struct Block {
        columns: Range<usize>,
        below: usize,
        entries: usize,
    }
    let full = |width: usize, below: usize| width * (width + 1) / 2 + width * below;
    let mut blocks: Vec<Block> = Vec::new();
    for column in 0..tree.len() {
        let below = counts[column] as usize - 1;
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
fn split_wide(blocks: &[Range<usize>]) -> Vec<Range<usize>> {
    let parts = |block: &Range<usize>| {
        let count = block.len().div_ceil(WIDEST);
        let (start, length) = (block.start, block.len());
        (0..count).map(move |part| start + length * part / count..start + length * (part + 1) / count)
    };
    blocks.iter().flat_map(parts).collect()
}

/// A supernode while the shape is being found.
struct Panel {
    columns: Range<usize>,
    rows: Vec<u32>,
    parent: Option<usize>,
}

/// The rows of each block: those of the matrix and those of the blocks below it in the tree.
fn rows_of(graph: &Graph, blocks: &[Range<usize>], vertex_at: &[u32], place_of: &[u32]) -> Vec<Panel> {
    let n = vertex_at.len();
    let mut block_of = vec![0; n];
    for (block, columns) in blocks.iter().enumerate() {
        block_of[columns.clone()].fill(block);
    }
    let mut panels: Vec<Panel> = Vec::with_capacity(blocks.len());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    let mut seen = vec![NONE; n];
    for (block, columns) in blocks.iter().enumerate() {
        let mut rows = Vec::new();
        let mut take = |row: u32| {
            if row as usize >= columns.end && seen[row as usize] != block as u32 {
                seen[row as usize] = block as u32;
                rows.push(row);
            }
        };
        for column in columns.clone() {
            graph.of_vertex(vertex_at[column]).iter().for_each(|&neighbour| take(place_of[neighbour as usize]));
        }
        for &child in &children[block] {
            panels[child].rows.iter().copied().for_each(&mut take);
        }
        rows.sort_unstable();
        let parent = rows.first().map(|&row| block_of[row as usize]);
        if let Some(parent) = parent {
            children[parent].push(block);
        }
        panels.push(Panel { columns: columns.clone(), rows, parent });
    }
    panels
}

/// How the tree is cut into tasks.
struct Plan {
    /// The blocks in the order in which they are numbered.
    sequence: Vec<usize>,
    tasks: Vec<PlannedTask>,
    levels: Vec<Range<usize>>,
}

struct PlannedTask {
    /// Its part of the sequence.
    blocks: Range<usize>,
    below: Vec<usize>,
}

impl Plan {
    /// Number of columns of a task.
    fn columns_of(&self, task: usize, panels: &[Panel]) -> usize {
        self.sequence[self.tasks[task].blocks.clone()].iter().map(|&block| panels[block].columns.len()).sum()
    }

    fn of(panels: &[Panel], n: usize) -> Self {
        let count = panels.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut work: Vec<f64> =
            panels.iter().map(|p| (p.columns.len() * (p.columns.len() + 2 * p.rows.len())) as f64).collect();
        for block in 0..count {
            if let Some(parent) = panels[block].parent {
                children[parent].push(block);
                work[parent] += work[block];
            }
        }
        // open the heaviest subtree until there are enough
        let mut subtrees: Vec<usize> = (0..count).filter(|&block| panels[block].parent.is_none()).collect();
        let mut is_top = vec![false; count];
        while n >= WORTH_CUTTING && subtrees.len() < LEAF_TASKS {
            let Some((at, &heaviest)) =
                subtrees.iter().enumerate().max_by(|a, b| work[*a.1].total_cmp(&work[*b.1]).then(b.1.cmp(a.1)))
            else {
                break;
            };
            if children[heaviest].is_empty() {
                break;
            }
            is_top[heaviest] = true;
            subtrees.swap_remove(at);
            subtrees.extend(&children[heaviest]);
        }
        subtrees.sort_unstable();
        let leaves = gather(subtrees, &work);

        // chains above the subtrees; the level of a chain is one more than the highest below it
        let mut chain_of = vec![usize::MAX; count];
        let mut chains: Vec<(usize, Vec<usize>)> = Vec::new();
        for block in (0..count).filter(|&block| is_top[block]) {
            let below = children[block].iter().filter(|&&child| is_top[child]).map(|&child| chain_of[child]);
            let highest = below.clone().map(|chain| chains[chain].0).max();
            let mut below = below;
            match (below.next(), below.next()) {
                (Some(chain), None) => {
                    chains[chain].1.push(block);
                    chain_of[block] = chain;
                }
                _ => {
                    chain_of[block] = chains.len();
                    chains.push((highest.map_or(1, |level| level + 1), vec![block]));
                }
            }
        }
        Self::lay_out(panels, &children, &leaves, chains)
    }

    fn lay_out(
        panels: &[Panel],
        children: &[Vec<usize>],
        leaves: &[Vec<usize>],
        mut chains: Vec<(usize, Vec<usize>)>,
    ) -> Self {
        let mut sequence = Vec::with_capacity(panels.len());
        let mut tasks: Vec<PlannedTask> = Vec::new();
        let mut task_of = vec![usize::MAX; panels.len()];
        for roots in leaves {
            let start = sequence.len();
            let mut subtree = roots.clone();
            let mut at = 0;
            while at < subtree.len() {
                subtree.extend(&children[subtree[at]]);
                at += 1;
            }
            subtree.sort_unstable();
            sequence.extend(subtree);
            tasks.push(PlannedTask { blocks: start..sequence.len(), below: Vec::new() });
        }
        let mut levels = vec![0..tasks.len()];
        chains.sort_by_key(|(level, blocks)| (*level, blocks[0]));
        for (level, blocks) in chains {
            let start = sequence.len();
            sequence.extend(blocks);
            if level == levels.len() {
                levels.push(tasks.len()..tasks.len());
            }
            levels[level].end = tasks.len() + 1;
            tasks.push(PlannedTask { blocks: start..sequence.len(), below: Vec::new() });
        }
        for (task, planned) in tasks.iter().enumerate() {
            sequence[planned.blocks.clone()].iter().for_each(|&block| task_of[block] = task);
        }
        // every task passes its contributions to all tasks on the way to the root
        for task in 0..tasks.len() {
            let blocks = &sequence[tasks[task].blocks.clone()];
            let leaving = |&&block: &&usize| panels[block].parent.is_some_and(|parent| task_of[parent] != task);
            for &exit in &blocks.iter().filter(leaving).copied().collect::<Vec<_>>() {
                let mut block = panels[exit].parent;
                while let Some(at) = block {
                    let above = &mut tasks[task_of[at]].below;
                    if above.last() != Some(&task) {
                        above.push(task);
                    }
                    block = panels[at].parent;
                }
            }
        }
        Self { sequence, tasks, levels }
    }
}

/// Puts small subtrees together, so that many loose pieces of cloth do not become as many tasks.
fn gather(subtrees: Vec<usize>, work: &[f64]) -> Vec<Vec<usize>> {
    let enough = subtrees.iter().map(|&root| work[root]).sum::<f64>() / (2 * LEAF_TASKS) as f64;
    let mut leaves: Vec<Vec<usize>> = Vec::new();
    let mut gathered = f64::INFINITY;
    for root in subtrees {
        if gathered >= enough {
            leaves.push(Vec::new());
            gathered = 0.0;
        }
        gathered += work[root];
        if let Some(leaf) = leaves.last_mut() {
            leaf.push(root);
        }
    }
    leaves
}

fn descents(supernodes: &[Supernode], rows: &[u32], supernode_of: &[u32]) -> (Vec<Descent>, Vec<u32>) {
    let mut all: Vec<(u32, Descent)> = Vec::new();
    for (from, node) in supernodes.iter().enumerate() {
        let own = &rows[node.rows.clone()];
        let mut start = 0;
        while start < own.len() {
            let to = supernode_of[own[start] as usize];
            let end = start + own[start..].partition_point(|&row| supernode_of[row as usize] == to);
            all.push((to, Descent { from, rows: start..end }));
            start = end;
        }
    }
    all.sort_by_key(|(to, descent)| (*to, descent.from));
    let mut offsets = vec![0; supernodes.len() + 1];
    for (to, _) in &all {
        offsets[*to as usize + 1] += 1;
    }
    for s in 0..supernodes.len() {
        offsets[s + 1] += offsets[s];
    }
    (all.into_iter().map(|(_, descent)| descent).collect(), offsets)
}

fn crossings(supernodes: &[Supernode], rows: &[u32], n: usize) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut offsets = vec![0_u32; n + 1];
    for &row in rows {
        offsets[row as usize + 1] += 1;
    }
    for column in 0..n {
        offsets[column + 1] += offsets[column];
    }
    let mut next = offsets.clone();
    let mut crossings = vec![(0, 0); rows.len()];
    for (s, node) in supernodes.iter().enumerate() {
        for (at, &row) in rows[node.rows.clone()].iter().enumerate() {
            crossings[next[row as usize] as usize] = (s as u32, at as u32);
            next[row as usize] += 1;
        }
    }
    (crossings, offsets)
}
