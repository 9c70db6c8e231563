//! The stability study in the background: searches on copies of the cloth, while the window goes
//! on.

pub mod limits;
pub mod panel;

use bevy::prelude::*;

use super::session::SessionHandle;
use super::task::Study;
use crate::documents::StabilityRow;
use crate::scene::{InputError, Scene};
use crate::sim::study::stability::{Experiment, Finding};
use crate::sim::{Real, Simulation};

/// Which cloth is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subject {
    /// The scene from its start, with the parameters and the solver as they are.
    #[default]
    ThisScene,
    /// The cloth of Kang's table 1, with all its methods.
    Table1,
}

/// Choices, running search and results.
#[derive(Resource, Default)]
pub struct Stability {
    /// Which cloth.
    pub subject: Subject,
    /// The varied parameter and the criterion of failure.
    pub experiment: Experiment,
    /// Results, in the order of the searches.
    pub results: Vec<(StabilityRow, Experiment, Finding)>,
    pub(super) study: Study<Found>,
}

/// A message of a search.
pub(super) enum Found {
    Row(Box<StabilityRow>, Experiment, Finding),
    Fault(InputError),
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Stability>().add_plugins(limits::plugin).add_systems(Update, collect);
}

impl Stability {
    /// Starts the chosen search.
    pub fn start(&mut self, session: &mut SessionHandle) {
        let (subject, experiment) = (self.subject, self.experiment);
        let scene = session.ask(|session| session.scene());
        info!("stability study started");
        self.study.start(move |reporter| {
            // without an answer there is no session any more
            let Ok(scene) = scene.recv() else { return };
            let searches = match searches(subject, scene) {
                Ok(searches) => searches,
                Err(error) => return reporter.send(Found::Fault(error)),
            };
            let count = searches.len() as Real;
            for (at, (row, mut simulation)) in searches.into_iter().enumerate() {
                simulation.cancel = reporter.cancel_token();
                let finding =
                    experiment.search(&mut simulation, &mut |share| reporter.tell((at as Real + share) / count));
                if finding == Finding::Cancelled {
                    return;
                }
                reporter.send(Found::Row(Box::new(row), experiment, finding));
            }
        });
    }
}

fn searches(subject: Subject, scene: Scene) -> Result<Vec<(StabilityRow, Simulation)>, InputError> {
    match subject {
        Subject::ThisScene => {
            let simulation = scene.build()?;
            Ok(vec![(StabilityRow::with(&simulation, scene, None), simulation)])
        }
        Subject::Table1 => {
            let rows = Scene::load(Scene::TABLE_1)?.table_1(None, true)?;
            rows.into_iter().map(|row| row.scene.build().map(|simulation| (row, simulation))).collect()
        }
    }
}

/// Takes over new results.
fn collect(mut stability: ResMut<Stability>) {
    let stability = stability.bypass_change_detection();
    let (found, ended) = stability.study.poll();
    for found in found {
        match found {
            Found::Row(row, experiment, finding) => {
                info!("stability of {} {}: {finding:?}", row.solver, row.variant);
                stability.results.push((*row, experiment, finding));
            }
            Found::Fault(error) => stability.study.fault = Some(error.to_string()),
        }
    }
    if ended {
        info!("stability study ended");
    }
}
