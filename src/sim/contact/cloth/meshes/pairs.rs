//! A collision mesh in motion, and pairs of a leaf of the cloth and a leaf of the mesh whose boxes
//! are near, in the frame of the mesh.

use std::sync::Arc;

use parry3d_f64::math::Pose;

use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::bvh::{Leaf, range};
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::contact::cloth::surface::{ContactSurface, LEAF};
use crate::sim::contact::colliders::MeshTree;
use crate::sim::{Real, Vec3};

/// Most corners of a leaf.
const CORNERS: usize = 3 * LEAF;

/// A collision mesh in motion.
#[derive(Debug, Clone)]
pub(super) struct CollisionMesh {
    pub tree: Arc<MeshTree>,
    /// Pose at the start and at the end of the step.
    pub poses: [Pose; 2],
    /// Index among the collision meshes, and among the solids.
    pub number: u32,
    pub solid: u32,
    /// Distance between cloth and surface [m], and Coulomb friction coefficient.
    pub thickness: Real,
    pub friction: Real,
    /// Distance of the surface from the points, edges and triangles [m].
    pub radius: Real,
    /// Whether it encloses a volume.
    pub is_closed: bool,
    /// Bounding box of the motion.
    pub bounds: Aabb,
}

impl CollisionMesh {
    pub fn moves(&self) -> bool {
        self.poses[0] != self.poses[1]
    }

    /// Image of the point `x` [m] under its motion from the start to the end of the step.
    pub fn carry(&self, x: Vec3) -> Vec3 {
        if self.moves() { self.poses[1].transform_point(self.poses[0].inverse_transform_point(x)) } else { x }
    }

    /// A point of the cloth at both ends of the step, in the frame of the mesh [m].
    #[inline(always)]
    pub fn local(&self, x: Vec3, y: Vec3) -> [Vec3; 2] {
        [self.poses[0].inverse_transform_point(x), self.poses[1].inverse_transform_point(y)]
    }
}

/// A pair of a part of the cloth and a part of a collision mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshPair {
    /// Vertices of the cloth and points of the mesh.
    pub pair: Pair,
    /// Whether the first part belongs to the cloth.
    pub cloth_first: bool,
    /// Number of the edge of the mesh, if its part is one.
    pub edge: usize,
    /// Positions at the start and at the end [m].
    pub motion: [[Vec3; 4]; 2],
}

impl MeshPair {
    /// Its vertices of the cloth.
    pub fn of_cloth(&self) -> &[u32] {
        let (first, second) = self.pair.vertices.split_at(usize::from(self.pair.first));
        if self.cloth_first { first } else { second }
    }
}

/// A leaf of the cloth in the frame of a collision mesh.
pub(super) struct MeshFrameLeaf<'a> {
    surface: &'a ContactSurface,
    leaf: Leaf,
    corners: &'a [u32],
    /// Positions of the corners at the start and at the end of the motion [m].
    places: [[Vec3; 2]; CORNERS],
    around: Aabb,
    /// A normal, and the extent of the leaf along it.
    normal: Vec3,
    extent: [Real; 2],
}

impl<'a> MeshFrameLeaf<'a> {
    /// In a motion [m] of the cloth, with the poses of the mesh at both ends.
    pub fn new(surface: &'a ContactSurface, leaf: usize, [x, y]: [&[Vec3]; 2], [from, to]: [Pose; 2]) -> Self {
        let corners = surface.corners.row(leaf);
        let mut places = [[Vec3::ZERO; 2]; CORNERS];
        for (place, &vertex) in places.iter_mut().zip(corners) {
            let i = vertex as usize;
            *place = [from.inverse_transform_point(x[i]), to.inverse_transform_point(y[i])];
        }
        let around = Aabb::of(places[..corners.len()].iter().flatten().copied());
        let leaf = surface.leaves[leaf];
        let mut this = Self { surface, leaf, corners, places, around, normal: Vec3::ZERO, extent: [0.0; 2] };
        let normals = this.triangles().iter().map(|triangle| {
            let [[a, _], [b, _], [c, _]] = this.of(*triangle);
            (b - a).cross(c - a)
        });
        this.normal = normals.sum::<Vec3>().normalize_or_zero();
        let heights = || this.places[..corners.len()].iter().flatten().map(|x| x.dot(this.normal));
        this.extent = [heights().fold(Real::INFINITY, Real::min), heights().fold(Real::NEG_INFINITY, Real::max)];
        this
    }

    fn triangles(&self) -> &'a [[u32; 3]] {
        &self.surface.triangles[range(self.leaf.triangles)]
    }

    /// Positions of some of its vertices at both ends [m].
    fn of<const N: usize>(&self, vertices: [u32; N]) -> [[Vec3; 2]; N] {
        // the corners of a leaf are rising, and contain all of these
        vertices.map(|vertex| self.places[self.corners.partition_point(|&corner| corner < vertex)])
    }

    /// Largest coordinate [m].
    pub fn size(&self) -> Real {
        self.around.size()
    }

    /// Whether a box may come nearer than `near` [m].
    pub fn meets(&self, other: &Aabb, near: Real) -> bool {
        if !self.around.meets(other, near) {
            return false;
        }
        let middle = (0.5 * (other.low + other.high)).dot(self.normal);
        let half = (0.5 * (other.high - other.low)).dot(self.normal.abs());
        (self.extent[0] - (middle + half)).max((middle - half) - self.extent[1]) <= near
    }

    /// Visits the pairs with a leaf of the mesh whose boxes are less than `near` [m] apart, which
    /// may shrink meanwhile.
    #[inline]
    pub fn pairs(&self, tree: &MeshTree, other: &Leaf, near: impl Fn() -> Real, mut visit: impl FnMut(MeshPair)) {
        let vertices = &self.surface.vertices[range(self.leaf.vertices)];
        for &corners in &tree.triangles[range(other.triangles)] {
            let points @ [a, b, c] = corners.map(|corner| tree.points[corner as usize]);
            self.beside(vertices.iter().map(|vertex| [*vertex]), points, &near, |[vertex], [[x, y]]| {
                let pair = Pair::vertex_triangle(vertex, corners);
                visit(MeshPair { pair, cloth_first: true, edge: 0, motion: [[x, a, b, c], [y, a, b, c]] });
            });
        }
        self.inner_pairs(tree, other, near, visit);
    }

    /// Those of [`pairs`](Self::pairs) with an edge or a triangle of the cloth.
    #[inline]
    pub fn inner_pairs(&self, tree: &MeshTree, other: &Leaf, near: impl Fn() -> Real, mut visit: impl FnMut(MeshPair)) {
        for &corner in &tree.corners[range(other.vertices)] {
            let p = tree.points[corner as usize];
            let triangles = self.triangles().iter().copied();
            self.beside(triangles, [p], &near, |triangle, [[a, d], [b, e], [c, f]]| {
                let pair = Pair::vertex_triangle(corner, triangle);
                visit(MeshPair { pair, cloth_first: false, edge: 0, motion: [[p, a, b, c], [p, d, e, f]] });
            });
        }
        let own = &self.surface.edges[range(self.leaf.edges)];
        for number in range(other.edges) {
            let edge = tree.edges[number];
            let points @ [p, q] = edge.map(|corner| tree.points[corner as usize]);
            self.beside(own.iter().copied(), points, &near, |own, [[a, c], [b, d]]| {
                let pair = Pair::edge_edge(own, edge);
                visit(MeshPair { pair, cloth_first: true, edge: number, motion: [[a, b, p, q], [c, d, p, q]] });
            });
        }
    }

    /// Visits the `parts` of the leaf whose boxes are less than `near` [m] from that of a part of
    /// the mesh with these `points` [m], with their positions at both ends [m].
    #[inline(always)]
    fn beside<const N: usize, const M: usize>(
        &self,
        parts: impl Iterator<Item = [u32; N]>,
        points: [Vec3; M],
        near: &impl Fn() -> Real,
        mut visit: impl FnMut([u32; N], [[Vec3; 2]; N]),
    ) {
        let bounds = Aabb::of(points);
        if self.meets(&bounds, near()) {
            for part in parts {
                let ends = self.of(part);
                if Aabb::of(ends.into_iter().flatten()).meets(&bounds, near()) {
                    visit(part, ends);
                }
            }
        }
    }

    /// Visits the triangles of the leaf, by number, and those of a leaf of the mesh whose boxes are
    /// less than `near` [m] apart at the start, which may shrink meanwhile.
    #[inline]
    pub fn triangle_pairs(
        &self,
        tree: &MeshTree,
        other: &Leaf,
        near: impl Fn() -> Real,
        mut visit: impl FnMut(usize, [[Vec3; 3]; 2]),
    ) {
        for &corners in &tree.triangles[range(other.triangles)] {
            let points = corners.map(|corner| tree.points[corner as usize]);
            let bounds = Aabb::of(points);
            if self.meets(&bounds, near()) {
                for (number, &triangle) in range(self.leaf.triangles).zip(self.triangles()) {
                    let start = self.of(triangle).map(|[x, _]| x);
                    if Aabb::of(start).meets(&bounds, near()) {
                        visit(number, [start, points]);
                    }
                }
            }
        }
    }
}
