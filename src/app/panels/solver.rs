//! The solver: which one, what it promises, its own parameters.

use egui::{ComboBox, RichText, Ui};

use super::sections::section;
use super::style::QUIET;
use super::{note_place, rows};
use crate::app::lab::Lab;
use crate::app::stepping::Pace;
use crate::sim::solvers::{REGISTRY, build};

/// The section.
pub fn show(ui: &mut Ui, lab: &mut Lab, pace: &mut Pace) {
    section(ui, "Solver", true, |ui| {
        let current = lab.simulation.solver().info();
        let mut chosen = None;
        let combo = ComboBox::from_id_salt("solver")
            .selected_text(current.name)
            .width(ui.available_width())
            .height(400.0)
            .show_ui(ui, |ui| {
                let mut group = None;
                for entry in REGISTRY {
                    let info = entry.info;
                    if group.replace(info.group) != Some(info.group) {
                        ui.label(RichText::new(info.group.name()).small().color(QUIET));
                    }
                    let item = ui.selectable_label(info.id == current.id, info.name);
                    note_place(ui, info.id, item.rect);
                    if item.on_hover_text(info.summary).clicked() {
                        chosen = Some(info.id);
                    }
                    ui.label(RichText::new(info.summary).small().color(QUIET));
                    ui.add_space(4.0);
                }
            });
        note_place(ui, "solver", combo.response.rect);
        if let Some(id) = chosen {
            pace.set_solver(lab, id);
        }
        let info = lab.simulation.solver().info();
        ui.label(RichText::new(info.summary).small().color(QUIET));
        egui::Grid::new("promises").num_columns(2).spacing([8.0, 2.0]).show(ui, |ui| {
            for (label, text) in [
                ("Source", info.source.to_owned()),
                ("Order", info.order.to_string()),
                ("Stability", info.stability.describe().to_owned()),
                ("Cost", info.cost.to_owned()),
            ] {
                ui.label(RichText::new(label).small().color(QUIET));
                ui.add(egui::Label::new(RichText::new(text).small()).wrap());
                ui.end_row();
            }
        });
        if let Some(defaults) = build(info.id) {
            rows::show(ui, lab.simulation.solver_mut().settings_mut(), defaults.settings(), &|_| None);
        }
    });
}
