//! Crack faces: vertices that were one are moved apart, so that contact can tell the faces of a cut
//! from each other.
//!
//! If the one-ring of a vertex has fallen into parts, these still share the corner. A part is moved
//! off the others by a small share of one of its own edges or triangles: a triangle that moves in
//! its own plane meets nothing new, and the other triangles of the part are narrow. For a part of
//! two triangles one of the directions is always free, for a larger one nearly always. The result
//! is checked exactly.

use super::{Intersections, intersect};
use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::cloth::Pair;
use crate::sim::pattern::OneRings;
use crate::sim::{Pattern, Real, Vec3};

/// Displacement of crack faces, as a share of an edge or of the distance to the middle of a
/// triangle: micrometres. If no direction is free, a hundredth of it, and so on.
const SHARES: [Real; 3] = [1e-4, 1e-6, 1e-8];
/// Gaps below this share of the coordinates would be lost to rounding in some hundred steps.
const LEAST_GAP: Real = 1e-12;

/// Moves crack faces apart, with its memory.
#[derive(Debug, Default)]
pub struct CrackFaces {
    search: Intersections,
    near: Vec<u32>,
}

impl CrackFaces {
    /// Moves the copies of each split vertex apart; those split off `parents` last are the vertices
    /// at the end of `pattern`. Vertices with `is_held` stay. A state without intersections stays
    /// so, and nothing touches. Returns the vertices without a free direction, rising; these stay.
    pub fn part(
        &mut self,
        pattern: &Pattern,
        parents: &[u32],
        is_held: impl Fn(u32) -> bool,
        positions: &mut [Vec3],
    ) -> Vec<u32> {
        let Self { search, near } = self;
        search.join_seams(pattern, positions);
        search.tree.build(pattern.triangles(), positions);
        let first_copy = (pattern.len() - parents.len()) as u32;
        let mut split: Vec<(u32, u32)> = parents.iter().copied().zip(first_copy..).collect();
        split.extend(split.clone().into_iter().map(|(parent, _)| (parent, parent)));
        split.sort_unstable();
        split.dedup();
        let rings = OneRings::of(pattern);
        let reach = |&(_, vertex): &(u32, u32)| {
            let from = positions[vertex as usize];
            let ends = rings.ring_edges(vertex).into_iter().map(|(end, _)| positions[end as usize].distance(from));
            ends.fold(0.0, Real::max)
        };
        // how far a triangle may be from its box in the tree
        let margin = SHARES[0] * split.iter().map(reach).fold(0.0, Real::max);
        let mut stuck = Vec::new();
        for group in split.chunk_by(|a, b| a.0 == b.0) {
            let mut together: Vec<u32> = group.iter().map(|&(_, vertex)| vertex).collect();
            while together.len() > 1 {
                let mut loose = (0..together.len()).rev().filter(|&k| !is_held(together[k]));
                let parted = loose.find(|&k| {
                    let others: Vec<u32> = together.iter().copied().filter(|other| *other != together[k]).collect();
                    move_off(&rings, together[k], &others, margin, positions, search, near)
                });
                match parted {
                    Some(k) => together.remove(k),
                    None => {
                        stuck.push(group[0].0);
                        break;
                    }
                };
            }
        }
        stuck
    }
}

/// Moves `vertex` off the `others` at the same place. Returns whether there was a free direction;
/// else nothing changes.
fn move_off(
    rings: &OneRings,
    vertex: u32,
    others: &[u32],
    margin: Real,
    positions: &mut [Vec3],
    search: &mut Intersections,
    near: &mut Vec<u32>,
) -> bool {
    let from = positions[vertex as usize];
    let triangles = rings.of_vertex(vertex);
    let before = meetings(rings, triangles, margin, positions, search, near).unwrap_or(usize::MAX);
    let was = search.first[vertex as usize];
    // the others stay together, represented by the lowest of them
    let lowest = others.iter().copied().min().unwrap_or(vertex);
    let joined: Vec<u32> =
        (0..).zip(&search.first).filter(|(i, first)| **first == was && *i != vertex).map(|(i, _)| i).collect();
    for &other in &joined {
        search.first[other as usize] = lowest;
    }
    search.first[vertex as usize] = vertex;
    for share in SHARES {
        for way in ways(rings, vertex, positions) {
            positions[vertex as usize] = from.lerp(way, share);
            if meetings(rings, triangles, margin, positions, search, near).is_some_and(|now| now <= before) {
                return true;
            }
        }
    }
    positions[vertex as usize] = from;
    for &other in &joined {
        search.first[other as usize] = was;
    }
    search.first[vertex as usize] = was;
    false
}

/// Directions for a vertex [m]: the middle of its neighbours, the ends of its inner edges, the
/// middles of its triangles.
fn ways(rings: &OneRings, vertex: u32, positions: &[Vec3]) -> Vec<Vec3> {
    let at = |vertex: u32| positions[vertex as usize];
    let ring_edges = rings.ring_edges(vertex);
    let middle = ring_edges.iter().map(|(end, _)| at(*end)).sum::<Vec3>() / ring_edges.len().max(1) as Real;
    let inner = ring_edges.chunk_by(|a, b| a.0 == b.0).filter(|edge| edge.len() > 1).map(|edge| at(edge[0].0));
    let triangles = rings.of_vertex(vertex).iter().map(|&t| rings.corners(t).into_iter().map(at).sum::<Vec3>() / 3.0);
    std::iter::once(middle).chain(inner).chain(triangles).collect()
}

/// Number of triangles that intersect one of `triangles`; none if one touches without intersecting,
/// or nearly so.
fn meetings(
    rings: &OneRings,
    triangles: &[u32],
    margin: Real,
    positions: &[Vec3],
    search: &mut Intersections,
    near: &mut Vec<u32>,
) -> Option<usize> {
    let Intersections { tree, first, .. } = search;
    let mut count = 0;
    for &s in triangles {
        let own = rings.corners(s).map(|corner| positions[corner as usize]);
        let asked = Aabb::of(own).loosened(margin);
        near.clear();
        tree.for_near(&asked, |t| near.push(t));
        for &t in near.iter().filter(|&&t| t != s) {
            let corners = [s, t].map(|t| rings.corners(t).map(|corner| first[corner as usize]));
            if intersect(corners, positions) {
                count += 1;
            } else if touch(corners, positions) {
                return None;
            }
        }
    }
    Some(count)
}

/// Whether two triangles have parts without a common corner that are too close for contact to keep
/// apart.
fn touch([s, t]: [[u32; 3]; 2], positions: &[Vec3]) -> bool {
    let edges = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
    let vertices = |s: [u32; 3], t: [u32; 3]| {
        s.into_iter().filter(move |a| !t.contains(a)).map(move |a| Pair::vertex_triangle(a, t))
    };
    let apart = |[a, b]: [u32; 2], [c, d]: [u32; 2]| a != c && a != d && b != c && b != d;
    let of_edges = edges(s)
        .into_iter()
        .flat_map(|e| edges(t).into_iter().filter(move |f| apart(e, *f)).map(move |f| Pair::edge_edge(e, f)));
    vertices(s, t).chain(vertices(t, s)).chain(of_edges).any(|pair| {
        let x = pair.corners(positions);
        pair.closest(&x).distance() <= LEAST_GAP * x[0].abs().max_element()
    })
}
