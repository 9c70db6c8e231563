//! Opening the mesh along edges: the one way in which a pattern changes, for tearing as for
//! cutting.
//!
//! Triangles no longer hang together across an opened edge. Wherever the fan of triangles around a
//! vertex has thereby fallen into several parts, the vertex is split: the first part keeps it,
//! every other gets a new one, at the end, so that the old numbers stay valid. So triangles hang
//! together at edges or not at all, never at a point; and an edge that is opened alone, inside the
//! cloth, stays as it is, since both of its ends still have all triangles around them in one piece.

use std::collections::{BTreeMap, HashSet};

use super::one_rings::triangles_by_vertex;
use super::{OneRings, Pattern, Springs};
use crate::sim::Vec3;

/// How a vertex is touched by a tear: it lies around a vertex that is split, or is split itself.
const NEAR: u8 = 1;
const SPLIT: u8 = 2;

/// Attachment of a spring: if that is broken, the spring is removed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Support {
    /// It lies along an edge.
    Edge,
    /// Its ends are the opposite corners of two triangles that share an edge.
    Facing,
    /// It spans two edges that meet at this vertex.
    Over(u32),
    /// Nothing: a spring beside the mesh.
    Nothing,
}

impl Support {
    /// The support of a spring between `i` and `j`.
    fn of(rings: &OneRings, rest: &[Vec3], i: u32, j: u32) -> Self {
        if rings.has_edge(i, j) {
            return Self::Edge;
        }
        // a bend spring of a grid lies over the vertex in its middle; it may face its end as well,
        // across a diagonal
        let middle = 0.5 * (rest[i as usize] + rest[j as usize]);
        let off = |m: u32| rest[m as usize].distance(middle);
        let over = rings.ring_edges(i).into_iter().map(|(m, _)| m).filter(|&m| rings.has_edge(m, j));
        let over = over.min_by(|&a, &b| off(a).total_cmp(&off(b)).then(a.cmp(&b)));
        let straight = |m: &u32| off(*m) <= 0.1 * rest[i as usize].distance(rest[j as usize]);
        match over.filter(straight) {
            Some(m) => Self::Over(m),
            None if rings.face_each_other(i, j) => Self::Facing,
            None => over.map_or(Self::Nothing, Self::Over),
        }
    }
}

impl Pattern {
    /// The pattern opened along `edges`, pairs of vertices in any order; `None` if no vertex falls
    /// apart by that. Each new vertex has the rest position of the one it was split from, which
    /// [`Pattern::parents`] tells.
    ///
    /// A spring along an edge goes with the triangles of that edge, and with both of them where
    /// they part, so that each lip keeps one. A spring across an edge or over a vertex stays where
    /// the cloth below it is unbroken. Bodies of tetrahedra stay whole: edges with an end in one
    /// are left out. O(mesh).
    #[must_use]
    pub fn open(&self, edges: &[[u32; 2]]) -> Option<Self> {
        let rising = |[i, j]: [u32; 2]| [i.min(j), i.max(j)];
        let of_cloth = |edge: &&[u32; 2]| !edge.iter().any(|&end| self.is_in_body(end));
        let edges: Vec<[u32; 2]> = edges.iter().filter(of_cloth).copied().collect();
        let opened: HashSet<[u32; 2]> = edges.iter().copied().map(rising).collect();
        let mut ends: Vec<u32> = edges.as_flattened().to_vec();
        ends.sort_unstable();
        ends.dedup();
        let rings = OneRings::of(self);
        let mut triangles = self.triangles.clone();
        let mut parents = self.parents.clone();
        let mut rest_positions = self.rest_positions.clone();
        let mut copies: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for vertex in ends.into_iter().filter(|&vertex| (vertex as usize) < self.len()) {
            let parts = rings.parts(vertex, |other| opened.contains(&rising([vertex, other])));
            for part in parts.iter().skip(1) {
                let copy = rest_positions.len() as u32;
                rest_positions.push(self.rest_positions[vertex as usize]);
                parents.push(vertex);
                copies.entry(vertex).or_insert_with(|| vec![vertex]).push(copy);
                for &triangle in part {
                    for corner in &mut triangles[triangle as usize] {
                        if *corner == vertex {
                            *corner = copy;
                        }
                    }
                }
            }
        }
        if copies.is_empty() {
            return None;
        }
        let of_vertex = triangles_by_vertex(rest_positions.len(), &triangles);
        let after = OneRings { triangles: &triangles, of_vertex: &of_vertex };
        let (springs, lost) = self.carry_over(&rings, &after, &copies);
        let torn = Self::put_together(rest_positions, triangles, of_vertex, springs, parents, lost);
        let torn = torn.with_pieces(self.pieces.clone()).with_tetrahedra(self.tetrahedra().to_vec());
        let torn = torn.with_examples(self.examples().to_vec()).made_of(self.overrides()).grained(&self.grains);
        Some(Self { whole_revision: self.whole_revision, ..torn }.with_faces_of(self))
    }

    /// The springs after vertices were split into `copies`, and those that were lost by then.
    fn carry_over(&self, before: &OneRings, after: &OneRings, copies: &BTreeMap<u32, Vec<u32>>) -> (Springs, Springs) {
        // a spring changes if an end was split, or if both lie around a vertex that was
        let mut reach = vec![0_u8; self.len()];
        for &vertex in copies.keys() {
            for &triangle in before.of_vertex(vertex) {
                before.corners(triangle).into_iter().for_each(|corner| reach[corner as usize] |= NEAR);
            }
            reach[vertex as usize] |= SPLIT;
        }
        let copies_of = |vertex: u32| copies.get(&vertex).map_or_else(|| vec![vertex], Clone::clone);
        let origins = self.origins();
        let (mut springs, mut lost) = (Springs::default(), self.lost.clone());
        springs.reserve(self.springs.len() + 64 * copies.len());
        for (e, &[i, j]) in self.springs.ends.iter().enumerate() {
            let (rest_length, family) = (self.springs.rest_lengths[e], self.springs.families[e]);
            let mut keep = |ends: [u32; 2]| springs.push(ends, rest_length, family);
            let (of_i, of_j) = (reach[i as usize], reach[j as usize]);
            if (of_i | of_j) & SPLIT == 0 && of_i & of_j & NEAR == 0 {
                keep([i, j]);
                continue;
            }
            let holds: &dyn Fn(u32, u32) -> bool = match Support::of(before, &self.rest_positions, i, j) {
                Support::Edge => &|i, j| after.has_edge(i, j),
                Support::Facing => &|i, j| after.face_each_other(i, j),
                Support::Over(m) => {
                    &move |i, j| copies_of(m).into_iter().any(|m| after.has_edge(i, m) && after.has_edge(m, j))
                }
                Support::Nothing => &|a, b| [a, b] == [i, j],
            };
            let mut is_lost = true;
            for i in copies_of(i) {
                for j in copies_of(j) {
                    if holds(i, j) {
                        keep([i, j]);
                        is_lost = false;
                    }
                }
            }
            if is_lost {
                lost.push([i, j].map(|end| origins[end as usize]), rest_length, family);
            }
        }
        (springs, lost)
    }
}
