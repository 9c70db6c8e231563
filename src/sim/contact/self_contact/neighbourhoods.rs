//! A tree of neighbourhoods over the triangles of a cloth: which are near each other at rest.

use crate::sim::Vec3;
use crate::sim::contact::bvh::{self, Node};

/// Most triangles of a leaf.
pub(super) const LEAF: usize = 8;

/// Builds the tree of the triangles `order`, which are in the order of their components. These are
/// divided first.
pub(super) fn divide(
    nodes: &mut Vec<Node>,
    order: &mut [u32],
    component: impl Fn(u32) -> u32,
    centroid: impl Fn(u32) -> Vec3,
) {
    bvh::build(nodes, order, LEAF, |own| {
        let count = own.len();
        if component(own[0]) == component(own[count - 1]) {
            // whole leaves on the left
            let half = (count / 2).next_multiple_of(LEAF).min(count - 1);
            return bvh::halve(own, half, |&t| centroid(t));
        }
        // between two components, near the middle
        let middle = component(own[count / 2]);
        let start = own.partition_point(|&t| component(t) < middle);
        let end = own.partition_point(|&t| component(t) <= middle);
        if start > 0 && (end == count || count - 2 * start <= 2 * end - count) { start } else { end }
    });
}
