//! A row per declared parameter: label, slider (or switch, or choice), value with unit, help.

use egui::{Label, RichText, Ui};

use crate::app::film_strip::opening as film;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{parameter, pointing, row_label};
use crate::session::Frame;
use crate::sim::params::{Kind, Param, Setting, Tunable};

/// How far the labels of a switch's parameters are moved in under it.
const INDENT: f32 = 8.0;

/// Why a parameter has no effect, if so, by its key.
pub type Idle<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Why a parameter has no effect on the solver at work, by its key.
pub fn idle(frame: &Frame, key: &str) -> Option<String> {
    frame.ignored.iter().find(|(ignored, _)| *ignored == key).map(|(_, reason)| (*reason).to_owned())
}

/// A row for every parameter of `group` that has an effect now; the others are named in a line
/// below. `defaults` has the values to which a double click resets.
pub fn show(ui: &mut Ui, group: &mut dyn Tunable, defaults: &dyn Tunable, idle: Idle) {
    let mut without = Vec::new();
    for index in 0..group.params().len() {
        if !group.is_switched_on(index) {
            continue;
        }
        match reason(group, index, idle) {
            Some(reason) => without.push((group.params()[index].label, reason)),
            None => show_one(ui, group, defaults, index, idle),
        }
    }
    if !without.is_empty() {
        let labels: Vec<&str> = without.iter().map(|(label, _)| *label).collect();
        let text = RichText::new(format!("No effect now: {}", labels.join(", "))).small().color(QUIET);
        let reasons: Vec<String> = without.iter().map(|(label, reason)| format!("{label}: {reason}")).collect();
        ui.add(Label::new(text).wrap()).on_hover_text(reasons.join("\n"));
    }
}

/// Why a parameter of `group` has no effect, if so.
pub fn reason(group: &dyn Tunable, index: usize, idle: Idle) -> Option<String> {
    group.idle(index).map(str::to_owned).or_else(|| idle(group.params()[index].key))
}

/// Whether a parameter of `group` differs from `defaults`.
pub fn is_changed(group: &dyn Tunable, defaults: &dyn Tunable) -> bool {
    (0..group.params().len()).any(|index| group.get(index) != defaults.get(index))
}

/// Sets all parameters of `group` to those of `defaults`.
pub fn reset(group: &mut dyn Tunable, defaults: &dyn Tunable) {
    (0..group.params().len()).for_each(|index| group.assign(index, defaults.get(index)));
}

/// Number of switches that a parameter is under.
fn depth(group: &dyn Tunable, index: usize) -> usize {
    group.switch_of(index).map_or(0, |switch| 1 + depth(group, switch))
}

/// The row of one parameter.
pub fn show_one(ui: &mut Ui, group: &mut dyn Tunable, defaults: &dyn Tunable, index: usize, idle: Idle) {
    let param = group.param(index);
    let default = defaults.get(index);
    let reason = reason(group, index, idle);
    let mut value = group.get(index);
    let before = value;
    let indent = INDENT * depth(group, index) as f32;
    let row = ui.add_enabled_ui(reason.is_none(), |ui| {
        ui.horizontal(|ui| {
            let label = row_label(ui, param.label, indent);
            let widget = parameter::edit(ui, &param, &mut value, (label.id, film::ICON)).labelled_by(label.id);
            let asks = film::Asks { param, now: before, default, group: &*group, idle: reason.as_deref() };
            if film::holds(ui, &asks, &widget) {
                value = before;
            }
            if has_slider(&param) {
                film::icon(ui, &asks, &widget);
            }
            if value != default {
                let dot = label.rect.left_center() - egui::vec2(4.0, 0.0);
                ui.painter().circle_filled(dot, 2.0, ACCENT);
            }
            let double_clicked = ui.input(|input| input.pointer.button_double_clicked(egui::PointerButton::Primary));
            if double_clicked && (label.contains_pointer() || widget.contains_pointer()) {
                value = default;
            }
            // while something is being dragged a tooltip would only cover it
            if ui.input(|input| input.pointer.any_down()) {
                return;
            }
            let help = tooltip(&param, default, reason.as_deref());
            for part in [label, widget] {
                part.on_hover_text(&help).on_disabled_hover_text(&help);
            }
        });
    });
    pointing::mark_slider(ui, param.key, row.response.rect);
    if value != before {
        // the widgets keep to the range; a value that is none after all changes nothing
        let _ = group.set(index, value);
    }
}

fn tooltip(param: &Param, default: Setting, reason: Option<&str>) -> String {
    let idle = reason.map(|reason| format!("No effect now: {reason}.\n\n")).unwrap_or_default();
    let default = param.value_text(default);
    format!("{idle}{}\n\nDouble click: back to {default}.   --set {}=…", param.help(), param.key)
}

/// Whether a parameter has a slider.
const fn has_slider(param: &Param) -> bool {
    matches!(param.kind, Kind::Real { .. } | Kind::Angle { .. } | Kind::Integer { .. })
}
