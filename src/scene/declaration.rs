//! A scene: everything that a simulation starts from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::settings::SolverSettings;
use super::{Body, Example, Fabric, Grid, Handle, MeshFile, MeshImport, Piece, PinChoice, Pinning, fields};
use crate::sim::contact::Collider;
use crate::sim::pattern::Makeup;
use crate::sim::{Parameters, Real, Vec3};

/// From where the scene is looked at when it opens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Where the camera is [m].
    pub from: Vec3,
    /// Point that it looks at [m].
    pub at: Vec3,
}

/// Where a scene stands in the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// Something to play with.
    #[default]
    Play,
    /// Something to learn from.
    Lessons,
    /// Bodies of tetrahedra, and scenes with examples.
    Bodies,
    /// A figure of a paper.
    Papers,
}

impl View {
    /// A fault of it, if any.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let apart = self.from.distance(self.at);
        (!(apart.is_finite() && apart > 0.0)).then_some("a camera needs two different places with finite numbers")
    }
}

/// Declares [`Scene`], and the form that it has in files, in which the common parameters stand
/// beside the rest.
macro_rules! declare {
    (
        { $( $(#[$doc:meta])* $own:ident : $own_type:ty = $default:expr, )+ }
        $( #[doc = $group_doc:literal] $(#[$group_meta:meta])* $group:ident : $type:ty = $title:literal, )+
    ) => {
        /// Everything that a simulation starts from. Field by field in `assets/scenes/README.md`.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(from = "SceneFile", into = "SceneFile")]
        pub struct Scene {
            /// Name in menus and on the command line: the file's name without its ending.
            pub name: String,
            $( $(#[$doc])* pub $own: $own_type, )+
            /// The parameters common to all simulations.
            pub parameters: Parameters,
        }

        impl Default for Scene {
            fn default() -> Self {
                Self { name: String::new(), $( $own: $default, )+ parameters: Parameters::default() }
            }
        }

        #[derive(Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields, rename = "Scene")]
        struct SceneFile {
            $( $own: $own_type, )+
            $( $(#[$group_meta])* $group: $type, )+
        }

        impl Default for SceneFile {
            fn default() -> Self {
                Scene::default().into()
            }
        }

        impl From<SceneFile> for Scene {
            fn from(file: SceneFile) -> Self {
                let parameters = Parameters { $( $group: file.$group, )+ };
                Self { name: String::new(), $( $own: file.$own, )+ parameters }
            }
        }

        impl Scene {
            /// The fields of the file that differ from their defaults, in order, as RON.
            pub(super) fn changed_fields(&self) -> Vec<(&'static str, String)> {
                let default = Self::default();
                let mut changed = Vec::new();
                $(
                    if self.$own != default.$own {
                        changed.push((stringify!($own), fields::value(&self.$own)));
                    }
                )+
                $(
                    let group = (&self.parameters.$group, &default.parameters.$group);
                    changed.extend(fields::group(stringify!($group), group.0, group.1));
                )+
                changed
            }
        }

        impl From<Scene> for SceneFile {
            fn from(scene: Scene) -> Self {
                Self { $( $own: scene.$own, )+ $( $group: scene.parameters.$group, )+ }
            }
        }
    };
}
crate::with_parameter_groups!(declare {
    /// Title.
    title: String = String::new(),
    /// What there is to see.
    summary: String = String::new(),
    /// The paper and figure that it follows.
    source: String = String::new(),
    /// Where it stands in the gallery.
    shelf: Shelf = Shelf::Play,
    /// Simulated time that its picture in the gallery shows [s].
    pictured: Real = 2.5,
    /// From where it is looked at; so that all of it is seen if that is not said.
    camera: Option<View> = None,
    /// The rectangular cloth, unless there is a mesh.
    grid: Grid = Grid::default(),
    /// The mesh that is the cloth.
    mesh: Option<MeshFile> = None,
    /// The body of tetrahedra that there is instead of the cloth.
    body: Option<Body> = None,
    /// How the mesh is read.
    import: MeshImport = MeshImport::default(),
    /// Middle of the cloth's bounding box at the start [m]; a mesh without it stays where its file
    /// has it.
    position: Option<Vec3> = None,
    /// How the cloth is turned at the start about its middle, as axis times angle [rad].
    rotation: Vec3 = Vec3::ZERO,
    /// Factors along its axes by which it is stretched about its middle at the start; at rest it is
    /// not. Negative ones turn it inside out.
    stretched: Option<Vec3> = None,
    /// Shapes that it prefers, for solvers that know examples.
    examples: Vec<Example> = Vec::new(),
    /// The fabric that it looks like; what it is made of stands in the other fields.
    fabric: String = Fabric::DEFAULT.to_owned(),
    /// A PNG picture that is printed on it, as a path from the scene file; none if there is none.
    image: Option<String> = None,
    /// Colour of its front, red, green and blue from 0 to 1; the cloth's own red if there is none.
    colour: Option<[f32; 3]> = None,
    /// What is held.
    pins: PinChoice = Pinning::default().pins,
    /// Further held vertices, by number.
    pinned: Vec<u32> = Vec::new(),
    /// What is moved.
    handles: Vec<Handle> = Vec::new(),
    /// Further cloths.
    pieces: Vec<Piece> = Vec::new(),
    /// Further colliders.
    colliders: Vec<Collider> = Vec::new(),
    /// The solver's id.
    solver: String = "fast-mass-spring".to_owned(),
    /// The solver's own settings.
    settings: SolverSettings = SolverSettings::new(),
    /// Settings of other solvers by their ids, for when they are chosen.
    solvers: BTreeMap<String, SolverSettings> = BTreeMap::new(),
    /// Lanes that the scene comes with beside itself: what each sets, as `key=value,key=value`.
    lanes: Vec<String> = Vec::new(),
});

impl Scene {
    /// Name of the scene that the window opens with when none is named.
    pub const FIRST: &'static str = "breeze";
    /// Name of the scene that other commands take when none is named.
    pub const DEFAULT: &'static str = "hanging";

    /// The cloth that the scene's own fields describe.
    #[must_use]
    pub fn first_piece(&self) -> Piece {
        Piece {
            grid: self.grid,
            mesh: self.mesh.clone(),
            body: self.body.clone(),
            import: self.import,
            position: self.position,
            rotation: self.rotation,
            stretched: self.stretched,
            examples: self.examples.clone(),
            colour: self.colour,
            material: Makeup::default(),
            pins: self.pins,
            pinned: self.pinned.clone(),
            handles: self.handles.clone(),
        }
    }

    /// The examples of a piece, by its number.
    #[must_use]
    pub fn examples_of(&self, piece: usize) -> &[Example] {
        let further = || self.pieces.get(piece - 1).map_or(&[][..], |piece| &piece.examples);
        if piece == 0 { &self.examples } else { further() }
    }
}
