//! Pairs of two leaves that may come near each other while every vertex stays within a *skin*
//! around its motion (Verlet list): those with near boxes, one part against eight at a time.

use super::boxes::{Block, LANES, NUMBERS, above};
use super::screen::Candidate;
use crate::sim::contact::bvh::range;
use crate::sim::contact::cloth::surface::{ContactSurface, LEAF};
use crate::sim::exec::simd::{F32x8, vectorised};

/// Most vertices and most edges of a leaf.
const MOST: usize = 3 * LEAF;
/// Most blocks of the vertices or of the edges of a leaf.
pub(super) const BLOCKS: usize = MOST.div_ceil(LANES);

/// Input of a comparison of leaves.
pub(super) struct Comparison<'a> {
    pub surface: &'a ContactSurface,
    /// Vertices of each leaf.
    pub vertices: &'a [[Block; BLOCKS]],
    pub triangles: &'a [[Block; 1]],
    pub edges: &'a [[Block; BLOCKS]],
    /// Box of each leaf, with unlimited reach.
    pub leaves: &'a [[f32; NUMBERS]],
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
        let own = [a, b].map(|leaf| self.surface.leaves[leaf as usize].edges);
        let blocks = |leaf: u32, own: [u32; 2]| &self.edges[leaf as usize][..range(own).len().div_ceil(LANES)];
        let blocks = [blocks(a, own[0]), blocks(b, own[1])];
        let leaves = [a, b].map(|leaf| &self.leaves[leaf as usize]);
        compare(&Parts { blocks, leaves }, a == b, found);
        let first = own.map(|own| own[0]);
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
        let [of, with] = leaves.map(|leaf| &self.surface.leaves[leaf as usize]);
        let vertices = &self.vertices[leaves[0] as usize][..range(of.vertices).len().div_ceil(LANES)];
        let triangles = &self.triangles[leaves[1] as usize];
        let around = leaves.map(|leaf| &self.leaves[leaf as usize]);
        compare(&Parts { blocks: [vertices, triangles], leaves: around }, false, found);
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

/// Parts of two leaves, with the boxes of the leaves.
struct Parts<'a> {
    blocks: [&'a [Block]; 2],
    leaves: [&'a [f32; NUMBERS]; 2],
}

vectorised! {
    /// Finds the near parts of two leaves, or those of one leaf if this `is_one`.
    fn compare(parts: &Parts, is_one: bool, found: &mut Meetings) = compare_either
}

// No closures below: they would not be compiled for AVX2.

#[inline(always)]
fn compare_either<const FMA: bool>(parts: &Parts, is_one: bool, found: &mut Meetings) {
    let Parts { blocks, leaves } = parts;
    let zero = F32x8::ZERO;
    found.count = 0;
    let (mut near, mut counts) = ([[0_u8; BLOCKS]; 2], [0; 2]);
    let mut side = 0;
    while side < 2 {
        for (near, block) in near[side].iter_mut().zip(blocks[side]) {
            *near = !beyond::<FMA>(leaves[1 - side], block).above(zero);
            counts[side] += near.count_ones();
        }
        side += 1;
    }
    // the leaf with fewer near parts gives them one by one, the other its blocks
    let outer = usize::from(counts[1] < counts[0]);
    let (others, near_others) = (blocks[1 - outer], &near[1 - outer]);
    for (k, block) in blocks[outer].iter().enumerate() {
        let mut left = near[outer][k];
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let (i, one) = (LANES * k + lane, block.lane(lane));
            for (l, others) in others.iter().enumerate() {
                if near_others[l] == 0 {
                    continue;
                }
                let mut met = near_others[l] & !beyond::<FMA>(&one, others).above(zero);
                if is_one {
                    met &= above(LANES * l, i);
                }
                while met != 0 {
                    let j = LANES * l + met.trailing_zeros() as usize;
                    met &= met - 1;
                    if outer == 0 {
                        found.push(i, j);
                    } else {
                        found.push(j, i);
                    }
                }
            }
        }
    }
}

/// Distance of the boxes of a block from another box along an axis, on the same side at both ends,
/// less the smaller reach [m]: the largest of the three axes.
#[inline(always)]
fn beyond<const FMA: bool>(one: &[f32; NUMBERS], block: &Block) -> F32x8<FMA> {
    let mut beyond = F32x8::<FMA>::splat(f32::NEG_INFINITY);
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
        let reach = F32x8::splat(one[axis + 12]).min(F32x8::load(&block.0[axis + 12]));
        beyond = beyond.max(above.max(below) - reach);
        axis += 1;
    }
    beyond
}
