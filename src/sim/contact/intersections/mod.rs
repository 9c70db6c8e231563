//! Which triangles of a cloth intersect: the proof that contact holds.
//!
//! Triangles are closed sets, and what is decided is decided exactly. Two triangles intersect
//!
//! * without a common vertex, if they have any point in common: an edge passes through a triangle,
//!   edges cross, a vertex lies on a triangle, they overlap in one plane;
//! * with one common vertex, if they have a point in common beside it;
//! * with a common edge, if they are folded flat onto each other, so that they have more in common
//!   than the edge.
//!
//! So touching counts, and missing by the least that numbers can tell does not. Where the cloth has
//! been torn and not moved yet, vertices that were one lie at the same place; while they do, they
//! count as one vertex. Triangles with the same three vertices are one triangle, and do not count.

mod colliders;
mod crack_faces;
mod tree;

use crate::sim::contact::exact::{edge_meets, is_folded_flat, is_open, separates, triangles_meet};
use crate::sim::{Pattern, Vec3};
pub use crack_faces::CrackFaces;
use tree::Tree;

/// Search for intersecting triangles, with its memory.
#[derive(Debug, Default)]
pub struct Intersections {
    tree: Tree,
    pairs: Vec<[u32; 2]>,
    /// For each vertex the first one at the same place that it counts as one with.
    first: Vec<u32>,
    /// For each vertex of the whole cloth the last one split off it, or itself; for each vertex
    /// split off, the one before it.
    newest: Vec<u32>,
    /// Triangles that intersect colliders.
    crossing: Vec<[u32; 2]>,
    stack: Vec<u32>,
}

impl Intersections {
    /// Most pairs that are searched: a cloth collapsed into a point has as many as the square of
    /// its triangles.
    pub const MOST: usize = 1_000_000;

    /// The pairs of triangles of `pattern` that intersect with vertices at `positions` [m]: each
    /// with the lower number first, sorted. If there are [`MOST`](Self::MOST), there may be more.
    pub fn find(&mut self, pattern: &Pattern, positions: &[Vec3]) -> &[[u32; 2]] {
        self.join_seams(pattern, positions);
        let Self { tree, pairs, first, .. } = self;
        let triangles = pattern.triangles();
        tree.build(triangles, positions);
        pairs.clear();
        tree.for_pairs(|s, t| {
            let corners = [s, t].map(|triangle| triangles[triangle as usize].map(|vertex| first[vertex as usize]));
            if intersect(corners, positions) {
                pairs.push([s.min(t), s.max(t)]);
            }
            pairs.len() < Self::MOST
        });
        pairs.sort_unstable();
        pairs
    }

    /// Last result: pairs of triangles, and triangles that intersect colliders.
    #[must_use]
    pub fn found(&self) -> [&[[u32; 2]]; 2] {
        [&self.pairs, &self.crossing]
    }

    /// Finds the vertices that count as one.
    fn join_seams(&mut self, pattern: &Pattern, positions: &[Vec3]) {
        let Self { first, newest, .. } = self;
        first.clear();
        first.extend(0..positions.len() as u32);
        if pattern.parents().is_empty() {
            return;
        }
        let origins = pattern.origins();
        let whole = pattern.whole_len();
        newest.clear();
        newest.extend(0..positions.len() as u32);
        for vertex in whole..positions.len() {
            let before = std::mem::replace(&mut newest[origins[vertex] as usize], vertex as u32);
            newest[vertex] = before;
            let mut other = before as usize;
            while other >= whole && positions[other] != positions[vertex] {
                other = newest[other] as usize;
            }
            if positions[other] == positions[vertex] {
                first[vertex] = first[other];
            }
        }
    }
}

/// Whether two triangles with these corners intersect.
fn intersect([s, t]: [[u32; 3]; 2], positions: &[Vec3]) -> bool {
    let at = |vertex: u32| positions[vertex as usize];
    let (own, other) = (s.map(at), t.map(at));
    // corners of one that the other has as well, or has not; if there is only one, twice
    let two = |s: [u32; 3], wanted: &dyn Fn(&u32) -> bool| {
        let mut corners = s.into_iter().filter(|corner| wanted(corner)).map(at);
        let one = corners.next().unwrap_or_default();
        [one, corners.next().unwrap_or(one)]
    };
    let beside = |s: [u32; 3], t: [u32; 3]| two(s, &|corner| !t.contains(corner));
    let common = two(s, &|corner| t.contains(corner));
    match s.iter().filter(|corner| t.contains(corner)).count() {
        0 => triangles_meet(own, other),
        // A common point beside the vertex lies on a ray from it, which leaves one of the triangles
        // first, over the edge opposite the vertex, while it is still in the other.
        1 => {
            let [shared, _] = common;
            let (near, far) = (beside(s, t), beside(t, s));
            let towards = |[a, b]: [Vec3; 2]| (a.midpoint(b) - shared).normalize_or_zero();
            !separates((shared, towards(near) - towards(far)), &near, &far)
                && (edge_meets(near, other) || edge_meets(far, own))
        }
        2 => {
            let (a, b) = (beside(s, t)[0], beside(t, s)[0]);
            !is_open(common, a, b) && is_folded_flat(common, a, b)
        }
        _ => false,
    }
}
