//! Fabrics: named sets of weight, stiffness, damping, friction and look of a cloth. The file
//! `assets/fabrics.ron` has their numbers with units and sources.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::InputError;
use crate::sim::model::material::{BendingModel, MassModel, MembraneModel, StiffnessLaw};
use crate::sim::{Parameters, Real};

/// Weave or print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Print {
    /// One colour.
    Plain,
    /// Stripes along the warp.
    Stripe,
    /// Stripes both ways.
    Check,
}

/// Look of a fabric.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Colour of the front, red, green and blue from 0 to 1.
    pub front: [f32; 3],
    /// Colour of the back.
    pub back: [f32; 3],
    /// Width of a yarn [m]; zero if it is not woven.
    pub thread: f32,
    /// Width of a stripe [m].
    pub stripe: f32,
    /// Share of the light that shines through.
    pub through: f32,
    /// How much it shines seen from the side.
    pub sheen: f32,
    /// Weave or print.
    pub pattern: Print,
}

/// A fabric.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// Its name in commands and files.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Where its numbers are from.
    pub source: String,
    /// Mass of a square metre [kg/m²].
    pub area_density: Real,
    /// Stiffness of its structural springs [N/m].
    pub stretch: Real,
    /// Stiffness of its shear springs [N/m].
    pub shear: Real,
    /// Isometric bending stiffness [N·m].
    pub bending: Real,
    /// Damping of its springs [N·s/m].
    pub damping: Real,
    /// Coulomb friction on itself and on solids.
    pub friction: Real,
    /// Its look.
    pub look: Look,
}

impl Fabric {
    /// Fabric of a cloth by default.
    pub const DEFAULT: &'static str = "cotton";

    /// All fabrics, in the order of the file.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Fabric>> = OnceLock::new();
        ALL.get_or_init(|| ron::from_str(include_str!("../../assets/fabrics.ron")).unwrap_or_default())
    }

    /// The fabric with an id.
    ///
    /// # Errors
    /// [`InputError`] that names the nearest one, if there is none.
    pub fn find(id: &str) -> Result<&'static Self, InputError> {
        Self::all().iter().find(|fabric| fabric.id == id).ok_or_else(|| {
            let ids = Self::all().iter().map(|fabric| fabric.id.as_str());
            let message = format!("there is no such fabric; {}", InputError::suggestion(id, ids));
            InputError::new(format!("fabric \"{id}\""), message)
        })
    }

    /// Makes the cloth of it: mass, springs, bending, damping and friction.
    pub fn apply(&self, parameters: &mut Parameters) {
        let Parameters { material, mass, contact, .. } = parameters;
        (mass.mass_model, mass.area_density) = (MassModel::AreaDensity, self.area_density);
        material.stiffness_law = StiffnessLaw::PerLength;
        material.structural_stiffness = self.stretch;
        material.shear_stiffness = self.shear;
        material.bending_model = BendingModel::Isometric;
        (material.bending_stiffness, material.bending_weft) = (self.bending, 1.0);
        material.damping = self.damping;
        (contact.friction, contact.layer_friction) = (self.friction, self.friction);
    }

    /// The same for a cloth that may have a triangle mesh. The stretch of a mesh is then carried by a
    /// membrane of triangles, since edge springs have another stiffness to shear than the fabric.
    pub fn apply_to(&self, parameters: &mut Parameters, has_mesh: bool) {
        self.apply(parameters);
        if has_mesh {
            (parameters.material.membrane, parameters.material.weft_ratio) = (MembraneModel::Triangles, 1.0);
        }
    }

    /// Whether the cloth is made of it.
    #[must_use]
    pub fn is_of(&self, parameters: &Parameters) -> bool {
        let mut made = *parameters;
        self.apply(&mut made);
        made == *parameters
    }
}
