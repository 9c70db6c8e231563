//! Intersections of a cloth with colliders of triangles: meshes, hulls and boxes.

use std::borrow::Cow;
use std::sync::Arc;

use super::Intersections;
use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::bvh::range;
use crate::sim::contact::colliders::Collider;
use crate::sim::contact::colliders::MeshTree;
use crate::sim::contact::colliders::Solid;
use crate::sim::contact::exact::triangles_meet;
use crate::sim::{Pattern, Real, Vec3};

/// Rounding error of coordinates after a change of frame, as a share of them, generously.
const ROUNDING: Real = 1e-14;

/// Most triangles that are tested for a corner.
const MOST_PIERCED: usize = 16;

/// Whether `point` lies over the triangle and farther than `depth` [m] from it, on the side away
/// from `middle`.
fn is_through([a, b, c]: [Vec3; 3], point: Vec3, middle: Vec3, depth: Real) -> bool {
    let normal = (b - a).cross(c - a);
    let size = normal.length();
    let height = (point - a).dot(normal) / size;
    let is_beyond = height.abs() > depth && height * (middle - a).dot(normal) < 0.0;
    // no farther than the triangle is wide: farther points are unrelated
    let is_near = height * height < size;
    let inside = |from: Vec3, to: Vec3| (to - from).cross(point - from).dot(normal) >= 0.0;
    is_beyond && is_near && inside(a, b) && inside(b, c) && inside(c, a)
}

impl Intersections {
    /// The triangles of `pattern` that intersect one of the `colliders` at `time` [s], with the
    /// number of the collider, sorted; vertices are at `positions` [m]. A triangle counts once per
    /// collider. Shapes without triangles are skipped.
    pub fn find_in_colliders<'a>(
        &mut self,
        pattern: &Pattern,
        positions: &[Vec3],
        colliders: impl Iterator<Item = Cow<'a, Collider>>,
        time: Real,
    ) -> &[[u32; 2]] {
        self.crossing.clear();
        for (number, collider) in (0..).zip(colliders) {
            let Some(tree) = Solid::tree_of(&collider.shape) else { continue };
            self.find_in_surface(pattern, positions, (number, &tree), &collider, time);
        }
        self.crossing.sort_unstable();
        &self.crossing
    }

    /// Whether a corner of one of the `colliders` comes through a triangle between its vertices, by
    /// more than `depth` [m]. Arguments as for [`find_in_colliders`](Self::find_in_colliders).
    pub fn find_corner<'a>(
        &mut self,
        pattern: &Pattern,
        positions: &[Vec3],
        colliders: impl Iterator<Item = Cow<'a, Collider>>,
        (time, depth): (Real, Real),
    ) -> bool {
        colliders.into_iter().any(|collider| {
            let Some(tree) = Solid::tree_of(&collider.shape) else { return false };
            self.crossing.clear();
            self.find_in_surface(pattern, positions, (0, &tree), &collider, time);
            if self.crossing.is_empty() {
                return false;
            }
            let pose = collider.pose(time);
            let points: Vec<Vec3> = tree.points.iter().map(|x| pose.transform_point(*x)).collect();
            let middle = points.iter().sum::<Vec3>() / points.len().max(1) as Real;
            // of many pierced triangles a few suffice
            self.crossing.iter().take(MOST_PIERCED).any(|[triangle, _]| {
                let corners = pattern.triangles()[*triangle as usize].map(|corner| positions[corner as usize]);
                points.iter().any(|point| is_through(corners, *point, middle, depth))
            })
        })
    }

    fn find_in_surface(
        &mut self,
        pattern: &Pattern,
        positions: &[Vec3],
        (number, tree): (u32, &Arc<MeshTree>),
        collider: &Collider,
        time: Real,
    ) {
        let pose = collider.pose(time);
        let place = |corner: u32| pose.transform_point(tree.points[corner as usize]);
        for (t, corners) in (0..).zip(pattern.triangles()) {
            let own = corners.map(|corner| positions[corner as usize]);
            let local = own.map(|x| pose.inverse_transform_point(x));
            let size =
                own.into_iter().chain([pose.translation]).fold(tree.size(), |size, x| size.max(x.abs().max_element()));
            let asked = Aabb::of(local).loosened(ROUNDING * size);
            let mut meets = false;
            let enters = |around: &Aabb| around.touches(&asked);
            tree.descend(&mut self.stack, enters, |leaf| {
                let mut others = tree.triangles[range(leaf.triangles)].iter();
                meets = meets || others.any(|other| triangles_meet(own, other.map(place)));
            });
            if meets {
                self.crossing.push([t, number]);
            }
        }
    }
}
