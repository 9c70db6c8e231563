//! Colliders: solid shapes that the cloth cannot enter. Geometry by parry.

use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::Pose;
use parry3d_f64::query::Ray;
use parry3d_f64::shape;
use serde::{Deserialize, Serialize};

use crate::sim::{Real, Vec3};

/// A solid shape, centred at its collider's position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// Everything on the far side of a plane through the position.
    Plane {
        /// Outward normal; need not have unit length.
        normal: Vec3,
    },
    /// A ball.
    Sphere {
        /// Its radius [m].
        radius: Real,
    },
    /// A box with its edges along the axes, before rotation.
    Box {
        /// Half of each edge [m].
        half_extents: Vec3,
    },
    /// A cylinder along y with half balls at its ends, before rotation.
    Capsule {
        /// Half of the distance between the centres of the end balls [m].
        half_height: Real,
        /// Its radius [m].
        radius: Real,
    },
    /// A cylinder along y with flat ends, before rotation.
    Cylinder {
        /// Half of its height [m].
        half_height: Real,
        /// Its radius [m].
        radius: Real,
    },
}

/// A shape in its place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// The shape.
    pub shape: Shape,
    /// Its centre; for a plane any point on it [m].
    #[serde(default)]
    pub position: Vec3,
    /// Its rotation, as axis times angle [rad].
    #[serde(default)]
    pub rotation: Vec3,
}

/// Where a collider's surface is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Distance of the point from the surface [m], negative inside.
    pub distance: Real,
    /// Outward unit normal there.
    pub normal: Vec3,
}

impl Collider {
    /// A shape at a position, not rotated.
    #[must_use]
    pub fn new(shape: Shape, position: Vec3) -> Self {
        Self { shape, position, rotation: Vec3::ZERO }
    }

    /// What is wrong with the numbers, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        if !(self.position.is_finite() && self.rotation.is_finite()) {
            return Some("a collider needs a finite position and rotation");
        }
        let positive = |x: Real| x > 0.0 && x.is_finite();
        match self.shape {
            Shape::Plane { normal } => {
                (!(normal.is_finite() && normal.length() > 0.0)).then_some("a plane needs a normal other than zero")
            }
            Shape::Sphere { radius } => (!positive(radius)).then_some("a sphere needs a positive radius"),
            Shape::Box { half_extents } => {
                (!half_extents.to_array().into_iter().all(positive)).then_some("a box needs positive half extents")
            }
            Shape::Capsule { half_height, radius } => {
                (!(positive(radius) && half_height >= 0.0 && half_height.is_finite()))
                    .then_some("a capsule needs a positive radius and a half height of at least 0")
            }
            Shape::Cylinder { half_height, radius } => (!(positive(radius) && positive(half_height)))
                .then_some("a cylinder needs a positive radius and half height"),
        }
    }

    fn pose(&self) -> Pose {
        Pose::new(self.position, self.rotation)
    }
}

/// A collider prepared for queries.
pub struct Solid {
    shape: Box<dyn shape::Shape>,
    pose: Pose,
    bounds: Aabb,
    /// Outward normal of a plane, the one shape whose middle lies on its surface.
    plane: Option<Vec3>,
    reach: Real,
}

impl Solid {
    /// Prepares a collider for queries at distances up to `reach` [m].
    #[must_use]
    pub fn new(collider: &Collider, reach: Real) -> Self {
        let shape: Box<dyn shape::Shape> = match collider.shape {
            Shape::Plane { normal } => Box::new(shape::HalfSpace::new(normal.normalize_or(Vec3::Y))),
            Shape::Sphere { radius } => Box::new(shape::Ball::new(radius)),
            Shape::Box { half_extents } => Box::new(shape::Cuboid::new(half_extents)),
            Shape::Capsule { half_height, radius } => Box::new(shape::Capsule::new_y(half_height, radius)),
            Shape::Cylinder { half_height, radius } => Box::new(shape::Cylinder::new(half_height, radius)),
        };
        let pose = collider.pose();
        let bounds = shape.compute_aabb(&pose).loosened(reach);
        let plane = match collider.shape {
            Shape::Plane { normal } => Some(pose.rotation * normal.normalize_or(Vec3::Y)),
            _ => None,
        };
        Self { shape, pose, bounds, plane, reach }
    }

    /// Whether anything in a box could be within reach.
    #[must_use]
    pub(super) fn is_near(&self, bounds: &Aabb) -> bool {
        match self.plane {
            Some(normal) => {
                let half = bounds.half_extents();
                let deepest = (bounds.center() - self.pose.translation).dot(normal) - half.dot(normal.abs());
                deepest < self.reach
            }
            None => self.bounds.intersects(bounds),
        }
    }

    /// How far a point [m] is at least from all that is within reach of the shape; negative inside. Exact, but for rounding, up
    /// to about `margin` [m].
    #[must_use]
    pub(super) fn clearance(&self, point: Vec3, margin: Real) -> Real {
        // more than rounding can take away from a distance
        let rounding = 1e-9 * (1.0 + point.abs().max_element());
        if let Some(normal) = self.plane {
            return (point - self.pose.translation).dot(normal) - self.reach - rounding;
        }
        let outside = (self.bounds.mins - point).max(point - self.bounds.maxs).max(Vec3::ZERO).length();
        if outside > 2.0 * margin {
            return outside - rounding;
        }
        let projection = self.shape.project_point(&self.pose, point, false);
        let distance = point.distance(projection.point);
        (if projection.is_inside { -distance } else { distance }) - self.reach - rounding
    }

    /// The surface nearest to `point` [m], if it is within reach.
    #[must_use]
    pub fn nearest(&self, point: Vec3) -> Option<Surface> {
        if !self.bounds.contains_local_point(point) {
            return None;
        }
        let projection = self.shape.project_point(&self.pose, point, false);
        let outward = if projection.is_inside { projection.point - point } else { point - projection.point };
        let depth = outward.length();
        let normal = outward.try_normalize().or_else(|| self.normal_at(projection.point))?;
        Some(Surface { distance: if projection.is_inside { -depth } else { depth }, normal })
    }

    /// The normal at a point of the surface: of a ray that comes in towards the middle.
    fn normal_at(&self, point: Vec3) -> Option<Vec3> {
        if self.plane.is_some() {
            return self.plane;
        }
        let out = (point - self.pose.translation).normalize_or(Vec3::Y);
        let ray = Ray::new(point + out, -out);
        self.shape.cast_ray_and_get_normal(&self.pose, &ray, 2.0, true).map(|hit| hit.normal)
    }

    /// Where a vertex that moves from `from` to `to` [m] enters the shape: the point and the outward normal there. None
    /// when it starts inside or does not enter.
    #[must_use]
    pub fn entry(&self, from: Vec3, to: Vec3) -> Option<(Vec3, Vec3)> {
        let path = Aabb::new(from.min(to), from.max(to));
        if !self.bounds.intersects(&path) {
            return None;
        }
        let ray = Ray::new(from, to - from);
        let hit = self.shape.cast_ray_and_get_normal(&self.pose, &ray, 1.0, true)?;
        (hit.time_of_impact > 0.0).then(|| (ray.point_at(hit.time_of_impact), hit.normal))
    }
}
