//! Vertices, edges and triangles of a pattern in a tree of neighbourhoods, built once per pattern.
//!
//! Components are divided first: at rest they may lie in the same place.

mod chart;
mod charts;
mod flatness;

use crate::sim::contact::bvh::{self, Leaf, Node, range};
use crate::sim::math::csr::Csr;
use crate::sim::{Pattern, Real, Vec3};
use chart::Chart;
use charts::{Charts, Parts};
pub(super) use flatness::Flatness;

/// Most triangles of a leaf.
pub(super) const LEAF: usize = 8;

/// A surface, in the order of the tree.
#[derive(Debug, Clone, Default)]
pub(in crate::sim::contact) struct ContactSurface {
    revision: Option<u64>,
    /// First vertex of the component of each vertex.
    pub components: Vec<u32>,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    pub vertices: Vec<u32>,
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
    /// Vertices of the triangles of each leaf, each once.
    pub corners: Csr<u32>,
    /// Rest length of each edge, and their mean [m].
    lengths: Vec<Real>,
    pub edge_length: Real,
    /// The longest of them [m].
    pub longest_edge: Real,
    /// Edges of bodies that are not sides of triangles, with their rest lengths [m].
    inner: Vec<([u32; 2], Real)>,
    /// Flat parts at rest.
    charts: Charts,
}

impl ContactSurface {
    /// All edges with their rest lengths [m], those inside bodies as well.
    pub(super) fn all_edges(&self) -> impl Iterator<Item = ([u32; 2], Real)> {
        self.edges.iter().copied().zip(self.lengths.iter().copied()).chain(self.inner.iter().copied())
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
        divide(&mut self.nodes, &mut order, component, centroid);
        self.leaves = bvh::leaves(&self.nodes);
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
        self.longest_edge = self.lengths.iter().copied().fold(0.0, Real::max);
        let mut inner = pattern.body_edges();
        for [i, j] in &self.edges {
            inner.remove(&[*i.min(j), *i.max(j)]);
        }
        self.inner = inner.into_iter().map(|ends| (ends, length(&ends))).collect();
        let parts = Parts { triangles: &self.triangles, nodes: &self.nodes, leaves: &self.leaves };
        self.charts = Charts::new(parts, &chart, &rim);
        self.components = chart.into_components();
        true
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

/// Builds the tree of the triangles `order`, which are in the order of their components. These are
/// divided first.
fn divide(nodes: &mut Vec<Node>, order: &mut [u32], component: impl Fn(u32) -> u32, centroid: impl Fn(u32) -> Vec3) {
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
