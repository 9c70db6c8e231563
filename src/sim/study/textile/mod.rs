//! Textile tests: the figures of a laboratory, measured of a simulated specimen.
//!
//! A specimen is cut, clamped and brought to rest; what the standard reads off an instrument is
//! then read off the state. A figure counts if the specimen is [at rest](rest).
//!
//! * *Tension*: a strip of 50 mm by 200 mm between clamps (ISO 13934-1), here at a strain of 1 %.
//! * *Shear*: a square in a hinged frame.
//! * *Bending*: a strip that is clamped level and bends under its weight (ASTM D1388), against the
//!   exact [`elastica`].
//! * *Drape*: a disc of 30 cm between two discs of 18 cm (BS 5058).
//! * *Friction*: a cloth on a plane that is inclined until it slides.
//!
//! Crimp, which makes the first stretch of a woven cloth softer, and the hysteresis of bending and
//! shear are not in the model, and so not in the figures.

mod cantilever;
mod drape;
pub mod elastica;
mod incline;
pub mod rest;
mod strips;

pub use drape::Draped;

use crate::sim::contact::ContactSettings;
use crate::sim::forces::air::AirMode;
use crate::sim::model::material::{BendingModel, MembraneModel};
use crate::sim::pattern::Plane;
use crate::sim::study::jitter::Random;
use crate::sim::{CancelToken, Parameters, Pattern, Real, Simulation, StepError, Vec3, solvers};

/// Acceleration of gravity in the laboratory [m/s²].
pub const GRAVITY: Real = 9.81;

/// Directions of warp and weft of a sheet that lies.
const WARP: Vec3 = Vec3::Z;
const WEFT: Vec3 = Vec3::X;

/// A textile test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextileTest {
    /// Tension along the warp.
    TensionWarp,
    /// Tension along the weft.
    TensionWeft,
    /// Shear in a frame.
    Shear,
    /// Bending of a strip along the warp.
    BendingWarp,
    /// Bending of a strip along the weft.
    BendingWeft,
    /// Drape between two discs.
    Drape,
    /// Friction on an incline.
    Friction,
}

/// Shape of the mesh that a specimen is cut from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cut {
    /// Warp and weft along the lines of a grid, with springs; a disc is cut from triangles.
    #[default]
    Grid,
    /// Triangles whose vertices are moved at random, with a membrane.
    Irregular,
}

/// A fabric with the solver that simulates it.
#[derive(Debug, Clone, Copy)]
pub struct Specimen<'a> {
    /// Material, mass and friction; the rest is that of the test.
    pub fabric: &'a Parameters,
    /// Id of the solver.
    pub solver: &'a str,
    /// Shape of the mesh.
    pub cut: Cut,
    /// Start of the random numbers: of the irregular mesh, and of how a drape begins.
    pub seed: u64,
    /// Calls the test off, within its steps.
    pub cancel: Option<&'a CancelToken>,
}

/// A measured figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// Its value, in the [unit](TextileTest::unit) of the test.
    pub value: Real,
    /// Whether the specimen was at rest.
    pub is_at_rest: bool,
    /// Number of folds of a drape.
    pub nodes: Option<usize>,
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
    pub const ALL: [Self; 7] = [
        Self::TensionWarp,
        Self::TensionWeft,
        Self::Shear,
        Self::BendingWarp,
        Self::BendingWeft,
        Self::Drape,
        Self::Friction,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::TensionWarp => "tension-warp",
            Self::TensionWeft => "tension-weft",
            Self::Shear => "shear",
            Self::BendingWarp => "bending-warp",
            Self::BendingWeft => "bending-weft",
            Self::Drape => "drape",
            Self::Friction => "incline",
        }
    }

    /// Unit of its figure.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::TensionWarp | Self::TensionWeft | Self::Shear => "N/m",
            Self::BendingWarp | Self::BendingWeft => "N·m",
            Self::Drape => "%",
            Self::Friction => "",
        }
    }

    /// Its procedure and formula, in a sentence.
    #[must_use]
    pub const fn procedure(self) -> &'static str {
        match self {
            Self::TensionWarp | Self::TensionWeft => {
                "Strip of 50 by 200 mm, clamped at both ends and stretched by 1 %: force per width and strain"
            }
            Self::Shear => "Square of 100 mm in a frame, sheared by 1/200: work of the frame per area and angle",
            Self::BendingWarp | Self::BendingWeft => {
                "Strip that is clamped level: bending stiffness of the elastica with the same chord angle"
            }
            Self::Drape => {
                "Disc of 30 cm between two of 18 cm: (shadow − small disc)/(specimen − small disc) from above"
            }
            Self::Friction => "Cloth on a plane: tangent of the largest angle at which it stays",
        }
    }

    /// The value that the material was given, if the test measures one of its parameters.
    #[must_use]
    pub fn wanted(self, fabric: &Parameters) -> Option<Real> {
        let material = &fabric.material;
        match self {
            Self::TensionWarp => Some(material.structural_stiffness),
            Self::TensionWeft => Some(material.weft_ratio * material.structural_stiffness),
            Self::Shear => Some(material.shear_stiffness),
            Self::BendingWarp => Some(material.bending_stiffness),
            Self::BendingWeft => Some(material.bending_weft * material.bending_stiffness),
            Self::Friction => Some(fabric.contact.friction),
            Self::Drape => None,
        }
    }

    /// Measures it; `None` where the solver knows no forces.
    ///
    /// # Errors
    /// [`StepError`] when a step fails.
    ///
    /// # Panics
    /// For a solver that is not registered.
    pub fn measure(self, specimen: &Specimen) -> Result<Option<Figure>, StepError> {
        match self {
            Self::TensionWarp => strips::tension(specimen, WARP),
            Self::TensionWeft => strips::tension(specimen, WEFT),
            Self::Shear => strips::shear(specimen),
            Self::BendingWarp => cantilever::bending(specimen, WARP).map(Some),
            Self::BendingWeft => cantilever::bending(specimen, WEFT).map(Some),
            Self::Drape => drape::drape(specimen).map(Some),
            Self::Friction => incline::friction(specimen).map(Some),
        }
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

impl Specimen<'_> {
    /// The disc of the drape test after it has come to rest.
    ///
    /// # Errors
    /// [`StepError`] when a step fails.
    ///
    /// # Panics
    /// For a solver that is not registered.
    pub fn draped(&self) -> Result<Draped, StepError> {
        drape::draped(self)
    }

    /// The specimen with this mesh, in a laboratory without air, floor and contact.
    fn simulation(&self, pattern: Pattern) -> Simulation {
        let solver = solvers::build(self.solver).expect("a registered solver");
        let mut simulation = Simulation::new(pattern, self.fabric.mass, solver);
        let parameters = &mut simulation.parameters;
        parameters.material = self.fabric.material;
        parameters.material.bending_model = BendingModel::Isometric;
        parameters.material.membrane = MembraneModel::Triangles;
        parameters.gravity.gravity = GRAVITY;
        parameters.air.air = AirMode::Vacuum;
        parameters.contact = ContactSettings { ground: false, ..self.fabric.contact };
        parameters.contact.self_contact = false;
        simulation.cancel = self.cancel.cloned().unwrap_or_default();
        simulation
    }

    /// A sheet of so many cells, with its first corner at the origin in the plane of x and z.
    fn sheet(&self, cells: [usize; 2], cell: Real) -> Pattern {
        let [columns, rows] = cells.map(|count| count + 1);
        let [width, height] = cells.map(|count| count as Real * cell);
        let grid = Pattern::grid(columns, rows, width, height, Plane::Xz);
        match self.cut {
            Cut::Grid => grid,
            Cut::Irregular => {
                let mut random = Random(self.seed);
                let rest = grid.rest_positions().iter().enumerate().map(|(i, x)| {
                    let (column, row) = (i % columns, i / columns);
                    // those at a rim stay on it, and corners stay
                    let along = |at: usize, last: usize| if at == 0 || at == last { 0.0 } else { 1.0 };
                    let free = Vec3::new(along(column, columns - 1), 0.0, along(row, rows - 1));
                    *x + Vec3::new(random.signed(), 0.0, random.signed()) * free * (0.2 * cell)
                });
                Pattern::mesh(rest.collect(), grid.triangles().to_vec())
            }
        }
    }
}
