//! One plot as it is seen: its title, the names of the curves, their values under the pointer, the
//! axes.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, ComboBox, FontId, Id, Label, Rangef, RichText, Stroke, Ui, Vec2b};
use egui_plot::{
    AxisHints, FilledArea, GridInput, GridMark, HLine, HoverPosition, Line, LineStyle, MarkerShape, Plot, PlotBounds,
    PlotPoints, PlotUi, Points, VLine,
};

use super::catalogue::{Of, PlotKind};
use super::curves::{self, Choice};
use super::history::History;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::documents::{self, Limits, PlotCurve, PlotStyle, even_steps, tick_label};

use crate::sim::params::units::significant;

/// Colours behind the curves.
const GRID: Color32 = Color32::from_rgb(62, 66, 74);
const MARK: Color32 = Color32::from_rgb(224, 122, 78);
const RULE: Color32 = Color32::from_rgb(225, 227, 232);
/// Size of the text above the axes [points].
const SMALL: f32 = 11.0;

/// The quantity of a plot by which lanes are compared, as it was chosen.
pub fn chosen_quantity(ctx: &egui::Context, kind: &PlotKind) -> usize {
    ctx.data(|data| data.get_temp(Id::new(("quantity of strip", kind.name)))).unwrap_or_default()
}

/// Draws a plot with its title in a `width` and a `height` [points]; `names` are those of the
/// lanes.
pub fn draw(ui: &mut Ui, kind: &PlotKind, history: &History, names: &[String], all: bool, [width, height]: [f32; 2]) {
    let top = ui.cursor().top();
    let choice = Choice { all, quantity: chosen_quantity(ui.ctx(), kind) };
    let plot = curves::plot(kind, history, names, choice);
    let limits = settled(ui, kind, &plot, (choice, names.len()));
    let hovered = Hovered::read(ui);
    title(ui, kind, &plot, limits, (history, names.len() > 1, hovered));
    let used = ui.cursor().top() - top;
    axes(ui, kind, &plot, limits, (history, [width, (height - used).max(40.0)]));
}

/// The limits of the vertical axis, which stay as long as they fit the same quantity.
fn settled(ui: &Ui, kind: &PlotKind, plot: &documents::Plot, (choice, lanes): (Choice, usize)) -> Limits {
    let id = Id::new(("limits of strip", kind.name, choice.all, choice.quantity, lanes));
    let before: Option<[f64; 2]> = ui.data(|data| data.get_temp(id));
    let limits = plot.limits(before.map(|[low, high]| Limits { low, high }));
    ui.data_mut(|data| data.insert_temp(id, [limits.low, limits.high]));
    limits
}

/// The time under the pointer, in whichever plot it is.
struct Hovered;

impl Hovered {
    fn id() -> Id {
        Id::new("hovered time of plots")
    }

    fn read(ui: &Ui) -> Option<f64> {
        let (frame, time): (u64, f64) = ui.data(|data| data.get_temp(Self::id()))?;
        (ui.ctx().cumulative_frame_nr() <= frame + 1).then_some(time)
    }

    fn write(ui: &Ui, time: f64) {
        let frame = ui.ctx().cumulative_frame_nr();
        ui.data_mut(|data| data.insert_temp(Self::id(), (frame, time)));
    }
}

fn colour([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// The title with its unit, what lies beyond the axis, and the names of the curves with their
/// values under the pointer. Lanes have their names above all plots, and here a menu of what they
/// are compared by.
fn title(
    ui: &mut Ui,
    kind: &PlotKind,
    plot: &documents::Plot,
    limits: Limits,
    (history, has_lanes, hovered): (&History, bool, Option<f64>),
) {
    let quantities = if has_lanes { curves::quantities(kind, history) } else { Vec::new() };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 7.0;
        let (_, unit) = plot.axis_unit(limits);
        let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
        ui.label(RichText::new(format!("{}{unit}", kind.title)).small().strong());
        if quantities.len() > 1 {
            quantity_menu(ui, kind, &quantities);
        }
        let beyond = plot.beyond(limits);
        let notes = [(beyond.above, "up to"), (beyond.below, "down to")];
        let notes = notes.into_iter().filter_map(|(value, words)| Some(format!("{words} {}", plot.tell(value?))));
        let notes: Vec<String> = notes.collect();
        if !notes.is_empty() {
            let help =
                "The farthest value beyond the axis, which is fitted to nearly all others. A triangle marks where";
            ui.add(Label::new(RichText::new(notes.join(", ")).small().color(ACCENT)).truncate()).on_hover_text(help);
        }
        if has_lanes {
            let values = values(plot, limits, hovered);
            ui.add(Label::new(values).truncate());
        }
    });
    if !has_lanes {
        let names = legend(kind, plot, limits, hovered);
        if !names.text.is_empty() {
            ui.add(Label::new(names).wrap());
            ui.add_space(2.0);
        }
    }
}

fn quantity_menu(ui: &mut Ui, kind: &PlotKind, quantities: &[curves::Compared]) {
    let id = Id::new(("quantity of strip", kind.name));
    let mut chosen = chosen_quantity(ui.ctx(), kind).min(quantities.len() - 1);
    ui.spacing_mut().interact_size.y = 16.0;
    ui.spacing_mut().button_padding.y = 0.0;
    let menu = ComboBox::from_id_salt(("quantity", kind.name)).width(60.0);
    let menu = menu.selected_text(RichText::new(&quantities[chosen].0).small()).show_ui(ui, |ui| {
        for (at, (name, _)) in quantities.iter().enumerate() {
            ui.selectable_value(&mut chosen, at, name);
        }
    });
    note_place(ui, &format!("quantity of {}", kind.name), menu.response.rect);
    menu.response.on_hover_text("What the lanes are compared by");
    ui.data_mut(|data| data.insert_temp(id, chosen));
}

/// The value of a curve nearest to a time, in the unit of the axis.
fn value_at(plot: &documents::Plot, limits: Limits, curve: &PlotCurve, time: f64) -> Option<String> {
    let next = curve.points.partition_point(|point| point[0] < time);
    let around = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|at| curve.points.get(at));
    let nearest = around.min_by(|a, b| (a[0] - time).abs().total_cmp(&(b[0] - time).abs()))?;
    let (factor, _) = plot.axis_unit(limits);
    plot.drawn(nearest[1]).is_finite().then(|| significant(nearest[1] / factor))
}

/// The values of all lanes at the time under the pointer, in their colours.
fn values(plot: &documents::Plot, limits: Limits, hovered: Option<f64>) -> LayoutJob {
    let mut text = LayoutJob::default();
    let Some(time) = hovered else { return text };
    for curve in plot.curves.iter().filter(|curve| !curve.faint) {
        if let Some(value) = value_at(plot, limits, curve, time) {
            text.append(&value, 7.0, TextFormat::simple(FontId::proportional(SMALL), colour(curve.colour)));
        }
    }
    text
}

/// The names of the curves in their colours, with their values at the time under the pointer.
fn legend(kind: &PlotKind, plot: &documents::Plot, limits: Limits, hovered: Option<f64>) -> LayoutJob {
    let mut text = LayoutJob::default();
    let is_there = |curve: &&PlotCurve| {
        !curve.faint && (plot.style != PlotStyle::Stacked || curve.points.iter().any(|point| point[1] > 0.0))
    };
    for curve in plot.curves.iter().filter(is_there) {
        let value = hovered.and_then(|time| value_at(plot, limits, curve, time));
        let name = if kind.curves.len() > 1 { curve.name.as_str() } else { "" };
        let said = [name, value.as_deref().unwrap_or_default()].join(" ");
        let before = if text.text.is_empty() { 0.0 } else { 7.0 };
        // a name stays with its value where the line is broken
        let said = said.trim().replace(' ', "\u{a0}");
        let font = FontId::proportional(SMALL);
        text.append(&format!("{said} "), before, TextFormat::simple(font, colour(curve.colour)));
    }
    if kind.of == Of::Vertices && plot.curves.is_empty() {
        text.append("click the cloth", 0.0, TextFormat::simple(FontId::proportional(SMALL), QUIET));
    }
    text
}

fn axes(ui: &mut Ui, kind: &PlotKind, plot: &documents::Plot, limits: Limits, (history, size): (&History, [f32; 2])) {
    let [width, height] = size;
    let [from, to] = plot.window;
    let most = f64::from(height) / 24.0;
    let values = plot.marks_of_values(limits, most);
    let labels = values.clone();
    let label = move |mark: GridMark, _: &_| {
        let nearest = labels.iter().min_by(|a, b| (a.0 - mark.value).abs().total_cmp(&(b.0 - mark.value).abs()));
        nearest.map_or_else(String::new, |(_, label)| label.clone())
    };
    let step_size = values.windows(2).map(|pair| pair[1].0 - pair[0].0).next().unwrap_or(1.0);
    let marks: Vec<GridMark> = values.iter().map(|(value, _)| GridMark { value: *value, step_size }).collect();
    let hover = |position: &HoverPosition| {
        let HoverPosition::NearDataPoint { plot_name, position, .. } = position else { return None };
        Some(format!("{plot_name}\n{} s: {}", tick_label(position.x, 0.01), plot.tell(position.y)))
    };
    let view = Plot::new(kind.name)
        .width(width)
        .height(height)
        .custom_x_axes(vec![
            AxisHints::new_x()
                .formatter(move |mark, _| time_label(&mark, [from, to]))
                .label_spacing(Rangef::new(16.0, 24.0)),
        ])
        .custom_y_axes(vec![
            AxisHints::new_y().formatter(label).min_thickness(34.0).label_spacing(Rangef::new(8.0, 14.0)),
        ])
        .x_grid_spacer(move |input| time_marks(&input, f64::from(width) / 48.0))
        .y_grid_spacer(move |_| marks.clone())
        .grid_color(GRID)
        .grid_fade(0.0)
        .show_background(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .label_formatter(hover)
        .link_cursor(Id::new("plots"), Vec2b::new(true, false));
    let view = view.show(ui, |view| {
        view.set_plot_bounds(PlotBounds::from_min_max([from, limits.low], [to, limits.high]));
        for (time, what) in plot.marks.iter().filter(|(time, _)| (from..=to).contains(time)) {
            let line = VLine::new(what.clone(), *time).stroke(Stroke::new(1.0, MARK));
            view.vline(line.style(LineStyle::dotted_dense()));
        }
        if let Some(time) = history.past.filter(|time| (from..=to).contains(time)) {
            view.vline(VLine::new("here", time).stroke(Stroke::new(1.5, ACCENT)));
        }
        draw_curves(view, plot, limits);
        draw_exits(view, plot, limits);
    });
    note_place(ui, &format!("plot {}", kind.name), view.response.rect);
    if let Some(at) = view.response.hover_pos() {
        Hovered::write(ui, view.transform.value_from_position(at).x);
    }
}

fn draw_curves(view: &mut PlotUi, plot: &documents::Plot, limits: Limits) {
    let span = limits.high - limits.low;
    // values far beyond the axis can be drawn, infinite ones cannot
    let near = |[time, value]: [f64; 2]| [time, value.clamp(limits.low - 9.0 * span, limits.high + 9.0 * span)];
    let lines = plot.lines();
    for (at, (curve, line)) in plot.curves.iter().zip(&lines).enumerate() {
        if plot.style == PlotStyle::Stacked {
            let times: Vec<f64> = line.iter().map(|point| point[0]).collect();
            let ceiling: Vec<f64> = line.iter().map(|point| near(*point)[1]).collect();
            let below = at.checked_sub(1).and_then(|below| lines.get(below));
            let floor =
                below.map_or_else(|| vec![0.0; times.len()], |below| below.iter().map(|p| near(*p)[1]).collect());
            if ceiling != floor && ceiling.len() == floor.len() {
                let area = FilledArea::new(&curve.name, &times, &floor, &ceiling);
                view.add(area.fill_color(colour(curve.colour).gamma_multiply(0.85)));
            }
            continue;
        }
        let (width, share) = if curve.faint { (1.2, 0.35) } else { (1.6, 1.0) };
        let stroke = Stroke::new(width, colour(curve.colour).gamma_multiply(share));
        // unknown values are gaps
        for piece in line.split(|point| point[1].is_nan()).filter(|piece| !piece.is_empty()) {
            let points: PlotPoints = piece.iter().map(|point| near(*point)).collect();
            view.line(Line::new(curve.name.clone(), points).stroke(stroke));
        }
    }
    if let Some((value, name)) = plot.rule.as_ref().filter(|_| !plot.curves.is_empty()) {
        view.hline(HLine::new(name.clone(), *value).stroke(Stroke::new(1.2, RULE)).style(LineStyle::dashed_loose()));
    }
}

/// A triangle at the edge where a curve goes beyond it.
fn draw_exits(view: &mut PlotUi, plot: &documents::Plot, limits: Limits) {
    let room = 0.03 * (limits.high - limits.low);
    for (curve, time, above) in plot.exits(limits) {
        let (shape, at) =
            if above { (MarkerShape::Up, limits.high - room) } else { (MarkerShape::Down, limits.low + room) };
        let marker = Points::new("", vec![[time, at]]).shape(shape).radius(4.0).filled(true).allow_hover(false);
        // an area would hide one of its own colour
        let own = if plot.style == PlotStyle::Stacked { RULE } else { colour(plot.curves[curve].colour) };
        view.points(marker.color(own));
    }
}

/// Some `count` marks at round times.
fn time_marks(input: &GridInput, count: f64) -> Vec<GridMark> {
    let steps = even_steps(input.bounds.0, input.bounds.1, count);
    let step_size = steps.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
    steps.into_iter().map(|value| GridMark { value, step_size }).collect()
}

/// The label of a time; none at the left edge, where the lowest value stands.
fn time_label(mark: &GridMark, [from, to]: [f64; 2]) -> String {
    if mark.value - from < 0.03 * (to - from) {
        return String::new();
    }
    format!("{} s", tick_label(mark.value, mark.step_size))
}
