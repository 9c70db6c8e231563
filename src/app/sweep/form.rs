//! A sweep set up and started in the window: two parameters with their values, a measure, the
//! length of a run.

use egui::{CollapsingHeader, ComboBox, DragValue, RichText, TextEdit, Ui};

use super::SweepView;
use super::run::{Varied, parameters};
use crate::app::session::SessionHandle;
use crate::app::widgets::study::{Words, study_row};
use crate::app::widgets::style::{ALARM, QUIET};
use crate::app::widgets::{name, note_place};
use crate::sim::params::{Param, Setting};
use crate::sim::quantities::MEASURES;
use crate::sim::{Material, Timing};

/// Most values of a parameter.
const MOST: u32 = 40;
/// Parameters that are varied at first, if the solver takes them.
const FIRST: [&str; 2] = [Material::structural_stiffness, Timing::time_step];

/// The section.
pub fn show(ui: &mut Ui, sweep: &mut SweepView, session: &mut SessionHandle) {
    let is_open = sweep.table.is_none();
    let header = CollapsingHeader::new("New sweep").id_salt("new sweep").default_open(is_open);
    let header = header.show(ui, |ui| {
        ui.label(
            RichText::new("Runs the scene from its start with every combination of these values, beside the window.")
                .small()
                .color(QUIET),
        );
        choose(ui, sweep, session);
        start(ui, sweep, session);
    });
    note_place(ui, "new sweep", header.header_response.rect);
}

fn choose(ui: &mut Ui, sweep: &mut SweepView, session: &mut SessionHandle) {
    let known = parameters(session);
    let form = &mut sweep.form;
    if form.across.is_none() {
        let first = |key: &str| known.iter().find(|(param, _)| param.key == key);
        [form.across, form.up] = FIRST.map(|key| first(key).and_then(|(param, now)| Varied::of(param, *now)));
    }
    egui::Grid::new("new sweep").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| {
        for (label, varied, may_be_none) in [("Across", &mut form.across, false), ("Up", &mut form.up, true)] {
            ui.label(label);
            ui.horizontal(|ui| axis(ui, label, varied, may_be_none, &known));
            ui.end_row();
        }
        ui.label("Colour");
        let measure = &MEASURES[form.measure.min(MEASURES.len() - 1)];
        let combo = ComboBox::from_id_salt("measure of the sweep").width(170.0).selected_text(measure.words());
        let combo = combo.show_ui(ui, |ui| {
            for (at, measure) in MEASURES.iter().enumerate() {
                ui.selectable_value(&mut form.measure, at, measure.words()).on_hover_text(measure.help);
            }
        });
        combo.response.on_hover_text(measure.help);
        ui.end_row();
        ui.label("Length");
        ui.add(DragValue::new(&mut form.seconds).range(0.05..=60.0).speed(0.05).suffix(" s"));
        ui.end_row();
        ui.label("Table");
        let field = ui.add(TextEdit::singleline(&mut form.table).desired_width(170.0));
        name(ui, &field, "Table");
        field.on_hover_text(
            "The file of the results, in the folder that Weft runs in if no other is named. The scene goes beside it \
             (.ron), for the commands of the runs. A number is added to a name that is taken.",
        );
        ui.end_row();
    });
}

/// A parameter with its first and last value, their number and their distances.
fn axis(ui: &mut Ui, label: &str, varied: &mut Option<Varied>, may_be_none: bool, known: &[(&'static Param, Setting)]) {
    let label_now = varied.as_ref().map_or("nothing", |varied| varied.param.label);
    let combo = ComboBox::from_id_salt(("parameter", label)).width(130.0).selected_text(label_now);
    let combo = combo.show_ui(ui, |ui| {
        if may_be_none && ui.selectable_label(varied.is_none(), "nothing").clicked() {
            *varied = None;
        }
        for (param, now) in known {
            let is_chosen = varied.as_ref().is_some_and(|varied| varied.param.key == param.key);
            if ui.selectable_label(is_chosen, param.label).on_hover_text(param.help()).clicked() && !is_chosen {
                *varied = Varied::of(param, *now);
            }
        }
    });
    note_place(ui, &format!("sweep {}", label.to_lowercase()), combo.response.rect);
    let Some(varied) = varied else { return };
    for (at, end) in varied.ends.iter_mut().enumerate() {
        if at == 1 {
            ui.label("to");
        }
        let field = ui.add(TextEdit::singleline(end).desired_width(52.0).hint_text(varied.param.unit));
        let unit = if varied.param.unit.is_empty() { "no unit" } else { varied.param.unit };
        field.on_hover_text(format!("{} in {unit}, or with a unit of its own", ["From", "To"][at]));
    }
    if !varied.param.unit.is_empty() {
        ui.label(RichText::new(varied.param.unit).small().color(QUIET));
    }
    let count = ui.add(DragValue::new(&mut varied.count).range(1..=MOST).suffix(" values"));
    name(ui, &count, &format!("Number of values, {}", label.to_lowercase()));
    let help = "Equal factors from one value to the next, instead of equal differences";
    ui.toggle_value(&mut varied.logarithmic, "log").on_hover_text(help);
}

fn start(ui: &mut Ui, sweep: &mut SweepView, session: &mut SessionHandle) {
    let wrong = sweep.form.arguments().err();
    let runs = sweep.form.runs();
    let label = if runs == 1 { "Start 1 run".to_owned() } else { format!("Start {runs} runs") };
    let help = ["Writes the table and its scene", "The runs that are finished stay in the table"];
    let words = Words { start: &label, help, names: ["start sweep", "cancel sweep"] };
    if study_row(ui, &sweep.run.study, &words, wrong.is_none(), |_| {}) {
        sweep.start(session);
    }
    if let Some(wrong) = wrong {
        ui.colored_label(ALARM, wrong);
    }
}
