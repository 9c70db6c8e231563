//! Textile tests of the present fabric, and fits of its parameters to figures, in the background.

mod fit;
mod fit_panel;
pub mod panel;
mod subject;

use std::path::Path;

use bevy::prelude::*;

use super::session::SessionHandle;
use super::task::Study;
use crate::sim::Real;
use crate::sim::study::textile::{Specimen, TestResult, TextileTest};
use fit::Fitting;
use subject::Subject;

/// Starts of a drape.
const STARTS: u64 = 3;

/// The laboratory: the results so far, and the tests and the fit that run.
#[derive(Resource, Default)]
pub struct Laboratory {
    /// What was tested.
    pub tested: Option<Tested>,
    pub(super) study: Study<TestResult>,
    fitting: Fitting,
}

/// A fabric with the results of its tests.
pub struct Tested {
    subject: Subject,
    /// In the order of the tests.
    pub results: Vec<TestResult>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Laboratory>().add_systems(Update, collect);
}

impl Laboratory {
    /// Starts all usual tests of the material of the cloth, by the solver at work.
    pub fn start(&mut self, session: &SessionHandle) {
        let subject = Subject::of(session);
        self.tested = Some(Tested { subject: subject.clone(), results: Vec::new() });
        self.study.start(move |reporter| {
            let is_meant = |test: &TextileTest| test.is_usual() && subject.obstacle(Some(*test)).is_none();
            let tests: Vec<_> = TextileTest::ALL.into_iter().filter(is_meant).collect();
            for (done, &test) in tests.iter().enumerate() {
                let specimen = Specimen { cut: subject.cut, ..Specimen::new(&subject.parameters, subject.solver.id) };
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

    /// Sets the scanned drape in a file up as what is fitted to.
    pub fn take_scan(&mut self, file: &Path) {
        self.fitting.form.take_scan(&file.to_string_lossy(), false);
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
        self.fitting.take();
    }
}

fn collect(mut laboratory: ResMut<Laboratory>) {
    laboratory.bypass_change_detection().take();
}
