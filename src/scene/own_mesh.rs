//! A scene of a mesh of one's own: the mesh alone above the floor, and a dummy in it if that is
//! wanted.

use std::path::Path;

use super::dummy;
use super::mesh_import::{other_unit, read_mesh};
use super::{Fabric, InputError, MeshFile, MeshImport, Piece, PinChoice, Scene};
use crate::sim::Vec3;
use crate::sim::contact::Collider;
use crate::sim::forces::air::{AirMode, AirModel};

/// How far above the floor a mesh is put that its file has on or below it [m].
const ABOVE_FLOOR: f64 = 0.5;
/// Its wind, once that is turned on [m/s]: a gale would tear at a garment that is seen from near.
const BREEZE: f64 = 2.0;

/// The name of a file as a title: words with a space between them, the first with a capital.
pub(super) fn title_of_file(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let words: Vec<&str> = stem.split(['_', '-', ' ']).filter(|word| !word.is_empty()).collect();
    let mut letters = words.join(" ");
    if let Some(first) = letters.chars().next() {
        letters.replace_range(..first.len_utf8(), &first.to_uppercase().collect::<String>());
    }
    letters
}

impl Scene {
    /// The mesh in `file` as a cloth of cotton that does not pass through itself, where the file
    /// has it or above the floor, with nothing else.
    ///
    /// # Errors
    /// [`InputError`] when the file cannot be read as a mesh.
    pub fn of_mesh(file: &str) -> Result<Self, InputError> {
        let mesh = Some(MeshFile { file: file.to_owned() });
        let first = Piece { mesh, pins: PinChoice::None, ..Piece::default() };
        let mut scene = Self { name: file.to_owned(), title: title_of_file(Path::new(file)), first, ..Self::default() };
        Fabric::find(Fabric::DEFAULT)?.apply_to(&mut scene.parameters, true);
        Fabric::DEFAULT.clone_into(&mut scene.fabric);
        scene.parameters.contact.self_contact = true;
        (scene.parameters.air.air, scene.parameters.air.air_model) = (AirMode::Still, AirModel::PerTriangle);
        scene.parameters.air.wind_speed = BREEZE;
        let positions = read_mesh(file, MeshImport::default().weld)?.positions;
        let (low, high) =
            positions.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let middle = low.midpoint(high);
        let on_floor = low.y < scene.parameters.contact.thickness;
        // a position in metres would not be scaled with a mesh in another unit
        let is_in_metres = other_unit(&positions).is_none();
        scene.first.position = (on_floor && is_in_metres).then_some(middle + Vec3::Y * (ABOVE_FLOOR - low.y));
        Ok(scene)
    }

    /// Whether the dummy stands in the scene.
    #[must_use]
    pub fn has_dummy(&self) -> bool {
        dummy::is_among(&self.colliders)
    }

    /// Puts the dummy there, its arms along the sleeves of the first cloth, or takes it away.
    pub fn set_dummy(&mut self, wanted: bool) {
        if wanted && !self.has_dummy() {
            self.colliders.extend(self.posed_dummy());
        } else if !wanted {
            dummy::remove_from(&mut self.colliders);
        }
    }

    /// Puts the arms of the dummy, if it stands there, along the sleeves as they are now.
    pub(super) fn pose_dummy(&mut self) {
        if self.has_dummy() {
            self.set_dummy(false);
            self.set_dummy(true);
        }
    }

    fn posed_dummy(&self) -> Vec<Collider> {
        // a mesh that cannot be read is told when the scene is built
        let pattern = self.first.pattern("").ok();
        dummy::wearing(pattern.as_ref().map_or(&[], |pattern| pattern.rest_positions()))
    }
}
