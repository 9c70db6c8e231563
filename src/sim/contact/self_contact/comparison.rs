//! The parts of two leaves that may come near each other in a motion: their boxes meet, one against eight at a time.

use super::boxes::{Block, LANES, Plate, Sweep, above};
use super::pair::Pair;
use super::surface::{LEAF, Surface, range};
use crate::sim::exec::simd::{Eight, vectorised};
use crate::sim::{Real, Vec3};

/// Most vertices and most edges of a leaf.
const MOST: usize = 3 * LEAF;
/// Blocks of the edges of a leaf.
pub(super) const EDGE_BLOCKS: usize = MOST.div_ceil(LANES);

/// What a comparison of leaves reads.
pub(super) struct Comparison<'a> {
    pub surface: &'a Surface,
    pub motion: [&'a [Vec3]; 2],
    pub points: &'a [Sweep],
    /// Of each leaf.
    pub triangles: &'a [Block],
    pub edges: &'a [[Block; EDGE_BLOCKS]],
    pub plates: &'a [Plate],
    pub leaves: &'a [(Sweep, bool)],
    /// How near is near for a vertex and a triangle and for two edges, and how close is close, rounded up [m].
    pub near: [f32; 2],
    pub close: f32,
    /// The larger of those [m].
    pub nearest: Real,
}

/// Two parts that may come near each other: places in their leaves, and whether they may touch and whether they may come close.
#[derive(Debug, Clone, Copy, Default)]
struct Meeting {
    places: [u8; 2],
    touch: bool,
    close: bool,
}

/// Parts of two leaves that may come near each other, with memory.
pub(super) struct Meetings {
    all: [Meeting; MOST * MOST],
    count: usize,
}

impl Default for Meetings {
    fn default() -> Self {
        Self { all: [Meeting::default(); MOST * MOST], count: 0 }
    }
}

impl Meetings {
    #[inline(always)]
    fn push(&mut self, first: usize, second: usize, touch: bool, close: bool) {
        self.all[self.count] = Meeting { places: [first as u8, second as u8], touch, close };
        self.count += 1;
    }
}

impl Comparison<'_> {
    /// Calls `take` for the pairs of two leaves that may come near each other, with whether they may touch and whether they may come
    /// close. One vertex of each is one for which `is_asked` holds.
    pub fn meet(
        &self,
        [a, b]: [u32; 2],
        is_asked: &impl Fn(u32) -> bool,
        found: &mut Meetings,
        mut take: impl FnMut(Pair, bool, bool),
    ) {
        let is_apart = |a: u32, b: u32| {
            self.plates[a as usize].is_apart(self.surface.corners.row(b as usize), self.motion, self.nearest)
        };
        if a != b && (is_apart(a, b) || is_apart(b, a)) {
            return;
        }
        let mut take = |pair: Pair, meeting: &Meeting| {
            if pair.vertices.into_iter().any(is_asked) {
                take(pair, meeting.touch, meeting.close);
            }
        };
        self.vertices_and_triangles(a, b, found, &mut take);
        if a != b {
            self.vertices_and_triangles(b, a, found, &mut take);
        }
        self.edges([a, b], found, &mut take);
    }

    #[inline]
    fn edges(&self, [a, b]: [u32; 2], found: &mut Meetings, take: &mut impl FnMut(Pair, &Meeting)) {
        found.count = 0;
        edges_of_leaves(self, [a as usize, b as usize], found);
        let first = [a, b].map(|leaf| self.surface.leaves[leaf as usize].edges[0]);
        for meeting in &found.all[..found.count] {
            let [i, j] = [0, 1].map(|k| (first[k] + u32::from(meeting.places[k])) as usize);
            let (ends, others) = (self.surface.edges[i], self.surface.edges[j]);
            if ends.iter().all(|end| !others.contains(end)) {
                // always the same first, whoever asks
                let pair = if i < j { Pair::edge_edge(ends, others) } else { Pair::edge_edge(others, ends) };
                take(pair, meeting);
            }
        }
    }

    #[inline]
    fn vertices_and_triangles(&self, of: u32, with: u32, found: &mut Meetings, take: &mut impl FnMut(Pair, &Meeting)) {
        found.count = 0;
        vertices_and_triangles_of_leaves(self, [of as usize, with as usize], found);
        let leaf = |at: u32| &self.surface.leaves[at as usize];
        let first = [leaf(of).vertices[0], leaf(with).triangles[0]];
        for meeting in &found.all[..found.count] {
            let [i, t] = [0, 1].map(|k| (first[k] + u32::from(meeting.places[k])) as usize);
            let (vertex, corners) = (self.surface.vertices[i], self.surface.triangles[t]);
            if !corners.contains(&vertex) {
                take(Pair::vertex_triangle(vertex, corners), meeting);
            }
        }
    }
}

vectorised! {
    /// Compares the boxes of the edges of two leaves.
    fn edges_of_leaves(comparison: &Comparison, leaves: [usize; 2], found: &mut Meetings) = compare_edges
}

vectorised! {
    /// Compares the boxes of the vertices of one leaf with those of the triangles of another.
    fn vertices_and_triangles_of_leaves(comparison: &Comparison, leaves: [usize; 2], found: &mut Meetings) = compare_vertices
}

#[inline(always)]
fn compare_edges<const FMA: bool>(comparison: &Comparison, [a, b]: [usize; 2], found: &mut Meetings) {
    let limits = [comparison.near[1], comparison.close];
    let surface = comparison.surface;
    let other = comparison.leaves[b].0.lanes();
    let (of_a, of_b) = (&comparison.edges[a], &comparison.edges[b]);
    let count = range(surface.leaves[b].edges).len().div_ceil(LANES);
    for (k, block) in of_a.iter().enumerate().take(range(surface.leaves[a].edges).len().div_ceil(LANES)) {
        let [mut near, ..] = compare::<FMA>(&other, block, limits);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let (i, one) = (LANES * k + lane, block.lane(lane));
            for (l, others) in of_b.iter().enumerate().take(count) {
                let [met, touch, close] = compare::<FMA>(&one, others, limits);
                let mut met = if a == b { met & above(LANES * l, i) } else { met };
                while met != 0 {
                    let lane = met.trailing_zeros() as usize;
                    met &= met - 1;
                    found.push(i, LANES * l + lane, touch >> lane & 1 == 1, close >> lane & 1 == 1);
                }
            }
        }
    }
}

#[inline(always)]
fn compare_vertices<const FMA: bool>(comparison: &Comparison, [of, with]: [usize; 2], found: &mut Meetings) {
    let limits = [comparison.near[0], comparison.close];
    let surface = comparison.surface;
    let (other, block) = (&comparison.leaves[with].0, &comparison.triangles[with]);
    let near = glam::Vec3A::splat(limits[0]);
    for (i, &vertex) in surface.vertices[range(surface.leaves[of].vertices)].iter().enumerate() {
        let point = &comparison.points[vertex as usize];
        if !point.meets(other, near) {
            continue;
        }
        let [mut met, touch, close] = compare::<FMA>(&point.lanes(), block, limits);
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            found.push(i, lane, touch >> lane & 1 == 1, close >> lane & 1 == 1);
        }
    }
}

/// Bits of the boxes of a block that may be nearer to another than the first limit, that may touch it, and that may be closer than
/// the second [m].
#[inline(always)]
fn compare<const FMA: bool>(one: &[f32; 12], block: &Block, [near, close]: [f32; 2]) -> [u8; 3] {
    let mut gap = Eight::<FMA>::splat(f32::NEG_INFINITY);
    let mut axis = 0;
    while axis < 3 {
        let [low, later_low, high, later_high] = [
            Eight::<FMA>::splat(one[axis]),
            Eight::splat(one[axis + 3]),
            Eight::splat(one[axis + 6]),
            Eight::splat(one[axis + 9]),
        ];
        let above = (low - Eight(block.0[axis + 6])).min(later_low - Eight(block.0[axis + 9]));
        let below = (Eight(block.0[axis]) - high).min(Eight(block.0[axis + 3]) - later_high);
        gap = gap.max(above.max(below));
        axis += 1;
    }
    [!gap.above(Eight::splat(near)), !gap.above(Eight::ZERO), !gap.above(Eight::splat(close))]
}
