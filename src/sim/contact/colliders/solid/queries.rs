//! Queries of a solid: the nearest place of its surface, and where the path of a point enters it.

use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::Pose;
use parry3d_f64::query::Ray;
use parry3d_f64::shape;

use super::{Form, Solid};
use crate::sim::contact::colliders::surface::{SLACK, SurfacePoint};
use crate::sim::{Real, Vec3};

/// Most steps of a search for the first contact on a path, and height above the distance to be
/// kept, as a share of it, at which the path has arrived.
const ADVANCES: usize = 32;
const ARRIVED: Real = 1e-3;

/// Encounter of a moving point with a solid.
#[derive(Debug, Clone, Copy)]
pub(in crate::sim::contact) struct Meeting {
    /// Distance of its end from the surface, or from the plane of entry [m]; negative behind it.
    pub distance: Real,
    /// Outward unit normal there.
    pub normal: Vec3,
    /// Point of entry, or the start moved with the solid [m].
    pub touched: Vec3,
    /// Whether it entered on its way.
    pub entered: bool,
}

impl Solid {
    /// Whether anything in a box could be within reach.
    #[must_use]
    pub(in crate::sim::contact) fn is_near(&self, bounds: &Aabb) -> bool {
        match self.plane {
            Some(normal) => {
                let half = bounds.half_extents();
                let near = |pose: &Pose| {
                    let normal = pose.rotation * normal;
                    let deepest = (bounds.center() - pose.translation).dot(normal) - half.dot(normal.abs());
                    deepest < self.reach
                };
                !self.motion.is_finite() || near(self.start()) || near(self.end())
            }
            None => self.bounds.intersects(bounds),
        }
    }

    /// Lower bound of the distance of a point [m] from everything within reach of the shape,
    /// throughout the step; negative inside. Exact, but for rounding and motion, up to about
    /// `margin` [m].
    #[must_use]
    pub(in crate::sim::contact) fn clearance(&self, point: Vec3, margin: Real) -> Real {
        // an upper bound of rounding in a distance
        let rounding = 1e-9 * (1.0 + point.abs().max_element());
        if let Some(normal) = self.plane {
            let normal = self.end().rotation * normal;
            return (point - self.end().translation).dot(normal) - self.reach - rounding - self.motion;
        }
        let outside = (self.bounds.mins - point).max(point - self.bounds.maxs).max(Vec3::ZERO).length();
        if outside > 2.0 * margin {
            return outside - rounding;
        }
        self.signed_distance(point) - self.reach - rounding - self.motion
    }

    /// Distance of a point [m] from the surface at the end of the step, negative inside.
    fn signed_distance(&self, point: Vec3) -> Real {
        match &self.form {
            Form::Convex(shape) => {
                let projection = shape.project_point(self.end(), point, false);
                let distance = point.distance(projection.point);
                if projection.is_inside { -distance } else { distance }
            }
            Form::Mesh(mesh) => mesh.nearest(self.end().inverse_transform_point(point)).distance,
        }
    }

    /// The surface nearest to `point` [m] at the end of the step, if it is within reach.
    #[must_use]
    pub fn nearest(&self, point: Vec3) -> Option<SurfacePoint> {
        self.nearest_at(self.end(), point)
    }

    /// The surface nearest to `point` [m] at the start of the step, if it is within reach.
    #[must_use]
    pub(in crate::sim::contact) fn nearest_at_start(&self, point: Vec3) -> Option<SurfacePoint> {
        self.nearest_at(self.start(), point)
    }

    fn nearest_at(&self, pose: &Pose, point: Vec3) -> Option<SurfacePoint> {
        if self.bounds.contains_local_point(point) { self.project(pose, point) } else { None }
    }

    fn project(&self, pose: &Pose, point: Vec3) -> Option<SurfacePoint> {
        let shape = match &self.form {
            Form::Convex(shape) => shape,
            Form::Mesh(mesh) => {
                let SurfacePoint { distance, normal } = mesh.nearest(pose.inverse_transform_point(point));
                return Some(SurfacePoint { distance, normal: pose.rotation * normal });
            }
        };
        let projection = shape.project_point(pose, point, false);
        let outward = if projection.is_inside { projection.point - point } else { point - projection.point };
        let depth = outward.length();
        let normal = outward.try_normalize().or_else(|| self.normal_at(shape.as_ref(), pose, projection.point))?;
        Some(SurfacePoint { distance: if projection.is_inside { -depth } else { depth }, normal })
    }

    /// Normal at a point of the surface: of a ray that comes in towards the middle.
    fn normal_at(&self, shape: &dyn shape::Shape, pose: &Pose, point: Vec3) -> Option<Vec3> {
        if let Some(normal) = self.plane {
            return Some(pose.rotation * normal);
        }
        let out = (point - pose.translation).normalize_or(Vec3::Y);
        let ray = Ray::new(point + out, -out);
        shape.cast_ray_and_get_normal(pose, &ray, 2.0, true).map(|hit| hit.normal)
    }

    /// Where a vertex that moves from `from` to `to` [m] in the step enters the shape: the point
    /// and the outward normal, at the end of the step. None if it starts inside or does not enter.
    #[must_use]
    pub fn entry(&self, from: Vec3, to: Vec3) -> Option<(Vec3, Vec3)> {
        let path = Aabb::new(from.min(to), from.max(to));
        if !self.bounds.intersects(&path) {
            return None;
        }
        let end = self.end();
        if !self.moves() {
            return self.entry_at(end, from, to);
        }
        // the path in the frame of the shape, piece by piece
        let pieces = self.way.len() - 1;
        let local = |k: usize| self.way[k].inverse_transform_point(from.lerp(to, k as Real / pieces as Real));
        (0..pieces).find_map(|k| {
            let (point, normal) = self.entry_at(&Pose::identity(), local(k), local(k + 1))?;
            Some((end.transform_point(point), end.rotation * normal))
        })
    }

    fn entry_at(&self, pose: &Pose, from: Vec3, to: Vec3) -> Option<(Vec3, Vec3)> {
        let shape = match &self.form {
            Form::Convex(shape) => shape,
            Form::Mesh(mesh) => {
                let (from, to) = (pose.inverse_transform_point(from), pose.inverse_transform_point(to));
                let (point, normal) = mesh.entry(from, to)?;
                return Some((pose.transform_point(point), pose.rotation * normal));
            }
        };
        let ray = Ray::new(from, to - from);
        let hit = shape.cast_ray_and_get_normal(pose, &ray, 1.0, true)?;
        (hit.time_of_impact > 0.0).then(|| (ray.point_at(hit.time_of_impact), hit.normal))
    }

    /// Encounter of a point that moves from `from` to `to` [m] in the step, if the solid is within
    /// reach.
    pub(in crate::sim::contact) fn meet(&self, from: Vec3, to: Vec3) -> Option<Meeting> {
        let start = self.carried(from);
        // a slow vertex cannot have crossed anything that is not found around its end, except a
        // sheet
        let fast = self.is_sheet() || self.turns_far() || start.distance(to) > self.surface.thickness;
        if fast && let Some((point, normal)) = self.entry(from, to) {
            return Some(Meeting { distance: (to - point).dot(normal), normal, touched: point, entered: true });
        }
        let SurfacePoint { distance, normal } = self.nearest(to)?;
        Some(Meeting { distance, normal, touched: start, entered: false })
    }

    /// The first point at the `distance` [m] from the surface on the straight path of a vertex that
    /// moves from `from` to `to` [m] in the step, at the end of the step: its start if that lies on
    /// the surface, its end if it stays farther. None if the solid turns so far that the path is
    /// not straight to it.
    #[must_use]
    pub fn first_contact(&self, from: Vec3, to: Vec3, distance: Real) -> Option<Vec3> {
        if self.turns_far() {
            return None;
        }
        let start = self.carried(from);
        let (way, length) = (to - start, start.distance(to));
        let room = |point: Vec3| Some(self.project(self.end(), point)?.distance - distance);
        let mut left = room(start)?;
        if left <= SLACK * distance {
            return Some(start);
        }
        let mut share = 0.0;
        for _ in 0..ADVANCES {
            // no point of the surface is nearer than the nearest one
            share += left / length;
            if share >= 1.0 {
                return Some(to);
            }
            left = room(start + way * share)?;
            if left <= ARRIVED * distance {
                break;
            }
        }
        Some(start + way * share)
    }
}
