//! A tree of boxes over triangles, which finds near triangles of any size.

use crate::sim::Vec3;
use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::bvh::{self, Node, range};

/// Most triangles of a leaf.
const LEAF: usize = 4;

/// The tree, with its memory.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The triangles; those of a node are consecutive.
    order: Vec<u32>,
    /// Boxes of every node, and of every triangle.
    boxes: Vec<Aabb>,
    bounds: Vec<Aabb>,
    stack: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl Tree {
    /// Builds the tree over triangles at `positions` [m].
    pub fn build(&mut self, triangles: &[[u32; 3]], positions: &[Vec3]) {
        let Self { nodes, order, boxes, bounds, .. } = self;
        order.clear();
        order.extend(0..triangles.len() as u32);
        bounds.clear();
        bounds.extend(triangles.iter().map(|corners| Aabb::of(corners.map(|i| positions[i as usize]))));
        bvh::build(nodes, order, LEAF, |own| {
            let half = own.len() / 2;
            bvh::halve(own, half, |&t| bounds[t as usize].low + bounds[t as usize].high)
        });
        boxes.resize(nodes.len(), Aabb::EMPTY);
        let around =
            |leaf: &Node| order[range(leaf.items)].iter().fold(Aabb::EMPTY, |all, &t| all.join(&bounds[t as usize]));
        bvh::refit(nodes, boxes, around, Aabb::join);
    }

    /// Calls `visit(s, t)` once for every two triangles whose boxes meet, until it returns false.
    pub fn for_pairs(&mut self, mut visit: impl FnMut(u32, u32) -> bool) {
        let Self { nodes, order, boxes, bounds, pairs, .. } = self;
        pairs.clear();
        if !nodes.is_empty() {
            pairs.push([0, 0]);
        }
        while let Some([a, b]) = pairs.pop() {
            if !boxes[a as usize].touches(&boxes[b as usize]) {
                continue;
            }
            let divided = if a == b {
                bvh::own_pairs_below(nodes, a).map(|below| pairs.extend(below))
            } else {
                bvh::pairs_below([nodes, nodes], [a, b]).map(|below| pairs.extend(below))
            };
            if divided.is_some() {
                continue;
            }
            let [own, others] = [a, b].map(|at| &order[range(nodes[at as usize].items)]);
            for (k, &s) in own.iter().enumerate() {
                let from = if a == b { k + 1 } else { 0 };
                for &t in &others[from..] {
                    if bounds[s as usize].touches(&bounds[t as usize]) && !visit(s, t) {
                        return;
                    }
                }
            }
        }
    }

    /// Calls `visit` for every triangle whose box meets `asked`.
    pub fn for_near(&mut self, asked: &Aabb, mut visit: impl FnMut(u32)) {
        let Self { nodes, order, boxes, bounds, stack, .. } = self;
        let enters = |around: &Aabb| around.touches(asked);
        bvh::descend((nodes, boxes), stack, enters, |leaf| {
            let near = order[range(leaf.items)].iter().filter(|&&t| bounds[t as usize].touches(asked));
            near.for_each(|&t| visit(t));
        });
    }
}
