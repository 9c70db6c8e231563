//! The scene: which one, and what cloth it starts with.

use egui::{ComboBox, Ui};

use super::rows;
use super::sections::section;
use super::style::QUIET;
use crate::app::lab::Lab;
use crate::scene::{Pinning, scene_names};

/// The section.
pub fn show(ui: &mut Ui, lab: &mut Lab) {
    section(ui, "Scene", true, |ui| {
        let mut chosen = None;
        ComboBox::from_id_salt("scene").selected_text(&lab.scene.title).width(ui.available_width()).show_ui(ui, |ui| {
            for name in scene_names() {
                if ui.selectable_label(lab.scene.name == name, &name).clicked() {
                    chosen = Some(name);
                }
            }
        });
        if let Some(name) = chosen {
            lab.load_scene(&name);
        }
        ui.label(egui::RichText::new(&lab.scene.summary).small().color(QUIET));

        let before = lab.scene.clone();
        let mut pinning = Pinning { pins: lab.scene.pins };
        if lab.scene.mesh.is_some() {
            rows::show(ui, &mut lab.scene.import, &lab.defaults.import, &|_| None);
        } else {
            rows::show(ui, &mut lab.scene.grid, &lab.defaults.grid, &|_| None);
        }
        rows::show(ui, &mut pinning, &Pinning { pins: lab.defaults.pins }, &|_| None);
        lab.scene.pins = pinning.pins;
        // another cloth cannot keep the motion of the old one; while a slider is being dragged the old one stays
        let dragging = ui.input(|input| input.pointer.any_down());
        let id = ui.id().with("pending");
        let pending = before != lab.scene || ui.data(|data| data.get_temp(id).unwrap_or(false));
        ui.data_mut(|data| data.insert_temp(id, pending && dragging));
        if pending && !dragging {
            lab.reset();
        }
        let pattern = lab.simulation.pattern();
        let (vertices, springs) = (pattern.len(), pattern.springs().len());
        ui.label(egui::RichText::new(format!("{vertices} vertices, {springs} springs.")).small().color(QUIET));
        ui.label(
            egui::RichText::new("Changing the cloth starts it again. Drop an .obj file on the window for your own.")
                .small()
                .color(QUIET),
        );
    });
}
