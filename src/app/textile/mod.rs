//! Textile tests of the present fabric, in the background.

pub mod panel;

use bevy::prelude::*;

use super::library::mean_area_density;
use super::session::SessionHandle;
use super::task::Study;
use crate::scene::Fabric;
use crate::sim::Real;
use crate::sim::model::material::{BendingModel, MassModel};
use crate::sim::study::textile::{Cut, Specimen, TestResult, TextileTest};

/// Starts of a drape.
const STARTS: u64 = 3;

/// The laboratory: the results so far, and the tests that run.
#[derive(Resource, Default)]
pub struct Laboratory {
    /// What was tested.
    pub tested: Option<Tested>,
    pub(super) study: Study<TestResult>,
}

/// A fabric with the results of its tests.
pub struct Tested {
    /// Its name.
    pub name: String,
    /// The fabric that comes with the program, if the numbers of the cloth are its.
    pub fabric: Option<&'static Fabric>,
    /// Name of the solver.
    pub solver: &'static str,
    /// Whether springs that skip a vertex bend it, which have no stiffness per width to measure.
    pub is_bent_by_springs: bool,
    /// In the order of the tests.
    pub results: Vec<TestResult>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Laboratory>().add_systems(Update, collect);
}

impl Laboratory {
    /// Starts all usual tests of the material of the cloth, by the solver at work.
    pub fn start(&mut self, session: &SessionHandle) {
        let (frame, mut parameters) = (session.frame(), *session.parameters());
        let look = Fabric::find(&frame.scene.fabric).ok();
        let fabric = look.filter(|fabric| fabric.is_of(&parameters));
        let name = match (fabric, look) {
            (Some(fabric), _) => fabric.name.clone(),
            (None, Some(look)) => format!("{}, changed", look.name),
            (None, None) => "This cloth".to_owned(),
        };
        let density = mean_area_density(frame, &parameters);
        (parameters.mass.mass_model, parameters.mass.area_density) = (MassModel::AreaDensity, density);
        let is_bent_by_springs = parameters.material.bending_model == BendingModel::Springs;
        let solver = frame.solver;
        // springs or a membrane, as the cloth has
        let has_membrane = frame.scene.first.mesh.is_some() && parameters.material.has_membrane();
        let cut = if has_membrane { Cut::Irregular } else { Cut::Grid };
        self.tested = Some(Tested { name, fabric, solver: solver.name, is_bent_by_springs, results: Vec::new() });
        self.study.start(move |reporter| {
            let is_meant = |test: &TextileTest| test.is_usual() && !(is_bent_by_springs && test.needs_bending());
            let tests: Vec<_> = TextileTest::ALL.into_iter().filter(is_meant).collect();
            for (done, &test) in tests.iter().enumerate() {
                let specimen = Specimen { cut, ..Specimen::new(&parameters, solver.id) };
                let starts = if test.discs().is_some() { STARTS } else { 1 };
                let mut figures = Ok(Ok(Vec::new()));
                for seed in 0..starts {
                    let share = (done as Real + seed as Real / starts as Real) / tests.len() as Real;
                    if reporter.tell(share).is_break() {
                        return;
                    }
                    let cancel = reporter.cancel_token();
                    let measured = test.measurement(&Specimen { seed, cancel: Some(&cancel), ..specimen });
                    match (measured.map(|measurement| measurement.figure), &mut figures) {
                        (Ok(Ok(figure)), Ok(Ok(figures))) => figures.push(figure),
                        (Ok(Err(why)), _) => figures = Ok(Err(why)),
                        (Err(error), _) => figures = Err(error),
                        _ => {}
                    }
                }
                // one that was called off has not failed
                if !reporter.is_cancelled() {
                    reporter.send(TestResult::of(test, &specimen, figures));
                }
            }
        });
        info!("textile tests started");
    }

    /// Takes over new results.
    pub fn take(&mut self) {
        let (found, ended) = self.study.poll();
        if let Some(tested) = &mut self.tested {
            for result in found {
                info!("textile test {}: {:?}", result.test.id(), result.mean());
                tested.results.push(result);
            }
        }
        if ended {
            info!("textile tests ended");
        }
    }
}

fn collect(mut laboratory: ResMut<Laboratory>) {
    laboratory.bypass_change_detection().take();
}
