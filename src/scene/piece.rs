//! A piece of cloth, or a body: its shape, position, pins and motions. A scene has one or several.

use serde::{Deserialize, Serialize};

use super::example::with_examples;
use super::mesh_import::{note_of_size, read_mesh};
use super::pinning::bounds;
use super::{
    Body, Example, Fold, Grid, GridPlane, ImportedMesh, InputError, MeshFile, MeshImport, PinChoice, Pinning,
    recorded_path,
};
use crate::sim::model::motion::is_rotation;
use crate::sim::params::{ParamError, Tunable};
use crate::sim::pattern::{Blank, MaterialOverride, Plane};
use crate::sim::{Cloth, Motion, Path, Pattern, Pin, Quat, Real, Turn, Vec3};

/// Farthest that a cloth may be from the origin at the start [m]; beyond, too few digits are left
/// for its springs.
const FARTHEST: Real = 1e9;

/// Whether nothing needs to be said of it.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Vertices that are moved: along a path, about an axis, or both.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handle {
    /// Its name in lists; empty if it has none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// Which vertices.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pins: PinChoice,
    /// Further ones, by their number in the piece.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinned: Vec<u32>,
    /// The path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
    /// A path from a file instead: a table of times [s] and positions [m] in rows of four numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
    /// The rotation; about the middle of the vertices unless it says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
}

impl Handle {
    /// A fault of it, if any.
    fn fault(&self) -> Option<String> {
        match (&self.path, &self.recorded, &self.turn) {
            (None, None, None) => Some("a handle needs a path, a recorded path or a turn".to_owned()),
            (Some(_), Some(_), _) => Some("a handle has either a path or a recorded one; leave one out".to_owned()),
            (path, _, turn) => path.as_ref().and_then(Path::fault).or_else(|| turn.as_ref().and_then(Turn::fault)),
        }
    }

    /// The motion of vertices that start at `positions` [m].
    fn motion(&self, positions: &[Vec3]) -> Result<Motion, InputError> {
        let path = match &self.recorded {
            Some(file) => Some(recorded_path::read(file)?),
            None => self.path.clone(),
        };
        let (low, high) = bounds(positions);
        let turn = self.turn.clone();
        let turn = turn.map(|turn| Turn { center: turn.center.or(Some(0.5 * (low + high))), ..turn });
        Ok(Motion { path, turn })
    }
}

/// A cloth among those of a scene.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Piece {
    /// Its name in lists; empty if it has none.
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    /// The rectangular cloth, unless there is a mesh.
    #[serde(skip_serializing_if = "is_default")]
    pub grid: Grid,
    /// The mesh that is the cloth.
    #[serde(skip_serializing_if = "is_default")]
    pub mesh: Option<MeshFile>,
    /// The body of tetrahedra that it is instead of a cloth.
    #[serde(skip_serializing_if = "is_default")]
    pub body: Option<Body>,
    /// The surface that is drawn in place of the body's own, which carries it.
    #[serde(skip_serializing_if = "is_default")]
    pub surface: Option<MeshFile>,
    /// How the mesh is read.
    #[serde(skip_serializing_if = "is_default")]
    pub import: MeshImport,
    /// Middle of its bounding box at the start [m]; a mesh without it stays where its file has it.
    #[serde(skip_serializing_if = "is_default")]
    pub position: Option<Vec3>,
    /// How it is turned at the start about its middle, as axis times angle [rad].
    #[serde(skip_serializing_if = "is_default")]
    pub rotation: Vec3,
    /// Factors along its axes by which it is stretched about its middle at the start; at rest it is
    /// not. Negative ones turn it inside out.
    #[serde(skip_serializing_if = "is_default")]
    pub stretched: Option<Vec3>,
    /// The fold that it has at the start; at rest it has none.
    #[serde(skip_serializing_if = "is_default")]
    pub folded: Option<Fold>,
    /// Shapes that it prefers, for solvers that know examples.
    #[serde(skip_serializing_if = "is_default")]
    pub examples: Vec<Example>,
    /// Colour of its front, red, green and blue from 0 to 1.
    #[serde(skip_serializing_if = "is_default")]
    pub colour: Option<[f32; 3]>,
    /// Material override, as factors of the scene's material and mass.
    #[serde(skip_serializing_if = "is_default")]
    pub material: MaterialOverride,
    /// Pins; none by default.
    #[serde(skip_serializing_if = "is_default")]
    pub pins: PinChoice,
    /// Further held vertices, by their number in this piece.
    #[serde(skip_serializing_if = "is_default")]
    pub pinned: Vec<u32>,
    /// Groups of vertices that are moved along paths or about axes.
    #[serde(skip_serializing_if = "is_default")]
    pub handles: Vec<Handle>,
    /// Whether it is left out of pictures; it moves all the same.
    #[serde(skip_serializing_if = "is_default")]
    pub hidden: bool,
    /// Whether it is protected against edits.
    #[serde(skip_serializing_if = "is_default")]
    pub locked: bool,
}

/// A cut piece: its pattern in its place, and its columns and rows if it is a grid.
pub(super) struct Cut {
    pub pattern: Pattern,
    pub grid: Option<[usize; 2]>,
}

/// The vertices of a piece within the whole cloth.
pub(super) struct Placed<'a> {
    /// Its columns and rows if it is a grid.
    pub grid: Option<[usize; 2]>,
    /// Its first vertex.
    pub first: u32,
    /// Rest position of each of its vertices [m].
    pub rest: &'a [Vec3],
}

impl Placed<'_> {
    /// The vertices that a choice and numbers mean, by their number in the piece. `place` is for
    /// messages.
    ///
    /// # Errors
    /// [`InputError`] for a number that is none of a vertex.
    pub(super) fn named(&self, pins: PinChoice, pinned: &[u32], place: &str) -> Result<Vec<u32>, InputError> {
        let count = self.rest.len();
        if let Some(vertex) = pinned.iter().find(|&&vertex| vertex as usize >= count) {
            let message = format!("pinned vertex {vertex} does not exist; the cloth has {count} vertices");
            return Err(InputError::new(place, message));
        }
        Ok(self.held(pins).into_iter().chain(pinned.iter().copied()).collect())
    }

    /// The vertices that a choice means, by their number in the piece.
    pub(super) fn held(&self, pins: PinChoice) -> Vec<u32> {
        match self.grid {
            Some([columns, rows]) => pins.on_grid(columns, rows),
            None => pins.on_mesh(self.rest),
        }
    }
}

impl Piece {
    /// The parameters that are out of range.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        self.grid.check()?;
        self.import.check()?;
        self.material.check()?;
        Pinning { pins: self.pins }.check()
    }

    /// Any other fault of it, and the field of it.
    pub(super) fn fault(&self) -> Option<(&'static str, String)> {
        if let Some(message) = self.handles.iter().find_map(Handle::fault) {
            return Some(("handles", message));
        }
        if let Some(message) = self.body.as_ref().and_then(Body::fault) {
            return Some(("body", message));
        }
        if self.body.is_some() && self.mesh.is_some() {
            return Some(("body", "a piece is either a mesh or a body; leave one out".to_owned()));
        }
        if self.surface.is_some() && self.body.is_none() {
            return Some(("surface", "a surface needs a body that carries it; name a body as well".to_owned()));
        }
        if let Some(message) = Example::fault_of(&self.examples) {
            return Some(("examples", message));
        }
        if self.position.is_some_and(|position| !position.is_finite()) {
            return Some(("position", "position needs three finite numbers".to_owned()));
        }
        if !is_rotation(self.rotation) {
            return Some(("rotation", "rotation needs three numbers from -1000 to 1000 (rad)".to_owned()));
        }
        if let Some(fault) = self.fault_of_pose() {
            return Some(fault);
        }
        if self.colour.is_some_and(|colour| colour.iter().any(|part| !(0.0..=1.0).contains(part))) {
            return Some(("colour", "a colour needs red, green and blue from 0 to 1".to_owned()));
        }
        None
    }

    /// The names of the files that it is made from.
    pub(super) fn files_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let recorded = self.handles.iter_mut().filter_map(|handle| handle.recorded.as_mut());
        let body = self.body.iter_mut().filter_map(Body::file_mut);
        let examples = self.examples.iter_mut().filter_map(Example::file_mut);
        let meshes = self.mesh.iter_mut().chain(&mut self.surface);
        meshes.map(|mesh| &mut mesh.file).chain(body).chain(examples).chain(recorded)
    }

    /// Makes the piece. `place` is for messages; messages for the user about its files are added to
    /// `notes`.
    pub(super) fn cut(&self, place: &str, notes: &mut Vec<String>) -> Result<Cut, InputError> {
        let Cut { pattern, grid } = self.cut_plain(place, notes)?;
        Ok(Cut { pattern: with_examples(pattern, &self.examples, self.rotation, place)?, grid })
    }

    /// The piece without its examples.
    fn cut_plain(&self, place: &str, notes: &mut Vec<String>) -> Result<Cut, InputError> {
        if let Some(body) = &self.body {
            return Ok(Cut { pattern: self.cut_body(body, place, notes)?, grid: None });
        }
        if let Some(mesh) = &self.mesh {
            let imported = read_mesh(&mesh.file, self.import.weld)?;
            notes.extend(imported.note(&mesh.file));
            let ImportedMesh { mut positions, triangles, attributes, .. } = imported;
            positions.iter_mut().for_each(|x| *x *= self.import.mesh_scale);
            notes.extend(note_of_size(&mesh.file, &positions, (MeshImport::mesh_scale, self.import.mesh_scale)));
            self.place(&mut positions, place)?;
            let pattern = Pattern::mesh(positions, triangles).with_attributes(attributes);
            return Ok(Cut { pattern, grid: None });
        }
        let Grid { columns, rows, width, height, plane, diagonals } = self.grid;
        let (columns, rows) = (columns as usize, rows as usize);
        let plane = match plane {
            GridPlane::Flat => Plane::Xz,
            GridPlane::Front => Plane::Xy,
            GridPlane::Side => Plane::Zy,
        };
        let mut blank = Blank::grid_with(columns, rows, [width, height], plane, diagonals);
        // the rest lengths are those before it is placed, so that rounding does not show in them
        self.place(&mut blank.rest_positions, place)?;
        Ok(Cut { pattern: Pattern::of(blank), grid: Some([columns, rows]) })
    }

    /// Its pattern in its place. `place` is for messages.
    ///
    /// # Errors
    /// [`InputError`] when a file cannot be read.
    pub(super) fn pattern(&self, place: &str) -> Result<Pattern, InputError> {
        self.cut_plain(place, &mut Vec::new()).map(|cut| cut.pattern)
    }

    /// Its columns and rows if it is a grid.
    pub(super) fn columns_and_rows(&self) -> Option<[usize; 2]> {
        let is_grid = self.mesh.is_none() && self.body.is_none();
        is_grid.then_some([self.grid.columns as usize, self.grid.rows as usize])
    }

    /// Its position [m], also where it names none. `place` is for messages.
    pub(super) fn standing(&self, place: &str) -> Result<Vec3, InputError> {
        if let Some(position) = self.position {
            return Ok(position);
        }
        let upright = Self { rotation: Vec3::ZERO, ..self.clone() };
        let (low, high) = bounds(upright.pattern(place)?.rest_positions());
        Ok(0.5 * (low + high))
    }

    /// Pins and moves its vertices, which are those of `placed`. `place` is for messages.
    pub(super) fn hold(&self, placed: &Placed, cloth: &mut Cloth, place: &str) -> Result<(), InputError> {
        let first = placed.first;
        for vertex in placed.named(self.pins, &self.pinned, place)? {
            cloth.pin_here(first + vertex);
        }
        for handle in &self.handles {
            let held = placed.named(handle.pins, &handle.pinned, place)?;
            let origins: Vec<Vec3> = held.iter().map(|&vertex| placed.rest[vertex as usize]).collect();
            let motion = handle.motion(&origins)?;
            for (vertex, origin) in held.into_iter().zip(origins) {
                cloth.pin(Pin { vertex: first + vertex, origin, motion: Some(motion.clone()) });
            }
        }
        Ok(())
    }

    /// Turns the cloth about its middle, and moves it so that this is at the piece's position.
    pub(super) fn place(&self, positions: &mut [Vec3], place: &str) -> Result<(), InputError> {
        let (low, high) = bounds(positions);
        let middle = 0.5 * (low + high);
        if self.rotation != Vec3::ZERO {
            let rotation = Quat::from_scaled_axis(self.rotation);
            positions.iter_mut().for_each(|x| *x = middle + rotation * (*x - middle));
        }
        let from_file = self.mesh.is_some() || self.body.as_ref().is_some_and(Body::is_from_file);
        let fallback = if from_file { None } else { Some(Vec3::Y) };
        if let Some(position) = self.position.or(fallback) {
            let shift = position - middle;
            positions.iter_mut().for_each(|x| *x += shift);
        }
        let within = |x: &Vec3| x.abs().max_element() <= FARTHEST;
        if !positions.iter().all(within) {
            let message = "the cloth reaches farther than 10⁹ m from the origin; look at position and mesh_scale";
            return Err(InputError::new(place, message));
        }
        Ok(())
    }
}
