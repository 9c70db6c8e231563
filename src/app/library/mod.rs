//! Own fabrics, and the files that were opened last: remembered between runs.

pub mod fabrics;
pub mod gallery;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::session::SessionHandle;
use super::window::preferences::{Preferences, save_soon};
use crate::scene::{Fabric, Scalar};
use crate::session::{Command, Frame};
use crate::sim::Parameters;
use crate::sim::model::material::MassModel;
use crate::sim::params::Setting;

/// Most files and fabrics in the library.
const MOST_FILES: usize = 12;
const MOST_FABRICS: usize = 24;

/// Keys of the parameters that a fabric sets.
const KEYS: [&str; 7] = [
    "area_density",
    "structural_stiffness",
    "shear_stiffness",
    "bending_stiffness",
    "damping",
    "friction",
    "layer_friction",
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
        if parameters.mass.mass_model == MassModel::PerVertex {
            let pattern = &frame.pattern;
            let rest = pattern.rest_positions();
            let twice = |corners: &[u32; 3]| {
                let [a, b, c] = corners.map(|vertex| rest[vertex as usize]);
                (b - a).cross(c - a).length()
            };
            let area: f64 = pattern.triangles().iter().map(twice).sum::<f64>() / 2.0;
            values[0] = parameters.mass.vertex_mass * pattern.whole_len() as f64 / area;
        }
        Self { name: name.trim().to_owned(), like: frame.scene.fabric.clone(), values }
    }

    /// Whether the cloth is made of it.
    #[must_use]
    pub fn is_of(&self, fabric: &str, parameters: &Parameters) -> bool {
        self.like == fabric && self.values == values(parameters)
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

/// The numbers that a fabric decides.
fn values(parameters: &Parameters) -> Vec<f64> {
    let mut parameters = *parameters;
    let value = |key: &&str| match parameters.find_mut(key).map(|(group, index)| group.get(index)) {
        Some(Setting::Real(value)) => value,
        _ => f64::NAN,
    };
    KEYS.iter().map(value).collect()
}

/// The own fabrics, and the files that were opened last.
#[derive(Default)]
pub struct Library {
    files: Vec<String>,
    fabrics: Vec<OwnFabric>,
    is_changed: bool,
}

impl Library {
    /// The files that were opened last, the newest first.
    #[must_use]
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Own fabrics, by age.
    #[must_use]
    pub fn fabrics(&self) -> &[OwnFabric] {
        &self.fabrics
    }

    /// Puts a file in front.
    pub fn note_file(&mut self, file: &str) {
        let absolute = std::path::absolute(file).map_or_else(|_| file.to_owned(), |path| path.display().to_string());
        self.files.retain(|known| *known != absolute);
        self.files.insert(0, absolute);
        self.files.truncate(MOST_FILES);
        self.is_changed = true;
    }

    /// Takes a file off the list.
    pub fn forget_file(&mut self, file: &str) {
        self.files.retain(|known| known != file);
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
    let library = Library { files: preferences.files.clone(), fabrics, is_changed: false };
    world.resource_mut::<Desk>().library = library;
    app.add_systems(Update, (note_opened, save).chain());
}

fn note_opened(mut session: ResMut<SessionHandle>, mut desk: ResMut<Desk>) {
    if let Some(file) = session.bypass_change_detection().take_opened() {
        desk.library.note_file(&file);
    }
}

fn save(mut desk: ResMut<Desk>, mut preferences: ResMut<Preferences>, mut commands: Commands) {
    let library = &mut desk.library;
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
