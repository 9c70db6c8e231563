//! The section of a fit: test, target and parameters, the path as a plot, the result.

use std::path::Path;

use egui::{Button, Checkbox, ComboBox, DragValue, Grid, Label, RichText, TextEdit, Ui};

use super::fit::{Fitting, Form, Started, suggested};
use super::subject::Subject;
use crate::app::desk::Shown;
use crate::app::export::{Files, Purpose};
use crate::app::session::SessionHandle;
use crate::app::widgets::study::{Words, study_row};
use crate::app::widgets::style::{ALARM, QUIET};
use crate::app::widgets::{capitalised, chart, name, note_place, section};
use crate::documents::{Chart, fit_chart};
use crate::scene::label_of;
use crate::sim::Real;
use crate::sim::params::Setting;
use crate::sim::study::fit::{Fit, Variable};
use crate::sim::study::textile::TextileTest;

/// Height of the plot, and least size of a button [points].
const HEIGHT: f32 = 150.0;
const BUTTON: [f32; 2] = [84.0, 24.0];
/// Help of the target, and of the button for a scan.
const FIGURE: &str =
    "The measured figure, also with a unit of its own. At first the published drape, or else the figure of the cloth";
const SCAN: &str =
    "A scanned drape of a disc of 30 cm on discs of 18 cm, in metres, as an OBJ file, in place of the figure";
/// Most starts of a drape, and most evaluations.
const STARTS: u64 = 20;
const MOST: u32 = 1000;

/// The section; `measured` is what the last test has measured.
pub fn show(ui: &mut Ui, fitting: &mut Fitting, shown: &mut Shown, measured: &dyn Fn(TextileTest) -> Option<Real>) {
    section(ui, "Fit to a figure", true, |ui| {
        let about = "Looks for parameters with which a test gives a figure, from those of the cloth.";
        ui.label(RichText::new(about).small().color(QUIET));
        let subject = Subject::of(shown.session);
        let offered = suggested(fitting.form.test, &subject, measured(fitting.form.test)).unwrap_or_default();
        let mut text = fitting.form.typed.clone().unwrap_or(offered);
        choose(ui, &mut fitting.form, shown, &subject, &mut text);
        ui.add_space(4.0);
        start(ui, fitting, shown.session, subject, &text);
        if let Some(last) = &fitting.last {
            result(ui, last, shown.session);
        }
    });
}

/// Test, target, parameters. `text` is the target.
fn choose(ui: &mut Ui, form: &mut Form, shown: &mut Shown, subject: &Subject, text: &mut String) {
    Grid::new("fit").num_columns(3).spacing([10.0, 5.0]).show(ui, |ui| {
        ui.label("Test");
        let combo = ComboBox::from_id_salt("test of the fit").width(190.0).selected_text(form.test.name());
        let combo = combo.show_ui(ui, |ui| {
            for test in TextileTest::ALL {
                let is_chosen = test == form.test;
                if ui.selectable_label(is_chosen, test.name()).on_hover_text(test.procedure()).clicked() {
                    form.choose(test);
                }
            }
        });
        name(ui, &combo.response, "Test of the fit");
        note_place(ui, "fit test", combo.response.rect);
        combo.response.on_hover_text(form.test.procedure());
        ui.end_row();
        ui.label("Target");
        ui.horizontal(|ui| match &form.scan {
            Some(_) => scan(ui, form),
            None => figure(ui, form, shown, text),
        });
        ui.end_row();
        let mut known = form.variables(subject, shown.session).into_iter().peekable();
        let mut label = "Vary";
        while known.peek().is_some() {
            ui.label(std::mem::take(&mut label));
            known.by_ref().take(2).for_each(|(key, variable)| check(ui, form, key, variable));
            ui.end_row();
        }
    });
}

/// The target as a figure, with a button for a scan in its place.
fn figure(ui: &mut Ui, form: &mut Form, shown: &mut Shown, text: &mut String) {
    let unit = form.test.unit();
    let field = ui.add(TextEdit::singleline(text).desired_width(90.0).hint_text(unit).char_limit(40));
    name(ui, &field, "Target of the fit");
    note_place(ui, "fit target", field.rect);
    if field.changed() {
        form.typed = Some(text.clone());
    }
    field.on_hover_text(FIGURE);
    if form.test == TextileTest::Drape {
        let button = ui.button("Scan…").on_hover_text(SCAN);
        note_place(ui, "fit scan", button.rect);
        if button.clicked() {
            shown.states.of::<Files>().ask(Purpose::Scan);
        }
    }
}

/// The scan in place of a figure: its file, the axis that is up, and a button that leaves it out.
fn scan(ui: &mut Ui, form: &mut Form) {
    let Some(scan) = &form.scan else { return };
    let (file, was_z_up) = (scan.file.clone(), scan.is_z_up);
    let mut is_z_up = was_z_up;
    for (label, is_z) in [("y up", false), ("z up", true)] {
        ui.radio_value(&mut is_z_up, is_z, label);
    }
    let close = ui.small_button("×").on_hover_text("A figure instead");
    name(ui, &close, "No scan");
    let short = Path::new(&file).file_name().unwrap_or_default().to_string_lossy();
    ui.add(Label::new(short).truncate()).on_hover_text(&file);
    if close.clicked() {
        form.scan = None;
    } else if is_z_up != was_z_up {
        form.take_scan(&file, is_z_up);
    }
}

/// The check box of a parameter with its value.
fn check(ui: &mut Ui, form: &mut Form, key: &'static str, variable: Result<Variable, String>) {
    let mut is_chosen = form.is_chosen(key) && variable.is_ok();
    let (label, help) = match &variable {
        Ok(variable) => (variable.param.caption(Setting::Real(variable.start)), variable.param.help().to_owned()),
        Err(reason) => (label_of(key), capitalised(reason)),
    };
    let check = ui.add_enabled(variable.is_ok(), Checkbox::new(&mut is_chosen, label));
    note_place(ui, &format!("fit {key}"), check.rect);
    if check.changed() {
        form.set_chosen(key, is_chosen);
    }
    check.on_hover_text(&help).on_disabled_hover_text(help);
}

/// Starts of a drape, and most evaluations, beside the button.
fn effort(ui: &mut Ui, form: &mut Form) {
    if form.test.discs().is_some() {
        let starts = DragValue::new(&mut form.starts).range(1..=STARTS).speed(0.05);
        let starts = ui.add(starts).on_hover_text("Drapes of each evaluation, which start a little differently");
        name(ui, &starts, "Starts");
        ui.label("starts,");
    }
    ui.label("at most");
    let most = ui.add(DragValue::new(&mut form.most).range(1..=MOST).speed(0.2));
    name(ui, &most, "Most evaluations");
    ui.label("evaluations");
}

/// The button, or the way so far and a button to cancel it.
fn start(ui: &mut Ui, fitting: &mut Fitting, session: &SessionHandle, subject: Subject, text: &str) {
    let variables = fitting.form.variables(&subject, session).into_iter();
    let chosen = variables.filter(|(key, _)| fitting.form.is_chosen(key));
    let variables: Vec<Variable> = chosen.filter_map(|(_, variable)| variable.ok()).collect();
    let without = || variables.is_empty().then(|| "Choose a parameter to vary.".to_owned());
    let obstacle = subject.obstacle(Some(fitting.form.test)).map(str::to_owned);
    let obstacle = obstacle.or_else(|| fitting.form.fault(text)).or_else(without);
    let words = Words {
        start: "Fit",
        help: ["Seconds to minutes, by test and solver", "The best so far stays"],
        names: ["fit", "cancel fit"],
    };
    let is_started = study_row(ui, &fitting.study, &words, obstacle.is_none(), |ui| effort(ui, &mut fitting.form));
    if let Some(obstacle) = obstacle.filter(|_| !fitting.study.is_running()) {
        ui.label(RichText::new(obstacle).small().color(QUIET));
    }
    if is_started && let Some(target) = fitting.form.target(text) {
        fitting.start(target, variables, subject);
    }
}

/// The path, and what came of it.
fn result(ui: &mut Ui, last: &Started, session: &mut SessionHandle) {
    ui.add_space(2.0);
    ui.label(format!("{}, by {}", last.subject.name, last.subject.solver.name));
    let sentence = RichText::new(format!("{}.", capitalised(&last.sentence())));
    ui.label(if last.has_failed() { sentence.color(ALARM) } else { sentence });
    let path = (!last.path.is_empty()).then(|| fit_chart(&last.problem, &last.path, last.best()));
    ui.horizontal_wrapped(|ui| {
        offer(ui, last, session);
        for key in path.iter().flat_map(|path| &path.legend) {
            chart::key(ui, &key.sign, RichText::new(&key.name).small());
            ui.add_space(8.0);
        }
    });
    if let Some(path) = path {
        plot(ui, last, &path);
    }
}

/// The button that gives the cloth what was found.
fn offer(ui: &mut Ui, last: &Started, session: &mut SessionHandle) {
    let Some(best) = last.result() else { return };
    let is_answer = last.found.as_ref().is_some_and(Fit::is_answer);
    let label = if is_answer { "Use" } else { "Use the nearest" };
    let button = Button::new(label).min_size(BUTTON.into());
    let button = ui.add_enabled(!last.is_used(best, session), button);
    note_place(ui, "use fit", button.rect);
    let button = button.on_disabled_hover_text("The cloth has these parameters");
    if button.on_hover_text("Gives the cloth these parameters; Ctrl+Z undoes it").clicked() {
        last.apply(best, session);
    }
    ui.add_space(8.0);
}

/// The plot with an evaluation in words where the pointer is.
fn plot(ui: &mut Ui, last: &Started, path: &Chart) {
    let (place, response) = chart::allocate(ui, path, [ui.available_width(), HEIGHT]);
    chart::paint(ui.painter(), path, &place);
    note_place(ui, "fit path", response.rect);
    if let Some((_, point)) = chart::under_pointer(path, &place, response.hover_pos())
        && let Some(evaluation) = last.path.get((point[0] as usize).saturating_sub(1))
    {
        chart::point_out(ui.painter(), &place, point);
        response.on_hover_text_at_pointer(format!("Evaluation {}\n{}", point[0], last.problem.told(evaluation)));
    }
}
