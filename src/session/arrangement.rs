//! All that panels set, as one value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::scene::{Scalar, Scene, SolverSettings, collect_settings, label_of};
use crate::sim::params::Tunable;
use crate::sim::simulation::SolverSetups;
use crate::sim::{Parameters, Simulation, Solver};

/// The values of all panels: parameters, the solver with its settings, and the look of the cloth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrangement {
    /// The common parameters, by key.
    pub parameters: BTreeMap<String, Scalar>,
    /// The solver's id.
    pub solver: String,
    /// Its settings, by key.
    pub settings: SolverSettings,
    /// The fabric's id; empty for none.
    pub fabric: String,
    /// The picture that is printed on the cloth.
    pub image: Option<String>,
}

impl Arrangement {
    /// Of these parameters and this solver, with the look of a scene's cloth.
    #[must_use]
    pub fn of(parameters: &Parameters, solver: &dyn Solver, scene: &Scene) -> Self {
        Self {
            parameters: parameters.groups().flat_map(collect_settings).collect(),
            solver: solver.info().id.to_owned(),
            settings: collect_settings(solver.settings()),
            fabric: scene.fabric.clone(),
            image: scene.image.clone(),
        }
    }
}

/// The same as a session keeps it, with values in place of text, and with the settings of the
/// solvers that were at work before.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PanelValues {
    pub parameters: Parameters,
    pub solvers: SolverSetups,
    pub fabric: String,
    pub image: Option<String>,
}

impl PanelValues {
    /// Of a simulation, with the look of a scene's cloth.
    pub fn of(simulation: &Simulation, scene: &Scene) -> Self {
        Self {
            parameters: simulation.parameters,
            solvers: simulation.solver_setups(),
            fabric: scene.fabric.clone(),
            image: scene.image.clone(),
        }
    }

    /// The same as text.
    pub fn arrangement(&self) -> Arrangement {
        let Self { parameters, solvers, fabric, image } = self;
        let solver = &solvers.at_work;
        Arrangement {
            parameters: parameters.groups().flat_map(collect_settings).collect(),
            solver: solver.id.to_owned(),
            settings: solver.build().map(|solver| collect_settings(solver.settings())).unwrap_or_default(),
            fabric: fabric.clone(),
            image: image.clone(),
        }
    }

    /// Difference between two of them, in a word or two.
    pub fn difference(&self, other: &Self) -> String {
        let [solver, other_solver] = [&self.solvers.at_work, &other.solvers.at_work];
        if self.fabric != other.fabric {
            return "Fabric".to_owned();
        }
        if solver.id != other_solver.id {
            return "Solver".to_owned();
        }
        let changed = |before: &dyn Tunable, after: &dyn Tunable| {
            let params = before.params().iter().enumerate();
            params.filter(|(index, _)| before.get(*index) != after.get(*index)).map(|(_, param)| param.key).min()
        };
        let groups = self.parameters.groups().zip(other.parameters.groups());
        let key = groups.filter_map(|(before, after)| changed(before, after)).min();
        let setting = || changed(solver.build()?.settings(), other_solver.build()?.settings());
        key.or_else(setting).map_or_else(|| "Picture".to_owned(), label_of)
    }
}
