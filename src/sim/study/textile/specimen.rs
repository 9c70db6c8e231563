//! A specimen: a fabric, the mesh that it is cut from, and the solver that simulates it.

use super::GRAVITY;
use crate::sim::contact::ContactSettings;
use crate::sim::forces::air::{Air, AirMode, AirModel};
use crate::sim::model::material::{BendingModel, MembraneModel};
use crate::sim::pattern::Plane;
use crate::sim::study::jitter::Random;
use crate::sim::{CancelToken, Parameters, Pattern, Real, Simulation, Vec3, solvers};

/// Angle from the warp of a specimen cut on the bias [rad].
const BIAS: Real = std::f64::consts::FRAC_PI_4;

/// Shape of the mesh that a specimen is cut from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cut {
    /// Warp and weft along the lines of a grid, with springs; a disc is cut from triangles.
    #[default]
    Grid,
    /// Triangles whose vertices are moved at random, with a membrane; those of a disc as well.
    Irregular,
}

/// A fabric with the solver that simulates it.
#[derive(Debug, Clone, Copy)]
pub struct Specimen<'a> {
    /// Material, mass, friction, coefficients of the air and timing; the rest is that of the test.
    pub fabric: &'a Parameters,
    /// Id of the solver.
    pub solver: &'a str,
    /// Shape of the mesh.
    pub cut: Cut,
    /// Start of the random numbers: of the irregular mesh, and of how a drape begins.
    pub seed: u64,
    /// Distance of neighbouring vertices of a drape [m].
    pub cell: Real,
    /// Whether the solver keeps its default settings; otherwise they suit the specimen.
    pub has_defaults: bool,
    /// Calls the test off, within its steps.
    pub cancel: Option<&'a CancelToken>,
}

impl<'a> Specimen<'a> {
    /// A specimen of a fabric, of a grid where that can be, the first of its kind, with a cell of a
    /// drape that [suits](Self::cell_for) it.
    #[must_use]
    pub fn new(fabric: &'a Parameters, solver: &'a str) -> Self {
        let cell = Self::cell_for(fabric);
        Self { fabric, solver, cut: Cut::Grid, seed: 1, cell, has_defaults: false, cancel: None }
    }

    /// Distance of neighbouring vertices of a drape that suits a fabric [m]: 7.5 mm, or half the
    /// bending length of its softer direction where that is less, and at least 4 mm. Folds of a limp
    /// fabric are narrow, and triangles as wide as they are hold them up.
    #[must_use]
    pub fn cell_for(fabric: &Parameters) -> Real {
        let material = &fabric.material;
        let stiffness = material.bending_stiffness * material.bending_weft.min(1.0);
        (0.5 * (stiffness / (fabric.mass.area_density * GRAVITY)).cbrt()).clamp(0.004, 0.0075)
    }

    /// The specimen with this mesh, in a laboratory without air, floor and contact.
    pub(super) fn simulation(&self, pattern: Pattern) -> Simulation {
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
        parameters.timing = self.fabric.timing;
        simulation.cancel = self.cancel.cloned().unwrap_or_default();
        simulation
    }

    /// The same in still air, which acts on triangles by their area.
    pub(super) fn simulation_in_air(&self, pattern: Pattern) -> Simulation {
        let mut simulation = self.simulation(pattern);
        simulation.parameters.air = Air { air: AirMode::Still, air_model: AirModel::PerTriangle, ..self.fabric.air };
        simulation
    }

    /// Gives the solver settings that suit the specimen with its pins, unless it keeps its own.
    pub(super) fn suit(&self, simulation: &mut Simulation) {
        if !self.has_defaults {
            simulation.suit_solver();
        }
    }

    /// A sheet of so many cells, with its first corner at the origin in the plane of x and z.
    pub(super) fn sheet(&self, cells: [usize; 2], cell: Real) -> Pattern {
        match self.cut {
            Cut::Grid => grid(cells, cell),
            Cut::Irregular => self.mesh(cells, cell),
        }
    }

    /// The same of triangles with a membrane, cut on the bias: regular ones where sheets are grids of
    /// springs, which cannot be cut so.
    pub(super) fn bias_mesh(&self, cells: [usize; 2], cell: Real) -> Pattern {
        self.mesh(cells, cell).with_grains(&[BIAS])
    }

    /// A sheet of triangles: those of a grid, with inner vertices that are moved at random if the
    /// cut is irregular.
    fn mesh(&self, cells: [usize; 2], cell: Real) -> Pattern {
        let grid = grid(cells, cell);
        let columns = cells[0] + 1;
        let mut random = Random(self.seed);
        let rest = grid.rest_positions().iter().enumerate().map(|(i, x)| {
            let (column, row) = (i % columns, i / columns);
            // those at a rim stay on it, and corners stay
            let along = |at: usize, last: usize| if at == 0 || at == last { 0.0 } else { 1.0 };
            let free = Vec3::new(along(column, cells[0]), 0.0, along(row, cells[1]));
            *x + self.shift(&mut random, cell) * free
        });
        Pattern::mesh(rest.collect(), grid.triangles().to_vec())
    }

    /// By how much a vertex of a mesh in the plane of x and z is moved [m]: nothing if the mesh is
    /// regular.
    pub(super) fn shift(&self, random: &mut Random, cell: Real) -> Vec3 {
        match self.cut {
            Cut::Grid => Vec3::ZERO,
            Cut::Irregular => Vec3::new(random.signed(), 0.0, random.signed()) * (0.2 * cell),
        }
    }
}

/// A grid of so many cells, with its first corner at the origin in the plane of x and z.
fn grid(cells: [usize; 2], cell: Real) -> Pattern {
    let [columns, rows] = cells.map(|count| count + 1);
    let [width, height] = cells.map(|count| count as Real * cell);
    Pattern::grid(columns, rows, width, height, Plane::Xz)
}
