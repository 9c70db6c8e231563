//! Convergence of a step: a study of the present cloth in the background.

pub mod panel;

use bevy::prelude::*;

use super::desk::{ReportPart, Reported};
use super::session::SessionHandle;
use super::task;
use super::widgets::study::save;
use crate::documents::report::{ConvergenceStudy, Experiment};
use crate::documents::{Over, convergence_chart, write_convergence};
use crate::sim::Real;
use crate::sim::study::convergence::{Curve, ErrorKind, Study, methods};

/// Choices, running study and results.
#[derive(Resource)]
pub struct Convergence {
    /// Iterations per method.
    pub iterations: u32,
    /// Which error is shown.
    pub shown: ErrorKind,
    /// Results of the last study.
    pub findings: Option<Findings>,
    /// Error or success of the last export.
    pub message: Option<Result<String, String>>,
    pub(super) study: task::Study<Findings>,
}

/// Height of the axes of a chart that is saved [points].
const PAGE: f64 = 230.0;

/// A file that results are saved in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The table.
    Csv,
    /// The chart.
    Svg,
    /// The chart to print.
    Pdf,
}

/// The curves of one step.
#[derive(Clone)]
pub struct Findings {
    /// One per method and acceleration.
    pub curves: Vec<Curve>,
    /// Id of the solver that was at work.
    pub at_work: &'static str,
    /// When the step begins [s].
    pub time: Real,
    grid: Option<[u32; 2]>,
}

impl Findings {
    /// Whether all methods minimise an energy here.
    #[must_use]
    pub fn have_energies(&self) -> bool {
        self.curves.iter().flat_map(|curve| &curve.points).all(|point| point.energy.is_some())
    }

    /// The error that is shown where `chosen` is chosen.
    #[must_use]
    pub fn shown(&self, chosen: ErrorKind) -> ErrorKind {
        if self.have_energies() { chosen } else { ErrorKind::Positions }
    }

    /// Whether no method has an error, at the start of the step or later.
    #[must_use]
    pub fn start_at_minimum(&self) -> bool {
        self.curves.iter().flat_map(|curve| &curve.points).all(|point| point.distance == 0.0)
    }
}

impl Default for Convergence {
    fn default() -> Self {
        Self {
            iterations: 100,
            shown: ErrorKind::default(),
            findings: None,
            message: None,
            study: task::Study::default(),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Convergence>().add_systems(Update, collect);
}

impl Convergence {
    /// Starts a study of the next step of the cloth.
    pub fn start(&mut self, session: &mut SessionHandle) {
        self.message = None;
        let frame = session.frame();
        let is_grid = frame.scene.first.mesh.is_none() && frame.scene.first.body.is_none();
        let grid = is_grid.then_some([frame.scene.first.grid.columns, frame.scene.first.grid.rows]);
        let findings = Findings { curves: Vec::new(), at_work: frame.solver.id, time: frame.time, grid };
        let study = session.ask(|session| Study::comparing(session.simulation(), &methods()));
        let iterations = self.iterations;
        self.study.start(move |reporter| {
            // without an answer there is no session any more
            if let Ok(mut study) = study.recv() {
                let found = |curves: &[Curve]| Findings { curves: curves.to_vec(), ..findings };
                let mut shown = 0;
                let curves = study.measure(iterations, &mut |share, curves| {
                    if curves.len() > shown {
                        shown = curves.len();
                        reporter.send(found(curves));
                    }
                    reporter.tell(share)
                });
                reporter.finish(curves.map(|curves| found(&curves)));
            }
        });
        info!("convergence study started");
    }

    /// Takes over new results.
    pub fn take(&mut self) {
        let (mut found, ended) = self.study.poll();
        if let Some(findings) = found.pop() {
            self.findings = Some(findings);
        }
        if !ended {
            return;
        }
        for curve in self.findings.iter().flat_map(|findings| &findings.curves) {
            let last = curve.points.last();
            let (iterations, error) = last.map_or((0, 0.0), |point| (point.iteration, point.distance));
            info!("convergence of {}: {error:.3e} after {iterations} iterations", curve.id());
        }
        info!("convergence study ended");
    }

    /// Writes the results to a new file in the working folder: the table, or the chart over
    /// iterations with the error that is shown.
    pub fn export(&mut self, format: Format) {
        let Some(findings) = &self.findings else { return };
        let curves = || findings.curves.iter().map(|curve| (findings.grid, curve));
        let chart = || {
            let of = findings.shown(self.shown);
            convergence_chart(&findings.curves, Over::Iterations, of, Some(findings.at_work)).drawing(PAGE)
        };
        self.message = Some(match format {
            Format::Csv => save(["convergence", "csv"], "CSV", |out| write_convergence(curves(), out)),
            Format::Svg => save(["convergence", "svg"], "SVG", |out| out.write_all(chart().svg().as_bytes())),
            Format::Pdf => save(["convergence", "pdf"], "PDF", |out| out.write_all(&chart().pdf())),
        });
    }
}

fn collect(mut convergence: ResMut<Convergence>) {
    convergence.bypass_change_detection().take();
}

impl ReportPart for Convergence {
    fn add_to(&self, experiment: &mut Experiment, about: &Reported) {
        let (state, iterations) = (about.state, self.iterations);
        experiment.convergence = self.findings.as_ref().map(|findings| ConvergenceStudy {
            curves: findings.curves.clone(),
            time: findings.time,
            command: format!("weft bench --convergence --from {state} --iterations {iterations}"),
        });
    }
}
