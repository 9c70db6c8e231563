//! Vertices, edges and triangles of a pattern in a tree of neighbourhoods, built once per pattern.
//!
//! Components are divided first: at rest they may lie in the same place.

use super::chart::Chart;
use super::charts::Charts;
use crate::sim::csr::Csr;
use crate::sim::{Pattern, Real, Vec3};

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

/// Content of a leaf: ranges in the lists of [`Surface`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::sim::contact) struct Leaf {
    pub triangles: [u32; 2],
    /// Every vertex and edge belongs to the leaf of its first triangle.
    pub vertices: [u32; 2],
    pub edges: [u32; 2],
}

/// A surface, in the order of the tree.
#[derive(Debug, Clone, Default)]
pub(in crate::sim::contact) struct Surface {
    revision: Option<u64>,
    /// First vertex of the component of each vertex.
    components: Vec<u32>,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    pub vertices: Vec<u32>,
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
    /// Vertices of the triangles of each leaf, each once.
    pub corners: Csr<u32>,
    /// Rest length of each edge, and their mean [m].
    pub lengths: Vec<Real>,
    pub edge_length: Real,
    /// Edges of bodies that are not sides of triangles, with their rest lengths [m].
    pub inner: Vec<([u32; 2], Real)>,
    /// Flat parts at rest.
    pub(super) charts: Charts,
}

impl Surface {
    /// First vertex of the component of each vertex.
    pub fn components(&self) -> &[u32] {
        &self.components
    }

    /// Revision of its pattern.
    pub fn revision(&self) -> Option<u64> {
        self.revision
    }

    /// Makes this the surface of `pattern`. Returns whether it was another one.
    pub fn update(&mut self, pattern: &Pattern) -> bool {
        if self.revision == Some(pattern.revision()) {
            return false;
        }
        *self = Self { revision: Some(pattern.revision()), ..Self::default() };
        let corners = pattern.triangles();
        let rest = pattern.rest_positions();
        let chart = Chart::new(rest, corners);
        let component = |t: u32| chart.component(corners[t as usize][0]);
        let centroid = |t: u32| corners[t as usize].iter().map(|&vertex| chart.place(vertex)).sum::<Vec3>();
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        order.sort_by_key(|&t| component(t));
        if !order.is_empty() {
            self.divide(&mut order, 0, &component, &centroid);
        }
        self.triangles.extend(order.iter().map(|&t| corners[t as usize]));
        let rim = self.assign(pattern.len());
        for leaf in &self.leaves {
            let mut corners: Vec<u32> = self.triangles[range(leaf.triangles)].iter().flatten().copied().collect();
            corners.sort_unstable();
            corners.dedup();
            self.corners.push(corners);
        }
        let length = |[i, j]: &[u32; 2]| rest[*i as usize].distance(rest[*j as usize]);
        self.lengths = self.edges.iter().map(length).collect();
        self.edge_length = self.lengths.iter().sum::<Real>() / self.edges.len().max(1) as Real;
        let mut inner = pattern.body_edges();
        for [i, j] in &self.edges {
            inner.remove(&[*i.min(j), *i.max(j)]);
        }
        self.inner = inner.into_iter().map(|ends| (ends, length(&ends))).collect();
        self.charts = Charts::new(self, &chart, &rim);
        self.components = chart.into_components();
        true
    }

    /// Adds the node of the triangles `order`, numbered from `first`, and those below it. Triangles
    /// are in the order of their components.
    fn divide(
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

    /// Gives every vertex and edge to the leaf of its first triangle. Returns the boundary edges of
    /// each leaf: those without exactly one other triangle of the same orientation.
    fn assign(&mut self, vertices: usize) -> Csr<[u32; 2]> {
        // sides by edge, in the order of the triangles
        let mut sides: Vec<([u32; 2], u32, bool)> = Vec::with_capacity(3 * self.triangles.len());
        for (t, corners) in (0..).zip(&self.triangles) {
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                sides.push(([a.min(b), a.max(b)], 3 * t + k as u32, a < b));
            }
        }
        sides.sort_unstable();
        let mut is_first = vec![false; sides.len()];
        let mut is_rim = vec![false; sides.len()];
        for same in sides.chunk_by(|a, b| a.0 == b.0) {
            is_first[same[0].1 as usize] = true;
            let goes_on = same.len() == 2 && same[0].2 != same[1].2;
            same.iter().for_each(|side| is_rim[side.1 as usize] = !goes_on);
        }
        let mut seen = vec![false; vertices];
        let mut rim = Csr::default();
        for leaf in &mut self.leaves {
            leaf.vertices[0] = self.vertices.len() as u32;
            leaf.edges[0] = self.edges.len() as u32;
            for t in range(leaf.triangles) {
                for (k, vertex) in self.triangles[t].into_iter().enumerate() {
                    if !std::mem::replace(&mut seen[vertex as usize], true) {
                        self.vertices.push(vertex);
                    }
                    let other = self.triangles[t][(k + 1) % 3];
                    if is_first[3 * t + k] {
                        self.edges.push([vertex.min(other), vertex.max(other)]);
                    }
                }
            }
            leaf.vertices[1] = self.vertices.len() as u32;
            leaf.edges[1] = self.edges.len() as u32;
            let sides = range(leaf.triangles).flat_map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).filter(|&side| is_rim[side]);
            let triangles = &self.triangles;
            rim.push(sides.map(|side| [triangles[side / 3][side % 3], triangles[side / 3][(side + 1) % 3]]));
        }
        rim
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
