//! A tree of boxes over triangles, which finds near triangles of any size.

use crate::sim::{Real, Vec3};

/// Most triangles of a leaf.
const LEAF: usize = 4;

#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    const NOTHING: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Closed boxes: touching is meeting.
    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    fn longest_axis(&self) -> usize {
        let sides = self.high - self.low;
        if sides.x >= sides.y && sides.x >= sides.z {
            0
        } else if sides.y >= sides.z {
            1
        } else {
            2
        }
    }
}

/// Box around `order[first..first + count]`. Its left child is the next node, `right` the other; a
/// leaf has none.
#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    first: u32,
    count: u32,
    right: Option<u32>,
}

/// The tree, with its memory.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The triangles; those of a node are consecutive.
    order: Vec<u32>,
    /// Box of each triangle.
    bounds: Vec<Bounds>,
    pending: Vec<[u32; 2]>,
}

impl Tree {
    /// Builds the tree over triangles at `positions` [m].
    pub fn build(&mut self, triangles: &[[u32; 3]], positions: &[Vec3]) {
        self.nodes.clear();
        self.order.clear();
        self.order.extend(0..triangles.len() as u32);
        self.bounds.clear();
        self.bounds.extend(triangles.iter().map(|corners| {
            corners
                .iter()
                .map(|&i| positions[i as usize])
                .fold(Bounds::NOTHING, |all, x| all.with(Bounds { low: x, high: x }))
        }));
        if !triangles.is_empty() {
            self.split(0, triangles.len());
        }
    }

    /// Appends the node over a part of the order and all below it; returns its box.
    fn split(&mut self, first: usize, count: usize) -> Bounds {
        let at = self.nodes.len();
        let here = &mut self.order[first..first + count];
        let bounds = here.iter().fold(Bounds::NOTHING, |all, &t| all.with(self.bounds[t as usize]));
        self.nodes.push(Node { bounds, first: first as u32, count: count as u32, right: None });
        if count <= LEAF {
            return bounds;
        }
        let axis = bounds.longest_axis();
        let middle = |t: u32| -> Real {
            let Bounds { low, high } = self.bounds[t as usize];
            low[axis] + high[axis]
        };
        let half = count / 2;
        here.select_nth_unstable_by(half, |&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        self.split(first, half);
        self.nodes[at].right = Some(self.nodes.len() as u32);
        self.split(first + half, count - half);
        bounds
    }

    /// Calls `visit(s, t)` once for every two triangles whose boxes meet, until it returns false.
    pub fn for_pairs(&mut self, mut visit: impl FnMut(u32, u32) -> bool) {
        let Self { nodes, order, bounds, pending } = self;
        let members = |node: &Node| &order[node.first as usize..][..node.count as usize];
        pending.clear();
        if !nodes.is_empty() {
            pending.push([0, 0]);
        }
        while let Some([a, b]) = pending.pop() {
            let (one, other) = (&nodes[a as usize], &nodes[b as usize]);
            if !one.bounds.meets(&other.bounds) {
                continue;
            }
            match (one.right, other.right) {
                (Some(right), _) if a == b => pending.extend([[a + 1, a + 1], [right, right], [a + 1, right]]),
                // the larger is divided
                (Some(right), None) => pending.extend([[a + 1, b], [right, b]]),
                (Some(right), Some(_)) if one.count >= other.count => pending.extend([[a + 1, b], [right, b]]),
                (_, Some(right)) => pending.extend([[a, b + 1], [a, right]]),
                (None, None) => {
                    for (k, &s) in members(one).iter().enumerate() {
                        let from = if a == b { k + 1 } else { 0 };
                        for &t in &members(other)[from..] {
                            if bounds[s as usize].meets(&bounds[t as usize]) && !visit(s, t) {
                                return;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Calls `visit` for every triangle whose box meets the one from `low` to `high` [m].
    pub fn for_near(&mut self, low: Vec3, high: Vec3, mut visit: impl FnMut(u32)) {
        let Self { nodes, order, bounds, pending } = self;
        let asked = Bounds { low, high };
        pending.clear();
        if !nodes.is_empty() {
            pending.push([0, 0]);
        }
        while let Some([at, _]) = pending.pop() {
            let node = &nodes[at as usize];
            if !node.bounds.meets(&asked) {
                continue;
            }
            match node.right {
                Some(right) => pending.extend([[right, 0], [at + 1, 0]]),
                None => order[node.first as usize..][..node.count as usize]
                    .iter()
                    .filter(|&&t| bounds[t as usize].meets(&asked))
                    .for_each(|&t| visit(t)),
            }
        }
    }
}
