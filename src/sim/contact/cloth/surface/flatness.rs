//! Curvature culling: parts of a cloth that are too flat to touch themselves.
//!
//! Let `F` be the gradient of the positions with respect to plane coordinates at rest, a 3×2
//! matrix, constant on a triangle. Over a rectangle that the cloth covers without a gap, the
//! difference of two points is the mean of `F` on the line between them times the difference of
//! their coordinates. If all `F` there lie within `r` of a matrix `C` with the smaller singular
//! value `σ`, points are at least `σ - r` times as far apart as at rest. `F` is linear in the
//! positions, so this holds throughout a motion if it holds with the gradients of both ends. (After
//! Volino and Magnenat-Thalmann 1994; their test of the boundary is not needed where coordinates
//! are known.)

use glam::Vec3A;

use super::ContactSurface;
use crate::sim::contact::bvh::{self, range};
use crate::sim::contact::cloth::nearness::AT_REST;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Real, Vec3};

/// Leaves per task.
const LEAVES: usize = 64;
/// Bound of the rounding error in single precision.
const ROUNDING: Real = 1e-3;

/// Bounding box of gradients, by columns.
#[derive(Debug, Clone, Copy)]
struct Gradients {
    low: [Vec3A; 2],
    high: [Vec3A; 2],
}

impl Gradients {
    const NONE: Self = Self { low: [Vec3A::INFINITY; 2], high: [Vec3A::NEG_INFINITY; 2] };

    fn join(&self, other: &Self) -> Self {
        Self {
            low: [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])],
            high: [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])],
        }
    }

    /// Of a triangle with these sides [m].
    #[inline]
    fn of(u: Vec3A, v: Vec3A, inverse: &[f32; 4]) -> Self {
        let columns = [u * inverse[0] + v * inverse[1], u * inverse[2] + v * inverse[3]];
        Self { low: columns, high: columns }
    }

    /// Lower bound of the ratio of distances to those at rest.
    fn stretch(&self) -> Real {
        let middle = [(self.low[0] + self.high[0]) * 0.5, (self.low[1] + self.high[1]) * 0.5];
        let half = [(self.high[0] - self.low[0]) * 0.5, (self.high[1] - self.low[1]) * 0.5];
        let radius = Real::from(half[0].length_squared() + half[1].length_squared()).sqrt();
        let [a, b, c] = [(0, 0), (1, 1), (0, 1)].map(|(i, j)| Real::from(middle[i].dot(middle[j])));
        let smaller = 0.5 * (a + b) - (0.25 * (a - b) * (a - b) + c * c).sqrt();
        smaller.max(0.0).sqrt() - radius
    }
}

/// Flat parts of a cloth in a motion, with memory.
#[derive(Debug, Default)]
pub(in crate::sim::contact::cloth) struct Flatness {
    leaves: Vec<Gradients>,
    gradients: Vec<Gradients>,
    /// For each leaf, and for each node, the uppermost flat node that contains it.
    tops: Vec<u32>,
    tops_of_nodes: Vec<u32>,
}

/// No flat node.
const NONE: u32 = u32::MAX;

impl Flatness {
    /// Classifies the nodes for a motion from `x` to `y` [m], in which parts without a common
    /// vertex have to stay `gap` [m] apart.
    pub fn update(&mut self, surface: &ContactSurface, [x, y]: [&[Vec3]; 2], gap: Real, pool: &ThreadPool) {
        let Self { leaves, gradients, tops, tops_of_nodes } = self;
        let charts = &surface.charts;
        leaves.resize(surface.leaves.len(), Gradients::NONE);
        gradients.resize(surface.nodes.len(), Gradients::NONE);
        pool.fill(leaves, LEAVES, |i| {
            let mut sum = Gradients::NONE;
            for t in range(surface.leaves[i].triangles) {
                let [a, b, c] = surface.triangles[t].map(|vertex| vertex as usize);
                for x in [x, y] {
                    let (u, v) = ((x[b] - x[a]).as_vec3a(), (x[c] - x[a]).as_vec3a());
                    sum = sum.join(&Gradients::of(u, v, &charts.inverses[t]));
                }
            }
            sum
        });
        let leaves = &*leaves;
        bvh::refit(&surface.nodes, gradients, |node| leaves[node.leaves[0] as usize], Gradients::join);
        let is_flat = |at: usize| {
            let patch = &charts.nodes[at];
            patch.whole && {
                let all =
                    charts.beside.row(at).iter().fold(gradients[at], |sum, &leaf| sum.join(&leaves[leaf as usize]));
                all.stretch() >= AT_REST.max(gap / patch.height) + ROUNDING
            }
        };
        tops.resize(surface.leaves.len(), NONE);
        tops_of_nodes.clear();
        tops_of_nodes.resize(surface.nodes.len(), NONE);
        // from the top, so that nothing is computed below a flat node
        for (at, node) in surface.nodes.iter().enumerate() {
            if tops_of_nodes[at] == NONE && is_flat(at) {
                tops_of_nodes[at] = at as u32;
            }
            match node.children(at) {
                None => tops[node.leaves[0] as usize] = tops_of_nodes[at],
                Some(children) => children.iter().for_each(|&child| tops_of_nodes[child] = tops_of_nodes[at]),
            }
        }
    }

    /// Whether the pair of two leaves is culled: both lie in a flat node.
    pub fn is_passed_over(&self, [a, b]: [u32; 2]) -> bool {
        let top = self.tops[a as usize];
        top != NONE && top == self.tops[b as usize]
    }

    /// Whether a node is flat, or part of a flat one.
    pub fn is_flat(&self, node: u32) -> bool {
        self.tops_of_nodes[node as usize] != NONE
    }
}
