//! The component that makes a mesh a cloth, and what goes with it.

use bevy::prelude::*;

use crate::scene::Fabric;
use crate::sim::solvers::{FastMassSpring, id_of};

/// From what a cloth is made.
#[derive(Reflect, Debug, Clone, PartialEq, Default)]
#[reflect(Default)]
pub enum ClothShape {
    /// The [`Mesh3d`] of the entity, a triangle list in metres. Vertices at the same place are one
    /// vertex of the cloth. The entity gets a copy of the mesh, since several may share it; a
    /// change of the mesh itself is taken over: with the same vertices and triangles the cloth
    /// stays as it is, with others it begins anew.
    #[default]
    Mesh3d,
    /// A rectangle that hangs down from the origin of the entity, in its x-y plane, with the middle
    /// of the upper edge at the origin. Vertex `row * columns + column`, from the upper left.
    Grid {
        /// Vertices along the width, at least 2.
        columns: u32,
        /// Vertices along the height, at least 2.
        rows: u32,
        /// Width [m].
        width: f32,
        /// Height [m].
        height: f32,
    },
    /// The cloths of a scene by its name, like `flag`, or of a scene file: their meshes, pins,
    /// parameters and solver. Its floor, its colliders and its wind are left to the game. The
    /// entity must not be scaled.
    Scene(String),
}

/// Makes its entity a cloth.
///
/// A cloth begins at rest where the [`GlobalTransform`] has it, scale included. From then on it
/// lives in the world, in metres: it follows its [`ClothPins`](super::ClothPins), whatever the
/// transform of its own entity does. Positions and normals are written into the mesh of the entity;
/// texture coordinates, colours and materials stay, and tangents as well, which are those at rest.
///
/// A change of fabric, solver or settings takes effect at the next step, in the middle of motion.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Default)]
#[require(Transform, Visibility, ClothInterval, ClothStatus)]
pub struct Cloth {
    /// From what it is made.
    pub shape: ClothShape,
    /// Fabric by its name, like `cotton`, `silk` or `denim`. Of a scene an empty name leaves the
    /// parameters of the scene.
    pub fabric: String,
    /// Solver by its id, like `fast-mass-spring` or `xpbd`. It takes a third of the iterations that
    /// suit the cloth in the sandbox; settings choose another number. Of a scene an empty id leaves
    /// the solver of the scene.
    pub solver: String,
    /// Parameters and settings of the solver as `key=value`, as after `--set` on the command line:
    /// `substeps=2`, `tearing=true`, `self_contact=true`, `iterations=5`.
    pub settings: Vec<String>,
    /// Speed beyond which what the cloth hangs on, or a collider, was not moved but put elsewhere
    /// [m/s]. The cloth goes along, with the velocity that it has.
    pub jump_speed: f32,
    /// A cloth all of whose vertices are slower than this for half a second falls asleep [m/s]; it
    /// wakes when its pins, the colliders near it or the wind change. At 0 it never sleeps.
    pub sleep_speed: f32,
}

impl Default for Cloth {
    fn default() -> Self {
        Self {
            shape: ClothShape::Mesh3d,
            fabric: Fabric::DEFAULT.to_owned(),
            solver: id_of::<FastMassSpring>().to_owned(),
            settings: Vec::new(),
            jump_speed: 50.0,
            sleep_speed: 0.02,
        }
    }
}

impl Cloth {
    /// A hanging rectangle of `columns` × `rows` vertices over `width` × `height` [m].
    #[must_use]
    pub fn grid(columns: u32, rows: u32, width: f32, height: f32) -> Self {
        Self { shape: ClothShape::Grid { columns, rows, width, height }, ..Self::default() }
    }

    /// The cloths of a scene with its parameters and its solver, by its name or its file.
    #[must_use]
    pub fn scene(name: &str) -> Self {
        let shape = ClothShape::Scene(name.to_owned());
        Self { shape, fabric: String::new(), solver: String::new(), ..Self::default() }
    }

    /// The same of another fabric.
    #[must_use]
    pub fn of(self, fabric: &str) -> Self {
        Self { fabric: fabric.to_owned(), ..self }
    }

    /// The same with a further setting, as `key=value`.
    #[must_use]
    pub fn with(mut self, setting: &str) -> Self {
        self.settings.push(setting.to_owned());
        self
    }
}

/// In how many ticks a cloth takes one step, of as many times the length. A system of the game sets
/// it, by distance or by whatever rule; steps are at most 0.1 s long.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default)]
pub struct ClothInterval(pub u32);

impl Default for ClothInterval {
    fn default() -> Self {
        Self(1)
    }
}

/// What a cloth is doing. The plugin writes it; a change by others has no effect.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[reflect(Component, Default)]
pub enum ClothStatus {
    /// Its mesh is not there yet.
    #[default]
    Waiting,
    /// It is stepped.
    Moving,
    /// It is at rest and is not stepped until something changes.
    Asleep,
    /// A step failed: it stays in its last good state until its [`Cloth`] or its mesh changes.
    BlownUp,
    /// Its [`Cloth`] or its mesh cannot be used; [`ClothRefused`](super::ClothRefused) says why.
    Refused,
}
