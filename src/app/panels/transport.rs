//! The bar below the cloth: time, the two switches, image quality.

use egui::{Button, RichText, Slider, Ui};

use super::note_place;
use crate::app::preferences::{CurrentQuality, Quality};
use crate::app::session::SessionHandle;
use crate::app::stepping::Pace;
use crate::session::Command;
use crate::sim::forces::air::AirMode;

/// Which of the windows that the bar opens are open.
pub struct Open<'a> {
    /// The stability laboratory.
    pub stability: &'a mut bool,
    /// The convergence of a step.
    pub convergence: &'a mut bool,
}

/// The bar.
pub fn show(ui: &mut Ui, session: &mut SessionHandle, pace: &mut Pace, quality: &mut CurrentQuality, open: Open) {
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let paused = session.paused();
        let label = if paused { "▶  Run" } else { "⏸  Pause" };
        if ui.add(Button::new(label).min_size([84.0, 24.0].into())).on_hover_text("Space").clicked() {
            session.pause(!paused);
        }
        if ui.button("⏭  Step").on_hover_text("One time step, then pause: → or .").clicked() {
            session.step_once();
        }
        if ui.button("⟲  Reset").on_hover_text("The scene from its start, with the parameters as they are: R").clicked()
        {
            session.send(Command::Reset);
        }
        ui.separator();
        ui.label("Speed");
        ui.spacing_mut().slider_width = 90.0;
        let speed = ui.add(Slider::new(&mut pace.speed, 0.1..=2.0).logarithmic(true).fixed_decimals(1).suffix("×"));
        if speed.on_hover_text("Simulated seconds per second. Double click: real time.").double_clicked() {
            pace.speed = 1.0;
        }
        ui.separator();
        let mut windy = session.parameters().air.air == AirMode::Wind;
        let wind = ui.toggle_value(&mut windy, "💨  Wind").on_hover_text("Wind on or off; its strength is under Air");
        note_place(ui, "wind", wind.rect);
        if wind.changed() {
            session.send(Command::Wind { on: windy });
        }
        let mut laid = session.parameters().table.table;
        let help = "A table in the middle of the scene; its shape is under Table";
        let table = ui.toggle_value(&mut laid, "▣  Table").on_hover_text(help);
        note_place(ui, "table", table.rect);
        if table.changed() {
            session.send(Command::Table { on: laid });
        }
        let help = "Stability: the largest stiffness or step that a method survives";
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
