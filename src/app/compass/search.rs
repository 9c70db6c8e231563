//! Exact limits: the stiffness, or the time step, raised until a method fails, on copies of the
//! cloth in the background.

use bevy::log::info;
use egui::{Button, Color32, RichText, Ui};

use crate::app::session::SessionHandle;
use crate::app::task::Study;
use crate::app::widgets::section;
use crate::app::widgets::study::{Words, study_row};
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::documents::StabilityRow;
use crate::scene::{InputError, Scene};
use crate::sim::params::units::significant;
use crate::sim::params::{Field, Kind, Setting};
use crate::sim::study::stability::{Criterion, Experiment, Finding, Vary};
use crate::sim::{Real, Simulation};

/// Colour of stable steps.
const GREEN: Color32 = Color32::from_rgb(122, 184, 110);

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
#[derive(Default)]
pub struct Search {
    subject: Subject,
    /// The varied parameter and the criterion of failure.
    experiment: Experiment,
    /// In the order of the searches.
    results: Vec<Found>,
    study: Study<Found>,
}

/// The result of a search.
type Found = (StabilityRow, Experiment, Finding);

impl Search {
    fn start(&mut self, session: &mut SessionHandle) {
        let (subject, experiment) = (self.subject, self.experiment);
        let scene = session.ask(|session| session.scene());
        info!("stability study started");
        self.study.start(move |reporter| {
            // without an answer there is no session any more
            let Ok(scene) = scene.recv() else { return };
            let searches = match searches(subject, scene) {
                Ok(searches) => searches,
                Err(error) => return reporter.fail(error.to_string()),
            };
            let count = searches.len() as Real;
            for (at, (row, mut simulation)) in searches.into_iter().enumerate() {
                simulation.cancel = reporter.cancel_token();
                let finding =
                    experiment.search(&mut simulation, &mut |share| reporter.tell((at as Real + share) / count));
                if finding == Finding::Cancelled {
                    return;
                }
                reporter.send((row, experiment, finding));
            }
        });
    }

    /// Takes over new results.
    pub fn take(&mut self) {
        let (found, ended) = self.study.poll();
        for (row, _, finding) in &found {
            info!("stability of {} {}: {finding:?}", row.solver, row.variant);
        }
        self.results.extend(found);
        if ended {
            info!("stability study ended");
        }
    }

    /// The section of the panel.
    pub fn show(&mut self, ui: &mut Ui, session: &mut SessionHandle) {
        section(ui, "Exact limits", false, |ui| {
            let text = "Raises the stiffness, or the step, in steps of 10 % until the method fails, then bisects for \
                        the largest stable value. It runs on a copy; the cloth in the window continues.";
            ui.label(RichText::new(text).small().color(QUIET));
            ui.add_enabled_ui(!self.study.is_running(), |ui| self.choose(ui));
            let words = Words { start: "Search", help: ["", "Results so far stay"], names: ["search", "cancel"] };
            let results = &mut self.results;
            let is_started = study_row(ui, &self.study, &words, true, |ui| {
                if ui.add_enabled(!results.is_empty(), Button::new("Clear")).clicked() {
                    results.clear();
                }
            });
            if is_started {
                self.start(session);
            }
            if !self.results.is_empty() {
                self.table(ui);
            }
        });
    }

    fn choose(&mut self, ui: &mut Ui) {
        egui::Grid::new("choices").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
            ui.label("Cloth");
            ui.horizontal(|ui| {
                ui.radio_value(&mut self.subject, Subject::ThisScene, "this scene, with this solver");
                ui.radio_value(&mut self.subject, Subject::Table1, "Kang's table 1");
            });
            ui.end_row();
            ui.label("Raise");
            choices(ui, &mut self.experiment.vary, Vary::KIND);
            ui.end_row();
            ui.label("Failure");
            choices(ui, &mut self.experiment.criterion, Criterion::KIND);
            ui.end_row();
        });
    }

    fn table(&self, ui: &mut Ui) {
        egui::Grid::new("findings").num_columns(5).striped(true).spacing([14.0, 3.0]).show(ui, |ui| {
            for heading in ["Solver", "Variant", "Mass", "Stable up to", "Kang"] {
                ui.label(RichText::new(heading).small().color(QUIET));
            }
            ui.end_row();
            for (row, experiment, finding) in &self.results {
                let unit = if experiment.vary == Vary::Stiffness { "N/m" } else { "s" };
                ui.label(&row.solver);
                ui.label(RichText::new(&row.variant).color(QUIET));
                ui.label(format!("{} kg", significant(row.mass)));
                let (text, color) = match finding {
                    Finding::Limit(limit) if *limit == 0.0 => ("never".to_owned(), ALARM),
                    Finding::Limit(limit) => (format!("{} {unit}", significant(*limit)), ACCENT),
                    Finding::NoLimit => (format!("no limit to {} {unit}", significant(experiment.range().1)), GREEN),
                    Finding::Cancelled => (String::new(), QUIET),
                };
                ui.label(RichText::new(text).color(color));
                let paper = row.paper.filter(|_| experiment.vary == Vary::Stiffness);
                ui.label(paper.map_or(String::new(), |paper| format!("{} N/m", significant(paper))));
                ui.end_row();
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

/// A row of radio buttons for a declared choice.
fn choices<T: Field>(ui: &mut Ui, value: &mut T, kind: Kind) {
    let Kind::Choice(choices) = kind else { return };
    ui.horizontal(|ui| {
        for (at, choice) in choices.iter().enumerate() {
            let chosen = value.to_setting() == Setting::Choice(at);
            if ui.radio(chosen, choice.key).on_hover_text(choice.help.trim()).clicked() {
                value.assign(Setting::Choice(at));
            }
        }
    });
}
