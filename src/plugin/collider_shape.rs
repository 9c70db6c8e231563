//! Shapes of colliders as Bevy has them, in the scale of their entity.

use bevy::math::DMat3;
use bevy::prelude::*;

use super::rest_mesh::triangles_of;
use crate::sim::contact::{Points, TriangleMesh};
use crate::sim::{Shape, Vec3 as SimVec3};

/// Largest difference of two scales, or share of shear, that is taken for none.
const ALIKE: f64 = 1e-4;
/// Parts of a circle, and of half of one, where a round shape becomes a hull.
const AROUND: usize = 24;
const DOWN: usize = 12;

/// The shape of a [`ClothCollider`](super::ClothCollider), in the frame of its entity.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Default)]
pub enum ColliderShape {
    /// A ball.
    Sphere {
        /// Its radius [m].
        radius: f32,
    },
    /// A cylinder along y with half balls at its ends.
    Capsule {
        /// Its radius [m].
        radius: f32,
        /// Half of the distance between the centres of the half balls [m].
        half_length: f32,
    },
    /// A box.
    Cuboid {
        /// Half of each edge [m].
        half_size: Vec3,
    },
    /// A cylinder along y with flat ends.
    Cylinder {
        /// Its radius [m].
        radius: f32,
        /// Half of its height [m].
        half_height: f32,
    },
    /// Everything below the x-z plane.
    HalfSpace,
    /// The convex hull of the [`Mesh3d`] of the entity.
    Hull,
    /// The triangles of the [`Mesh3d`] of the entity. A mesh that encloses a volume is solid, any
    /// other is a sheet with two sides.
    Mesh,
}

impl Default for ColliderShape {
    fn default() -> Self {
        Self::Sphere { radius: 0.5 }
    }
}

impl From<Sphere> for ColliderShape {
    fn from(Sphere { radius }: Sphere) -> Self {
        Self::Sphere { radius }
    }
}

impl From<Capsule3d> for ColliderShape {
    fn from(Capsule3d { radius, half_length }: Capsule3d) -> Self {
        Self::Capsule { radius, half_length }
    }
}

impl From<Cuboid> for ColliderShape {
    fn from(Cuboid { half_size }: Cuboid) -> Self {
        Self::Cuboid { half_size }
    }
}

impl From<Cylinder> for ColliderShape {
    fn from(Cylinder { radius, half_height }: Cylinder) -> Self {
        Self::Cylinder { radius, half_height }
    }
}

impl ColliderShape {
    /// Whether it is made from the mesh of its entity.
    pub(super) fn needs_mesh(&self) -> bool {
        matches!(self, Self::Hull | Self::Mesh)
    }

    /// The shape stretched by `linear`, which is the identity but for scale and shear. A round shape
    /// that is no such shape any more becomes the hull of points on it.
    ///
    /// # Errors
    /// A sentence if there is no such shape.
    pub(super) fn stretched(&self, linear: DMat3, mesh: Option<&Mesh>) -> Result<Shape, String> {
        let scale = SimVec3::new(linear.x_axis.x, linear.y_axis.y, linear.z_axis.z).abs();
        let largest = scale.max_element();
        if !(linear.is_finite() && linear.determinant().abs() > 1e-9 * largest.powi(3)) {
            return Err("a collider is scaled to nothing, or by what is no number".to_owned());
        }
        let diagonal = SimVec3::new(linear.x_axis.x, linear.y_axis.y, linear.z_axis.z);
        let off_diagonal = linear - DMat3::from_diagonal(diagonal);
        let is_sheared = off_diagonal.to_cols_array().iter().any(|x| x.abs() > ALIKE * largest);
        let is_round = (scale.x - scale.z).abs() <= ALIKE * largest && !is_sheared;
        let is_uniform = is_round && (scale.x - scale.y).abs() <= ALIKE * largest;
        let shape = match *self {
            Self::Sphere { radius } if is_uniform => Shape::Sphere { radius: scale.x * f64::from(radius) },
            Self::Capsule { radius, half_length } if is_uniform => {
                Shape::Capsule { radius: scale.x * f64::from(radius), half_height: scale.x * f64::from(half_length) }
            }
            Self::Cylinder { radius, half_height } if is_round => {
                Shape::Cylinder { radius: scale.x * f64::from(radius), half_height: scale.y * f64::from(half_height) }
            }
            Self::Cuboid { half_size } if !is_sheared => Shape::Box { half_extents: scale * half_size.as_dvec3() },
            Self::HalfSpace => Shape::Plane { normal: (linear.inverse().transpose() * SimVec3::Y).normalize_or_zero() },
            Self::Sphere { radius } => hull(round_points(radius, 0.0), linear),
            Self::Capsule { radius, half_length } => hull(round_points(radius, half_length), linear),
            Self::Cylinder { radius, half_height } => hull(cylinder_points(radius, half_height), linear),
            Self::Cuboid { half_size } => hull(corners(half_size), linear),
            Self::Hull => hull(triangles_of(of_entity(mesh)?)?.0.iter().copied().map(Vec3::from), linear),
            Self::Mesh => mesh_shape(of_entity(mesh)?, linear)?,
        };
        shape.fault().map_or(Ok(shape), |fault| Err(fault.to_owned()))
    }
}

fn of_entity(mesh: Option<&Mesh>) -> Result<&Mesh, String> {
    mesh.ok_or_else(|| "a collider of a mesh needs a Mesh3d on the same entity".to_owned())
}

fn hull(points: impl IntoIterator<Item = Vec3>, linear: DMat3) -> Shape {
    let points = points.into_iter().map(|x| linear * x.as_dvec3()).collect();
    Shape::Hull { file: String::new(), scale: 1.0, points: Points::new(points) }
}

/// The triangles of a mesh, vertices at the same place joined, so that a closed mesh is solid.
fn mesh_shape(mesh: &Mesh, linear: DMat3) -> Result<Shape, String> {
    let rest = super::rest_mesh::RestMesh::of_mesh(mesh)?;
    let points = rest.positions.iter().map(|x| linear * *x).collect();
    let mut triangles = rest.triangles;
    if linear.determinant() < 0.0 {
        triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    Ok(Shape::Mesh { file: String::new(), scale: 1.0, mesh: TriangleMesh::new(points, triangles) })
}

fn circle(radius: f32, y: f32) -> impl Iterator<Item = Vec3> {
    (0..AROUND).map(move |part| {
        let (sin, cos) = (std::f32::consts::TAU * part as f32 / AROUND as f32).sin_cos();
        Vec3::new(radius * cos, y, radius * sin)
    })
}

/// Points on a ball whose halves are `half_length` above and below the origin.
fn round_points(radius: f32, half_length: f32) -> Vec<Vec3> {
    let ring = |part: usize| {
        let (sin, cos) = (std::f32::consts::PI * part as f32 / DOWN as f32).sin_cos();
        let shift = if part <= DOWN / 2 { half_length } else { -half_length };
        circle(radius * sin, radius * cos + shift)
    };
    let ends = [1.0, -1.0].map(|side| Vec3::Y * side * (radius + half_length));
    let lower_rim = circle(radius, -half_length);
    (1..DOWN).flat_map(ring).chain(ends).chain(lower_rim).collect()
}

fn cylinder_points(radius: f32, half_height: f32) -> Vec<Vec3> {
    circle(radius, half_height).chain(circle(radius, -half_height)).collect()
}

fn corners(half_size: Vec3) -> impl Iterator<Item = Vec3> {
    let side = |bit: bool| if bit { 1.0 } else { -1.0 };
    (0..8).map(move |k| half_size * Vec3::new(side(k & 1 > 0), side(k & 2 > 0), side(k & 4 > 0)))
}
