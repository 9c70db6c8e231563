//! Shape of a piece of cloth, a grid or a mesh, and its pins and its fold at the start.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::PinChoice;
use crate::sim::params::{count, linear, logarithmic};
use crate::sim::pattern::Diagonals;
use crate::sim::{Real, Vec3};

crate::choices! {
    /// Position of a grid at the start.
    pub enum GridPlane {
        /// Lying flat.
        Flat = "flat",
        /// Upright, facing the camera.
        Front = "front",
        /// Upright, seen edge-on.
        Side = "side",
    }
}

crate::parameters! {
    /// A rectangular cloth.
    pub struct Grid {
        /// Vertices along the width. More show finer folds; the work grows with their number, for
        /// implicit solvers faster than in proportion.
        pub columns: u32 = 30, "Columns", "", count(2, 8192);
        /// Vertices along the height.
        pub rows: u32 = 30, "Rows", "", count(2, 8192);
        /// Width of the cloth.
        pub width: Real = 1.0, "Width", "m", logarithmic(0.05, 20.0);
        /// Height of the cloth.
        pub height: Real = 1.0, "Height", "m", logarithmic(0.05, 20.0);
        /// Position at the start.
        pub plane: GridPlane = GridPlane::Flat, "Start", "", GridPlane::KIND;
        /// Diagonals of the cells, with the shear springs along them.
        pub diagonals: Diagonals = Diagonals::Crossed, "Diagonals", "", Diagonals::KIND;
    }
}

crate::parameters! {
    /// Reading of a mesh file.
    pub struct MeshImport {
        /// Factor from the unit of the mesh file to metres; 0.01 for a mesh in centimetres.
        pub mesh_scale: Real = 1.0, "Mesh scale", "", logarithmic(1e-4, 1e4);
        /// Vertices closer than this share of the mesh's diagonal become one. With 0 all stay apart,
        /// so that slits stay open.
        pub weld: Real = 1e-6, "Weld", "", logarithmic(0.0, 0.01);
        /// Angle by which the warp is turned counter-clockwise, seen from the front, for a membrane of
        /// triangles. At 0 it runs upward: along the second texture coordinate, if there are texture
        /// coordinates. A panel at 45° is cut on the bias.
        pub grain: Real = 0.0, "Grain", "rad", linear(-PI, PI);
    }
}

crate::parameters! {
    /// Pins at the start.
    pub struct Pinning {
        /// Vertices pinned at the start.
        pub pins: PinChoice = PinChoice::Two, "Pins", "", PinChoice::KIND;
    }
}

/// A triangle mesh from an OBJ file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// Its path: as given on the command line; in a scene file relative to that file, or one of the
    /// meshes that come with the program, like `assets/meshes/poncho.obj`.
    pub file: String,
}

/// A fold along the line in which a plane meets a flat cloth: what lies beyond the plane is
/// mirrored at it. All distances stay but those across the line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// Normal of the plane, in the axes of the piece before it is turned; not zero.
    pub normal: Vec3,
    /// Distance of the plane from the middle of the piece, along the normal [m].
    #[serde(default)]
    pub at: Real,
}
