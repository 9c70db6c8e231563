//! The card of a lesson, below the cloth: text, prediction, measured values, and the way on.

use egui::{Align, Button, Frame, Label, Layout, Margin, RichText, Stroke, Ui, vec2};

use super::{Lessons, Turn, arrangement, follow, take};
use crate::app::desk::Shown;
use crate::app::widgets::note_place;
use crate::app::widgets::pointing::{point_at, slider};
use crate::app::widgets::style::{ACCENT, ALARM, MET, QUIET};
use crate::scene::label_of;
use crate::session::lesson::{Lesson, Prediction, Reading, Target, Walk};

/// Title of the panel.
pub const TITLE: &str = "Lesson";
/// Least height of the columns, their largest width, and the distance between them [points].
const HEIGHT: f32 = 84.0;
const COLUMN: f32 = 560.0;
const GAP: f32 = 18.0;

/// The card; nothing while there is no lesson.
pub fn show(lessons: &mut Lessons, ui: &mut Ui, shown: &mut Shown) {
    if let Some(fault) = lessons.fault.clone() {
        ui.colored_label(ALARM, fault);
    }
    follow(lessons, shown);
    arrangement::follow(ui.ctx(), lessons.walk().is_some());
    let Some(walk) = lessons.walk() else {
        point_at(ui.ctx(), "", &[]);
        return;
    };
    let names: Vec<String> = walk.step().points.iter().filter_map(name_of).collect();
    point_at(ui.ctx(), &format!("{} {}", walk.lesson().id, walk.at()), &names);
    let mut turn = None;
    ui.add_space(4.0);
    head(ui, walk, lessons.next(), &mut turn);
    ui.add_space(2.0);
    let column = ((ui.available_width() - GAP) / 2.0).min(COLUMN);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        in_column(ui, column, |ui| told(ui, walk));
        in_column(ui, column, |ui| asked(ui, walk, &mut turn));
    });
    ui.separator();
    if let Some(turn) = turn {
        take(lessons, shown, turn);
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
        Target::Slider(key) => Some(slider(key)),
        Target::Control(name) => Some(name.clone()),
        Target::Key(_) | Target::Vertex(_) => None,
    }
}

/// The title, the number of the step, and the buttons.
fn head(ui: &mut Ui, walk: &Walk, after: Option<&Lesson>, turn: &mut Option<Turn>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(&walk.lesson().title).strong());
        let count = walk.lesson().steps.len();
        ui.label(RichText::new(format!("step {} of {count}", walk.at() + 1)).small().color(QUIET));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| buttons(ui, walk, after, turn));
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

/// The prediction, the values that are measured, and in the end the reason.
fn asked(ui: &mut Ui, walk: &Walk, turn: &mut Option<Turn>) {
    let predict = walk.step().predict.as_ref();
    if let Some(outcome) = walk.outcome() {
        let right = predict.zip(outcome.right).map(|(predict, right)| &predict.choices[right].text);
        let told = match right {
            Some(_) if walk.predicted() == outcome.right => "Measured, as you predicted.".to_owned(),
            Some(right) => format!("Measured: {right}."),
            None => "Measured.".to_owned(),
        };
        ui.add(Label::new(RichText::new(told).strong().color(MET)).wrap());
        ui.add(Label::new(&outcome.reason).wrap());
        return;
    }
    match (predict, walk.predicted()) {
        (Some(predict), None) => return choices(ui, predict, turn),
        (Some(predict), Some(said)) => {
            let said = format!("You predict: {}.", predict.choices[said].text);
            ui.add(Label::new(RichText::new(said).strong()).wrap());
        }
        (None, _) => {}
    }
    walk.readings().iter().for_each(|reading| measured(ui, reading));
}

/// The question with its choices.
fn choices(ui: &mut Ui, predict: &Prediction, turn: &mut Option<Turn>) {
    ui.add(Label::new(RichText::new(&predict.question).strong()).wrap());
    for (at, choice) in predict.choices.iter().enumerate() {
        let button = ui.radio(false, &choice.text);
        note_place(ui, &format!("lesson choice {}", at + 1), button.rect);
        if button.clicked() {
            *turn = Some(Turn::Predict(at));
        }
    }
}

/// A part of the condition with its value.
fn measured(ui: &mut Ui, reading: &Reading) {
    let Reading { label, value, wanted, is_met } = reading;
    let (sign, colour) = if *is_met { ("√", MET) } else { ("·", QUIET) };
    let goal = if *is_met { String::new() } else { format!("  →  {wanted}") };
    let text = format!("{sign} {label}: {value}{goal}");
    ui.add(Label::new(RichText::new(text).small().color(colour)).truncate());
}

/// The way out, on and back, from the right.
fn buttons(ui: &mut Ui, walk: &Walk, after: Option<&Lesson>, turn: &mut Option<Turn>) {
    let mut button = |ui: &mut Ui, text: RichText, name: &str, help: &str, is_on: bool, of: Turn| {
        let button = ui.add_enabled(is_on, Button::new(text)).on_hover_text(help);
        note_place(ui, name, button.rect);
        if button.on_disabled_hover_text(help).clicked() {
            *turn = Some(of);
        }
    };
    let end = "Ends the lesson, and brings your own cloth back";
    button(ui, "Leave".into(), "lesson leave", end, true, Turn::Leave);
    ui.separator();
    let (next, help) =
        if walk.is_last() { ("Finish", end) } else { ("Next", "The next step, once this one is measured") };
    if let Some(after) = after.filter(|_| walk.is_last() && walk.can_go_on()) {
        let text = RichText::new("Next lesson").strong().color(MET);
        let help = format!("{}: {}", after.title, after.summary);
        button(ui, text, "lesson after this", &help, true, Turn::NextLesson);
    }
    let next = RichText::new(next).strong();
    let next = if walk.can_go_on() { next.color(MET) } else { next };
    button(ui, next, "lesson next", help, walk.can_go_on(), Turn::Next);
    let help = if walk.asks() { "Choose a prediction first" } else { "Does what the step asks for" };
    button(ui, "Show me".into(), "lesson show", help, !walk.asks(), Turn::ShowMe);
    button(ui, "Again".into(), "lesson again", "This step from its start", true, Turn::Again);
    button(ui, "Back".into(), "lesson back", "The step before", walk.at() > 0, Turn::Back);
}
