//! The stability laboratory in the background: searches on copies of the cloth, while the window goes on.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use bevy::prelude::*;

use super::lab::Lab;
use crate::scene::{InputError, Scene, StabilityRow};
use crate::sim::stability::{Experiment, Finding};
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

/// What is chosen, running and found.
#[derive(Resource, Default)]
pub struct Laboratory {
    /// Whether its window is open.
    pub open: bool,
    /// Which cloth.
    pub subject: Subject,
    /// What is varied, and what counts as failure.
    pub experiment: Experiment,
    /// What was found, in the order in which it was.
    pub results: Vec<(StabilityRow, Experiment, Finding)>,
    /// Why the last search did not start.
    pub fault: Option<String>,
    running: Option<Running>,
}

/// Searches in another thread.
struct Running {
    shared: Arc<Shared>,
    // a receiver alone is not `Sync`, as a resource has to be
    findings: Mutex<Receiver<(StabilityRow, Finding)>>,
    experiment: Experiment,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    /// Share that is done, as bits.
    done: AtomicU64,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Laboratory>().add_systems(Update, collect);
}

impl Laboratory {
    /// Starts what is chosen.
    pub fn start(&mut self, lab: &Lab) {
        self.fault = None;
        match self.searches(lab) {
            Ok(searches) => {
                info!("stability laboratory started");
                self.running = Some(Running::start(searches, self.experiment));
            }
            Err(error) => self.fault = Some(error.to_string()),
        }
    }

    fn searches(&self, lab: &Lab) -> Result<Vec<(StabilityRow, Simulation)>, InputError> {
        match self.subject {
            Subject::ThisScene => {
                let mut scene = lab.scene.clone();
                scene.adopt(&lab.simulation);
                let simulation = scene.build()?;
                Ok(vec![(StabilityRow::with(&simulation, scene, None), simulation)])
            }
            Subject::Table1 => {
                let rows = Scene::load(Scene::TABLE_1)?.table_1(None, true)?;
                rows.into_iter().map(|row| row.scene.build().map(|simulation| (row, simulation))).collect()
            }
        }
    }

    /// Share of the work that is done, while there is any.
    #[must_use]
    pub fn progress(&self) -> Option<f32> {
        self.running.as_ref().map(|running| Real::from_bits(running.shared.done.load(Ordering::Relaxed)) as f32)
    }

    /// Calls the search off; what was found stays.
    pub fn cancel(&mut self) {
        if let Some(running) = &self.running {
            running.shared.cancelled.store(true, Ordering::Relaxed);
        }
    }
}

impl Running {
    fn start(searches: Vec<(StabilityRow, Simulation)>, experiment: Experiment) -> Self {
        let shared = Arc::new(Shared::default());
        let (sender, findings) = channel();
        let told = Arc::clone(&shared);
        // one thread only: the other cores are for the cloth that somebody is holding
        let thread = std::thread::spawn(move || {
            let count = searches.len() as Real;
            for (at, (row, mut simulation)) in searches.into_iter().enumerate() {
                let finding = experiment.search(&mut simulation, &mut |share| {
                    told.done.store(((at as Real + share) / count).to_bits(), Ordering::Relaxed);
                    if told.cancelled.load(Ordering::Relaxed) {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                let cancelled = finding == Finding::Cancelled;
                // nobody listens any more when the window has been closed
                if cancelled || sender.send((row, finding)).is_err() {
                    return;
                }
            }
        });
        Self { shared, findings: Mutex::new(findings), experiment, thread }
    }
}

/// Takes over what has been found.
fn collect(mut laboratory: ResMut<Laboratory>) {
    let laboratory = laboratory.bypass_change_detection();
    let Some(running) = &mut laboratory.running else { return };
    let ended = running.thread.is_finished();
    let found = running.findings.get_mut().map(|findings| findings.try_iter().collect::<Vec<_>>()).unwrap_or_default();
    for (row, finding) in found {
        info!("stability of {} {}: {finding:?}", row.solver, row.variant);
        laboratory.results.push((row, running.experiment, finding));
    }
    if ended {
        laboratory.running = None;
        info!("stability laboratory ended");
    }
}
