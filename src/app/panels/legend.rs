//! The scale of the painted quantity: its colours, its ends, the distribution of the values, the
//! value under the pointer.

use bevy::log::debug;
use bevy::prelude::{ColorToPacked, Srgba};
use egui::{
    Align, Align2, Area, Color32, DragValue, Frame, Id, Layout, Order, Painter, Rect, RichText, Sense, Stroke, Ui,
    pos2, vec2,
};

use crate::app::desk::Shown;
use crate::app::view::paint_quantity::{PaintQuantity, TOUCHES};
use crate::app::view::painting::Painting;
use crate::app::widgets::style::{OVERLAY, QUIET};
use crate::app::widgets::{name, note_place};
use crate::sim::params::units::significant;

/// Size of the histogram and of the scale under it [points], and the number of bars.
const WIDTH: f32 = 220.0;
const BARS: usize = 44;
const BAR_HEIGHT: f32 = 34.0;
const SCALE_HEIGHT: f32 = 12.0;

/// The legend, while a quantity is painted.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let painting = &mut shown.view_state.painting;
    if painting.quantity() == PaintQuantity::Cloth {
        return;
    }
    let value = shown.hovered.and_then(|vertex| painting.values.get(vertex as usize)).copied();
    Area::new(Id::new("legend"))
        .fixed_pos(shown.view.right_top() + vec2(-14.0, 14.0))
        .pivot(Align2::RIGHT_TOP)
        .order(Order::Middle)
        .show(ui.ctx(), |ui| {
            Frame::new().fill(OVERLAY).inner_margin(10).corner_radius(6).show(ui, |ui| {
                ui.set_width(WIDTH);
                contents(ui, painting, value);
            });
        });
}

fn contents(ui: &mut Ui, painting: &mut Painting, value: Option<f64>) {
    ui.horizontal(|ui| title(ui, painting, value));
    if painting.quantity().is_kind() {
        kinds(ui, painting);
        return;
    }
    let (all, scale) = ui.allocate_exact_size(vec2(WIDTH, BAR_HEIGHT + SCALE_HEIGHT), Sense::click_and_drag());
    name(ui, &scale, "Scale of the painted quantity");
    note_place(ui, "scale", all);
    follow_pointer(ui, painting, &scale);
    draw_scale(&ui.painter_at(all), all, painting, value);
    ui.horizontal(|ui| ends(ui, painting));
}

/// The quantity, and the value under the pointer, or the number of vertices with the marked one.
fn title(ui: &mut Ui, painting: &Painting, value: Option<f64>) {
    let quantity = painting.quantity();
    let (unit, _) = quantity.unit();
    ui.label(RichText::new(quantity.name()).strong().color(Color32::WHITE)).on_hover_text(quantity.help());
    let signed = |value: f64| {
        let sign = if quantity.is_signed() && value > 0.0 { "+" } else { "" };
        format!("{sign}{} {unit}", significant(value))
    };
    let told = match (painting.marked, value.filter(|_| !quantity.is_kind())) {
        (Some([low, high]), _) => {
            let count = painting.values.iter().filter(|value| (low..=high).contains(*value)).count();
            Some(format!("{count} at {}", signed(painting.middle([low, high]))))
        }
        (None, Some(value)) => Some(signed(value)),
        (None, None) => None,
    };
    if let Some(text) = told {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(text).monospace().color(Color32::WHITE)).on_hover_text("Under the pointer");
        });
    }
}

/// The colours with the histogram above them, and a line at a value.
fn draw_scale(painter: &Painter, all: Rect, painting: &Painting, value: Option<f64>) {
    let counts = histogram(painting);
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f32;
    let width = all.width() / BARS as f32;
    for (bar, count) in counts.iter().enumerate() {
        let [left, right] = [bar, bar + 1].map(|edge| all.left() + edge as f32 * width);
        // small counts are seen as well
        let height = BAR_HEIGHT * (*count as f32 / most).sqrt();
        let foot = all.top() + BAR_HEIGHT;
        let bar_rect = Rect::from_min_max(pos2(left, foot - height), pos2(right - 1.0, foot));
        painter.rect_filled(bar_rect, 0.0, Color32::from_gray(170));
        let place = (bar as f32 + 0.5) / BARS as f32;
        let [r, g, b, _] = Srgba::from(painting.scale(place)).to_u8_array();
        let scale_rect = Rect::from_min_max(pos2(left, foot), pos2(right + 0.5, all.bottom()));
        painter.rect_filled(scale_rect, 0.0, Color32::from_rgb(r, g, b));
    }
    let marked = painting.marked.map(|ends| painting.middle(ends));
    if let Some(value) = marked.or(value) {
        let x = all.left() + painting.place_of(value) as f32 * all.width();
        painter.vline(x, all.y_range(), Stroke::new(1.5, Color32::WHITE));
    }
}

/// Where the scale begins and ends.
fn ends(ui: &mut Ui, painting: &mut Painting) {
    let quantity = painting.quantity();
    let (unit, _) = quantity.unit();
    let low = if quantity.is_signed() { format!("−{} {unit}", significant(painting.range)) } else { "0".to_owned() };
    ui.label(RichText::new(low).small().color(QUIET));
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let speed = 0.01 * painting.range;
        let number = DragValue::new(&mut painting.range)
            .range(1e-6..=1e6)
            .speed(speed)
            .custom_formatter(|x, _| significant(x))
            .suffix(format!(" {unit}"));
        let number = ui.add(number).on_hover_text("End of the scale: drag, or type");
        name(ui, &number, "End of the scale");
        note_place(ui, "legend range", number.rect);
    });
}

/// Over the scale the pointer marks the vertices that have the value under it; a drag stretches the
/// scale, so that the value that was under the pointer stays there; a double click ends it where
/// nearly all values do.
fn follow_pointer(ui: &Ui, painting: &mut Painting, scale: &egui::Response) {
    let place_at = |x: f32| f64::from((x - scale.rect.left()) / scale.rect.width());
    let held = Id::new("value on the scale");
    painting.marked = None;
    if scale.double_clicked() {
        painting.fits = true;
    }
    if scale.drag_started()
        && let Some(pressed) = ui.input(|input| input.pointer.press_origin())
    {
        let value = painting.value_at(place_at(pressed.x));
        ui.data_mut(|data| data.insert_temp(held, value));
    }
    if (scale.dragged() || scale.drag_stopped())
        && let Some(pointer) = scale.interact_pointer_pos()
    {
        if let Some(value) = ui.data(|data| data.get_temp(held)) {
            painting.stretch_to(value, place_at(pointer.x));
        }
        if scale.drag_stopped() {
            debug!("the scale ends at {}", painting.range);
        }
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    } else if let Some(pointer) = scale.hover_pos() {
        let part = (place_at(pointer.x) * BARS as f64).max(0.0) as usize;
        painting.mark(part.min(BARS - 1), BARS);
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
}

/// A swatch for each kind, and how many vertices are of it.
fn kinds(ui: &mut Ui, painting: &Painting) {
    for (kind, (name, _)) in TOUCHES.iter().enumerate() {
        let count = painting.values.iter().filter(|value| **value == kind as f64).count();
        let [r, g, b, _] = Srgba::from(painting.colour(kind as f64)).to_u8_array();
        ui.horizontal(|ui| {
            let (swatch, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            ui.painter().rect_filled(swatch, 2.0, Color32::from_rgb(r, g, b));
            ui.label(RichText::new(*name).small().color(Color32::WHITE));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(RichText::new(count.to_string()).small().monospace().color(QUIET));
            });
        });
    }
}

/// How many vertices have a value in each part of the scale; those beyond its ends count in the
/// last ones.
fn histogram(painting: &Painting) -> [usize; BARS] {
    let mut counts = [0; BARS];
    for value in painting.values.iter().filter(|value| value.is_finite()) {
        counts[((painting.place_of(*value) * BARS as f64) as usize).min(BARS - 1)] += 1;
    }
    counts
}
