//! The bar below the cloth: time, the two switches, image quality.

use egui::{Button, RichText, Slider, Ui};

use super::note_place;
use crate::app::lab::Lab;
use crate::app::preferences::{CurrentQuality, Quality};
use crate::app::stepping::Pace;
use crate::sim::forces::air::AirMode;

/// Which of the windows that the bar opens are open.
pub struct Open<'a> {
    /// The stability laboratory.
    pub stability: &'a mut bool,
    /// The convergence of a step.
    pub convergence: &'a mut bool,
}

/// The bar.
pub fn show(ui: &mut Ui, lab: &mut Lab, pace: &mut Pace, quality: &mut CurrentQuality, open: Open) {
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let label = if pace.paused { "▶  Run" } else { "⏸  Pause" };
        if ui.add(Button::new(label).min_size([84.0, 24.0].into())).on_hover_text("Space").clicked() {
            pace.paused = !pace.paused;
        }
        if ui.button("⏭  Step").on_hover_text("One time step, then pause: → or .").clicked() {
            pace.paused = true;
            pace.single_step = true;
        }
        if ui.button("⟲  Reset").on_hover_text("The scene from its start, with the parameters as they are: R").clicked()
        {
            lab.reset();
        }
        ui.separator();
        ui.label("Speed");
        ui.spacing_mut().slider_width = 90.0;
        let speed = ui.add(Slider::new(&mut pace.speed, 0.1..=2.0).logarithmic(true).fixed_decimals(1).suffix("×"));
        if speed.on_hover_text("Simulated seconds per second. Double click: real time.").double_clicked() {
            pace.speed = 1.0;
        }
        ui.separator();
        let air = &mut lab.simulation.parameters.air.air;
        let mut windy = *air == AirMode::Wind;
        let wind = ui.toggle_value(&mut windy, "💨  Wind").on_hover_text("Wind on or off; its strength is under Air");
        note_place(ui, "wind", wind.rect);
        if wind.changed() {
            // without wind the air is as the scene has it
            let calm = Some(lab.defaults.parameters.air.air).filter(|air| *air != AirMode::Wind).unwrap_or(AirMode::Still);
            *air = if windy { AirMode::Wind } else { calm };
        }
        let table = &mut lab.simulation.parameters.table.table;
        let help = "A table in the middle of the scene; its shape is under Table";
        let table = ui.toggle_value(table, "▣  Table").on_hover_text(help);
        note_place(ui, "table", table.rect);
        let help = "Stability laboratory: the largest stiffness or step that a method survives";
        let toggle = ui.toggle_value(open.stability, "Stability").on_hover_text(help);
        note_place(ui, "stability", toggle.rect);
        let help = "The error of a step after every iteration and every millisecond, for the methods that minimise";
        let toggle = ui.toggle_value(open.convergence, "Convergence").on_hover_text(help);
        note_place(ui, "convergence", toggle.rect);
        ui.separator();
        let mut high = quality.0 == Quality::High;
        let help = "Shadows and smooth edges. Without them the image is drawn several times faster.";
        let toggle = ui.toggle_value(&mut high, RichText::new("High quality")).on_hover_text(help);
        note_place(ui, "quality", toggle.rect);
        if toggle.changed() {
            quality.0 = if high { Quality::High } else { Quality::Low };
        }
    });
    ui.add_space(2.0);
}
