//! One plot as it is seen: its title, the names of the curves, their values under the pointer, the
//! axes.

use egui::text::{LayoutJob, TextFormat};
use egui::{ComboBox, FontId, Id, Label, RichText, Ui};

use super::catalogue::{Of, PlotKind};
use super::curves::{self, Choice};
use super::history::History;
use crate::app::widgets::chart::{self, colour};
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{name, note_place};
use crate::documents::{self, Item, Limits, Pen, PlotCurve, tick_label};
use crate::sim::params::units::significant;

/// Colours of the present moment and of the pointer.
const HERE: [u8; 3] = [224, 122, 78];
const POINTER: [u8; 3] = [158, 164, 174];
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
        let notes = plot.notes(limits);
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
    for curve in plot.named() {
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

/// The axes with the curves; a line at the time under the pointer is in all plots.
fn axes(ui: &mut Ui, kind: &PlotKind, plot: &documents::Plot, limits: Limits, (history, size): (&History, [f32; 2])) {
    let mut chart = plot.chart(limits);
    // title, names and notes are above
    chart.axes[1].name.clear();
    chart.items.retain(|item| !matches!(item, Item::Note(..)));
    let hovered = Hovered::read(ui);
    let upright = |time: f64, colour: [u8; 3]| Item::Upright(time, String::new(), Pen::new(colour, 1.0));
    chart.items.extend(history.past.map(|time| upright(time, HERE)));
    chart.items.extend(hovered.map(|time| upright(time, POINTER)));
    let (place, response) = chart::allocate(ui, &chart, size);
    name(ui, &response, &format!("Plot: {}", kind.name));
    chart::paint(ui.painter(), &chart, &place);
    note_place(ui, &format!("plot {}", kind.name), response.rect);
    let pointer = response.hover_pos().filter(|at| place.frame().contains(*at));
    if let Some(at) = pointer {
        Hovered::write(ui, place.point(at)[0]);
    }
    if let Some((name, point)) = chart::under_pointer(&chart, &place, pointer) {
        chart::point_out(ui.painter(), &place, point);
        let [time, value] = point;
        response.on_hover_text_at_pointer(format!("{name}\n{} s: {}", tick_label(time, 0.01), plot.tell(value)));
    }
}
