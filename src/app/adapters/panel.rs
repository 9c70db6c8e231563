//! The graphics device of a solver that runs on one.

use egui::{ComboBox, Label, RichText, Ui};

use super::Adapters;
use crate::app::widgets::style::ALARM;
use crate::app::widgets::{note_place, row_label};

/// Name of the default device.
const FASTEST: &str = "Fastest available";

/// A row to choose it in.
pub fn show(ui: &mut Ui, adapters: &mut Adapters) {
    adapters.look();
    let before = adapters.chosen.clone();
    let mut chosen = before.clone();
    ui.add_enabled_ui(!adapters.is_opening(), |ui| {
        ui.horizontal(|ui| {
            let label = row_label(ui, "Device", 0.0);
            let combo = ComboBox::from_id_salt("device")
                .selected_text(before.as_deref().unwrap_or(FASTEST))
                .width(ui.available_width())
                .truncate()
                .show_ui(ui, |ui| {
                    let row = ui.selectable_value(&mut chosen, None, FASTEST);
                    note_place(ui, "fastest device", row.rect);
                    for (place, name) in adapters.known.iter().enumerate() {
                        let row = ui.selectable_value(&mut chosen, Some(name.clone()), name);
                        note_place(ui, &format!("device {place}"), row.rect);
                    }
                });
            note_place(ui, "device", combo.response.rect);
            let help = "Graphics device of the GPU solvers. The window is drawn with its own device.\n\n--adapter NAME";
            for part in [label.clone(), combo.response.labelled_by(label.id)] {
                part.on_hover_text(help).on_disabled_hover_text("Opening");
            }
        });
    });
    if let Some(fault) = &adapters.fault {
        ui.add(Label::new(RichText::new(fault).small().color(ALARM)).wrap());
    }
    if chosen != before {
        adapters.choose(chosen);
    }
}
