//! A tree of neighbourhoods over the triangles of a cloth: which are near each other at rest.

use crate::sim::Vec3;

/// Most triangles of a leaf.
pub(super) const LEAF: usize = 8;

/// A node of the tree. Children stand behind their parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sim::contact) struct Node {
    /// Its two children; none for a leaf.
    pub children: Option<[u32; 2]>,
    /// Number of triangles.
    pub count: u32,
    /// Its leaves: first and end.
    pub leaves: [u32; 2],
}

/// Content of a leaf: ranges in the lists of a [`Surface`](super::surface::Surface).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::sim::contact) struct Leaf {
    pub triangles: [u32; 2],
    /// Every vertex and edge belongs to the leaf of its first triangle.
    pub vertices: [u32; 2],
    pub edges: [u32; 2],
}

/// The tree, from its root on.
#[derive(Debug, Default)]
pub(super) struct Neighbourhoods {
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
}

impl Neighbourhoods {
    /// Adds the node of the triangles `order`, numbered from `first`, and those below it. Triangles
    /// are in the order of their components.
    pub fn divide(
        &mut self,
        order: &mut [u32],
        first: u32,
        component: &impl Fn(u32) -> u32,
        centroid: &impl Fn(u32) -> Vec3,
    ) -> u32 {
        let at = self.nodes.len();
        let count = order.len() as u32;
        let leaf = self.leaves.len() as u32;
        self.nodes.push(Node { children: None, count, leaves: [leaf, leaf + 1] });
        if order.len() <= LEAF {
            self.leaves.push(Leaf { triangles: [first, first + count], ..Leaf::default() });
            return at as u32;
        }
        let half = if component(order[0]) == component(order[order.len() - 1]) {
            in_two(order, centroid)
        } else {
            // between two components, near the middle
            let middle = component(order[order.len() / 2]);
            let start = order.partition_point(|&t| component(t) < middle);
            let end = order.partition_point(|&t| component(t) <= middle);
            if start > 0 && (end == order.len() || order.len() - 2 * start <= 2 * end - order.len()) {
                start
            } else {
                end
            }
        };
        let (left, right) = order.split_at_mut(half);
        let children = [
            self.divide(left, first, component, centroid),
            self.divide(right, first + half as u32, component, centroid),
        ];
        self.nodes[at].children = Some(children);
        self.nodes[at].leaves[1] = self.leaves.len() as u32;
        at as u32
    }
}

/// Divides the triangles of one component into halves along the longer side of their bounding box.
/// Returns the start of the second half.
fn in_two(order: &mut [u32], centroid: &impl Fn(u32) -> Vec3) -> usize {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &t in &*order {
        let c = centroid(t);
        (low, high) = (low.min(c), high.max(c));
    }
    let size = high - low;
    let axis = if size.x >= size.y.max(size.z) {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    // whole leaves on the left
    let half = (order.len() / 2).next_multiple_of(LEAF).min(order.len() - 1);
    let key = |t: u32| centroid(t)[axis];
    order.select_nth_unstable_by(half, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
    half
}

/// The places from `start` to below `end`.
pub(in crate::sim::contact) fn range([start, end]: [u32; 2]) -> std::ops::Range<usize> {
    start as usize..end as usize
}
