//! The stability study: where does this method fail?

use egui::{Button, Color32, RichText, ScrollArea, Ui};

use super::{Stability, Subject};
use crate::app::desk::Shown;
use crate::app::widgets::study::{Asked, Words, study_row};
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::params::{Field, Setting};
use crate::sim::study::stability::{Criterion, Finding, Vary};

/// The window.
pub fn show(stability: &mut Stability, ui: &mut Ui, shown: &mut Shown) {
    ui.label(
        RichText::new(
            "Raises the stiffness, or the step, in steps of 10 % until the method fails, then bisects for the largest \
             stable value. It runs on a copy; the cloth in the window continues.",
        )
        .small()
        .color(QUIET),
    );
    ui.add_space(4.0);
    ui.add_enabled_ui(!stability.study.is_running(), |ui| choose(ui, stability));
    ui.add_space(4.0);
    let words = Words { start: "Search", help: ["", "Results so far stay"], names: ["search", "cancel"] };
    let results = &mut stability.results;
    let asked = study_row(ui, &stability.study, &words, true, |ui| {
        if ui.add_enabled(!results.is_empty(), Button::new("Clear")).clicked() {
            results.clear();
        }
    });
    match asked {
        Some(Asked::Start) => stability.start(shown.session),
        Some(Asked::Cancel) => stability.study.cancel(),
        None => {}
    }
    if !stability.results.is_empty() {
        ui.separator();
        let height = (shown.view.height() - 260.0).max(80.0);
        ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| table(ui, stability));
    }
}

fn choose(ui: &mut Ui, stability: &mut Stability) {
    egui::Grid::new("choices").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        ui.label("Cloth");
        ui.horizontal(|ui| {
            ui.radio_value(&mut stability.subject, Subject::ThisScene, "this scene, with this solver");
            ui.radio_value(&mut stability.subject, Subject::Table1, "Kang's table 1");
        });
        ui.end_row();
        ui.label("Raise");
        choices(ui, &mut stability.experiment.vary, Vary::KIND);
        ui.end_row();
        ui.label("Failure");
        choices(ui, &mut stability.experiment.criterion, Criterion::KIND);
        ui.end_row();
    });
}

/// A row of radio buttons for a declared choice.
fn choices<T: Field>(ui: &mut Ui, value: &mut T, kind: crate::sim::params::Kind) {
    let crate::sim::params::Kind::Choice(choices) = kind else { return };
    ui.horizontal(|ui| {
        for (at, choice) in choices.iter().enumerate() {
            let chosen = value.to_setting() == Setting::Choice(at);
            if ui.radio(chosen, choice.key).on_hover_text(choice.help.trim()).clicked() {
                value.assign(Setting::Choice(at));
            }
        }
    });
}

fn table(ui: &mut Ui, stability: &Stability) {
    egui::Grid::new("findings").num_columns(5).striped(true).spacing([14.0, 3.0]).show(ui, |ui| {
        for heading in ["Solver", "Variant", "Mass", "Stable up to", "Kang"] {
            ui.label(RichText::new(heading).small().color(QUIET));
        }
        ui.end_row();
        for (row, experiment, finding) in &stability.results {
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
            let paper: Option<Real> = row.paper.filter(|_| experiment.vary == Vary::Stiffness);
            ui.label(paper.map_or(String::new(), |paper| format!("{} N/m", significant(paper))));
            ui.end_row();
        }
    });
}

/// Colour of stable steps.
const GREEN: Color32 = Color32::from_rgb(122, 184, 110);
