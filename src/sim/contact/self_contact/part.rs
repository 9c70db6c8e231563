//! A leaf of the cloth in the frame of a collision mesh, with fast tests of distance.

use parry3d_f64::math::Pose;

use super::neighbourhoods::{LEAF, Leaf, range};
use super::surface::Surface;
use crate::sim::{Real, Vec3};

/// Most corners of a leaf.
const CORNERS: usize = 3 * LEAF;

/// A box [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
}

impl Bounds {
    pub fn of(points: impl Iterator<Item = Vec3>) -> Self {
        let nothing = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
        points.fold(nothing, |all, x| Self { low: all.low.min(x), high: all.high.max(x) })
    }

    /// Whether two boxes may be closer than `near` [m] along every axis.
    #[inline]
    pub fn meets(&self, low: Vec3, high: Vec3, near: Real) -> bool {
        (self.low - high).max(low - self.high).max_element() <= near
    }
}

/// A leaf of the cloth in the frame of a collision mesh.
pub(super) struct Part<'a> {
    pub leaf: Leaf,
    corners: &'a [u32],
    /// Positions of the corners at the start and at the end of the motion [m].
    places: [[Vec3; 2]; CORNERS],
    around: Bounds,
    /// A normal, and the extent of the leaf along it.
    normal: Vec3,
    reach: [Real; 2],
}

impl<'a> Part<'a> {
    pub fn new(surface: &'a Surface, leaf: usize, [x, y]: [&[Vec3]; 2], [from, to]: [Pose; 2]) -> Self {
        let corners = surface.corners.row(leaf);
        let mut places = [[Vec3::ZERO; 2]; CORNERS];
        for (place, &vertex) in places.iter_mut().zip(corners) {
            let i = vertex as usize;
            *place = [from.inverse_transform_point(x[i]), to.inverse_transform_point(y[i])];
        }
        let around = Bounds::of(places[..corners.len()].iter().flatten().copied());
        let leaf = surface.leaves[leaf];
        let mut part = Self { leaf, corners, places, around, normal: Vec3::ZERO, reach: [0.0; 2] };
        let normals = surface.triangles[range(leaf.triangles)].iter().map(|triangle| {
            let [[a, _], [b, _], [c, _]] = part.of(*triangle);
            (b - a).cross(c - a)
        });
        part.normal = normals.sum::<Vec3>().normalize_or_zero();
        let heights = || part.places[..corners.len()].iter().flatten().map(|x| x.dot(part.normal));
        part.reach = [heights().fold(Real::INFINITY, Real::min), heights().fold(Real::NEG_INFINITY, Real::max)];
        part
    }

    /// Positions of some of its vertices at both ends [m].
    pub fn of<const N: usize>(&self, vertices: [u32; N]) -> [[Vec3; 2]; N] {
        // the corners of a leaf are rising, and contain all of these
        vertices.map(|vertex| self.places[self.corners.partition_point(|&corner| corner < vertex)])
    }

    /// Largest coordinate [m].
    pub fn size(&self) -> Real {
        self.around.low.abs().max(self.around.high.abs()).max_element()
    }

    /// Whether a box may come nearer than `near` [m].
    pub fn meets(&self, low: Vec3, high: Vec3, near: Real) -> bool {
        if !self.around.meets(low, high, near) {
            return false;
        }
        let middle = (0.5 * (low + high)).dot(self.normal);
        let half = (0.5 * (high - low)).dot(self.normal.abs());
        (self.reach[0] - (middle + half)).max((middle - half) - self.reach[1]) <= near
    }
}
