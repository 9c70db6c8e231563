//! The parts of two leaves that may come near each other in a motion: their boxes meet.

use glam::Vec3A;

use super::boxes::{Plate, Sweep};
use super::pair::Pair;
use super::surface::{LEAF, Surface, range};
use crate::sim::{Real, Vec3};

/// What a comparison of leaves reads.
pub(super) struct Comparison<'a> {
    pub surface: &'a Surface,
    pub motion: [&'a [Vec3]; 2],
    pub points: &'a [Sweep],
    pub triangles: &'a [Sweep],
    pub edges: &'a [Sweep],
    pub plates: &'a [Plate],
    pub leaves: &'a [(Sweep, bool)],
    /// The larger of these [m].
    pub near: Real,
    /// How close is close, and how near is near for a vertex and a triangle and for two edges [m].
    pub close: Vec3A,
    pub wide: [Vec3A; 2],
}

/// Numbers of parts of a leaf: three for each triangle at most.
#[derive(Default)]
struct Short {
    numbers: [u32; 3 * LEAF],
    count: usize,
}

impl Short {
    /// Those of `all` that may come near a box.
    #[inline]
    fn near(all: [u32; 2], sweeps: &[Sweep], other: &Sweep, wide: Vec3A) -> Self {
        let mut near = Self::default();
        for i in all[0]..all[1] {
            near.numbers[near.count] = i;
            near.count += usize::from(sweeps[i as usize].meets(other, wide));
        }
        near
    }

    fn all(all: [u32; 2]) -> Self {
        let mut near = Self::default();
        for i in all[0]..all[1] {
            near.numbers[near.count] = i;
            near.count += 1;
        }
        near
    }

    fn numbers(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

impl Comparison<'_> {
    /// Calls `take` for the pairs of two leaves that may come near each other, with whether they may come close.
    pub fn meet(&self, [a, b]: [u32; 2], mut take: impl FnMut(Pair, bool)) {
        let is_apart = |a: u32, b: u32| {
            self.plates[a as usize].is_apart(self.surface.corners.row(b as usize), self.motion, self.near)
        };
        if a != b && (is_apart(a, b) || is_apart(b, a)) {
            return;
        }
        self.vertices_and_triangles(a, b, &mut take);
        if a != b {
            self.vertices_and_triangles(b, a, &mut take);
        }
        self.edges(a, b, &mut take);
    }

    #[inline]
    fn edges(&self, a: u32, b: u32, take: &mut impl FnMut(Pair, bool)) {
        let leaf = |at: u32| &self.surface.leaves[at as usize];
        let sweep = |at: u32| &self.leaves[at as usize].0;
        let wide = self.wide[1];
        let [firsts, seconds] = if a == b {
            [Short::all(leaf(a).edges), Short::all(leaf(a).edges)]
        } else {
            [
                Short::near(leaf(a).edges, self.edges, sweep(b), wide),
                Short::near(leaf(b).edges, self.edges, sweep(a), wide),
            ]
        };
        for (k, &i) in firsts.numbers().iter().enumerate() {
            let (sweep, ends) = (&self.edges[i as usize], self.surface.edges[i as usize]);
            for &j in &seconds.numbers()[if a == b { k + 1 } else { 0 }..] {
                let gap = sweep.gap(&self.edges[j as usize]);
                if gap.cmpgt(wide).any() {
                    continue;
                }
                let others = self.surface.edges[j as usize];
                if ends.iter().all(|end| !others.contains(end)) {
                    // always the same first, whoever asks
                    let pair = if i < j { Pair::edge_edge(ends, others) } else { Pair::edge_edge(others, ends) };
                    take(pair, !gap.cmpgt(self.close).any());
                }
            }
        }
    }

    #[inline]
    fn vertices_and_triangles(&self, of: u32, with: u32, take: &mut impl FnMut(Pair, bool)) {
        let surface = self.surface;
        let leaf = |at: u32| &surface.leaves[at as usize];
        let sweep = |at: u32| &self.leaves[at as usize].0;
        let wide = self.wide[0];
        let mut near = None;
        for &vertex in &surface.vertices[range(leaf(of).vertices)] {
            let point = &self.points[vertex as usize];
            if !point.meets(sweep(with), wide) {
                continue;
            }
            let triangles =
                near.get_or_insert_with(|| Short::near(leaf(with).triangles, self.triangles, sweep(of), wide));
            for &t in triangles.numbers() {
                let gap = point.gap(&self.triangles[t as usize]);
                if gap.cmpgt(wide).any() {
                    continue;
                }
                let corners = surface.triangles[t as usize];
                if !corners.contains(&vertex) {
                    take(Pair::vertex_triangle(vertex, corners), !gap.cmpgt(self.close).any());
                }
            }
        }
    }
}
