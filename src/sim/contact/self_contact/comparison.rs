//! Pairs of two leaves that may come near each other while every vertex stays within a *skin*
//! around its motion (Verlet list): those with near boxes, one part against eight at a time.

use super::boxes::{Block, LANES, Sweep, above};
use super::screen::Candidate;
use super::surface::{LEAF, Surface};
use crate::sim::Real;
use crate::sim::contact::bvh::range;
use crate::sim::exec::simd::{F32x8, vectorised};

/// Most vertices and most edges of a leaf.
const MOST: usize = 3 * LEAF;
/// Blocks of the vertices and of the edges of a leaf.
pub(super) const VERTEX_BLOCKS: usize = MOST.div_ceil(LANES);
pub(super) const EDGE_BLOCKS: usize = MOST.div_ceil(LANES);

/// Input of a comparison of leaves.
pub(super) struct Comparison<'a> {
    pub surface: &'a Surface,
    /// Vertices of each leaf.
    pub vertices: &'a [[Block; VERTEX_BLOCKS]],
    pub triangles: &'a [Block],
    pub edges: &'a [[Block; EDGE_BLOCKS]],
    pub leaves: &'a [(Sweep, bool)],
    /// Largest distance of boxes that are compared [m].
    pub widest: Real,
}

/// Places of two parts in their leaves, with memory.
pub(super) struct Meetings {
    all: [[u8; 2]; MOST * MOST],
    count: usize,
}

impl Default for Meetings {
    fn default() -> Self {
        Self { all: [[0; 2]; MOST * MOST], count: 0 }
    }
}

impl Meetings {
    #[inline(always)]
    fn push(&mut self, first: usize, second: usize) {
        self.all[self.count] = [first as u8, second as u8];
        self.count += 1;
    }
}

impl Comparison<'_> {
    /// Adds the vertex-triangle pairs of two leaves that may come near each other and have a vertex
    /// with `is_asked`.
    pub fn triangles(
        &self,
        [a, b]: [u32; 2],
        is_asked: &impl Fn(u32) -> bool,
        found: &mut Meetings,
        to: &mut Vec<Candidate>,
    ) {
        self.vertices_and_triangles([a, b], is_asked, found, to);
        if a != b {
            self.vertices_and_triangles([b, a], is_asked, found, to);
        }
    }

    /// Adds the edge-edge pairs of two leaves that may come near each other and have a vertex with
    /// `is_asked`.
    pub fn edges(
        &self,
        [a, b]: [u32; 2],
        is_asked: &impl Fn(u32) -> bool,
        found: &mut Meetings,
        to: &mut Vec<Candidate>,
    ) {
        found.count = 0;
        edges_of_leaves(self, [a as usize, b as usize], found);
        let first = [a, b].map(|leaf| self.surface.leaves[leaf as usize].edges[0]);
        for places in &found.all[..found.count] {
            let [i, j] = [0, 1].map(|k| first[k] + u32::from(places[k]));
            // the same order of leaves in every call
            let ([i, j], leaves) = if i < j { ([i, j], [a, b]) } else { ([j, i], [b, a]) };
            let ([p, q], [r, s]) = (self.surface.edges[i as usize], self.surface.edges[j as usize]);
            let vertices = [p, q, r, s];
            if p != r && p != s && q != r && q != s && vertices.into_iter().any(is_asked) {
                to.push(Candidate { vertices, leaves });
            }
        }
    }

    fn vertices_and_triangles(
        &self,
        leaves: [u32; 2],
        is_asked: &impl Fn(u32) -> bool,
        found: &mut Meetings,
        to: &mut Vec<Candidate>,
    ) {
        found.count = 0;
        vertices_and_triangles_of_leaves(self, leaves.map(|leaf| leaf as usize), found);
        let [of, with] = leaves.map(|leaf| &self.surface.leaves[leaf as usize]);
        for places in &found.all[..found.count] {
            let vertex = self.surface.vertices[of.vertices[0] as usize + usize::from(places[0])];
            let corners = self.surface.triangles[with.triangles[0] as usize + usize::from(places[1])];
            let vertices = [vertex, corners[0], corners[1], corners[2]];
            if !corners.contains(&vertex) && vertices.into_iter().any(is_asked) {
                to.push(Candidate { vertices, leaves });
            }
        }
    }
}

vectorised! {
    /// Compares the edges of two leaves.
    fn edges_of_leaves(comparison: &Comparison, leaves: [usize; 2], found: &mut Meetings) = compare_edges
}

vectorised! {
    /// Compares the vertices of one leaf with the triangles of another.
    fn vertices_and_triangles_of_leaves(comparison: &Comparison, leaves: [usize; 2], found: &mut Meetings) = compare_vertices
}

// No closures below: they would not be compiled for AVX2.

#[inline(always)]
fn compare_edges<const FMA: bool>(comparison: &Comparison, [a, b]: [usize; 2], found: &mut Meetings) {
    let surface = comparison.surface;
    let widest = F32x8::splat(comparison.widest as f32);
    let other = comparison.leaves[b].0.lanes();
    let (of_a, of_b) = (&comparison.edges[a], &comparison.edges[b]);
    let count = range(surface.leaves[b].edges).len().div_ceil(LANES);
    for (k, block) in of_a.iter().enumerate().take(range(surface.leaves[a].edges).len().div_ceil(LANES)) {
        let mut near = !gap::<FMA>(&other, block).above(widest);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let (i, one) = (LANES * k + lane, block.lane(lane));
            for (l, others) in of_b.iter().enumerate().take(count) {
                let mut met = !gap::<FMA>(&one, others).above(widest);
                if a == b {
                    met &= above(LANES * l, i);
                }
                while met != 0 {
                    let lane = met.trailing_zeros() as usize;
                    met &= met - 1;
                    found.push(i, LANES * l + lane);
                }
            }
        }
    }
}

#[inline(always)]
fn compare_vertices<const FMA: bool>(comparison: &Comparison, [of, with]: [usize; 2], found: &mut Meetings) {
    let widest = F32x8::splat(comparison.widest as f32);
    let vertices = range(comparison.surface.leaves[of].vertices);
    let (other, corners) = (comparison.leaves[with].0.lanes(), &comparison.triangles[with]);
    for (k, block) in comparison.vertices[of].iter().enumerate().take(vertices.len().div_ceil(LANES)) {
        let mut near = !gap::<FMA>(&other, block).above(widest);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let i = LANES * k + lane;
            let mut met = !gap::<FMA>(&block.lane(lane), corners).above(widest);
            while met != 0 {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                found.push(i, lane);
            }
        }
    }
}

/// Largest distance of the boxes of a block from another box along an axis, on the same side at
/// both ends [m].
#[inline(always)]
fn gap<const FMA: bool>(one: &[f32; 12], block: &Block) -> F32x8<FMA> {
    let mut gap = F32x8::<FMA>::splat(f32::NEG_INFINITY);
    let mut axis = 0;
    while axis < 3 {
        let [low, later_low, high, later_high] = [
            F32x8::<FMA>::splat(one[axis]),
            F32x8::splat(one[axis + 3]),
            F32x8::splat(one[axis + 6]),
            F32x8::splat(one[axis + 9]),
        ];
        let above = (low - F32x8::load(&block.0[axis + 6])).min(later_low - F32x8::load(&block.0[axis + 9]));
        let below = (F32x8::load(&block.0[axis]) - high).min(F32x8::load(&block.0[axis + 3]) - later_high);
        gap = gap.max(above.max(below));
        axis += 1;
    }
    gap
}
