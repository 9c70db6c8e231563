//! The pairs of two leaves that may come near each other while every vertex stays within a *skin* around where it is in a motion: one part
//! against eight at a time.
//!
//! A pair whose boxes are close is taken. One that is only near counts where its parts face each other at the end: then the line between
//! two of their points is no longer than the reach `R` and across both edges, or leaves the triangle in a steep angle. Let `m` be the unit
//! normal `n/|n|` of the two edges or of the triangle where the vertices are, and `s` the skin. A side turns by `2 s` at most, so `n` changes by
//! no more than `c = 2 s (a + b + 2 s)` for sides of lengths `a` and `b`, the normal by `2 c/|n|`, and that line seen along `m` is shorter
//! than `ρ = 2 R c/|n| + 2 s`, and a fifth of `R` for a triangle. So seen along `m` the parts are no farther apart than that.

use super::boxes::{Block, LANES, Places, Plate, Sweep, above};
use super::layer_contact::NEARLY_PARALLEL;
use super::screen::{Candidate, SLOPE};
use super::surface::{LEAF, Surface, range};
use crate::sim::exec::simd::{Eight, vectorised};
use crate::sim::{Real, Vec3};

/// Most vertices and most edges of a leaf.
const MOST: usize = 3 * LEAF;
/// Blocks of the edges of a leaf.
pub(super) const EDGE_BLOCKS: usize = MOST.div_ceil(LANES);
/// What single precision makes of a product, as a share of its factors, at most.
const ROUNDING: f32 = 1e-5;

/// What a comparison of leaves reads.
pub(super) struct Comparison<'a> {
    pub surface: &'a Surface,
    pub motion: [&'a [Vec3]; 2],
    pub points: &'a [Sweep],
    /// Where the vertices end, relative to one of them [m].
    pub ends: &'a [glam::Vec3A],
    /// Of each leaf.
    pub triangles: &'a [(Block, Places<3>)],
    pub edges: &'a [[(Block, Places<2>); EDGE_BLOCKS]],
    pub plates: &'a [Plate],
    pub leaves: &'a [(Sweep, bool)],
    pub limits: Limits,
    /// Boxes farther apart than this are not compared [m].
    pub widest: Real,
}

/// How near is near, rounded up [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Reach of pairs that face each other.
    reach: f32,
    /// Distances of boxes that may be near, and that are close.
    near: f32,
    close: f32,
    skin: f32,
}

impl Limits {
    /// For pairs within a `reach` that face each other and pairs within a `room`, with a `skin`, in a cloth of some `size` [m].
    pub fn new([reach, room]: [Real; 2], skin: Real, size: Real) -> Self {
        let up = |length: Real| (length * (1.0 + 1e-6)) as f32;
        // coordinates are rounded
        let skin = skin + 4.0 * Real::from(f32::EPSILON) * size;
        Self { reach: up(reach), near: up(reach.max(room) + 2.0 * skin), close: up(room + 2.0 * skin), skin: up(skin) }
    }
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
    /// Adds the pairs of two leaves that may come near each other, of which one vertex is one for which `is_asked` holds: those of a vertex and
    /// a triangle to the first list, those of two edges to the second.
    pub fn meet(
        &self,
        [a, b]: [u32; 2],
        is_asked: &impl Fn(u32) -> bool,
        found: &mut Meetings,
        [vertices, edges]: &mut [Vec<Candidate>; 2],
    ) {
        let is_apart = |a: u32, b: u32| {
            self.plates[a as usize].is_apart(self.surface.corners.row(b as usize), self.motion, self.widest)
        };
        if a != b && (is_apart(a, b) || is_apart(b, a)) {
            return;
        }
        self.vertices_and_triangles([a, b], is_asked, found, vertices);
        if a != b {
            self.vertices_and_triangles([b, a], is_asked, found, vertices);
        }
        self.edges([a, b], is_asked, found, edges);
    }

    fn edges(&self, [a, b]: [u32; 2], is_asked: &impl Fn(u32) -> bool, found: &mut Meetings, to: &mut Vec<Candidate>) {
        found.count = 0;
        edges_of_leaves(self, [a as usize, b as usize], found);
        let first = [a, b].map(|leaf| self.surface.leaves[leaf as usize].edges[0]);
        for places in &found.all[..found.count] {
            let [i, j] = [0, 1].map(|k| first[k] + u32::from(places[k]));
            // always the same first, whoever asks
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

// No closures in what follows: they would not be compiled for AVX2.

#[inline(always)]
fn compare_edges<const FMA: bool>(comparison: &Comparison, [a, b]: [usize; 2], found: &mut Meetings) {
    let limits = &comparison.limits;
    let surface = comparison.surface;
    let other = comparison.leaves[b].0.lanes();
    let (of_a, of_b) = (&comparison.edges[a], &comparison.edges[b]);
    let count = range(surface.leaves[b].edges).len().div_ceil(LANES);
    for (k, (block, places)) in of_a.iter().enumerate().take(range(surface.leaves[a].edges).len().div_ceil(LANES)) {
        let mut near = !gap::<FMA>(&other, block).above(Eight::splat(limits.near));
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let (i, one) = (LANES * k + lane, block.lane(lane));
            for (l, (others, ends)) in of_b.iter().enumerate().take(count) {
                let gap = gap::<FMA>(&one, others);
                let mut met = !gap.above(Eight::splat(limits.near));
                if a == b {
                    met &= above(LANES * l, i);
                }
                let close = met & !gap.above(Eight::splat(limits.close));
                if met != close {
                    met &= close | !edges_apart(places, lane, ends, gap, limits);
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
    let limits = &comparison.limits;
    let surface = comparison.surface;
    let (other, (block, corners)) = (&comparison.leaves[with].0, &comparison.triangles[with]);
    let near = glam::Vec3A::splat(limits.near);
    for (i, &vertex) in surface.vertices[range(surface.leaves[of].vertices)].iter().enumerate() {
        let point = &comparison.points[vertex as usize];
        if !point.meets(other, near) {
            continue;
        }
        let gap = gap::<FMA>(&point.lanes(), block);
        let mut met = !gap.above(Eight::splat(limits.near));
        let close = met & !gap.above(Eight::splat(limits.close));
        if met != close {
            met &= close | !vertex_apart::<FMA>(&comparison.ends[vertex as usize], corners, limits);
        }
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            found.push(i, lane);
        }
    }
}

/// How far the boxes of a block are apart from another along the axis on which they are the most, on the same side at both ends [m].
#[inline(always)]
fn gap<const FMA: bool>(one: &[f32; 12], block: &Block) -> Eight<FMA> {
    let mut gap = Eight::<FMA>::splat(f32::NEG_INFINITY);
    let mut axis = 0;
    while axis < 3 {
        let [low, later_low, high, later_high] = [
            Eight::<FMA>::splat(one[axis]),
            Eight::splat(one[axis + 3]),
            Eight::splat(one[axis + 6]),
            Eight::splat(one[axis + 9]),
        ];
        let above = (low - Eight::load(&block.0[axis + 6])).min(later_low - Eight::load(&block.0[axis + 9]));
        let below = (Eight::load(&block.0[axis]) - high).min(Eight::load(&block.0[axis + 3]) - later_high);
        gap = gap.max(above.max(below));
        axis += 1;
    }
    gap
}

/// Point number `N` of eight parts.
#[inline(always)]
fn points<const FMA: bool, const N: usize>(places: &Places<N>, point: usize) -> [Eight<FMA>; 3] {
    let [x, y, z] = &places.0[point];
    [Eight::load(x), Eight::load(y), Eight::load(z)]
}

/// A point of one of eight parts, eight times.
#[inline(always)]
fn point<const FMA: bool, const N: usize>(places: &Places<N>, point: usize, lane: usize) -> [Eight<FMA>; 3] {
    let [x, y, z] = &places.0[point];
    [Eight::splat(x[lane]), Eight::splat(y[lane]), Eight::splat(z[lane])]
}

/// Bits of the edges that do not face one of a block, whatever the vertices do within the skin.
#[inline(always)]
fn edges_apart<const FMA: bool>(
    one: &Places<2>,
    lane: usize,
    others: &Places<2>,
    gap: Eight<FMA>,
    limits: &Limits,
) -> u8 {
    let (p, q) = (point(one, 0, lane), point(one, 1, lane));
    let (r, e) = (points(others, 0), points(others, 1));
    let (u, v, w): ([Eight<FMA>; 3], _, _) =
        (Eight::difference(&q, &p), Eight::difference(&e, &r), Eight::difference(&p, &r));
    let normal = Eight::cross(&u, &v);
    let (sine, height) = (Eight::dot(&normal, &normal), Eight::dot(&w, &normal));
    let (s, t) = (Eight::dot(&Eight::cross(&v, &w), &normal), Eight::dot(&Eight::cross(&u, &w), &normal));
    let (of_u, of_v, of_w) = (Eight::dot(&u, &u).sqrt(), Eight::dot(&v, &v).sqrt(), Eight::dot(&w, &w).sqrt());
    let (length, product) = (sine.sqrt(), of_u * of_v);
    let twice = Eight::splat(2.0 * limits.skin);
    let turn = twice * (of_u + of_v + twice) + Eight::splat(ROUNDING) * product;
    // edges that are nearly parallel are near where they are closer
    let shortest = (of_u - twice).max(Eight::ZERO) * (of_v - twice).max(Eight::ZERO);
    let most_sine = (length + turn) / shortest;
    let share = (Eight::splat(1.0 / NEARLY_PARALLEL as f32) * most_sine * most_sine).min(Eight::splat(1.0));
    let reach = Eight::splat(limits.reach) * share;
    let most = Eight::splat(1.001) * reach + twice;
    let far = gap.above(most)
        | (height.abs() - Eight::splat(ROUNDING) * product * of_w)
            .above(most * (length + Eight::splat(ROUNDING) * product));
    let sideways = Eight::splat(2.0) * reach * turn + twice * length;
    let rounding = Eight::splat(ROUNDING) * product * (of_u + of_v) * (of_u + of_v + of_w);
    let (of_s, of_t) = (sideways * of_v + rounding, sideways * of_u + rounding);
    let zero = Eight::ZERO;
    far | (zero - s).above(of_s) | (s - sine).above(of_s) | (zero - t).above(of_t) | (t - sine).above(of_t)
}

/// Bits of the triangles that a vertex is not above, whatever the vertices do within the skin.
#[inline(always)]
fn vertex_apart<const FMA: bool>(vertex: &glam::Vec3A, corners: &Places<3>, limits: &Limits) -> u8 {
    let [x, y, z] = vertex.to_array();
    let p: [Eight<FMA>; 3] = [Eight::splat(x), Eight::splat(y), Eight::splat(z)];
    let (a, b, c) = (points(corners, 0), points(corners, 1), points(corners, 2));
    let (ab, ac, a) = (Eight::difference(&b, &a), Eight::difference(&c, &a), Eight::difference(&a, &p));
    let bc = Eight::difference(&ac, &ab);
    let normal = Eight::cross(&ab, &ac);
    let (area, height) = (Eight::dot(&normal, &normal), Eight::dot(&a, &normal));
    let beta = Eight::dot(&Eight::cross(&ac, &a), &normal);
    let gamma = Eight::dot(&Eight::cross(&a, &ab), &normal);
    let alpha = area - beta - gamma;
    let (of_ab, of_ac, of_bc) = (Eight::dot(&ab, &ab).sqrt(), Eight::dot(&ac, &ac).sqrt(), Eight::dot(&bc, &bc).sqrt());
    let (length, product, of_a) = (area.sqrt(), of_ab * of_ac, Eight::dot(&a, &a).sqrt());
    let (twice, rounded) = (Eight::splat(2.0 * limits.skin), Eight::splat(ROUNDING) * product);
    let turn = twice * (of_ab + of_ac + twice) + rounded;
    let reach = Eight::splat(limits.reach);
    let far = (height.abs() - rounded * of_a).above((Eight::splat(1.001) * reach + twice) * (length + rounded));
    let sideways = reach * (Eight::splat(SLOPE) * length + Eight::splat(2.0) * turn) + twice * length;
    let rounding = rounded * (of_ab + of_ac) * (of_ab + of_ac + of_a);
    let zero = Eight::ZERO;
    far | (zero - beta).above(sideways * of_ac + rounding)
        | (zero - gamma).above(sideways * of_ab + rounding)
        | (zero - alpha).above(sideways * of_bc + rounding)
}
