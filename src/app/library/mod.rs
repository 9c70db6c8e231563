//! Own fabrics, and the files that were opened or saved last, each with a picture: remembered
//! between runs.

mod capture;
mod cards;
pub mod fabrics;
pub mod gallery;
mod new;
pub mod own;
mod pictures;

use std::collections::BTreeMap;
use std::path::Path;

use bevy::prelude::*;
use egui::{ColorImage, Context, TextureHandle, TextureOptions};
use serde::{Deserialize, Serialize};

use super::picture::Picture;
use super::session::SessionHandle;
use super::window::preferences::{Preferences, save_soon};
use crate::scene::{Fabric, Scalar, Scene};
use crate::session::{Command, Frame};
use crate::sim::contact::ContactSettings;
use crate::sim::model::material::MassModel;
use crate::sim::params::Setting;
use crate::sim::{Mass, Material, Parameters};
pub use cards::scenes;
use pictures::Pictures;

/// Most files and fabrics in the library.
const MOST_FILES: usize = 12;
const MOST_FABRICS: usize = 24;

/// Keys of the parameters that a fabric sets.
const KEYS: [&str; 9] = [
    Mass::area_density,
    Material::structural_stiffness,
    Material::shear_stiffness,
    Material::bending_stiffness,
    Material::damping,
    ContactSettings::friction,
    ContactSettings::layer_friction,
    // behind the others, which files of older versions have
    Material::bending_weft,
    Material::weft_ratio,
];

/// A fabric of one's own: it looks like one that comes with the program, and has its own numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnFabric {
    /// Its name.
    pub name: String,
    /// The fabric that it looks like.
    pub like: String,
    /// Its numbers, in the order of the keys of a fabric, in SI units.
    pub values: Vec<f64>,
}

impl OwnFabric {
    /// The present fabric, under a name. A mass per vertex is stored as the mean area density.
    #[must_use]
    pub fn of(name: &str, frame: &Frame, parameters: &Parameters) -> Self {
        let mut values = values(parameters);
        values[0] = mean_area_density(frame, parameters);
        Self { name: name.trim().to_owned(), like: frame.scene.fabric.clone(), values }
    }

    /// Whether the cloth is made of it.
    #[must_use]
    pub fn is_of(&self, fabric: &str, parameters: &Parameters) -> bool {
        self.like == fabric && values(parameters).starts_with(&self.values)
    }

    /// The commands that make the cloth of it.
    pub fn commands(&self) -> impl Iterator<Item = Command> + '_ {
        let set = |(key, value): (&&str, &f64)| Command::Set { key: (*key).to_owned(), value: Scalar::Real(*value) };
        std::iter::once(Command::Fabric { id: self.like.clone() }).chain(KEYS.iter().zip(&self.values).map(set))
    }

    /// Its numbers, one a line.
    #[must_use]
    pub fn description(&self) -> String {
        let lines = KEYS.iter().zip(&self.values).map(|(key, value)| format!("{key} {value}"));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Mass of the cloth over its area at rest [kg/m²].
#[must_use]
pub fn mean_area_density(frame: &Frame, parameters: &Parameters) -> f64 {
    if parameters.mass.mass_model == MassModel::AreaDensity {
        return parameters.mass.area_density;
    }
    let pattern = &frame.pattern;
    let rest = pattern.rest_positions();
    let twice = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| rest[vertex as usize]);
        (b - a).cross(c - a).length()
    };
    let area: f64 = pattern.triangles().iter().map(twice).sum::<f64>() / 2.0;
    parameters.mass.vertex_mass * pattern.whole_len() as f64 / area
}

/// The numbers that a fabric decides.
fn values(parameters: &Parameters) -> Vec<f64> {
    let mut parameters = *parameters;
    let value = |key: &&str| match parameters.find_mut(key).map(|(group, index)| group.get(index)) {
        Some(Setting::Real(value)) => value,
        _ => f64::NAN,
    };
    KEYS.iter().map(value).collect()
}

/// Title and picture of a file.
#[derive(Clone, Default)]
pub struct Details {
    /// The title of the scene in it; empty if it has none or cannot be read.
    pub title: String,
    /// The picture, if there is one.
    pub picture: Option<TextureHandle>,
}

/// The own fabrics, and the files that were opened or saved last.
#[derive(Resource, Default)]
pub struct Library {
    files: Vec<String>,
    fabrics: Vec<OwnFabric>,
    pictures: Pictures,
    /// Details of files that were asked for.
    details: BTreeMap<String, Details>,
    /// The file whose picture is to be taken of the view.
    wanted_picture: Option<String>,
    /// A scene file that was opened and has no picture yet, by the name that it was opened by.
    unpictured: Option<String>,
    is_changed: bool,
}

impl Library {
    /// The files that were opened or saved last, the newest first.
    #[must_use]
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Own fabrics, by age.
    #[must_use]
    pub fn fabrics(&self) -> &[OwnFabric] {
        &self.fabrics
    }

    /// Title and picture of a file; they are read once.
    pub fn details(&mut self, ctx: &Context, file: &str) -> Details {
        if let Some(known) = self.details.get(file) {
            return known.clone();
        }
        let load = |image: ColorImage| ctx.load_texture(file, image, TextureOptions::LINEAR);
        let details = Details { title: title_of(file), picture: self.pictures.read(file).map(load) };
        self.details.insert(file.to_owned(), details.clone());
        details
    }

    /// Puts a file in front.
    pub fn note_file(&mut self, file: &str) {
        let absolute = absolute(file);
        self.details.remove(&absolute);
        self.files.retain(|known| *known != absolute);
        self.files.insert(0, absolute);
        self.files.truncate(MOST_FILES);
        self.note_changed_files();
    }

    /// Puts a file that was saved in front, and has a picture of the view taken for it.
    pub fn note_saved(&mut self, file: &str) {
        self.note_file(file);
        self.want_picture(file);
    }

    /// Has a picture of the view taken for a file.
    fn want_picture(&mut self, file: &str) {
        self.wanted_picture = Some(absolute(file));
    }

    /// Keeps a picture of a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_picture(&mut self, file: &str, picture: &Picture) -> std::io::Result<()> {
        self.pictures.write(file, picture)?;
        self.note_picture(file);
        Ok(())
    }

    /// Another picture of a file was kept, by its absolute path.
    fn note_picture(&mut self, file: &str) {
        self.details.remove(file);
        // it may have been forgotten meanwhile
        self.pictures.keep_only(&self.files);
    }

    /// Keeps pictures in a folder from now on.
    pub fn keep_pictures_in(&mut self, folder: &Path) {
        self.pictures = Pictures::in_folder(folder);
    }

    /// Takes a file off the list.
    pub fn forget_file(&mut self, file: &str) {
        self.files.retain(|known| known != file);
        self.note_changed_files();
    }

    fn note_changed_files(&mut self) {
        let Self { files, details, pictures, .. } = self;
        details.retain(|file, _| files.contains(file));
        pictures.keep_only(files);
        self.is_changed = true;
    }

    /// Keeps a fabric; one of the same name is replaced. Nothing happens without a name.
    pub fn keep_fabric(&mut self, fabric: OwnFabric) {
        if fabric.name.is_empty() {
            return;
        }
        info!("kept fabric {}", fabric.name);
        self.forget_fabric(&fabric.name.clone());
        self.fabrics.push(fabric);
        let excess = self.fabrics.len().saturating_sub(MOST_FABRICS);
        self.fabrics.drain(..excess);
    }

    /// Forgets a fabric.
    pub fn forget_fabric(&mut self, name: &str) {
        self.fabrics.retain(|known| known.name != name);
        self.is_changed = true;
    }
}

pub(super) fn plugin(app: &mut App) {
    let world = app.world_mut();
    let preferences = world.resource::<Preferences>();
    let fabrics = ron::from_str(&preferences.fabrics).unwrap_or_else(|error| {
        if !preferences.fabrics.is_empty() {
            warn!("the fabrics in the settings cannot be read: {error}");
        }
        Vec::new()
    });
    // a file edited by hand may contain anything
    let is_good = |fabric: &OwnFabric| fabric.values.len() == KEYS.len() && Fabric::find(&fabric.like).is_ok();
    let fabrics = fabrics.into_iter().filter(is_good).collect();
    let pictures = Pictures::of_user();
    let library = Library { files: preferences.files.clone(), fabrics, pictures, ..Library::default() };
    app.insert_resource(library).add_systems(Update, (note_opened, save).chain()).add_plugins(capture::plugin);
}

/// The path from the root; the path as it is where there is no present folder.
fn absolute(file: &str) -> String {
    std::path::absolute(file).map_or_else(|_| file.to_owned(), |path| path.display().to_string())
}

/// Whether a file is a scene, by its ending.
fn is_scene(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|ending| ending == "ron")
}

/// The title of the scene in a file; empty if it has none or cannot be read.
fn title_of(file: &str) -> String {
    let scene = if is_scene(file) { Scene::load(file).ok() } else { None };
    scene.map(|scene| scene.title).unwrap_or_default()
}

fn note_opened(mut session: ResMut<SessionHandle>, mut library: ResMut<Library>) {
    let Some(file) = session.bypass_change_detection().take_opened() else { return };
    let library = library.bypass_change_detection();
    library.note_file(&file);
    library.unpictured = (is_scene(&file) && !library.pictures.has(&absolute(&file))).then_some(file);
}

fn save(mut library: ResMut<Library>, mut preferences: ResMut<Preferences>, mut commands: Commands) {
    let library = library.bypass_change_detection();
    if !std::mem::take(&mut library.is_changed) {
        return;
    }
    preferences.files.clone_from(&library.files);
    match ron::to_string(&library.fabrics) {
        Ok(fabrics) => preferences.fabrics = fabrics,
        Err(error) => warn!("the fabrics cannot be kept: {error}"),
    }
    save_soon(&mut commands);
}
