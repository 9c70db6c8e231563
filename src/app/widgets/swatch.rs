//! Swatches of fabrics.

use egui::{Color32, Rect, Response, Sense, Stroke, StrokeKind, Ui, vec2};

use super::style::ACCENT;
use crate::scene::{Fabric, Print};

/// Size of a swatch [points].
const SWATCH: [f32; 2] = [29.0, 24.0];

/// A fabric's swatch with its name for screen readers; that which a cloth is made of has a frame.
pub fn swatch(ui: &mut Ui, look: &Fabric, name: &str, is_made_of_it: bool) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(SWATCH.into(), Sense::click());
    draw(ui, look, rect);
    if is_made_of_it || response.hovered() || response.has_focus() {
        let stroke = if is_made_of_it { Stroke::new(2.0, ACCENT) } else { Stroke::new(1.0, Color32::WHITE) };
        ui.painter().rect_stroke(rect.expand(1.0), 4.0, stroke, StrokeKind::Outside);
    }
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    (rect, response)
}

/// Its colours: the front, with its stripes, and a corner turned over.
fn draw(ui: &Ui, fabric: &Fabric, rect: Rect) {
    let colour = |[r, g, b]: [f32; 3], shade: f32| {
        let [r, g, b] = [r, g, b].map(|part| (255.0 * (part * shade).min(1.0)) as u8);
        Color32::from_rgb(r, g, b)
    };
    let look = &fabric.look;
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colour(look.front, 1.0));
    let dark = colour(look.front, 0.78).gamma_multiply(0.6);
    let width = 4.0;
    let stripes = |count: usize| (0..count).map(move |k| 2.0 + 2.0 * width * k as f32);
    if look.pattern != Print::Plain {
        for x in stripes(5) {
            let stripe = Rect::from_min_size(rect.min + vec2(x, 0.0), vec2(width, rect.height()));
            painter.rect_filled(stripe, 0.0, dark);
        }
    }
    if look.pattern == Print::Check {
        for y in stripes(4) {
            let stripe = Rect::from_min_size(rect.min + vec2(0.0, y), vec2(rect.width(), width));
            painter.rect_filled(stripe, 0.0, dark);
        }
    }
    let corner = rect.right_bottom();
    let back = vec![corner, corner - vec2(9.0, 0.0), corner - vec2(0.0, 9.0)];
    painter.add(egui::Shape::convex_polygon(back, colour(look.back, 1.0), Stroke::NONE));
}
