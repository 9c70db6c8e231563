//! Rows of the table of stability searches: the methods, and the cloth of each.

use crate::scene::{InputError, Scene};
use crate::sim::model::material::MassModel;
use crate::sim::study::stability::{TABLE_1, variant_name};
use crate::sim::{Real, Simulation};

/// Masses of a vertex in table 1 [kg].
const MASSES: [Real; 2] = [1.0, 2.0];

/// One stability search.
#[derive(Debug, Clone)]
pub struct StabilityRow {
    /// Id of the solver.
    pub solver: String,
    /// Its settings, as [`variant_name`] says.
    pub variant: String,
    /// Mass of a vertex; the mean where they differ [kg].
    pub mass: Real,
    /// The paper's figure [N/m].
    pub paper: Option<Real>,
    /// The cloth with its solver.
    pub scene: Scene,
}

impl StabilityRow {
    /// The row of a scene as it is.
    ///
    /// # Errors
    /// [`InputError`] when the scene cannot be built.
    pub fn of(scene: Scene) -> Result<Self, InputError> {
        Self::new(scene, None)
    }

    fn new(scene: Scene, paper: Option<Real>) -> Result<Self, InputError> {
        let simulation = scene.build()?;
        Ok(Self::with(&simulation, scene, paper))
    }

    /// The row of a simulation that was made from `scene`.
    #[must_use]
    pub fn with(simulation: &Simulation, scene: Scene, paper: Option<Real>) -> Self {
        let cloth = &simulation.state.cloth;
        Self {
            solver: simulation.solver().info().id.to_owned(),
            variant: variant_name(simulation.solver().settings()),
            mass: cloth.masses.iter().sum::<Real>() / cloth.len() as Real,
            paper,
            scene,
        }
    }
}

impl Scene {
    /// Name of the scene with the cloth of table 1.
    pub const TABLE_1: &'static str = "stability";

    /// The rows of table 1 on this cloth, all or those of one solver: with both masses of the paper
    /// and its figures if `paper_masses`, otherwise as heavy as the cloth is. A solver with
    /// settings of its own in this scene, or one that is not in the table, is tried with those
    /// alone.
    ///
    /// # Errors
    /// [`InputError`] when the scene cannot be built.
    pub fn table_1(&self, solver: Option<&str>, paper_masses: bool) -> Result<Vec<StabilityRow>, InputError> {
        let variants: Vec<_> = TABLE_1.iter().filter(|variant| solver.is_none_or(|id| id == variant.solver)).collect();
        let mut rows = Vec::new();
        let mut add = |mut scene: Self, paper: [Option<Real>; 2]| {
            if !paper_masses {
                rows.push(StabilityRow::of(scene)?);
                return Ok(());
            }
            for (mass, paper) in MASSES.into_iter().zip(paper) {
                (scene.parameters.mass.mass_model, scene.parameters.mass.vertex_mass) = (MassModel::PerVertex, mass);
                rows.push(StabilityRow::new(scene.clone(), paper)?);
            }
            Ok(())
        };
        if solver.is_some() && (variants.is_empty() || !self.settings.is_empty()) {
            add(self.clone(), [None; 2])?;
            return Ok(rows);
        }
        for variant in variants {
            let mut scene = self.clone();
            scene.set_solver(variant.solver)?;
            scene.settings.clear();
            for (key, value) in variant.settings {
                scene.set(key, value)?;
            }
            add(scene, variant.paper)?;
        }
        Ok(rows)
    }
}
