//! The row of buttons that copy the present solver as code for another program.

use egui::{RichText, Ui};

use super::note_place;
use super::style::ACCENT;
use crate::documents::take_home::Target;

/// The row. Returns the program that was chosen.
pub fn targets(ui: &mut Ui) -> Option<Target> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        let help = "The solver of this cloth as it is set: parameters, settings and pseudocode, with the command \
                    that repeats it";
        ui.label(RichText::new("Take it home").small().color(ACCENT)).on_hover_text(help);
        for target in Target::ALL {
            let button = ui.button(target.name()).on_hover_text(format!("Copies it as text for {}", target.name()));
            note_place(ui, &format!("take home {}", target.name().to_lowercase()), button.rect);
            if button.clicked() {
                chosen = Some(target);
            }
        }
    });
    chosen
}
