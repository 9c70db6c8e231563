//! Which solver? The question, the picture of its answer, and the answer in words.

use egui::{Button, CollapsingHeader, CursorIcon, DragValue, Label, RichText, Ui};

use super::figures::figures;
use super::figures::{Places, chart_of};
use super::{Advisor, Use, film_row};
use crate::app::desk::{Request, Shown};
use crate::app::film_strip::FilmStrip;
use crate::app::film_strip::raster::Eye;
use crate::app::session::SessionHandle;
use crate::app::widgets::chart::{self, solver_colour};
use crate::app::widgets::study::{Words, study_row};
use crate::app::widgets::style::{ALARM, QUIET};
use crate::app::widgets::{name as name_control, note_place, take_home};
use crate::documents::{self, TradeOff};
use crate::sim::Real;
use crate::sim::study::advice::{Advice, Findings, PROFILES, Profile, Sentence};

/// Title of the window.
pub const TITLE: &str = "Which solver?";
/// Range of the budget [ms].
const BUDGETS: std::ops::RangeInclusive<Real> = 0.01..=10_000.0;
/// Range of the time for the measurements [s].
const SECONDS: std::ops::RangeInclusive<Real> = 10.0..=3600.0;
/// Rules of sentences that say what can be taken.
const OFFERS: [&str; 4] = ["take", "over-budget", "cheaper", "better"];

/// The window.
pub fn show(advisor: &mut Advisor, ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    advisor.take_news();
    // the picture, and not the rest, gives way in a low window
    let height = (shown.view.height() - 390.0).clamp(170.0, 340.0);
    ui.label(
        RichText::new(
            "Every solver with every effort on copies of this cloth: what a frame costs, and how far a step is from \
             the converged one.",
        )
        .small()
        .color(QUIET),
    );
    ui.add_space(4.0);
    question(ui, advisor);
    controls(ui, advisor, session);
    if advisor.measured.is_some() && !advisor.study.is_running() && !advisor.is_about(session.frame()) {
        ui.colored_label(ALARM, "The cloth or its parameters are others now: measure again.");
    }
    let eye = shown.states.see::<FilmStrip>().and_then(FilmStrip::eye);
    answer(ui, advisor, session, (height, eye));
    if advisor.measured.is_some()
        && let Some(target) = take_home::targets(ui)
    {
        shown.desk.requests.push(Request::TakeHome(target));
    }
}

/// Budget and purpose.
fn question(ui: &mut Ui, advisor: &mut Advisor) {
    ui.horizontal(|ui| {
        ui.label("Budget");
        let mut ms = 1e3 * advisor.budget;
        let (digits, speed) = (if ms < 1.0 { 3 } else { 2 }, 0.02 * ms);
        let field = DragValue::new(&mut ms).range(BUDGETS).speed(speed).max_decimals(digits).suffix(" ms");
        let field = ui.add(field).on_hover_text("Most time per frame, which is one time step");
        name_control(ui, &field, "Budget per frame");
        note_place(ui, "advice budget", field.rect);
        if field.changed() {
            advisor.budget = 1e-3 * ms;
        }
        ui.label("per frame, for");
        for profile in PROFILES {
            let is_chosen = advisor.profile.name == profile.name;
            let choice = ui.selectable_label(is_chosen, profile.name).on_hover_text(profile.purpose);
            note_place(ui, &format!("advice for {}", profile.name), choice.rect);
            if choice.clicked() {
                advisor.profile = *profile;
            }
        }
    });
    let Profile { weights, stretch, jitter, times, .. } = &mut advisor.profile;
    let header = CollapsingHeader::new(RichText::new("Weights and limits").small().color(QUIET));
    let header = header.id_salt("advice weights").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.label("Weight of");
            for (value, label) in
                [(&mut weights.stretch, "stretch"), (&mut weights.bending, "bending"), (&mut weights.whole, "whole")]
            {
                let field = ui.add(DragValue::new(value).range(0.0..=100.0).speed(0.01).max_decimals(2));
                name_control(ui, &field, &format!("Weight of {label}"));
                ui.label(label);
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.label("At most");
            for (value, label, help) in [
                (stretch, "longer than the reference", "Of the longest spring"),
                (jitter, "of a spring in jitter at rest", "Alternation from step to step"),
            ] {
                let mut percent = 100.0 * *value;
                let field = DragValue::new(&mut percent).range(0.0..=1000.0).speed(0.1).max_decimals(2).suffix(" %");
                let field = ui.add(field).on_hover_text(help);
                name_control(ui, &field, label);
                if field.changed() {
                    *value = 0.01 * percent;
                }
                ui.label(label);
            }
            let field = DragValue::new(times).range(1.0..=100.0).speed(0.01).max_decimals(2);
            let field =
                ui.add(field).on_hover_text("Of stretch, sag, rise or gain of energy, at any moment of the run");
            let label = "times the figures of the reference";
            name_control(ui, &field, label);
            ui.label(label);
        });
    });
    note_place(ui, "advice weights", header.header_response.rect);
}

fn controls(ui: &mut Ui, advisor: &mut Advisor, session: &mut SessionHandle) {
    let help = "Runs in the background. With the cloth paused, times are more accurate.";
    let words = Words {
        start: "Measure",
        help: [help, "What is known so far stays"],
        names: ["measure solvers", "cancel advice"],
    };
    let seconds = &mut advisor.seconds;
    let is_started = study_row(ui, &advisor.study, &words, true, |ui| {
        ui.label("for up to");
        let field = DragValue::new(seconds).range(SECONDS).speed(1.0).max_decimals(0).suffix(" s");
        let field = ui.add(field).on_hover_text("Candidates that are not run over time until then are not recommended");
        name_control(ui, &field, "Time for the measurements");
        note_place(ui, "advice seconds", field.rect);
    });
    if is_started {
        advisor.start(session);
    }
}

/// The picture and the words.
fn answer(ui: &mut Ui, advisor: &mut Advisor, session: &mut SessionHandle, (height, eye): (f32, Option<Eye>)) {
    let (budget, profile) = (advisor.budget, advisor.profile);
    let judged = advisor.measured.as_mut().map(|measured| measured.judge(budget, &profile));
    let findings = advisor.measured.as_ref().map(|measured| std::sync::Arc::clone(&measured.findings));
    let (advice, sentences) = judged.clone().map(|judgement| (judgement.advice, judgement.sentences)).unzip();
    // a few candidates are no answer yet
    let is_looked_at = findings.as_ref().is_some_and(|findings| !findings.looks.is_empty());
    let sentences = sentences.filter(|_| is_looked_at).unwrap_or_default();
    let mut meant = None;
    let (first, others) = sentences.split_at(sentences.len().min(1));
    if let Some(findings) = &findings {
        say(ui, advisor, session, (findings, first), &mut meant);
    }
    // candidates come and go while they are measured
    if let (Some(measured), Some(judgement)) = (&advisor.measured, judged.filter(|_| !advisor.study.is_running()))
        && let Some(reel) = advisor.films.of(measured, &judgement)
    {
        film_row::show(ui, reel, eye);
    }
    let mut picture = match (&findings, &advice) {
        (Some(findings), Some(advice)) => TradeOff::of(findings, advice, (budget, &profile), TITLE),
        _ => TradeOff::empty(TITLE, budget),
    };
    picture.meant = advisor.pointer.meant;
    ui.label(RichText::new("Error of a step [% of its motion]").small().color(QUIET));
    let known = findings.as_deref().zip(advice.as_deref());
    draw(ui, advisor, session, (&mut picture, known), height);
    let Some((findings, _)) = known else { return };
    legend(ui, &picture, &mut meant);
    say(ui, advisor, session, (findings, others), &mut meant);
    if sentences.is_empty() && !advisor.study.is_running() {
        ui.label("No candidate could be judged.");
    }
    ui.label(RichText::new(reference(findings)).small().color(QUIET));
    // what the pointer means in the picture comes first
    advisor.pointer.meant = picture.meant.filter(|_| advisor.pointer.is_in_picture).or(meant);
}

/// The picture, in which the budget is dragged and a candidate chosen.
fn draw(
    ui: &mut Ui,
    advisor: &mut Advisor,
    session: &mut SessionHandle,
    (picture, known): (&mut TradeOff, Option<(&Findings, &Advice)>),
    height: f32,
) {
    let (places, response) = Places::allocate(ui, picture, height);
    note_place(ui, "advice picture", places.frame());
    let at_budget = egui::pos2(places.budget(picture.budget), places.frame().center().y);
    note_place(ui, "advice budget line", egui::Rect::from_center_size(at_budget, egui::vec2(4.0, 4.0)));
    let pressed = ui.input(|input| input.pointer.press_origin());
    if response.drag_started() && pressed.is_some_and(|at| places.is_at_budget(at, picture.budget)) {
        advisor.pointer.drags_budget = true;
    }
    if let Some(at) = response.interact_pointer_pos().filter(|_| advisor.pointer.drags_budget) {
        advisor.budget = places.budget_at(at).clamp(1e-3 * BUDGETS.start(), 1e-3 * BUDGETS.end());
        picture.budget = advisor.budget;
    }
    advisor.pointer.drags_budget &= !response.drag_stopped();
    let hovered = response.hover_pos().filter(|at| places.frame().contains(*at));
    let pointed = hovered.filter(|_| !advisor.pointer.drags_budget).and_then(|at| places.candidate_at(picture, at));
    advisor.pointer.is_in_picture = pointed.is_some();
    picture.meant = pointed.or(picture.meant);
    chart::paint(ui.painter(), &chart_of(picture), &places.0);
    if let Some(present) = picture.candidates.iter().find(|candidate| candidate.is_present) {
        let at = places.0.of(present.at);
        note_place(ui, "advice present", egui::Rect::from_center_size(at, egui::vec2(8.0, 8.0)));
    }
    let taken = picture.choices.iter().find(|(_, name)| *name == "take").and_then(|(row, _)| picture.candidate(*row));
    if let Some(candidate) = taken {
        let at = places.0.of(candidate.at);
        note_place(ui, "advice taken", egui::Rect::from_center_size(at, egui::vec2(8.0, 8.0)));
    }
    if hovered.is_some_and(|at| places.is_at_budget(at, picture.budget)) && pointed.is_none()
        || advisor.pointer.drags_budget
    {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let (is_clicked, is_double) = (response.clicked(), response.double_clicked());
    if let (Some(row), Some((findings, advice))) = (pointed, known) {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        let profile = advisor.profile;
        response.on_hover_ui_at_pointer(|ui| {
            let of = &findings.rows[row];
            ui.label(RichText::new(of.name()).strong().color(solver_colour(of.candidate.solver.id)));
            for line in figures(findings, advice, &profile, row) {
                ui.label(RichText::new(line).small());
            }
            ui.label(
                RichText::new("Click: in a lane beside the cloth. Double click: on this cloth.").small().color(QUIET),
            );
        });
        if is_double {
            advisor.pointer.clicked = None;
            advisor.take(row, Use::Here, session);
        } else if is_clicked {
            advisor.pointer.clicked = Some((row, ui.input(|input| input.time)));
        }
    }
    take_clicked(ui, advisor, session);
}

/// Takes a candidate that was clicked once, when no other click has followed for a while.
fn take_clicked(ui: &Ui, advisor: &mut Advisor, session: &mut SessionHandle) {
    let Some((row, since)) = advisor.pointer.clicked else { return };
    let wait = ui.ctx().options(|options| options.input_options.max_double_click_delay);
    let left = since + wait - ui.input(|input| input.time);
    if left <= 0.0 {
        advisor.pointer.clicked = None;
        advisor.take(row, Use::Beside, session);
    } else {
        ui.ctx().request_repaint_after_secs(left as f32);
    }
}

/// The solvers with their signs; the one under the pointer is meant.
fn legend(ui: &mut Ui, picture: &TradeOff, meant: &mut Option<usize>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(3.0, 1.0);
        for key in picture.chart().legend {
            if chart::key(ui, &key.sign, RichText::new(&key.name).small()).hovered() {
                let of = |candidate: &&documents::Candidate| candidate.solver[1] == key.name && !candidate.is_present;
                *meant = picture.candidates.iter().find(of).map(|candidate| candidate.row);
            }
        }
    });
    ui.add_space(2.0);
}

/// The sentences, with what can be done about them.
fn say(
    ui: &mut Ui,
    advisor: &Advisor,
    session: &mut SessionHandle,
    (findings, sentences): (&Findings, &[Sentence]),
    meant: &mut Option<usize>,
) {
    let can_be_taken = advisor.is_about(session.frame());
    for sentence in sentences {
        let group = ui.scope(|ui| {
            ui.add(Label::new(&sentence.text).wrap());
            if !OFFERS.contains(&sentence.rule) || findings.rows[sentence.row].candidate.is_present {
                return;
            }
            ui.horizontal(|ui| {
                for (label, how, help, is_possible) in [
                    ("Try beside", Use::Beside, "In a lane beside the cloth", session.can_add_lane()),
                    ("Use", Use::Here, "On this cloth; one undo takes it back", true),
                ] {
                    let button = ui.add_enabled(can_be_taken && is_possible, Button::new(RichText::new(label).small()));
                    note_place(ui, &format!("{} {}", label.to_lowercase(), sentence.rule), button.rect);
                    if button.on_hover_text(help).clicked() {
                        advisor.take(sentence.row, how, session);
                    }
                }
            });
        });
        if group.response.contains_pointer() {
            *meant = Some(sentence.row);
        }
        ui.add_space(3.0);
    }
}

/// What the errors are measured against.
fn reference(findings: &Findings) -> String {
    let of = findings.reference;
    let mut text = findings.describe_extent();
    if of.states > 0 {
        text += &format!(" {}", of.describe());
    }
    if !findings.skipped.is_empty() {
        let skipped: Vec<&str> = findings.skipped.iter().map(|skipped| skipped.solver).collect();
        text += &format!(" Not measured: {}.", skipped.join(", "));
    }
    text
}
