//! A scene: everything that a simulation starts from.

use serde::{Deserialize, Serialize};

use super::PinChoice;
use super::settings::SolverSettings;
use crate::sim::contact::{Collider, Contact, Table};
use crate::sim::forces::Air;
use crate::sim::material::Mass;
use crate::sim::params::{count, logarithmic};
use crate::sim::world::Gravity;
use crate::sim::{Material, Path, Real, Tearing, Timing, Vec3};

crate::choices! {
    /// How a grid is laid out at the start.
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
        /// Vertices along the width. More show finer folds; the work grows with their number, for implicit solvers faster.
        pub columns: u32 = 30, "Columns", "", count(2, 400);
        /// Vertices along the height.
        pub rows: u32 = 30, "Rows", "", count(2, 400);
        /// Width of the cloth.
        pub width: Real = 1.0, "Width", "m", logarithmic(0.05, 20.0);
        /// Height of the cloth.
        pub height: Real = 1.0, "Height", "m", logarithmic(0.05, 20.0);
        /// How it is laid out at the start.
        pub plane: GridPlane = GridPlane::Flat, "Start", "", GridPlane::KIND;
    }
}

crate::parameters! {
    /// How a mesh file is read.
    pub struct MeshImport {
        /// Factor from the unit of the mesh file to metres; 0.01 for a mesh in centimetres.
        pub mesh_scale: Real = 1.0, "Mesh scale", "", logarithmic(1e-4, 1e4);
        /// Vertices closer than this share of the mesh's diagonal become one.
        pub weld: Real = 1e-6, "Weld", "", logarithmic(1e-9, 0.01);
    }
}

crate::parameters! {
    /// What is held at the start.
    pub struct Pinning {
        /// Which vertices are held at the start.
        pub pins: PinChoice = PinChoice::Two, "Pins", "", PinChoice::KIND;
    }
}

/// A triangle mesh from an OBJ file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// Its path: as given on the command line; in a scene file relative to that file, or one of the meshes that come
    /// with the program, like `assets/meshes/poncho.obj`.
    pub file: String,
}

/// Vertices that are moved along a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handle {
    /// Which vertices.
    pub pins: PinChoice,
    /// How they move.
    pub path: Path,
}

/// Everything that a simulation starts from. Field by field in `assets/scenes/README.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scene {
    /// Name in menus and on the command line: the file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// Title.
    pub title: String,
    /// What there is to see.
    pub summary: String,
    /// The paper and figure that it follows.
    pub source: String,
    /// The rectangular cloth, unless there is a mesh.
    pub grid: Grid,
    /// The mesh that is the cloth.
    pub mesh: Option<MeshFile>,
    /// How the mesh is read.
    pub import: MeshImport,
    /// Middle of the cloth's bounding box at the start [m]; a mesh without it stays where its file has it.
    pub position: Option<Vec3>,
    /// What is held.
    pub pins: PinChoice,
    /// Further held vertices, by number.
    pub pinned: Vec<u32>,
    /// What is moved along a path.
    pub handles: Vec<Handle>,
    /// How heavy the cloth is.
    pub mass: Mass,
    /// Stiffness and damping.
    pub material: Material,
    /// When the cloth gives way.
    pub tearing: Tearing,
    /// Downward acceleration [m/s²].
    pub gravity: Real,
    /// Air and wind.
    pub air: Air,
    /// Contact.
    pub contact: Contact,
    /// The table.
    pub table: Table,
    /// Further colliders.
    pub colliders: Vec<Collider>,
    /// Step and substeps.
    pub timing: Timing,
    /// The solver's id.
    pub solver: String,
    /// The solver's own settings.
    pub settings: SolverSettings,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            name: String::new(),
            title: String::new(),
            summary: String::new(),
            source: String::new(),
            grid: Grid::default(),
            mesh: None,
            import: MeshImport::default(),
            position: None,
            pins: Pinning::default().pins,
            pinned: Vec::new(),
            handles: Vec::new(),
            mass: Mass::default(),
            material: Material::default(),
            tearing: Tearing::default(),
            gravity: Gravity::default().gravity,
            air: Air::default(),
            contact: Contact::default(),
            table: Table::default(),
            colliders: Vec::new(),
            timing: Timing::default(),
            solver: "fast-mass-spring".to_owned(),
            settings: SolverSettings::new(),
        }
    }
}

impl Scene {
    /// Name of the scene that opens when none is named.
    pub const DEFAULT: &'static str = "hanging";
}
