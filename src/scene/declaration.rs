//! A scene: everything that a simulation starts from, and the values and groups of parameters in
//! the text of its file.

use std::collections::BTreeMap;

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

use super::settings::{Scalar, SolverSettings};
use super::{Body, Example, Fabric, Fold, Grid, Handle, MeshFile, MeshImport, Piece, PinChoice, Pinning};
use crate::sim::contact::Collider;
use crate::sim::params::Tunable;
use crate::sim::solver_interface::ContactMotion;
use crate::sim::solvers::{FastMassSpring, id_of};
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
    /// A law that the simulation must keep.
    Tests,
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

/// Everything that a simulation starts from. Field by field in `assets/scenes/README.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "SceneFile", into = "SceneFile")]
pub struct Scene {
    /// Name in menus and on the command line: the file's name without its ending.
    pub name: String,
    /// Title of the scene in the gallery.
    pub title: String,
    /// Description of the scene.
    pub summary: String,
    /// The paper and figure that it follows.
    pub source: String,
    /// Further words by which a search finds it.
    pub words: Vec<String>,
    /// Where it stands in the gallery.
    pub shelf: Shelf,
    /// Simulated time that its picture in the gallery shows [s].
    pub pictured: Real,
    /// From where it is looked at; so that all of it is seen if that is not said.
    pub camera: Option<View>,
    /// A motion with a closed formula that it shows, drawn over the cloth.
    pub motion: Option<ContactMotion>,
    /// Whether the projections of the solver's local step are drawn over the cloth.
    pub projections: bool,
    /// The first piece, whose fields stand in the file beside those of the scene. Its material is
    /// the scene's own.
    pub first: Piece,
    /// The fabric that it looks like; what it is made of stands in the other fields.
    pub fabric: String,
    /// A PNG picture that is printed on it, as a path from the scene file; none if there is none.
    pub image: Option<String>,
    /// Further pieces.
    pub pieces: Vec<Piece>,
    /// Further colliders.
    pub colliders: Vec<Collider>,
    /// The solver's id.
    pub solver: String,
    /// The solver's own settings.
    pub settings: SolverSettings,
    /// Settings of other solvers by their ids, for when they are chosen.
    pub solvers: BTreeMap<String, SolverSettings>,
    /// Lanes that the scene comes with beside itself: what each sets, as `key=value,key=value`.
    pub lanes: Vec<String>,
    /// What it shares with every simulation.
    pub parameters: Parameters,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            name: String::new(),
            title: String::new(),
            summary: String::new(),
            source: String::new(),
            words: Vec::new(),
            shelf: Shelf::Play,
            pictured: 2.5,
            camera: None,
            motion: None,
            projections: false,
            first: Piece { pins: Pinning::default().pins, ..Piece::default() },
            fabric: Fabric::DEFAULT.to_owned(),
            image: None,
            pieces: Vec::new(),
            colliders: Vec::new(),
            solver: id_of::<FastMassSpring>().to_owned(),
            settings: SolverSettings::new(),
            solvers: BTreeMap::new(),
            lanes: Vec::new(),
            parameters: Parameters::default(),
        }
    }
}

/// Declares the form that a [`Scene`] has in files, in which the fields of the first piece and the
/// common parameters stand beside the rest: the keys in their order, each with its type and with
/// the field of the scene that it is.
macro_rules! declare_file {
    (
        { $( $key:ident : $key_type:ty = $($field:ident).+, )+ }
        $( #[doc = $group_doc:literal] $(#[$group_meta:meta])* $group:ident : $type:ty = $title:literal, )+
    ) => {
        #[derive(Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields, rename = "Scene")]
        struct SceneFile {
            $( $key: $key_type, )+
            $( $(#[$group_meta])* $group: $type, )+
        }

        impl Default for SceneFile {
            fn default() -> Self {
                Scene::default().into()
            }
        }

        impl From<SceneFile> for Scene {
            fn from(file: SceneFile) -> Self {
                let mut scene = Self::default();
                $( scene.$($field).+ = file.$key; )+
                scene.parameters = Parameters { $( $group: file.$group, )+ };
                scene
            }
        }

        impl From<Scene> for SceneFile {
            fn from(scene: Scene) -> Self {
                Self { $( $key: scene.$($field).+, )+ $( $group: scene.parameters.$group, )+ }
            }
        }

        impl Scene {
            /// The fields of the file that differ from their defaults, in order, as RON.
            pub(super) fn changed_fields(&self) -> Vec<(&'static str, String)> {
                let default = Self::default();
                let mut changed = Vec::new();
                $(
                    if self.$($field).+ != default.$($field).+ {
                        changed.push((stringify!($key), value(&self.$($field).+)));
                    }
                )+
                $(
                    let values = (&self.parameters.$group, &default.parameters.$group);
                    changed.extend(group(stringify!($group), values.0, values.1));
                )+
                changed
            }
        }
    };
}
crate::with_parameter_groups!(declare_file {
    title: String = title,
    summary: String = summary,
    source: String = source,
    words: Vec<String> = words,
    shelf: Shelf = shelf,
    pictured: Real = pictured,
    camera: Option<View> = camera,
    motion: Option<ContactMotion> = motion,
    projections: bool = projections,
    name: String = first.name,
    grid: Grid = first.grid,
    mesh: Option<MeshFile> = first.mesh,
    body: Option<Body> = first.body,
    surface: Option<MeshFile> = first.surface,
    import: MeshImport = first.import,
    position: Option<Vec3> = first.position,
    rotation: Vec3 = first.rotation,
    stretched: Option<Vec3> = first.stretched,
    folded: Option<Fold> = first.folded,
    examples: Vec<Example> = first.examples,
    fabric: String = fabric,
    image: Option<String> = image,
    colour: Option<[f32; 3]> = first.colour,
    pins: PinChoice = first.pins,
    pinned: Vec<u32> = first.pinned,
    handles: Vec<Handle> = first.handles,
    hidden: bool = first.hidden,
    locked: bool = first.locked,
    pieces: Vec<Piece> = pieces,
    colliders: Vec<Collider> = colliders,
    solver: String = solver,
    settings: SolverSettings = settings,
    solvers: BTreeMap<String, SolverSettings> = solvers,
    lanes: Vec<String> = lanes,
});

impl Scene {
    /// Name of the scene that the window opens with when none is named.
    pub const FIRST: &'static str = "breeze";
    /// Name of the scene that other commands take when none is named.
    pub const DEFAULT: &'static str = "hanging";

    /// All pieces, the first one first.
    pub fn all_pieces(&self) -> impl Iterator<Item = &Piece> {
        std::iter::once(&self.first).chain(&self.pieces)
    }

    /// All pieces, to change.
    pub fn all_pieces_mut(&mut self) -> impl Iterator<Item = &mut Piece> {
        std::iter::once(&mut self.first).chain(&mut self.pieces)
    }

    /// Everything that a search looks at, in small letters: name, title and further words on a
    /// line each, and the summary.
    #[must_use]
    pub fn searched(&self) -> [String; 2] {
        let names = [&self.name, &self.title].into_iter().chain(&self.words);
        [names.map(|text| text.to_lowercase()).collect::<Vec<_>>().join("\n"), self.summary.to_lowercase()]
    }

    /// The examples of a piece, by its number.
    #[must_use]
    pub fn examples_of(&self, piece: usize) -> &[Example] {
        self.all_pieces().nth(piece).map_or(&[], |piece| &piece.examples)
    }
}

/// Longest line of a file that has a choice.
const WIDTH: usize = 110;

/// A value in the text of a scene file: on one line if it fits, else with an entry per line.
pub(super) fn value<T: Serialize>(value: &T) -> String {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let flat = PrettyConfig::new().depth_limit(0);
    let whole =
        |config: PrettyConfig| options.to_string_pretty(value, config).expect("scenes hold nothing that RON does not");
    let line = whole(flat);
    // numbers of vertices stand one after another, however many there are
    if line.len() <= WIDTH || !line.contains('(') {
        return line;
    }
    whole(PrettyConfig::new().depth_limit(2)).replace('\n', "\n    ")
}

/// The parameters of `group` that differ from `default`, if any: the field of the file with its
/// text.
pub(super) fn group<G: Tunable>(name: &'static str, group: &G, default: &G) -> Option<(&'static str, String)> {
    let changed = |index: &usize| group.get(*index) != default.get(*index);
    let text = |index: usize| match Scalar::of(&group.params()[index], group.get(index)) {
        Scalar::Real(x) => value(&x),
        // choices are no texts in quotation marks
        other => other.to_string(),
    };
    let count = group.params().len();
    let entries: Vec<(&str, String)> =
        (0..count).filter(changed).map(|index| (group.params()[index].key, text(index))).collect();
    match &entries[..] {
        [] => None,
        // a group of one parameter of its own name is a plain value
        [(key, text)] if count == 1 && *key == name => Some((name, text.clone())),
        entries => {
            let parts: Vec<String> = entries.iter().map(|(key, text)| format!("{key}: {text}")).collect();
            Some((name, format!("({})", parts.join(", "))))
        }
    }
}
