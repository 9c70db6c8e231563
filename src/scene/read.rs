//! Reading and checking scene files.

use std::path::{Path, PathBuf};

use ron::error::SpannedError;
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

use super::settings::{self, SolverSettings};
use super::{Fabric, InputError, Piece, Scene, files, own_mesh, text};
use crate::sim::contact::Collider;
use crate::sim::params::ParamError;
use crate::sim::params::quote::{quote, quote_within};
use crate::sim::pattern::{Kind, MaterialOverride};
use crate::sim::solver_interface::ContactMotion;

impl Scene {
    /// The scene called `name`, or the one in the scene file `name`.
    ///
    /// # Errors
    /// [`InputError`] when there is no such scene or its file is broken.
    pub fn load(name: &str) -> Result<Self, InputError> {
        let path = Path::new(name);
        if path.extension().is_some_and(|extension| extension == "ron") {
            let text = text::read_text(name, "")?;
            let mut scene = Self::parse(&text, name)?;
            scene.name = name.to_owned();
            if scene.title.is_empty() {
                scene.title = own_mesh::title_of_file(path);
            }
            // other files are looked for beside the scene file that names them
            for file in scene.files_mut() {
                let beside = path.parent().map(|folder| folder.join(&*file));
                if let Some(beside) = beside.filter(|beside| beside.is_file()) {
                    *file = beside.to_string_lossy().into_owned();
                }
            }
            return Ok(scene);
        }
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("obj")) {
            return Self::of_mesh(name);
        }
        let known = files::names();
        if !known.iter().any(|scene| scene == name) {
            let mend = files::suggested_name(name, &known);
            return Err(InputError::new(
                "",
                format!(
                    "there is no scene \"{}\"; {mend} A scene of your own is a file that ends in .ron, or a mesh that ends in .obj",
                    quote(name)
                ),
            ));
        }
        let file = format!("assets/scenes/{name}.ron");
        let text = files::embedded(&file).ok_or_else(|| InputError::new(&file, "cannot be read"))?;
        let mut scene = Self::parse(&text, &file)?;
        name.clone_into(&mut scene.name);
        Ok(scene)
    }

    /// Reads the text of a scene file. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] with file and line.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let scene: Self = read_ron(text, file)?;
        // lanes are of the solver of the file: with another one that is chosen later they may mean
        // nothing
        let lanes = || scene.fault_of_lanes().map(|message| Fault { key: "lanes".to_owned(), message });
        scene.check().and_then(|()| lanes().map_or(Ok(()), Err)).map_err(|fault| {
            let line = (1..).zip(text.lines()).find(|(_, line)| mentions(line, &fault.key)).map(|(number, _)| number);
            let place = line.map_or_else(|| file.to_owned(), |line| format!("{file}, line {line}"));
            InputError::new(place, fault.message)
        })?;
        Ok(scene)
    }

    /// Finds a value out of range in a scene whose fields were changed.
    ///
    /// # Errors
    /// [`InputError`] without a place.
    pub fn check_edited(&self) -> Result<(), InputError> {
        self.check().map_err(|fault| InputError::new("", fault.message))
    }

    /// Finds a value out of range. Needed after reading; [`Scene::set`] checks by itself.
    fn check(&self) -> Result<(), Fault> {
        let fault = |key: &str, message: String| Err(Fault { key: key.to_owned(), message });
        if let Some((key, message)) = self.fault_of_counts() {
            return fault(key, message);
        }
        self.clone().visit(|group| group.check()).into_iter().collect::<Result<(), _>>()?;
        if let Some(message) = self.colliders.iter().find_map(Collider::fault) {
            return fault("colliders", message);
        }
        if let Err(error) = Fabric::find(&self.fabric) {
            return fault("fabric", error.to_string());
        }
        if !(self.pictured.is_finite() && (0.0..=1000.0).contains(&self.pictured)) {
            return fault("pictured", "a time from 0 to 1000 s is needed".to_owned());
        }
        if let Some(message) = self.camera.and_then(|camera| camera.fault()) {
            return fault("camera", message.to_owned());
        }
        if let Some(message) = self.motion.and_then(ContactMotion::fault) {
            return fault("motion", message.to_owned());
        }
        if let Some((key, message)) = self.first.fault() {
            return fault(key, message);
        }
        for (number, piece) in (2..).zip(&self.pieces) {
            let ranges = piece.check();
            if let Some(message) = ranges.map_err(|error| error.to_string()).err().or_else(|| Some(piece.fault()?.1)) {
                return fault("pieces", format!("cloth {number}: {message}"));
            }
        }
        let mut different: Vec<MaterialOverride> = vec![MaterialOverride::default()];
        for piece in &self.pieces {
            if !different.contains(&piece.material) {
                different.push(piece.material);
            }
        }
        if different.len() > Kind::OVERRIDES {
            let (count, most) = (different.len(), Kind::OVERRIDES);
            return fault(
                "pieces",
                format!("pieces of {count} different materials; there may be {most}, with the scene's own"),
            );
        }
        let known = settings::build_solver(&self.solver, &SolverSettings::new(), "").is_ok();
        settings::build_solver(&self.solver, &self.settings, "")
            .map(drop)
            .or_else(|error| fault(if known { "settings" } else { "solver" }, error.to_string()))?;
        let other = |(id, settings): (&String, &SolverSettings)| settings::build_solver(id, settings, "").map(drop);
        self.solvers.iter().try_for_each(other).or_else(|error| fault("solvers", error.to_string()))
    }

    /// The files that it is made from.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.clone().files_mut().map(|file| PathBuf::from(&*file)).collect()
    }

    /// The names of all files that it is made from.
    pub(super) fn files_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let solids = self.colliders.iter_mut().filter_map(|collider| Some(collider.shape.file()?.path));
        let pieces = std::iter::once(&mut self.first).chain(&mut self.pieces).flat_map(Piece::files_mut);
        pieces.chain(self.image.iter_mut()).chain(solids)
    }

    /// Whether all its numbers are in range, for a scene that did not come from a scene file.
    ///
    /// # Errors
    /// [`InputError`] with the first that is not.
    pub fn check_parameters(&self) -> Result<(), InputError> {
        self.check().map_err(|fault| InputError::new(&self.name, fault.message))
    }
}

/// Reads the text of a file in RON. `file` is for messages.
///
/// # Errors
/// [`InputError`] with file, line and column.
pub fn read_ron<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, InputError> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| at_line(file, &error))
}

/// A number out of range, and the field that holds it.
struct Fault {
    key: String,
    message: String,
}

impl From<ParamError> for Fault {
    fn from(error: ParamError) -> Self {
        let key = match &error {
            ParamError::OutOfRange { key, .. } | ParamError::NotAValue { key, .. } => *key,
            ParamError::Unknown { key } => key,
        };
        Self { key: key.to_owned(), message: error.to_string() }
    }
}

/// Whether a line of a scene file sets the field `key`.
fn mentions(line: &str, key: &str) -> bool {
    line.match_indices(key).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + key.len()..].trim_start();
        after.starts_with(':') && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// A syntax error with file, line and, for a misspelt name, the one that was meant.
fn at_line(file: &str, error: &SpannedError) -> InputError {
    let place = format!("{file}, line {}, column {}", error.span.start.line, error.span.start.col);
    let message = match &error.code {
        ron::Error::NoSuchStructField { expected, found, .. } => {
            format!(
                "there is no field \"{}\"; {}",
                quote(found),
                InputError::suggestion(found, expected.iter().copied())
            )
        }
        ron::Error::NoSuchEnumVariant { expected, found, .. } => {
            format!("there is no \"{}\"; {}", quote(found), InputError::suggestion(found, expected.iter().copied()))
        }
        other => quote_within(&other.to_string()),
    };
    InputError::new(place, message)
}
