//! A collider prepared for the queries of a step. Geometry by parry.

mod queries;
mod round;

use std::f64::consts::PI;
use std::sync::{Arc, OnceLock};

use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::{Pose, Rotation};
use parry3d_f64::shape;

use crate::sim::contact::aabb;
use crate::sim::contact::colliders::collider::Collider;
use crate::sim::contact::colliders::mesh_surface::MeshSurface;
use crate::sim::contact::colliders::mesh_tree::MeshTree;
use crate::sim::contact::colliders::shape::Shape;
use crate::sim::contact::colliders::surface::{EdgeRule, SurfaceSettings};
use crate::sim::contact::settings::ContactSettings;
use crate::sim::{Real, Vec3};
pub(in crate::sim::contact) use queries::Meeting;

/// Largest turn in a piece of the motion of a step [rad], within which the paths of points count as
/// straight.
const PIECE: Real = 0.25;
/// Most pieces of the motion of a step. A collider that turns faster is followed more coarsely.
const PIECES: Real = 64.0;

/// Parts of a step in each of which a collider turns by less than half a turn.
const SAMPLES: u32 = 8;

/// Geometry of a shape.
enum Form {
    /// A convex shape of parry.
    Convex(Box<dyn shape::Shape>),
    /// Triangles.
    Mesh(Arc<MeshSurface>),
}

/// A collider in its motion through a step, prepared for queries.
pub struct Solid {
    form: Form,
    /// Poses at the start of the step, in between and at its end, at equal intervals; one for a
    /// collider at rest.
    way: Vec<Pose>,
    /// Intervals of the motion per second, for velocities [1/s].
    rate: Real,
    /// Bounding box of its motion and its reach.
    bounds: Aabb,
    /// Outward normal of a plane in its own frame; the only shape with its centre on its surface.
    plane: Option<Vec3>,
    /// Distance of its farthest point from the centre of rotation [m].
    radius: Real,
    /// Largest displacement of a point of it in the step [m].
    motion: Real,
    reach: Real,
    /// The triangles of its surface, or its axis, with its radius [m].
    collision_mesh: OnceLock<Option<(Arc<MeshTree>, Real)>>,
    pub(in crate::sim::contact) surface: SurfaceSettings,
}

impl Solid {
    /// Prepares a collider at time zero, for queries at distances up to `reach` [m].
    #[must_use]
    pub fn new(collider: &Collider, reach: Real) -> Self {
        let resting = Collider { path: None, turn: None, ..collider.clone() };
        Self::with_surface(&resting, collider.surface(&ContactSettings::default()), reach)
    }

    /// Prepares a collider with its surface, for queries at distances up to `reach` [m];
    /// [`Solid::advance`] sets its motion.
    pub(in crate::sim::contact) fn with_surface(collider: &Collider, surface: SurfaceSettings, reach: Real) -> Self {
        let convex = |shape: &Shape| -> Box<dyn shape::Shape> {
            match *shape {
                Shape::Plane { normal } => Box::new(shape::HalfSpace::new(normal.normalize_or(Vec3::Y))),
                Shape::Sphere { radius } => Box::new(shape::Ball::new(radius)),
                Shape::Box { half_extents } => Box::new(shape::Cuboid::new(half_extents)),
                Shape::Capsule { half_height, radius } => Box::new(shape::Capsule::new_y(half_height, radius)),
                Shape::Cylinder { half_height, radius } => Box::new(shape::Cylinder::new(half_height, radius)),
                // an empty mesh is nothing: a point far below the digits of a position
                Shape::Hull { .. } | Shape::Mesh { .. } => Box::new(shape::Ball::new(Real::MIN_POSITIVE)),
            }
        };
        let prepared = match &collider.shape {
            Shape::Hull { points, .. } => points.surface().as_ref().ok().cloned(),
            Shape::Mesh { mesh, .. } => mesh.surface().as_ref().ok().cloned(),
            _ => None,
        };
        let form = prepared.map_or_else(|| Form::Convex(convex(&collider.shape)), Form::Mesh);
        let plane = match collider.shape {
            Shape::Plane { normal } => Some(normal.normalize_or(Vec3::Y)),
            _ => None,
        };
        let radius = if plane.is_some() {
            Real::INFINITY
        } else {
            let bounds = match &form {
                Form::Convex(shape) => shape.compute_local_aabb(),
                Form::Mesh(mesh) => mesh.bounds(),
            };
            bounds.mins.abs().max(bounds.maxs.abs()).length()
        };
        let way = vec![collider.pose(0.0)];
        let bounds = Aabb::new(Vec3::ZERO, Vec3::ZERO);
        let mut solid = Self {
            form,
            way,
            rate: 0.0,
            bounds,
            plane,
            radius,
            motion: 0.0,
            reach,
            collision_mesh: OnceLock::new(),
            surface,
        };
        solid.surround();
        solid
    }

    /// Sets its motion in a step of `dt` [s] from `time` [s], in which it makes up for its lag, and
    /// a hand may bring it to a position [m] and a rotation (axis times angle [rad]). Returns the
    /// largest displacement of a point of it since the end of the step before [m].
    pub(in crate::sim::contact) fn advance(
        &mut self,
        collider: &Collider,
        hand: Option<(Vec3, Vec3)>,
        time: Real,
        dt: Real,
    ) -> Real {
        let before = *self.end();
        self.way.clear();
        let from = Pose::new(collider.position, collider.rotation);
        let to = hand.map_or(from, |(position, rotation)| Pose::new(position, rotation));
        // on its own clock
        let [lag, left] = [collider.lag, collider.lag_after(time, dt, false)];
        let own = |share: Real| collider.own_time(time + dt * share, lag * (1.0 - share) + left * share);
        if collider.moves() || to != from {
            let sample = |k: u32| collider.pose_from(from, own(Real::from(k) / Real::from(SAMPLES))).rotation;
            let samples = (0..SAMPLES).map(|k| (sample(k), sample(k + 1)));
            // sine of half the angle between two samples
            let turn = |from: Rotation, to: Rotation| PI * (from.inverse() * to).xyz().length();
            let along = if collider.turn.is_some() { samples.map(|(a, b)| turn(a, b)).sum() } else { 0.0 };
            let turn: Real = along + turn(from.rotation, to.rotation);
            let pieces = (turn / PIECE).ceil().clamp(1.0, PIECES);
            self.rate = pieces / dt;
            let places = (0..=pieces as u32).map(|k| {
                let share = Real::from(k) / pieces;
                let base = if to == from { from } else { from.lerp(&to, share) };
                collider.pose_from(base, own(share))
            });
            self.way.extend(places);
        } else {
            self.way.push(collider.pose_from(from, own(0.0)));
        }
        self.motion = self.way.windows(2).map(|pair| self.distance(&pair[0], &pair[1])).sum();
        let jump = self.distance(&before, &self.way[0]);
        if jump > 0.0 || self.motion > 0.0 || self.moves() {
            self.surround();
        }
        jump + self.motion
    }

    /// Largest displacement of a point of it between two poses [m].
    fn distance(&self, from: &Pose, to: &Pose) -> Real {
        let shift = from.translation.distance(to.translation);
        // sine of half the angle
        let turn = (from.rotation.inverse() * to.rotation).xyz().length();
        if turn > 0.0 { shift + PI * turn * self.radius } else { shift }
    }

    /// Updates the bounding box of its motion.
    fn surround(&mut self) {
        let at = |pose: &Pose| match &self.form {
            Form::Convex(shape) => shape.compute_aabb(pose),
            Form::Mesh(mesh) => mesh.bounds_at(pose),
        };
        let mut bounds = self.way[1..].iter().fold(at(&self.way[0]), |bounds, pose| bounds.merged(&at(pose)));
        if self.way.len() > 1 && self.plane.is_none() {
            // between two poses a point deviates from the straight line by less than a quarter of
            // its length
            let most =
                |pair: &[Pose]| self.distance(&pair[0], &pair[1]) - pair[0].translation.distance(pair[1].translation);
            bounds = bounds.loosened(0.25 * self.way.windows(2).map(most).fold(0.0, Real::max).max(0.0));
        }
        self.bounds = bounds.loosened(self.reach);
    }

    /// The triangles of a mesh, a hull or a box, or the axis of a round shape that can come between
    /// the vertices of a cloth with edges up to `length` [m], with its radius [m]; none for other
    /// shapes.
    pub(in crate::sim::contact) fn collision_mesh(&self, length: Real) -> Option<&(Arc<MeshTree>, Real)> {
        if let Form::Convex(shape) = &self.form
            && !round::comes_between(shape.as_ref(), length, &self.surface)
        {
            return None;
        }
        let tree = || match &self.form {
            Form::Mesh(mesh) => Some((Arc::clone(mesh.tree()), 0.0)),
            Form::Convex(shape) => match shape.as_cuboid() {
                Some(cuboid) => Some((Arc::new(of_box(cuboid.half_extents)), 0.0)),
                None => {
                    round::collision_mesh(shape.as_ref(), &self.surface).map(|(tree, radius)| (Arc::new(tree), radius))
                }
            },
        };
        self.collision_mesh.get_or_init(tree).as_ref()
    }

    /// The same for a shape.
    pub(in crate::sim::contact) fn tree_of(shape: &Shape) -> Option<Arc<MeshTree>> {
        let prepared = match shape {
            Shape::Box { half_extents } => return Some(Arc::new(of_box(*half_extents))),
            Shape::Hull { points, .. } => points.surface(),
            Shape::Mesh { mesh, .. } => mesh.surface(),
            _ => return None,
        };
        prepared.as_ref().ok().map(|surface| Arc::clone(surface.tree()))
    }

    /// Bounding box of its motion [m].
    pub(in crate::sim::contact) fn extent(&self) -> aabb::Aabb {
        // without its reach, but for rounding
        let reach = self.reach * (1.0 - 1e-9);
        aabb::Aabb { low: self.bounds.mins + reach, high: self.bounds.maxs - reach }
    }

    /// Lower and upper corner of the bounding box of its motion [m].
    #[must_use]
    pub fn corners(&self) -> (Vec3, Vec3) {
        let extent = self.extent();
        (extent.low, extent.high)
    }

    /// Whether it moves in the step.
    #[inline(always)]
    pub(in crate::sim::contact) fn moves(&self) -> bool {
        self.way.len() > 1
    }

    fn start(&self) -> &Pose {
        &self.way[0]
    }

    pub(in crate::sim::contact) fn end(&self) -> &Pose {
        &self.way[self.way.len() - 1]
    }

    /// Whether the cloth keeps off it between its vertices as well. For a plane the vertices are
    /// enough.
    pub(in crate::sim::contact) fn has_edges(&self) -> bool {
        self.surface.edges != EdgeRule::Off && self.plane.is_none()
    }

    /// Image at the end of the step of a point [m] of it that is at `x` at the start.
    #[inline(always)]
    pub(in crate::sim::contact) fn carried(&self, x: Vec3) -> Vec3 {
        if self.moves() { self.end().transform_point(self.start().inverse_transform_point(x)) } else { x }
    }

    /// Image at the end of the step of the direction `normal` at its start.
    pub(in crate::sim::contact) fn turned(&self, normal: Vec3) -> Vec3 {
        if self.moves() { self.end().rotation * (self.start().rotation.inverse() * normal) } else { normal }
    }

    /// Velocity [m/s] at the end of the step of a point of it that is at `x` [m] then.
    pub(in crate::sim::contact) fn velocity(&self, x: Vec3) -> Vec3 {
        if !self.moves() {
            return Vec3::ZERO;
        }
        let before = self.way[self.way.len() - 2];
        (x - before.transform_point(self.end().inverse_transform_point(x))) * self.rate
    }

    /// Poses at the start and at the end of the step.
    pub(in crate::sim::contact) fn places(&self) -> [Pose; 2] {
        [*self.start(), *self.end()]
    }

    /// Whether it is a sheet with two sides and no inside, so that even a slow vertex may cross it.
    pub(in crate::sim::contact) fn is_sheet(&self) -> bool {
        matches!(&self.form, Form::Mesh(mesh) if !mesh.is_solid())
    }

    /// Whether it turns so far in the step that the straight path of a vertex says little.
    fn turns_far(&self) -> bool {
        self.way.len() > 2
    }
}

/// The surface of a box with these half edges [m].
fn of_box(half: Vec3) -> MeshTree {
    let (points, triangles) = shape::Cuboid::new(half).to_trimesh();
    MeshTree::new(&points, &triangles)
}
