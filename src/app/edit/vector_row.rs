//! Three numbers in a row.

use egui::{DragValue, Ui};

use crate::app::widgets::{note_place, row_label};
use crate::sim::{Real, Vec3};

/// Change of a length for each point that the pointer moves [m].
pub const SPEED: f64 = 0.005;

/// Three numbers in a row, shown times a factor with a unit. Returns whether one was changed.
pub fn vector(ui: &mut Ui, label: &str, place: &str, value: &mut Vec3, (factor, unit): (Real, &str)) -> bool {
    ui.horizontal(|ui| {
        let label = row_label(ui, label, 0.0).id;
        let mut changed = false;
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            // without the sign of a zero
            let mut shown = factor * value[axis] + 0.0;
            let speed = if factor == 1.0 { SPEED } else { 1.0 };
            let number = DragValue::new(&mut shown).speed(speed).max_decimals(3).suffix(unit);
            let number = ui.add(number).labelled_by(label);
            note_place(ui, &format!("{place} {name}"), number.rect);
            if number.on_hover_text(name).changed() {
                value[axis] = shown / factor;
                changed = true;
            }
        }
        changed
    })
    .inner
}
