//! The triangles around each vertex.

use super::Pattern;
use crate::sim::math::csr::Csr;
use crate::sim::math::union_find::UnionFind;

/// The triangles of each vertex.
#[derive(Debug, Clone, Copy)]
pub struct OneRings<'a> {
    pub(super) triangles: &'a [[u32; 3]],
    /// Triangles, rising for each vertex.
    pub(super) of_vertex: &'a Csr<u32>,
}

/// The triangles of each of so many `vertices`, rising.
pub(super) fn triangles_by_vertex(vertices: usize, triangles: &[[u32; 3]]) -> Csr<u32> {
    let corners = (0..).zip(triangles).flat_map(|(triangle, corners)| corners.map(|vertex| (vertex, triangle)));
    Csr::from_pairs(vertices, corners)
}

impl<'a> OneRings<'a> {
    /// The rings of `pattern`, which keeps them.
    #[must_use]
    pub fn of(pattern: &'a Pattern) -> Self {
        Self { triangles: &pattern.triangles, of_vertex: &pattern.rings }
    }

    /// The triangles of `vertex`, rising.
    #[must_use]
    pub fn of_vertex(&self, vertex: u32) -> &[u32] {
        self.of_vertex.row(vertex as usize)
    }

    /// The corners of triangle `triangle`.
    #[must_use]
    pub fn corners(&self, triangle: u32) -> [u32; 3] {
        self.triangles[triangle as usize]
    }

    /// The vertices that share an edge with `vertex`, each with one of the triangles beside that
    /// edge, sorted: a vertex comes once for every triangle that it shares with `vertex`.
    #[must_use]
    pub fn ring_edges(&self, vertex: u32) -> Vec<(u32, u32)> {
        let mut ring_edges: Vec<(u32, u32)> = Vec::with_capacity(2 * self.of_vertex(vertex).len());
        for &triangle in self.of_vertex(vertex) {
            ring_edges.extend(self.corners(triangle).into_iter().filter(|&w| w != vertex).map(|w| (w, triangle)));
        }
        ring_edges.sort_unstable();
        ring_edges
    }

    /// The triangles of the edge `i j`, rising. The smaller of the two rings is searched: a hub of
    /// many triangles would cost their square otherwise.
    pub fn at_edge(&self, i: u32, j: u32) -> impl Iterator<Item = u32> {
        let [of_i, of_j] = [self.of_vertex(i), self.of_vertex(j)];
        let (fan, other) = if of_i.len() <= of_j.len() { (of_i, j) } else { (of_j, i) };
        fan.iter().copied().filter(move |&triangle| self.corners(triangle).contains(&other))
    }

    /// Whether the mesh has the edge `i j`.
    #[must_use]
    pub fn has_edge(&self, i: u32, j: u32) -> bool {
        i != j && self.at_edge(i, j).next().is_some()
    }

    /// Whether `vertex` lies on the rim of the mesh: whether one of its edges has a single
    /// triangle.
    #[must_use]
    pub fn is_on_rim(&self, vertex: u32) -> bool {
        self.ring_edges(vertex).chunk_by(|a, b| a.0 == b.0).any(|edge| edge.len() == 1)
    }

    /// Whether `i` and `j` are the opposite corners of two triangles that share an edge.
    #[must_use]
    pub fn face_each_other(&self, i: u32, j: u32) -> bool {
        self.of_vertex(i).iter().any(|&triangle| {
            let others = self.corners(triangle).map(|corner| (corner != i).then_some(corner));
            let [a, b] = match others {
                [Some(a), Some(b), None] | [Some(a), None, Some(b)] | [None, Some(a), Some(b)] => [a, b],
                _ => return false,
            };
            self.of_vertex(a).iter().any(|&other| {
                let corners = self.corners(other);
                other != triangle && corners.contains(&b) && corners.contains(&j)
            })
        })
    }

    /// The parts into which the fan of `vertex` falls when no two triangles hang together across an
    /// edge for which `is_open(other end)` holds. Triangles in one part rise; the part with the
    /// lowest triangle comes first.
    #[must_use]
    pub fn parts(&self, vertex: u32, is_open: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
        let fan = self.of_vertex(vertex);
        // the root of a part is its lowest triangle
        let mut sets = UnionFind::new(fan.len());
        let place = |triangle: u32| fan.partition_point(|&other| other < triangle) as u32;
        for edge in self.ring_edges(vertex).chunk_by(|a, b| a.0 == b.0) {
            if is_open(edge[0].0) {
                continue;
            }
            for pair in edge.windows(2) {
                sets.join(place(pair[0].1), place(pair[1].1));
            }
        }
        let mut parts: Vec<Vec<u32>> = Vec::new();
        let mut part_of = vec![usize::MAX; fan.len()];
        for (at, &triangle) in fan.iter().enumerate() {
            let root = sets.root(at as u32) as usize;
            if part_of[root] == usize::MAX {
                part_of[root] = parts.len();
                parts.push(Vec::new());
            }
            let part = &mut parts[part_of[root]];
            // a degenerate triangle has the vertex at two corners
            if part.last() != Some(&triangle) {
                part.push(triangle);
            }
        }
        parts
    }
}
