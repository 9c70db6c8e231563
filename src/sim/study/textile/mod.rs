//! Textile tests: the figures of a laboratory, measured of a simulated specimen.
//!
//! A specimen is cut, clamped and brought to rest; what the standard reads off an instrument is
//! then read off the state. A figure counts if the specimen is [at rest](rest).
//!
//! * *Tension*: a strip of 50 mm by 200 mm between clamps (ISO 13934-1), here at a strain of 1 %.
//! * *Bias tension*: the same of a strip cut at 45 degrees to the warp.
//! * *Shear*: a square in a hinged frame.
//! * *Bending*: a strip that is clamped level and bends under its weight (ASTM D1388), against the
//!   exact [elastica](crate::sim::math::elastica).
//! * *Drape*: a disc of 30 cm between two discs of 18 cm (BS 5058); likewise of 24 and 36 cm, and of
//!   25.4 cm between discs of 12.7 cm (JIS L 1096).
//! * *Friction*: a cloth on a plane that is inclined until it slides.
//! * *Decay*: a hanging strip that swings in still air.
//! * *Fall*: a level sheet in still air.
//!
//! Crimp, which makes the first stretch of a woven cloth softer, and the hysteresis of bending and
//! shear are not in the model, and so not in the figures.

mod cantilever;
mod drape;
mod fall;
mod incline;
mod procedures;
pub mod rest;
mod result;
mod specimen;
mod strips;
mod swing;

pub use drape::Discs;
pub use result::TestResult;
pub use specimen::{Cut, Specimen};

pub use drape::Draped;

use crate::sim::model::material::Material;
use crate::sim::{Parameters, Real, Simulation, StepError, Vec3};

/// Acceleration of gravity in the laboratory [m/s²].
pub const GRAVITY: Real = 9.81;

/// Directions of warp and weft of a sheet that lies.
const WARP: Vec3 = Vec3::Z;
const WEFT: Vec3 = Vec3::X;

/// Why a test of forces has no figure.
const NO_FORCES: &str = "the solver knows no forces";

/// The figure, or why there is none, and the specimen at its end.
type Outcome = Result<(Result<Figure, &'static str>, Simulation), StepError>;

/// A textile test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextileTest {
    /// Tension along the warp.
    TensionWarp,
    /// Tension along the weft.
    TensionWeft,
    /// Tension at 45 degrees to the warp.
    TensionBias,
    /// Shear in a frame.
    Shear,
    /// Bending of a strip along the warp.
    BendingWarp,
    /// Bending of a strip along the weft.
    BendingWeft,
    /// Drape of a disc of 30 cm between two of 18 cm.
    Drape,
    /// Drape of a disc of 24 cm between two of 12 cm.
    Drape24,
    /// Drape of a disc of 36 cm between two of 18 cm.
    Drape36,
    /// Drape of a disc of 25.4 cm between two of 12.7 cm.
    DrapeJis,
    /// Friction on an incline.
    Friction,
    /// Decay of the swing of a strip.
    Decay,
    /// Terminal velocity of a sheet in air.
    Fall,
}

/// A measured figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// Its value, in the [unit](TextileTest::unit) of the test.
    pub value: Real,
    /// Whether the specimen was at rest; of a fall, whether it was steady.
    pub is_at_rest: bool,
    /// Number of folds of a drape.
    pub nodes: Option<usize>,
    /// What a reader of the figure has to know of the specimen.
    pub note: Option<&'static str>,
}

/// What a test has measured.
pub struct Measurement {
    /// The figure, or why there is none.
    pub figure: Result<Figure, &'static str>,
    /// The specimen at the end.
    pub simulation: Simulation,
}

/// The force of a strip over its strain.
#[derive(Debug, Clone, PartialEq)]
pub struct Tension {
    /// Force per width at each strain [N/m].
    pub forces: Vec<Real>,
    /// Whether the strip was at rest at all of them.
    pub is_at_rest: bool,
}

impl TextileTest {
    /// All, in the order of tables.
    pub const ALL: [Self; 13] = [
        Self::TensionWarp,
        Self::TensionWeft,
        Self::TensionBias,
        Self::Shear,
        Self::BendingWarp,
        Self::BendingWeft,
        Self::Drape,
        Self::Drape24,
        Self::Drape36,
        Self::DrapeJis,
        Self::Friction,
        Self::Decay,
        Self::Fall,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::TensionWarp => "tension-warp",
            Self::TensionWeft => "tension-weft",
            Self::TensionBias => "tension-bias",
            Self::Shear => "shear",
            Self::BendingWarp => "bending-warp",
            Self::BendingWeft => "bending-weft",
            Self::Drape => "drape",
            Self::Drape24 => "drape-24",
            Self::Drape36 => "drape-36",
            Self::DrapeJis => "drape-jis",
            Self::Friction => "incline",
            Self::Decay => "decay",
            Self::Fall => "sheet-in-air",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TensionWarp => "Tension, warp",
            Self::TensionWeft => "Tension, weft",
            Self::TensionBias => "Tension, bias",
            Self::Shear => "Shear",
            Self::BendingWarp => "Bending, warp",
            Self::BendingWeft => "Bending, weft",
            Self::Drape => "Drape, 30 on 18 cm",
            Self::Drape24 => "Drape, 24 on 12 cm",
            Self::Drape36 => "Drape, 36 on 18 cm",
            Self::DrapeJis => "Drape, 25.4 on 12.7 cm",
            Self::Friction => "Friction",
            Self::Decay => "Swing, half-life",
            Self::Fall => "Fall in air",
        }
    }

    /// Its figure within a sentence.
    #[must_use]
    pub const fn figure(self) -> &'static str {
        match self {
            Self::TensionWarp => "tension along the warp",
            Self::TensionWeft => "tension along the weft",
            Self::TensionBias => "tension on the bias",
            Self::Shear => "shear in the frame",
            Self::BendingWarp => "bending along the warp",
            Self::BendingWeft => "bending along the weft",
            Self::Drape => "drape",
            Self::Drape24 => "drape of 24 cm",
            Self::Drape36 => "drape of 36 cm",
            Self::DrapeJis => "drape of 25.4 cm",
            Self::Friction => "friction on the incline",
            Self::Decay => "half-life of the swing",
            Self::Fall => "velocity of the fall",
        }
    }

    /// Unit of its figure.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::TensionWarp | Self::TensionWeft | Self::TensionBias | Self::Shear => "N/m",
            Self::BendingWarp | Self::BendingWeft => "N·m",
            Self::Drape | Self::Drape24 | Self::Drape36 | Self::DrapeJis => "%",
            Self::Friction => "",
            Self::Decay => "s",
            Self::Fall => "m/s",
        }
    }

    /// The value that the material was given, if the test measures one of its parameters, or that
    /// follows from it by a closed form.
    #[must_use]
    pub fn wanted(self, fabric: &Parameters) -> Option<Real> {
        let material = &fabric.material;
        match self {
            Self::TensionWarp => Some(material.structural_stiffness),
            Self::TensionWeft => Some(material.weft_ratio * material.structural_stiffness),
            Self::TensionBias => Some(bias_modulus(material)),
            Self::Shear => Some(material.shear_stiffness),
            Self::BendingWarp => Some(material.bending_stiffness),
            Self::BendingWeft => Some(material.bending_weft * material.bending_stiffness),
            Self::Friction => Some(fabric.contact.friction),
            Self::Fall => Some(fall::terminal_velocity(fabric)).filter(|velocity| velocity.is_finite()),
            Self::Drape | Self::Drape24 | Self::Drape36 | Self::DrapeJis | Self::Decay => None,
        }
    }

    /// The discs of a drape.
    #[must_use]
    pub const fn discs(self) -> Option<Discs> {
        match self {
            Self::Drape => Some(Discs::CUSICK_30),
            Self::Drape24 => Some(Discs::CUSICK_24),
            Self::Drape36 => Some(Discs::CUSICK_36),
            Self::DrapeJis => Some(Discs::JIS),
            _ => None,
        }
    }

    /// Whether it is measured if no test is named: one size of drape stands for all.
    #[must_use]
    pub const fn is_usual(self) -> bool {
        !matches!(self, Self::Drape24 | Self::Drape36 | Self::DrapeJis)
    }

    /// Whether its figure is one of bending stiffness.
    #[must_use]
    pub const fn needs_bending(self) -> bool {
        matches!(self, Self::BendingWarp | Self::BendingWeft) || self.discs().is_some()
    }

    /// Measures it; `None` where it has no figure, as where the solver knows no forces.
    ///
    /// # Errors
    /// [`StepError`] when a step fails.
    ///
    /// # Panics
    /// For a solver that is not registered.
    pub fn measure(self, specimen: &Specimen) -> Result<Option<Figure>, StepError> {
        self.measurement(specimen).map(|measurement| measurement.figure.ok())
    }

    /// Measures it and keeps the specimen.
    ///
    /// # Errors
    /// [`StepError`] when a step fails.
    ///
    /// # Panics
    /// For a solver that is not registered.
    pub fn measurement(self, specimen: &Specimen) -> Result<Measurement, StepError> {
        let outcome = match self {
            Self::TensionWarp => strips::tension(specimen, WARP),
            Self::TensionWeft => strips::tension(specimen, WEFT),
            Self::TensionBias => strips::tension_bias(specimen),
            Self::Shear => strips::shear(specimen),
            Self::BendingWarp => cantilever::bending(specimen, WARP),
            Self::BendingWeft => cantilever::bending(specimen, WEFT),
            Self::Drape => drape::drape(specimen, Discs::CUSICK_30),
            Self::Drape24 => drape::drape(specimen, Discs::CUSICK_24),
            Self::Drape36 => drape::drape(specimen, Discs::CUSICK_36),
            Self::DrapeJis => drape::drape(specimen, Discs::JIS),
            Self::Friction => incline::friction(specimen),
            Self::Decay => swing::decay(specimen),
            Self::Fall => fall::fall(specimen),
        };
        outcome.map(|(figure, simulation)| Measurement { figure, simulation })
    }

    /// The force per width [N/m] of a strip that is stretched to each of these rising strains in
    /// turn, and whether it was at rest at all of them; `None` where the solver knows no forces, or
    /// the test is no tension.
    ///
    /// # Errors
    /// [`StepError`] when a step fails.
    ///
    /// # Panics
    /// For a solver that is not registered.
    pub fn tension_curve(self, specimen: &Specimen, strains: &[Real]) -> Result<Option<Tension>, StepError> {
        match self {
            Self::TensionWarp => strips::tension_curve(specimen, WARP, strains),
            Self::TensionWeft => strips::tension_curve(specimen, WEFT, strains),
            _ => Ok(None),
        }
    }
}

/// Modulus of a strip cut at 45 degrees to the warp [N/m], `4/(1/E₁ + 1/E₂ + 1/G)`: that of an
/// orthotropic membrane without Poisson's ratio whose sides are free.
#[must_use]
pub fn bias_modulus(material: &Material) -> Real {
    let warp = material.structural_stiffness;
    4.0 / (1.0 / warp + 1.0 / (material.weft_ratio * warp) + 1.0 / material.shear_stiffness)
}

impl Figure {
    /// A figure of this value, of a specimen at rest.
    fn of(value: Real) -> Self {
        Self { value, is_at_rest: true, nodes: None, note: None }
    }
}
