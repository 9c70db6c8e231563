//! What a frame knows for a report.

use super::Frame;
use crate::documents::report::LaneRun;
use crate::scene::{Scalar, Scene};
use crate::sim::quantities::Numbers;
use crate::sim::solver::Ability;
use crate::sim::solvers;
use crate::sim::step::timing::Rule;

impl Frame {
    /// The run that has led to it, under a name and with the numbers of its steps.
    #[must_use]
    pub fn lane_run(&self, name: String, samples: Vec<Numbers>) -> LaneRun {
        LaneRun {
            name,
            scene: self.changed_scene(),
            solver: self.solver,
            capabilities: self.capabilities,
            settings: self.settings.clone(),
            rule: match self.capabilities.schemes {
                Ability::Yes => self.parameters.timing.rule(),
                Ability::No(_) => Rule::Own,
            },
            counts: [self.positions.len(), self.pattern.triangles().len()],
            steps: self.steps,
            time: self.time,
            samples,
            failure: self.failure.as_ref().map(|failure| (failure.time, failure.cause.to_string())),
        }
    }

    /// The scene with the parameters and the solver that it has now. Settings of the solver are
    /// left out where the scene names none and these suit the cloth.
    fn changed_scene(&self) -> Scene {
        let mut scene = (*self.scene).clone();
        scene.parameters = self.parameters;
        // one that is at work is known
        let _ = scene.set_solver(self.solver.id);
        let named = scene.settings.clone();
        if let Some(solver) = solvers::build(self.solver.id) {
            let params = solver.settings().params().iter().zip(&self.settings);
            scene.settings = params.map(|(param, value)| (param.key.to_owned(), Scalar::of(param, *value))).collect();
        }
        let suited = |scene: &Scene| {
            scene.build().ok().map(|simulation| crate::scene::collect_settings(simulation.solver().settings()))
        };
        let unnamed = Scene { settings: named.clone(), ..scene.clone() };
        if named.is_empty() && suited(&unnamed).as_ref() == Some(&scene.settings) {
            scene.settings = named;
        }
        scene
    }
}
