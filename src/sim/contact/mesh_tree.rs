//! Triangles, edges and points of a collision mesh in a tree of boxes, built once, in the frame of
//! the mesh.

use crate::sim::{Real, Vec3};

/// Most triangles of a leaf.
const LEAF: usize = 4;

/// A box [m]. Its children are the next node and `second`; a leaf has ranges in the lists of
/// [`MeshTree`] instead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub low: Vec3,
    pub high: Vec3,
    pub second: Option<u32>,
    pub leaf: u32,
}

/// Content of a leaf: ranges in the lists. Every edge and point belongs to the leaf of its first
/// triangle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Leaf {
    pub triangles: [u32; 2],
    pub edges: [u32; 2],
    pub corners: [u32; 2],
}

/// The tree.
#[derive(Debug, Default)]
pub(super) struct MeshTree {
    /// Points [m].
    pub points: Vec<Vec3>,
    /// In the order of the leaves.
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    pub corners: Vec<u32>,
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
}

impl MeshTree {
    /// The tree of `triangles`, three places in `points` [m] each.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut tree = Self { points: points.to_vec(), triangles: triangles.to_vec(), ..Self::default() };
        if !triangles.is_empty() {
            let mut order = std::mem::take(&mut tree.triangles);
            tree.split(&mut order, 0);
            tree.triangles = order;
            tree.assign();
        }
        tree
    }

    /// Appends the node over some triangles, numbered from `first`, and all below it.
    fn split(&mut self, triangles: &mut [[u32; 3]], first: u32) {
        let at = self.nodes.len();
        let corner = |corner: &u32| self.points[*corner as usize];
        let low = triangles.as_flattened().iter().map(corner).fold(Vec3::INFINITY, Vec3::min);
        let high = triangles.as_flattened().iter().map(corner).fold(Vec3::NEG_INFINITY, Vec3::max);
        let leaf = self.leaves.len() as u32;
        self.nodes.push(Node { low, high, second: None, leaf });
        let count = triangles.len();
        if count <= LEAF {
            self.leaves.push(Leaf { triangles: [first, first + count as u32], ..Leaf::default() });
            return;
        }
        let points = &self.points;
        let middle = |triangle: &[u32; 3]| triangle.iter().map(|&corner| points[corner as usize]).sum::<Vec3>();
        let low = triangles.iter().map(middle).fold(Vec3::INFINITY, Vec3::min);
        let high = triangles.iter().map(middle).fold(Vec3::NEG_INFINITY, Vec3::max);
        let axis = (high - low).max_position();
        let half = count / 2;
        let key = |triangle: &[u32; 3]| middle(triangle)[axis];
        triangles.select_nth_unstable_by(half, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        let (left, right) = triangles.split_at_mut(half);
        self.split(left, first);
        self.nodes[at].second = Some(self.nodes.len() as u32);
        self.split(right, first + half as u32);
    }

    /// Gives every edge and every point to a leaf.
    fn assign(&mut self) {
        let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
        let mut all: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (leaf, of) in (0..).zip(&self.leaves) {
            let own = &self.triangles[of.triangles[0] as usize..of.triangles[1] as usize];
            all.extend(own.iter().flat_map(|&triangle| sides(triangle)).map(|side| (side, leaf)));
        }
        all.sort_unstable();
        all.dedup_by_key(|(side, _)| *side);
        all.sort_unstable_by_key(|&(side, leaf)| (leaf, side));
        let mut is_new = vec![true; self.points.len()];
        let mut edges = all.into_iter().peekable();
        for (number, leaf) in (0..).zip(&mut self.leaves) {
            leaf.edges[0] = self.edges.len() as u32;
            while let Some((edge, _)) = edges.next_if(|(_, leaf)| *leaf == number) {
                self.edges.push(edge);
            }
            leaf.edges[1] = self.edges.len() as u32;
            leaf.corners[0] = self.corners.len() as u32;
            let own = &self.triangles[leaf.triangles[0] as usize..leaf.triangles[1] as usize];
            let corners = own.iter().flatten().copied();
            self.corners.extend(corners.filter(|&corner| std::mem::replace(&mut is_new[corner as usize], false)));
            leaf.corners[1] = self.corners.len() as u32;
        }
    }

    /// The largest coordinate [m].
    pub fn size(&self) -> Real {
        self.nodes.first().map_or(0.0, |root| root.low.abs().max(root.high.abs()).max_element())
    }

    /// Whether a point [m] is inside a closed surface: whether a ray from it passes an odd number
    /// of triangles.
    pub fn holds(&self, point: Vec3, stack: &mut Vec<u32>) -> bool {
        // nearly along an axis, so that it hardly meets an edge
        let along = Vec3::new(1.0, 1.3e-4, 2.7e-4);
        let reach = |high: Vec3| (high.x - point.x).max(0.0);
        let mut odd = false;
        let enters = |node: &Node| {
            let (a, b) = (point, point + along * reach(node.high));
            node.low.cmple(b.max(a)).all() && a.cmple(node.high).all()
        };
        self.descend(stack, enters, |leaf| {
            for triangle in &self.triangles[leaf.triangles[0] as usize..leaf.triangles[1] as usize] {
                let [a, b, c] = triangle.map(|corner| self.points[corner as usize] - point);
                let side = |a: Vec3, b: Vec3| along.dot(a.cross(b));
                let sides = [side(a, b), side(b, c), side(c, a)];
                let passes = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
                let normal = (b - a).cross(c - a);
                odd ^= passes && a.dot(normal) * along.dot(normal) > 0.0;
            }
        });
        odd
    }

    /// Descends from the root to the nodes with `enters`, and calls `meet` for the leaves among
    /// them.
    pub fn descend(&self, stack: &mut Vec<u32>, mut enters: impl FnMut(&Node) -> bool, mut meet: impl FnMut(&Leaf)) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push(0);
        }
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            if !enters(node) {
                continue;
            }
            match node.second {
                Some(second) => stack.extend([second, at + 1]),
                None => meet(&self.leaves[node.leaf as usize]),
            }
        }
    }
}
