//! All that panels set, as one value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::scene::{Scalar, Scene, SolverSettings, collect_settings, label_of};
use crate::sim::{Parameters, Solver};

/// What the panels set: parameters, the solver with its settings, and the look of the cloth.
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

    /// What two arrangements differ in, in a word or two.
    pub(super) fn difference(&self, other: &Self) -> String {
        if self.fabric != other.fabric {
            return "Fabric".to_owned();
        }
        if self.solver != other.solver {
            return "Solver".to_owned();
        }
        let changed = |a: &BTreeMap<String, Scalar>, b: &BTreeMap<String, Scalar>| {
            a.iter().find(|(key, value)| b.get(*key) != Some(value)).map(|(key, _)| key.clone())
        };
        let key = changed(&self.parameters, &other.parameters).or_else(|| changed(&self.settings, &other.settings));
        key.map_or_else(|| "Picture".to_owned(), |key| label_of(&key))
    }
}
