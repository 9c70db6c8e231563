//! The card of a lesson, below the cloth: text, prediction, measured values, and the way on.

use egui::{Align, Button, Color32, Frame, Label, Layout, Margin, RichText, Stroke, Ui, vec2};

use super::{Turn, follow, take};
use crate::app::desk::Shown;
use crate::app::widgets::note_place;
use crate::app::widgets::pointing::point_at;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::scene::label_of;
use crate::session::lesson::{Prediction, Reading, Target, Walk};

/// Title of the panel.
pub const TITLE: &str = "Lesson";
/// Height of the columns, their largest width, and the distance between them [points].
const HEIGHT: f32 = 112.0;
const COLUMN: f32 = 460.0;
const GAP: f32 = 18.0;
/// Width of the column of buttons [points].
const BUTTONS: f32 = 96.0;
/// Colours of what is met and what is missed.
const MET: Color32 = Color32::from_rgb(60, 160, 90);

/// The card; nothing while there is no lesson.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    if let Some(fault) = shown.desk.lessons.fault.clone() {
        ui.colored_label(Color32::from_rgb(200, 60, 50), fault);
    }
    follow(shown);
    let Some(walk) = shown.desk.lessons.walk() else {
        point_at(ui.ctx(), &[]);
        return;
    };
    let names: Vec<String> = walk.step().points.iter().filter_map(name_of).collect();
    point_at(ui.ctx(), &names);
    let mut turn = None;
    ui.add_space(4.0);
    head(ui, walk, &mut turn);
    ui.add_space(2.0);
    let width = ui.available_width();
    let column = ((width - BUTTONS - 2.0 * GAP) / 2.0).min(COLUMN);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        in_column(ui, column, |ui| told(ui, walk));
        in_column(ui, column, |ui| asked(ui, walk, &mut turn));
        in_column(ui, BUTTONS, |ui| buttons(ui, walk, &mut turn));
    });
    ui.separator();
    if let Some(turn) = turn {
        take(shown, turn);
    }
}

fn in_column(ui: &mut Ui, width: f32, contents: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, HEIGHT), Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(vec2(width, HEIGHT));
        ui.set_max_width(width);
        ui.spacing_mut().item_spacing = vec2(6.0, 3.0);
        contents(ui);
    });
}

/// Name of the control that a target is, if it is one.
fn name_of(target: &Target) -> Option<String> {
    match target {
        Target::Panel(title) => Some(title.to_lowercase()),
        Target::Slider(key) => Some(format!("slider {key}")),
        Target::Control(name) => Some(name.clone()),
        Target::Key(_) | Target::Vertex(_) => None,
    }
}

/// The title, the number of the step, and the way out.
fn head(ui: &mut Ui, walk: &Walk, turn: &mut Option<Turn>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(&walk.lesson().title).strong());
        let count = walk.lesson().steps.len();
        ui.label(RichText::new(format!("step {} of {count}", walk.at() + 1)).small().color(QUIET));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let leave = ui.small_button("Leave").on_hover_text("Ends the lesson, and brings your own cloth back");
            note_place(ui, "lesson leave", leave.rect);
            if leave.clicked() {
                *turn = Some(Turn::Leave);
            }
        });
    });
}

/// The text, and the keys, controls and vertices that it is about.
fn told(ui: &mut Ui, walk: &Walk) {
    ui.add(Label::new(&walk.step().text).wrap());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 3.0);
        for target in &walk.step().points {
            match target {
                Target::Key(key) => keycap(ui, key),
                Target::Vertex(vertex) => pointed(ui, &format!("vertex {vertex}")),
                Target::Slider(key) => pointed(ui, &label_of(key)),
                Target::Panel(title) => pointed(ui, title),
                Target::Control(name) => pointed(ui, name),
            }
        }
    });
}

/// A key as it is on the keyboard.
fn keycap(ui: &mut Ui, key: &str) {
    let frame = Frame::new().stroke(Stroke::new(1.0, QUIET)).corner_radius(3).inner_margin(Margin::symmetric(6, 1));
    frame.show(ui, |ui| ui.label(RichText::new(key).small().strong()));
}

/// The name of a part of the window that has a ring.
fn pointed(ui: &mut Ui, name: &str) {
    ui.label(RichText::new(format!("◯ {name}")).small().color(ACCENT));
}

/// The prediction, and later what was measured.
fn asked(ui: &mut Ui, walk: &Walk, turn: &mut Option<Turn>) {
    let step = walk.step();
    match (&step.predict, walk.outcome()) {
        (Some(predict), None) => choices(ui, predict, walk.predicted(), turn),
        (Some(predict), Some(outcome)) => {
            let told = match (walk.predicted(), outcome.right) {
                (Some(said), Some(right)) if said == right => "As predicted.".to_owned(),
                (_, Some(right)) => format!("Measured: {}.", predict.choices[right].text),
                _ => "Measured:".to_owned(),
            };
            ui.label(RichText::new(told).strong().color(MET));
        }
        (None, Some(_)) => drop(ui.label(RichText::new("Measured.").strong().color(MET))),
        (None, None) => {}
    }
    if let Some(outcome) = walk.outcome() {
        ui.add(Label::new(&outcome.reason).wrap());
        return;
    }
    for reading in walk.readings() {
        measured(ui, reading);
    }
}

/// The question with its choices.
fn choices(ui: &mut Ui, predict: &Prediction, said: Option<usize>, turn: &mut Option<Turn>) {
    ui.add(Label::new(RichText::new(&predict.question).strong()).wrap());
    for (at, choice) in predict.choices.iter().enumerate() {
        let button = ui.radio(said == Some(at), &choice.text);
        note_place(ui, &format!("lesson choice {}", at + 1), button.rect);
        if button.clicked() {
            *turn = Some(Turn::Predict(at));
        }
    }
}

/// A part of the condition with its value.
fn measured(ui: &mut Ui, reading: &Reading) {
    let Reading { label, value, wanted, is_met } = reading;
    let (sign, colour) = if *is_met { ("✔", MET) } else { ("·", QUIET) };
    let text = format!("{sign} {label}: {value}, to be {wanted}");
    ui.add(Label::new(RichText::new(text).small().color(colour)).truncate());
}

/// The way on and back.
fn buttons(ui: &mut Ui, walk: &Walk, turn: &mut Option<Turn>) {
    let size = vec2(BUTTONS - 6.0, 24.0);
    let mut button = |ui: &mut Ui, text: &str, name: &str, help: &str, is_on: bool, of: Turn| {
        let button = ui.add_enabled(is_on, Button::new(text).min_size(size)).on_hover_text(help);
        note_place(ui, name, button.rect);
        if button.on_disabled_hover_text(help).clicked() {
            *turn = Some(of);
        }
    };
    let (next, help) = if walk.is_last() {
        ("Finish", "Ends the lesson, and brings your own cloth back")
    } else {
        ("Next", "The next step, once this one is measured")
    };
    button(ui, next, "lesson next", help, walk.can_go_on(), Turn::Next);
    let help = if walk.asks() { "Choose a prediction first" } else { "Does what the step asks for" };
    button(ui, "Show me", "lesson show", help, !walk.asks(), Turn::ShowMe);
    button(ui, "Again", "lesson again", "This step from its start", true, Turn::Again);
    button(ui, "Back", "lesson back", "The step before", walk.at() > 0, Turn::Back);
}
