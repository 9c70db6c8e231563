//! The widget of one declared parameter: slider and number, switch, or choice.

use egui::{Color32, ComboBox, DragValue, Id, Response, Slider, SliderClamping, Ui, WidgetInfo, WidgetType};

use crate::sim::Real;
use crate::sim::params::units::{self, significant};
use crate::sim::params::{Kind, Param, Setting, Span};

/// Width of the values [points].
const VALUE: f32 = 88.0;

/// The widget that edits `value`; `label` names it. It leaves `beside` of the row free [points].
pub fn edit(ui: &mut Ui, param: &Param, value: &mut Setting, (label, beside): (Id, f32)) -> Response {
    let spacing = ui.spacing().item_spacing.x;
    ui.spacing_mut().slider_width = (ui.available_width() - VALUE - beside - 2.0 * spacing).max(60.0);
    match (param.kind, value) {
        (Kind::Real { .. }, Setting::Real(x)) => edit_real(ui, param, x, label),
        (Kind::Angle { min, max }, Setting::Real(x)) => {
            let mut degrees = x.to_degrees();
            let range = min.to_degrees().ceil()..=max.to_degrees().floor();
            let widget = ui.add(Slider::new(&mut degrees, range.clone()).show_value(false));
            let number = DragValue::new(&mut degrees).range(range).speed(1.0).max_decimals(0).suffix("°");
            let number = ui.add_sized([VALUE, ui.spacing().interact_size.y], number).labelled_by(label);
            if widget.changed() || number.changed() {
                *x = degrees.to_radians();
            }
            widget
        }
        (Kind::Integer { min, max }, Setting::Integer(n)) => {
            let logarithmic = max - min > 100;
            let widget = ui.add(Slider::new(n, min..=max).show_value(false).logarithmic(logarithmic));
            let suffix = suffix(ui, &n.to_string(), param.unit);
            let number = DragValue::new(n).range(min..=max).speed(0.1).suffix(suffix);
            ui.add_sized([VALUE, ui.spacing().interact_size.y], number).labelled_by(label);
            widget
        }
        (Kind::Toggle, Setting::Toggle(on)) => {
            let toggle = ui.checkbox(on, "");
            toggle.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, toggle.enabled(), *on, param.label));
            toggle
        }
        (Kind::Choice(choices), Setting::Choice(chosen)) => {
            let name = |at: usize| choices.get(at).map_or(String::new(), |choice| choice.key.replace('_', " "));
            ComboBox::from_id_salt(param.key)
                .selected_text(name(*chosen))
                .width(ui.available_width())
                .show_ui(ui, |ui| {
                    for (at, choice) in choices.iter().enumerate() {
                        ui.selectable_value(chosen, at, name(at)).on_hover_text(choice.help.trim());
                    }
                })
                .response
        }
        _ => ui.label(""),
    }
}

/// The slider of a real number, and the number beside it with its unit.
fn edit_real(ui: &mut Ui, param: &Param, x: &mut Real, label: Id) -> Response {
    let Kind::Real { min, max, logarithmic } = param.kind else { return ui.label("") };
    // the span is constant while it moves
    let anchor_id = ui.id().with((param.key, "anchor"));
    let anchor: Real = ui.data(|data| data.get_temp(anchor_id)).unwrap_or(*x);
    let all = Span { low: min, high: max, logarithmic };
    let span = Span::of(param.kind, Setting::Real(anchor)).unwrap_or(all);
    let smallest = span.smallest();
    let slider = Slider::new(x, span.low..=span.high)
        .show_value(false)
        .clamping(SliderClamping::Never)
        .logarithmic(logarithmic)
        .smallest_positive(smallest);
    let widget = ui.add(slider);
    if !widget.is_pointer_button_down_on() {
        ui.data_mut(|data| data.insert_temp(anchor_id, *x));
    }
    let speed = if logarithmic { 0.01 * x.abs().max(smallest) } else { 0.002 * (max - min) };
    let unit = param.unit;
    let (factor, shown_unit) = units::prefixed(*x, unit);
    let suffix = suffix(ui, &significant(*x / factor), &shown_unit);
    let number = DragValue::new(x)
        .range(min..=max)
        .speed(speed)
        .custom_formatter(move |x, _| significant(x / factor))
        // a bare number is of the unit that is shown
        .custom_parser(move |text| match text.trim().parse::<f64>() {
            Ok(x) => Some(factor * x),
            Err(_) => units::read(text, unit),
        })
        .update_while_editing(false)
        .suffix(suffix);
    ui.add_sized([VALUE, ui.spacing().interact_size.y], number).labelled_by(label);
    widget
}

/// The unit as it stands behind a number: none where it has no room, since a longer text would
/// widen the panel; the tooltip tells it then.
fn suffix(ui: &Ui, number: &str, unit: &str) -> String {
    let suffix = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let font = ui.style().drag_value_text_style.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(format!("{number}{suffix}"), font, Color32::WHITE);
    let has_room = text.size().x + 2.0 * ui.spacing().button_padding.x <= VALUE;
    if has_room { suffix } else { String::new() }
}
