//! The shapes of colliders.

use serde::{Deserialize, Serialize};

use super::triangle_mesh::{Points, TriangleMesh};
use crate::sim::{Real, Vec3};

/// A solid shape, centred at its collider's position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// Everything behind a plane through the position.
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
    /// The convex hull of points, read from a mesh file or given.
    Hull {
        /// Path of an OBJ file, looked for as that of a cloth is; empty if the points are given.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        file: String,
        /// Factor from the unit of the file to metres.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        scale: Real,
        /// The points [m]; those of the file once it has been read.
        #[serde(default, skip_serializing_if = "Points::is_empty")]
        points: Points,
    },
    /// A triangle mesh, read from a file or given. One that encloses a volume is solid and pushes
    /// outward; any other is a sheet with two sides.
    Mesh {
        /// Path of an OBJ file, looked for as that of a cloth is; empty if the mesh is given.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        file: String,
        /// Factor from the unit of the file to metres.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        scale: Real,
        /// The mesh [m]; that of the file once it has been read.
        #[serde(default, skip_serializing_if = "TriangleMesh::is_empty")]
        mesh: TriangleMesh,
    },
}

fn one() -> Real {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes references
fn is_one(scale: &Real) -> bool {
    *scale == 1.0
}

/// File of a shape.
#[derive(Debug)]
pub struct ShapeFile<'a> {
    /// The path of the file.
    pub path: &'a mut String,
    /// Factor from its unit to metres.
    pub scale: Real,
    /// Whether the file has been read, so that its path does not matter any more.
    pub is_read: bool,
}

impl Shape {
    /// A mesh of `triangles`, three places in `points` [m] each.
    #[must_use]
    pub fn of_triangles(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self::Mesh { file: String::new(), scale: 1.0, mesh: TriangleMesh::new(points, triangles) }
    }

    /// The file of the shape, if it has one.
    pub fn file(&mut self) -> Option<ShapeFile<'_>> {
        let (path, scale, is_read) = match self {
            Self::Hull { file, scale, points } => (file, *scale, !points.is_empty()),
            Self::Mesh { file, scale, mesh } => (file, *scale, !mesh.is_empty()),
            _ => return None,
        };
        (!path.is_empty()).then_some(ShapeFile { path, scale, is_read })
    }

    /// Fills a hull or a mesh with the content of its file: points, in the unit of the file, and
    /// triangles.
    pub fn fill(&mut self, mut positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) {
        match self {
            Self::Hull { scale, points, .. } => {
                positions.iter_mut().for_each(|x| *x *= *scale);
                *points = Points::new(positions);
            }
            Self::Mesh { scale, mesh, .. } => {
                positions.iter_mut().for_each(|x| *x *= *scale);
                *mesh = TriangleMesh::new(positions, triangles);
            }
            _ => {}
        }
    }

    /// The surface of a hull or a mesh as triangles, counterclockwise seen from outside if it is
    /// closed. None for other shapes, and before the file has been read.
    #[must_use]
    pub fn triangles(&self) -> Option<(&[Vec3], &[[u32; 3]])> {
        let surface = match self {
            Self::Hull { points, .. } => points.surface(),
            Self::Mesh { mesh, .. } => mesh.surface(),
            _ => return None,
        };
        surface.as_ref().ok().map(|surface| surface.triangles())
    }

    /// Description of an invalid number, if there is one.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let positive = |x: Real| x > 0.0 && x.is_finite();
        match self {
            Self::Plane { normal } => {
                (!(normal.is_finite() && normal.length() > 0.0)).then_some("a plane needs a normal other than zero")
            }
            Self::Sphere { radius } => (!positive(*radius)).then_some("a sphere needs a positive radius"),
            Self::Box { half_extents } => {
                (!half_extents.to_array().into_iter().all(positive)).then_some("a box needs positive half extents")
            }
            Self::Capsule { half_height, radius } => {
                (!(positive(*radius) && *half_height >= 0.0 && half_height.is_finite()))
                    .then_some("a capsule needs a positive radius and a half height of at least 0")
            }
            Self::Cylinder { half_height, radius } => (!(positive(*radius) && positive(*half_height)))
                .then_some("a cylinder needs a positive radius and half height"),
            Self::Hull { scale, .. } | Self::Mesh { scale, .. } if !positive(*scale) => {
                Some("the scale of a mesh file needs to be positive")
            }
            Self::Hull { file, points, .. } => match points.surface() {
                _ if points.is_empty() => file.is_empty().then_some("a hull needs a file or points"),
                surface => surface.as_ref().err().copied(),
            },
            Self::Mesh { file, mesh, .. } => match mesh.surface() {
                _ if mesh.is_empty() => file.is_empty().then_some("a mesh needs a file, or points and triangles"),
                surface => surface.as_ref().err().copied(),
            },
        }
    }
}
