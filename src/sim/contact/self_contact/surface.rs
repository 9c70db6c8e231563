//! The vertices, edges and triangles of a pattern in a tree of neighbourhoods, built once per pattern.

use crate::sim::csr::Csr;
use crate::sim::{Pattern, Real, Vec3};

/// Most triangles of a leaf.
const LEAF: usize = 8;

/// A node of the tree. Children stand behind their parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// Its two children, or none in a leaf.
    pub children: Option<[u32; 2]>,
    /// How many triangles it holds.
    pub count: u32,
    /// Number of its leaf, in a leaf.
    pub leaf: u32,
}

/// What a leaf holds: places in the lists of [`Surface`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Leaf {
    pub triangles: [u32; 2],
    /// Every vertex and edge belongs to one leaf, that of the first of its triangles.
    pub vertices: [u32; 2],
    pub edges: [u32; 2],
}

/// A surface, in the order of the tree.
#[derive(Debug, Clone, Default)]
pub(super) struct Surface {
    revision: Option<u64>,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    pub vertices: Vec<u32>,
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
    /// For each leaf the vertices of its triangles, each once.
    pub corners: Csr<u32>,
    /// Length of each edge at rest, and the mean of them [m].
    pub lengths: Vec<Real>,
    pub edge_length: Real,
}

impl Surface {
    /// Makes this the surface of `pattern`, if it is not. Returns whether it was not.
    pub fn update(&mut self, pattern: &Pattern) -> bool {
        if self.revision == Some(pattern.revision()) {
            return false;
        }
        *self = Self { revision: Some(pattern.revision()), ..Self::default() };
        let corners = pattern.triangles();
        let rest = pattern.rest_positions();
        let centroid = |t: u32| corners[t as usize].iter().map(|&vertex| rest[vertex as usize]).sum::<Vec3>();
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        if !order.is_empty() {
            self.divide(&mut order, 0, &centroid);
        }
        self.triangles.extend(order.iter().map(|&t| corners[t as usize]));
        self.assign(pattern.len());
        for leaf in &self.leaves {
            let triangles = &self.triangles[leaf.triangles[0] as usize..leaf.triangles[1] as usize];
            let mut corners: Vec<u32> = triangles.iter().flatten().copied().collect();
            corners.sort_unstable();
            corners.dedup();
            self.corners.push(corners);
        }
        let length = |[i, j]: &[u32; 2]| rest[*i as usize].distance(rest[*j as usize]);
        self.lengths = self.edges.iter().map(length).collect();
        self.edge_length = self.lengths.iter().sum::<Real>() / self.edges.len().max(1) as Real;
        true
    }

    /// Adds the node of the triangles `order`, the first of which will be number `first`, and those below it.
    fn divide(&mut self, order: &mut [u32], first: u32, centroid: &impl Fn(u32) -> Vec3) -> u32 {
        let at = self.nodes.len();
        let count = order.len() as u32;
        let leaf = self.leaves.len() as u32;
        self.nodes.push(Node { children: None, count, leaf });
        if order.len() <= LEAF {
            self.leaves.push(Leaf { triangles: [first, first + count], ..Leaf::default() });
            return at as u32;
        }
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
        let (left, right) = order.split_at_mut(half);
        let children = [self.divide(left, first, centroid), self.divide(right, first + half as u32, centroid)];
        self.nodes[at].children = Some(children);
        at as u32
    }

    /// Gives every vertex and every edge to the leaf of its first triangle.
    fn assign(&mut self, vertices: usize) {
        let mut seen = vec![false; vertices];
        let mut known = std::collections::HashSet::new();
        for leaf in &mut self.leaves {
            leaf.vertices[0] = self.vertices.len() as u32;
            leaf.edges[0] = self.edges.len() as u32;
            for &corners in &self.triangles[leaf.triangles[0] as usize..leaf.triangles[1] as usize] {
                for (k, vertex) in corners.into_iter().enumerate() {
                    if !std::mem::replace(&mut seen[vertex as usize], true) {
                        self.vertices.push(vertex);
                    }
                    let other = corners[(k + 1) % 3];
                    let edge = [vertex.min(other), vertex.max(other)];
                    if known.insert(edge) {
                        self.edges.push(edge);
                    }
                }
            }
            leaf.vertices[1] = self.vertices.len() as u32;
            leaf.edges[1] = self.edges.len() as u32;
        }
    }
}
