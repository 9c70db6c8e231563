//! Triangles, edges and points of a collision mesh in a tree of boxes, built once, in the frame of
//! the mesh.

use std::collections::HashMap;

use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::bvh::{self, Leaf, Node, range};
use crate::sim::math::csr::Csr;
use crate::sim::{Real, Vec3};

/// Most triangles of a leaf.
const LEAF: usize = 4;
/// Sum of these angles to both sides of an edge up to which the surface counts as flat there.
const FLAT: Real = 5e-3;

/// The tree.
#[derive(Debug, Default)]
pub(in crate::sim::contact) struct MeshTree {
    /// Points [m].
    pub points: Vec<Vec3>,
    /// In the order of the leaves.
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    pub corners: Vec<u32>,
    /// Points beside each edge: the third corners of its triangles.
    beside: Csr<u32>,
    /// Neighbours of each point.
    around: Csr<u32>,
    nodes: Vec<Node>,
    boxes: Vec<Aabb>,
    leaves: Vec<Leaf>,
}

impl MeshTree {
    /// The tree of `triangles`, three places in `points` [m] each.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut tree = Self { points: points.to_vec(), triangles: triangles.to_vec(), ..Self::default() };
        let at = |&corner: &u32| points[corner as usize];
        bvh::build(&mut tree.nodes, &mut tree.triangles, LEAF, |own| {
            let half = own.len() / 2;
            bvh::halve(own, half, |triangle| triangle.iter().map(at).sum())
        });
        let around = |leaf: &Node| Aabb::of(tree.triangles[range(leaf.items)].as_flattened().iter().map(at));
        tree.boxes.resize(tree.nodes.len(), Aabb::EMPTY);
        bvh::refit(&tree.nodes, &mut tree.boxes, around, Aabb::join);
        tree.leaves = bvh::leaves(&tree.nodes);
        tree.assign();
        tree.connect();
        tree
    }

    /// Finds what lies beside edges and around points. Points at the same place are one, or a seam
    /// would be a rim.
    fn connect(&mut self) {
        let Self { points, triangles, edges, beside, around, .. } = self;
        let mut places: HashMap<[u64; 3], u32> = HashMap::with_capacity(points.len());
        let place = |(point, at): (u32, &Vec3)| {
            // zero has one sign
            *places.entry(at.to_array().map(|x| (x + 0.0).to_bits())).or_insert(point)
        };
        let place: Vec<u32> = (0..).zip(&*points).map(place).collect();
        let rising = |a: u32, b: u32| [a.min(b), a.max(b)];
        let mut thirds: HashMap<[u32; 2], Vec<u32>> = HashMap::with_capacity(3 * triangles.len() / 2);
        let placed = || triangles.iter().map(|corners| corners.map(|corner| place[corner as usize]));
        for [a, b, c] in placed() {
            for [from, to, third] in [[a, b, c], [b, c, a], [c, a, b]] {
                thirds.entry(rising(from, to)).or_default().push(third);
            }
        }
        for ends in edges {
            let [a, b] = ends.map(|end| place[end as usize]);
            beside.push(thirds.get(&rising(a, b)).into_iter().flatten().copied());
        }
        let sides = placed().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut of_place = Csr::from_pairs(points.len(), sides.flat_map(|[a, b]| [(a, b), (b, a)]));
        of_place.sort_and_dedup();
        for at in place {
            around.push(of_place.row(at as usize).iter().copied());
        }
    }

    /// Whether an edge stands out along the unit vector `out`: its triangles lie behind the plane
    /// through it with that normal. Then something straight that touches the surface with this
    /// normal touches the edge.
    pub fn edge_stands_out(&self, edge: usize, out: Vec3, tolerance: Real) -> bool {
        let [from, to] = self.edges[edge].map(|end| self.points[end as usize]);
        let along = (to - from).normalize_or_zero();
        let beside = self.beside.row(edge).iter().map(|&third| self.points[third as usize] - from);
        stands_out(beside.map(|way| way.reject_from_normalized(along)), out, tolerance)
    }

    /// Whether a point stands out along the unit vector `out`: its neighbours lie behind the plane
    /// through it with that normal.
    pub fn point_stands_out(&self, point: u32, out: Vec3, tolerance: Real) -> bool {
        let at = self.points[point as usize];
        stands_out(
            self.around.row(point as usize).iter().map(|&other| self.points[other as usize] - at),
            out,
            tolerance,
        )
    }

    /// A segment, or a point if its ends are equal [m].
    pub fn of_segment(ends: [Vec3; 2]) -> Self {
        let last = u32::from(ends[0] != ends[1]);
        Self::new(&ends[..=last as usize], &[[0, last, last]])
    }

    /// Gives every edge and every point to a leaf.
    fn assign(&mut self) {
        let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
        let mut all: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (leaf, of) in (0..).zip(&self.leaves) {
            let own = &self.triangles[range(of.triangles)];
            let sides = own.iter().flat_map(|&triangle| sides(triangle)).filter(|[a, b]| a != b);
            all.extend(sides.map(|side| (side, leaf)));
        }
        all.sort_unstable();
        all.dedup_by_key(|(side, _)| *side);
        all.sort_unstable_by_key(|&(side, leaf)| (leaf, side));
        let mut is_new = vec![true; self.points.len()];
        let mut edges = all.into_iter().peekable();
        for (number, leaf) in (0..).zip(&mut self.leaves) {
            leaf.edges[0] = self.edges.len() as u32;
            while let Some((edge, _)) = edges.next_if(|(_, leaf)| *leaf == number) {
                self.edges.push(edge);
            }
            leaf.edges[1] = self.edges.len() as u32;
            leaf.vertices[0] = self.corners.len() as u32;
            let own = &self.triangles[range(leaf.triangles)];
            let corners = own.iter().flatten().copied();
            self.corners.extend(corners.filter(|&corner| std::mem::replace(&mut is_new[corner as usize], false)));
            leaf.vertices[1] = self.corners.len() as u32;
        }
    }

    /// The largest coordinate [m].
    pub fn size(&self) -> Real {
        self.boxes.first().map_or(0.0, Aabb::size)
    }

    /// Whether a point [m] is inside a closed surface: whether a ray from it passes an odd number
    /// of triangles.
    pub fn holds(&self, point: Vec3, stack: &mut Vec<u32>) -> bool {
        // nearly along an axis, so that it hardly meets an edge
        let along = Vec3::new(1.0, 1.3e-4, 2.7e-4);
        let reach = |high: Vec3| (high.x - point.x).max(0.0);
        let mut odd = false;
        let enters = |around: &Aabb| {
            let (a, b) = (point, point + along * reach(around.high));
            around.low.cmple(b.max(a)).all() && a.cmple(around.high).all()
        };
        self.descend(stack, enters, |leaf| {
            for triangle in &self.triangles[range(leaf.triangles)] {
                let [a, b, c] = triangle.map(|corner| self.points[corner as usize] - point);
                let side = |a: Vec3, b: Vec3| along.dot(a.cross(b));
                let sides = [side(a, b), side(b, c), side(c, a)];
                let passes = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
                let normal = (b - a).cross(c - a);
                odd ^= passes && a.dot(normal) * along.dot(normal) > 0.0;
            }
        });
        odd
    }

    /// Descends from the root to the nodes whose boxes `enters` accepts, and calls `meet` for the
    /// leaves among them.
    #[inline]
    pub fn descend(&self, stack: &mut Vec<u32>, enters: impl FnMut(&Aabb) -> bool, mut meet: impl FnMut(&Leaf)) {
        bvh::descend((&self.nodes, &self.boxes), stack, enters, |leaf| meet(&self.leaves[leaf.leaves[0] as usize]));
    }
}

/// Whether the `ways` to what lies around a part lead behind the plane with the normal `out`.
fn stands_out(ways: impl Iterator<Item = Vec3>, out: Vec3, tolerance: Real) -> bool {
    let (mut highest, mut sum, mut any) = (-1.0, 0.0, false);
    for way in ways.filter(|way| way.length() > 0.0) {
        let sine = way.dot(out) / way.length();
        (highest, sum, any) = (sine.max(highest), sum + sine, true);
    }
    !any || (highest < tolerance && sum < -FLAT)
}
