//! The row of a study: its button, or while it runs its progress and a button to cancel it; and why
//! it failed.

use egui::{Button, ProgressBar, Ui};

use super::note_place;
use super::style::ALARM;
use crate::app::task::Study;

/// Least size of the buttons [points].
const SIZE: [f32; 2] = [84.0, 24.0];

/// The words of a row.
pub struct Words<'a> {
    /// On the button that starts the study.
    pub start: &'a str,
    /// On hovering that button, and the one that cancels the study.
    pub help: [&'a str; 2],
    /// Names of both buttons in the log.
    pub names: [&'static str; 2],
}

/// A button that was clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The study is to start.
    Start,
    /// It is to be cancelled.
    Cancel,
}

/// Shows the row with more `beside` the button that starts the study, which can be clicked if
/// `is_ready`.
pub fn study_row<T: Send + 'static>(
    ui: &mut Ui,
    study: &Study<T>,
    words: &Words,
    is_ready: bool,
    beside: impl FnOnce(&mut Ui),
) -> Option<Asked> {
    let [start, cancel] = words.names;
    let asked = ui.horizontal(|ui| {
        let button = |ui: &mut Ui, label: &str, name: &str, help: &str, is_ready: bool| {
            let button = ui.add_enabled(is_ready, Button::new(label).min_size(SIZE.into()));
            note_place(ui, name, button.rect);
            if help.is_empty() { button.clicked() } else { button.on_hover_text(help).clicked() }
        };
        if let Some(share) = study.progress() {
            let is_cancelled = button(ui, "Cancel", cancel, words.help[1], true);
            // not all know how much is done
            if share > 0.0 {
                ui.add(ProgressBar::new(share).show_percentage().desired_width(ui.available_width()));
            } else {
                ui.spinner();
            }
            return is_cancelled.then_some(Asked::Cancel);
        }
        let is_started = button(ui, words.start, start, words.help[0], is_ready);
        beside(ui);
        is_started.then_some(Asked::Start)
    });
    if let Some(fault) = &study.fault {
        ui.colored_label(ALARM, fault);
    }
    asked.inner
}
