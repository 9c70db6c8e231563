//! Bounding volume hierarchies: binary trees over triangles or edges. Boxes of the nodes, of any
//! kind, stand in a list beside them.

use std::ops::Range;

use super::aabb::Aabb;
use crate::sim::Vec3;

/// A node. Nodes are in depth-first order; items of a node are consecutive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// Its items and its leaves: first and end.
    pub items: [u32; 2],
    pub leaves: [u32; 2],
    /// Second child; the first is the next node. None for a leaf.
    pub second: Option<u32>,
}

impl Node {
    /// Number of its items.
    #[inline]
    pub fn count(&self) -> u32 {
        self.items[1] - self.items[0]
    }

    /// Children of this node, which has place `at`; none for a leaf.
    #[inline]
    pub fn children(&self, at: usize) -> Option<[usize; 2]> {
        self.second.map(|second| [at + 1, second as usize])
    }
}

/// Content of a leaf of triangles: ranges in lists. Every vertex and edge belongs to the leaf of
/// its first triangle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Leaf {
    pub triangles: [u32; 2],
    pub vertices: [u32; 2],
    pub edges: [u32; 2],
}

/// Leaves of a tree over triangles, without their vertices and edges.
pub(super) fn leaves(nodes: &[Node]) -> Vec<Leaf> {
    let leaves = nodes.iter().filter(|node| node.second.is_none());
    leaves.map(|node| Leaf { triangles: node.items, ..Leaf::default() }).collect()
}

/// The places from `start` to below `end`.
#[inline]
pub(super) fn range([start, end]: [u32; 2]) -> Range<usize> {
    start as usize..end as usize
}

/// The places that one of some equal `tasks` has among `length` ones.
#[inline]
pub(super) fn share(length: usize, task: usize, tasks: usize) -> Range<usize> {
    task * length / tasks..(task + 1) * length / tasks
}

/// Builds the tree of some items, with at most `most` in a leaf. `halve` reorders the items of a
/// node and returns the start of its second child.
pub(super) fn build<T>(nodes: &mut Vec<Node>, items: &mut [T], most: usize, halve: impl Fn(&mut [T]) -> usize) {
    nodes.clear();
    if !items.is_empty() {
        add(nodes, items, [0, 0], most, &halve);
    }
}

/// Appends the node of some items, with the numbers of its first item and leaf, and all below it.
fn add<T>(
    nodes: &mut Vec<Node>,
    items: &mut [T],
    [first, leaf]: [u32; 2],
    most: usize,
    halve: &impl Fn(&mut [T]) -> usize,
) {
    let at = nodes.len();
    nodes.push(Node { items: [first, first + items.len() as u32], leaves: [leaf, leaf + 1], second: None });
    if items.len() <= most {
        return;
    }
    let half = halve(items);
    let (left, right) = items.split_at_mut(half);
    add(nodes, left, [first, leaf], most, halve);
    let (second, leaf) = (nodes.len(), nodes[at + 1].leaves[1]);
    nodes[at].second = Some(second as u32);
    add(nodes, right, [first + half as u32, leaf], most, halve);
    nodes[at].leaves[1] = nodes[second].leaves[1];
}

/// Axis along which the middles of items [m] extend farthest.
pub(super) fn longest_axis(middles: impl Iterator<Item = Vec3>) -> usize {
    let Aabb { low, high } = Aabb::of(middles);
    (high - low).max_position()
}

/// Moves the first `half` of the items along the longest axis of their middles [m] to the front; of
/// equal heights the lower item is first. Returns `half`.
pub(super) fn halve<T: Ord>(items: &mut [T], half: usize, middle: impl Fn(&T) -> Vec3) -> usize {
    let axis = longest_axis(items.iter().map(&middle));
    let height = |item: &T| middle(item)[axis];
    items.select_nth_unstable_by(half, |a, b| height(a).total_cmp(&height(b)).then(a.cmp(b)));
    half
}

/// Updates the boxes of all nodes, from the leaves up.
#[inline]
pub(super) fn refit<B>(nodes: &[Node], boxes: &mut [B], leaf: impl Fn(&Node) -> B, join: impl Fn(&B, &B) -> B) {
    for (at, node) in nodes.iter().enumerate().rev() {
        boxes[at] = match node.children(at) {
            None => leaf(node),
            Some([left, right]) => join(&boxes[left], &boxes[right]),
        };
    }
}

/// Descends from the root to the nodes whose boxes `enters` accepts, and calls `meet` for the
/// leaves among them.
#[inline]
pub(super) fn descend<B>(
    (nodes, boxes): (&[Node], &[B]),
    stack: &mut Vec<u32>,
    mut enters: impl FnMut(&B) -> bool,
    mut meet: impl FnMut(&Node),
) {
    stack.clear();
    if !nodes.is_empty() {
        stack.push(0);
    }
    while let Some(at) = stack.pop() {
        if enters(&boxes[at as usize]) {
            let node = &nodes[at as usize];
            match node.second {
                Some(second) => stack.extend([second, at + 1]),
                None => meet(node),
            }
        }
    }
}

/// The pairs below a pair of different nodes, of one tree or of two: the node with more items is
/// divided. None for two leaves.
#[inline(always)]
pub(super) fn pairs_below([nodes, others]: [&[Node]; 2], [a, b]: [u32; 2]) -> Option<[[u32; 2]; 2]> {
    let (node, other) = (&nodes[a as usize], &others[b as usize]);
    match (node.second, other.second) {
        (Some(second), below) if below.is_none() || node.count() >= other.count() => Some([[a + 1, b], [second, b]]),
        (_, Some(second)) => Some([[a, b + 1], [a, second]]),
        _ => None,
    }
}

/// The pairs below a node paired with itself. None for a leaf.
#[inline(always)]
pub(super) fn own_pairs_below(nodes: &[Node], a: u32) -> Option<[[u32; 2]; 3]> {
    nodes[a as usize].second.map(|second| [[a + 1; 2], [second; 2], [a + 1, second]])
}
