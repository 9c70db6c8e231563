//! Fabrics: named sets of weight, stiffness, damping, friction and look of a cloth. The file
//! `assets/fabrics.ron` has their numbers with units and sources.

use std::fmt;
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

/// Where a number of a fabric is from.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Measured on such a fabric, by this source.
    Measured(String),
    /// Fitted, so that this figure comes out.
    Fitted(String),
    /// Estimated, for this reason.
    Estimated(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measured(source) => write!(f, "measured: {source}"),
            Self::Fitted(figure) => write!(f, "fitted to {figure}"),
            Self::Estimated(reason) => write!(f, "estimated: {reason}"),
        }
    }
}

/// Where each number of a fabric is from, those of warp and weft together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origins {
    /// Of the mass of a square metre.
    pub area_density: Origin,
    /// Of the stiffness to stretch.
    pub stretch: Origin,
    /// Of the stiffness to shear.
    pub shear: Origin,
    /// Of the bending stiffness.
    pub bending: Origin,
    /// Of the damping.
    pub damping: Origin,
    /// Of the friction.
    pub friction: Origin,
}

impl PublishedDrape {
    /// The mean, or the middle of the band [%].
    #[must_use]
    pub fn middle(&self) -> Real {
        match self {
            Self::Measured { value, .. } => *value,
            Self::Class { band: [low, high], .. } => 0.5 * (low + high),
        }
    }
}

/// A published drape coefficient [%].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PublishedDrape {
    /// Measured on such a fabric.
    Measured {
        /// Mean.
        value: Real,
        /// Standard deviation between specimens.
        deviation: Option<Real>,
        /// Number of nodes.
        nodes: Option<Real>,
        /// Diameters of the specimen and of the disc that holds it, as far as they are known.
        discs: String,
        /// By whom.
        source: String,
    },
    /// What fabrics of this class have.
    Class {
        /// Least and largest.
        band: [Real; 2],
        /// By whom.
        source: String,
    },
}

impl PublishedDrape {
    /// The coefficient [%], with its standard deviation or as a band.
    #[must_use]
    pub fn figure(&self) -> String {
        match self {
            Self::Measured { value, deviation: Some(deviation), .. } => format!("{value} ± {deviation}"),
            Self::Measured { value, .. } => value.to_string(),
            Self::Class { band: [low, high], .. } => format!("{low} to {high}"),
        }
    }
}

impl fmt::Display for PublishedDrape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Measured { source, .. } | Self::Class { source, .. }) = self;
        write!(f, "{} % ({source})", self.figure())
    }
}

/// A fabric.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// Its name in commands and files.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What kind of fabric it is.
    pub source: String,
    /// Mass of a square metre [kg/m²].
    pub area_density: Real,
    /// Stiffness along the warp, and that of structural springs [N/m].
    pub stretch: Real,
    /// Stiffness along the weft over that along the warp.
    #[serde(default = "alike")]
    pub stretch_weft: Real,
    /// Stiffness to shear [N/m].
    pub shear: Real,
    /// Bending stiffness of the warp [N·m].
    pub bending: Real,
    /// Bending stiffness of the weft over that of the warp.
    #[serde(default = "alike")]
    pub bending_weft: Real,
    /// Damping of its springs [N·s/m].
    pub damping: Real,
    /// Coulomb friction on itself and on solids.
    pub friction: Real,
    /// Where these numbers are from.
    pub origins: Origins,
    /// Its drape as published, if one is.
    #[serde(default)]
    pub drape: Option<PublishedDrape>,
    /// Its look.
    pub look: Look,
}

/// The weft is as stiff as the warp.
fn alike() -> Real {
    1.0
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
        (material.bending_stiffness, material.bending_weft) = (self.bending, self.bending_weft);
        material.damping = self.damping;
        (contact.friction, contact.layer_friction) = (self.friction, self.friction);
    }

    /// The same for a cloth that may have a triangle mesh. The stretch of a mesh is then carried by a
    /// membrane of triangles, since edge springs have another stiffness to shear than the fabric.
    pub fn apply_to(&self, parameters: &mut Parameters, has_mesh: bool) {
        self.apply(parameters);
        if has_mesh {
            let material = &mut parameters.material;
            (material.membrane, material.weft_ratio) = (MembraneModel::Triangles, self.stretch_weft);
        }
    }

    /// A drape coefficient of 30 cm between discs of 18 cm [%] beside the published one, in a
    /// sentence.
    #[must_use]
    pub fn compared_drape(&self, measured: Option<Real>) -> String {
        let Some(published) = &self.drape else {
            return format!("No drape of such a {} is published.", self.name.to_lowercase());
        };
        let difference = match (measured, published) {
            (None, _) => String::new(),
            (Some(measured), PublishedDrape::Measured { value, .. }) => format!(": {:+.0} points", measured - value),
            (Some(measured), PublishedDrape::Class { band: [low, high], .. }) => match measured {
                measured if measured < *low => format!(": {:.0} points below", low - measured),
                measured if measured > *high => format!(": {:.0} points above", measured - high),
                _ => ": within".to_owned(),
            },
        };
        format!("Published drape {published}{difference}")
    }

    /// Whether the cloth is made of it.
    #[must_use]
    pub fn is_of(&self, parameters: &Parameters) -> bool {
        let mut made = *parameters;
        self.apply(&mut made);
        made == *parameters
    }
}
