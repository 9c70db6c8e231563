//! The solver: which one, what it promises, its own parameters.

use std::sync::Arc;

use egui::{Align, ComboBox, Label, Layout, RichText, Ui};

use super::sections::{idle, section};
use super::style::{ACCENT, QUIET};
use super::{Shown, note_place, rows};
use crate::session::Command;
use crate::sim::StepStats;
use crate::sim::solver::Stage;
use crate::sim::solvers::{REGISTRY, build};

/// Width of the menu, and size of a name in it.
const MENU: f32 = 640.0;
const NAME: [f32; 2] = [170.0, 20.0];

/// The section.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    section(ui, "Solver", true, |ui| {
        let current = session.frame.solver;
        let mut chosen = None;
        let combo = ComboBox::from_id_salt("solver")
            .selected_text(current.name)
            .width(ui.available_width())
            .height(460.0)
            .show_ui(ui, |ui| {
                ui.set_min_width(MENU);
                let mut group = None;
                for entry in REGISTRY {
                    let info = entry.info;
                    if group.replace(info.group) != Some(info.group) {
                        ui.label(RichText::new(info.group.name()).small().color(ACCENT));
                    }
                    ui.horizontal(|ui| {
                        let name = |ui: &mut Ui| {
                            ui.set_min_width(NAME[0]);
                            ui.selectable_label(info.id == current.id, info.name)
                        };
                        let layout = Layout::left_to_right(Align::Center);
                        let item = ui.allocate_ui_with_layout(NAME.into(), layout, name).inner;
                        note_place(ui, info.id, item.rect);
                        let summary = Label::new(RichText::new(info.summary).small().color(QUIET)).truncate();
                        let clicked = item.clicked() | ui.add(summary).on_hover_text(info.summary).clicked();
                        item.on_hover_text(info.summary);
                        if clicked {
                            chosen = Some(info.id);
                        }
                    });
                }
            });
        note_place(ui, "solver", combo.response.rect);
        if let Some(id) = chosen {
            session.send(Command::Solver { id: id.to_owned() });
        }
        let info = session.frame.solver;
        ui.label(RichText::new(info.summary).small().color(QUIET));
        egui::Grid::new("promises").num_columns(2).spacing([8.0, 2.0]).show(ui, |ui| {
            for (label, text) in [
                ("Source", info.source.to_owned()),
                ("Order", info.order.to_string()),
                ("Stability", info.stability.describe()),
                ("Cost", info.cost.to_owned()),
                ("Contact", session.frame.capabilities.describe_contacts()),
                ("Layers", session.frame.capabilities.layers.describe().to_owned()),
                ("Damping", session.frame.capabilities.damping.describe()),
                ("Bending", session.frame.capabilities.bending.describe()),
            ] {
                ui.label(RichText::new(label).small().color(QUIET));
                ui.add(Label::new(RichText::new(text).small()).wrap());
                ui.end_row();
            }
        });
        ui.label(RichText::new(last_step(&session.frame.stats)).small().color(QUIET));
        let loaded = &session.frame.defaults;
        let defaults = if loaded.solver == info.id { loaded.solver().ok() } else { build(info.id) };
        if let Some(defaults) = defaults {
            let frame = Arc::clone(&session.frame);
            let idle = |key: &str| idle(&frame, key);
            session.change_settings(|settings| rows::show(ui, settings, defaults.settings(), &idle));
        }
    });
}

/// What the last step did, in words.
fn last_step(stats: &StepStats) -> String {
    let count = |n: u32, one: &str, more: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {more}") };
    let mut parts =
        vec![count(stats.substeps, "substep", "substeps"), count(stats.iterations, "iteration", "iterations")];
    if stats.rejected > 0 {
        parts.push(count(stats.rejected, "substep taken back", "substeps taken back"));
    }
    if stats.stretch_left > 0.0 {
        parts.push(format!("stretched by {:.1} % at most", 100.0 * stats.stretch_left));
    }
    if stats.torn > 0 {
        parts.push(count(stats.torn, "vertex torn", "vertices torn"));
    }
    if stats.too_many_pairs > 0 {
        parts.push("more pairs of layers than are dealt with: the cloth is slowed down".to_owned());
    }
    if stats.held_back > 0 {
        let held = count(stats.held_back, "vertex held back", "vertices held back");
        parts.push(format!("{held}, by up to {:.1} mm", 1e3 * stats.given_up));
    }
    if stats.touching > 0 {
        parts.push(count(stats.touching, "pair that touches", "pairs that touch"));
    }
    if stats.factorisations > 0 {
        let ms = 1e3 * stats.seconds[Stage::Factor as usize];
        parts.push(format!("{} in {ms:.2} ms", count(stats.factorisations, "factorisation", "factorisations")));
    }
    if stats.updates > 0 {
        parts.push(count(stats.updates, "update of the factor", "updates of the factor"));
    }
    if stats.residual > 0.0 {
        parts.push(format!("residual {:.1e}", stats.residual));
    }
    if stats.unconverged > 0 {
        parts.push(count(stats.unconverged, "substep not converged", "substeps not converged"));
    }
    if stats.indefinite > 0 {
        parts.push(count(stats.indefinite, "indefinite matrix", "indefinite matrices"));
    }
    format!("Last step: {}.", parts.join(", "))
}
