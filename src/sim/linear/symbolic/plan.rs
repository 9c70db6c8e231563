//! Which parts of the work are independent: the tree of panels cut into tasks.

use std::ops::Range;

use super::tree::Panel;

/// Leaf tasks that the tree is cut into, and the smallest number of columns that is worth it.
const LEAF_TASKS: usize = 8;
const WORTH_CUTTING: usize = 1000;

/// How the tree is cut into tasks.
pub(super) struct TaskPlan {
    /// The blocks in the order in which they are numbered.
    pub sequence: Vec<usize>,
    pub tasks: Vec<PlannedTask>,
    pub levels: Vec<Range<usize>>,
}

pub(super) struct PlannedTask {
    /// Its part of the sequence.
    pub blocks: Range<usize>,
    pub below: Vec<usize>,
}

impl TaskPlan {
    /// Number of columns of a task.
    pub fn columns_of(&self, task: usize, panels: &[Panel]) -> usize {
        self.sequence[self.tasks[task].blocks.clone()].iter().map(|&block| panels[block].columns.len()).sum()
    }

    pub fn of(panels: &[Panel], n: usize) -> Self {
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
        let leaf_level = 0..tasks.len();
        let mut levels = vec![leaf_level];
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
