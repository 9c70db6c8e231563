//! Thinning of near pairs: the nearest triangle on each side of a vertex, and no edge-edge pair
//! that these imply (`physics.md` section 11.1).
//!
//! Where sheets lie on each other, every vertex over a triangle of the next sheet is a pair, and
//! edges that cross say nothing more. A vertex has up to two *sides*, with the unit normal from the
//! other sheet to the vertex. A leaf whose corners all have a side along one normal is *covered*
//! along it. Two leaves that cover each other need no edge-edge pairs.

use crate::sim::contact::cloth::nearness::counts;
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::contact::cloth::surface::ContactSurface;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::{Real, Vec3};

/// Least cosine between normals of one side of a vertex; triangles whose normals differ by more
/// than 60° are on different sides.
const SAME_SIDE: Real = 0.5;
/// Least cosine between the normals of a side and of what it covers. An edge of length `l` between
/// two covered ends sags by at most `l (1 - cos 0.4) / (2 sin 0.4)`, a tenth of its length.
const COVERED: Real = 0.921;
/// Most pairs of a vertex that are compared; further ones stay.
const MOST: usize = 24;
/// Vertices and leaves per task.
const VERTICES: usize = 256;
const LEAVES: usize = 64;

/// Another sheet on one side of a vertex.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// Unit normal from the other sheet to the vertex; zero for none.
    normal: Vec3,
    distance: Real,
    /// Place of its pair among those of the vertex.
    at: usize,
}

impl Side {
    const NONE: Self = Self { normal: Vec3::ZERO, distance: Real::INFINITY, at: 0 };
}

/// Normals of the sides of vertices and of the covers of leaves; zero for none.
#[derive(Debug, Default)]
pub(super) struct Covers {
    vertices: Vec<[Vec3; 2]>,
    leaves: Vec<[Vec3; 2]>,
    kept: Vec<bool>,
}

impl Covers {
    /// Forgets all sides: nothing is implied.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.leaves.clear();
    }

    /// Keeps of the vertex-triangle `pairs` at `y` [m] the nearest on each of two sides of a
    /// vertex, those on further sides, and those `passing` through themselves. Pairs are sorted;
    /// those of vertex `i` end at `ends[i]`.
    pub fn choose(
        &mut self,
        surface: &ContactSurface,
        (pairs, ends, passing): (&mut Vec<Pair>, &[u32], &[Pair]),
        y: &[Vec3],
        pool: &ThreadPool,
    ) {
        let Self { vertices, leaves, kept } = self;
        if pairs.is_empty() {
            return;
        }
        vertices.resize(y.len(), [Vec3::ZERO; 2]);
        kept.clear();
        kept.resize(pairs.len(), true);
        let (all, flags) = (&pairs[..], Shared::new(kept));
        pool.change(Shared::new(vertices), VERTICES, |range, vertices| {
            for (vertex, normals) in range.zip(vertices) {
                let start = if vertex == 0 { 0 } else { ends[vertex - 1] as usize };
                let row = start..ends[vertex] as usize;
                // SAFETY: the rows of different vertices do not overlap, and each is taken once
                let kept = unsafe { flags.part(row.clone()) };
                *normals = sides(&all[row], passing, y, kept);
            }
        });
        let mut at = 0;
        pairs.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        leaves.resize(surface.leaves.len(), [Vec3::ZERO; 2]);
        let vertices = &*vertices;
        pool.fill(leaves, LEAVES, |leaf| covers_of(surface.corners.row(leaf), vertices));
    }

    /// Whether the vertex-triangle pairs of two leaves imply their edge-edge pairs: both are
    /// covered along one normal from opposite sides, and at least `room` [m] apart along it at both
    /// ends of a `motion` [m].
    pub fn imply(&self, surface: &ContactSurface, [a, b]: [u32; 2], motion: [&[Vec3]; 2], room: Real) -> bool {
        if self.leaves.is_empty() {
            return false;
        }
        let [of_a, of_b] = [a, b].map(|leaf| &self.leaves[leaf as usize]);
        let corners = [a, b].map(|leaf| surface.corners.row(leaf as usize));
        of_a.iter().any(|normal| {
            *normal != Vec3::ZERO
                && of_b.iter().any(|other| other.dot(*normal) < -COVERED)
                && motion.into_iter().all(|x| gap_along(*normal, corners, x) > room)
        })
    }

    /// Whether the vertex-triangle pairs of its ends imply an edge-edge pair at `y` [m].
    pub fn imply_pair(&self, pair: &Pair, y: &[Vec3]) -> bool {
        if self.vertices.is_empty() {
            return false;
        }
        let [p, q, r, s] = pair.vertices.map(|vertex| &self.vertices[vertex as usize]);
        let between = y[pair.vertices[0] as usize] - y[pair.vertices[2] as usize];
        p.iter().any(|normal| {
            normal.dot(between) > 0.0 && has_side(q, *normal) && has_side(r, -*normal) && has_side(s, -*normal)
        })
    }
}

/// Covers of the leaf with these corners, whose sides are known.
fn covers_of(corners: &[u32], sides: &[[Vec3; 2]]) -> [Vec3; 2] {
    sides[corners[0] as usize].map(|normal| {
        let is_covered = |vertex: &u32| has_side(&sides[*vertex as usize], normal);
        if normal != Vec3::ZERO && corners.iter().all(is_covered) { normal } else { Vec3::ZERO }
    })
}

/// Gap along a normal between the corners of two leaves at `x` [m], the first ones above.
fn gap_along(normal: Vec3, corners: [&[u32]; 2], x: &[Vec3]) -> Real {
    let [above, below] = corners.map(|corners| corners.iter().map(|&vertex| x[vertex as usize].dot(normal)));
    above.fold(Real::INFINITY, Real::min) - below.fold(Real::NEG_INFINITY, Real::max)
}

/// Whether one of two sides is along a unit normal.
fn has_side(sides: &[Vec3; 2], normal: Vec3) -> bool {
    sides.iter().any(|side| side.dot(normal) > COVERED)
}

/// Normals of the sides of a vertex with these pairs at `y` [m]. Pairs with a nearer one on their
/// side are not `kept`.
fn sides(pairs: &[Pair], passing: &[Pair], y: &[Vec3], kept: &mut [bool]) -> [Vec3; 2] {
    let (mut all, mut count) = ([Side::NONE; MOST], 0);
    for (at, pair) in pairs.iter().enumerate().take(MOST) {
        let corners = pair.corners(y);
        let closest = pair.closest(&corners);
        let Some(normal) = closest.normal() else { continue };
        if counts(pair, &corners, &closest) && passing.binary_search(pair).is_err() {
            all[count] = Side { normal, distance: closest.distance(), at };
            count += 1;
        }
    }
    let all = &mut all[..count];
    all.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.at.cmp(&b.at)));
    let mut sides = [Vec3::ZERO; 2];
    for side in all {
        if sides.iter().any(|normal| normal.dot(side.normal) > SAME_SIDE) {
            kept[side.at] = false;
        } else if let Some(free) = sides.iter_mut().find(|normal| **normal == Vec3::ZERO) {
            *free = side.normal;
        }
    }
    sides
}
