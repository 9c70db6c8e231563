//! The row of a study: its button, or while it runs its progress and a button to cancel it; and why
//! it failed. Its results, saved.

use std::io::{self, Write};

use egui::{Button, ProgressBar, RichText, Ui};

use super::note_place;
use super::style::{ALARM, QUIET};
use crate::app::task::Study;
use crate::documents::write_numbered;

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

/// Shows the row with more `beside` the button that starts the study, which can be clicked if
/// `is_ready`. Returns whether it was.
pub fn study_row<T: Send + 'static>(
    ui: &mut Ui,
    study: &Study<T>,
    words: &Words,
    is_ready: bool,
    beside: impl FnOnce(&mut Ui),
) -> bool {
    let [start, cancel] = words.names;
    let is_started = ui.horizontal(|ui| {
        let button = |ui: &mut Ui, label: &str, name: &str, help: &str, is_ready: bool| {
            let button = ui.add_enabled(is_ready, Button::new(label).min_size(SIZE.into()));
            note_place(ui, name, button.rect);
            if help.is_empty() { button.clicked() } else { button.on_hover_text(help).clicked() }
        };
        if let Some(share) = study.progress() {
            if button(ui, "Cancel", cancel, words.help[1], true) {
                study.cancel();
            }
            // not all know how much is done
            if share > 0.0 {
                ui.add(ProgressBar::new(share).show_percentage().desired_width(ui.available_width()));
            } else {
                ui.spinner();
            }
            return false;
        }
        let is_started = button(ui, words.start, start, words.help[0], is_ready);
        beside(ui);
        is_started
    });
    show_fault(ui, study);
    is_started.inner
}

/// Shows why the study failed, if it did.
pub fn show_fault<T: Send + 'static>(ui: &mut Ui, study: &Study<T>) {
    if let Some(fault) = study.fault() {
        ui.colored_label(ALARM, fault);
    }
}

/// Writes results, `what` they are, into a new `stem.extension` of the folder that Weft runs in.
/// Returns the outcome in a sentence.
///
/// # Errors
/// The same, if it fails.
pub fn save(
    [stem, extension]: [&str; 2],
    what: &str,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<String, String> {
    let written = std::env::current_dir().and_then(|folder| write_numbered(&folder, [stem, extension], write));
    let path = written.map_err(|error| format!("The {what} cannot be written: {error}"))?;
    bevy::log::info!("{stem} written to {}", path.display());
    Ok(format!("Written to {}", path.display()))
}

/// Shows the message on the last file that was written, or why it was not.
pub fn show_message(ui: &mut Ui, message: Option<&Result<String, String>>) {
    match message {
        Some(Ok(text)) => drop(ui.label(RichText::new(text).small().color(QUIET))),
        Some(Err(text)) => drop(ui.colored_label(ALARM, text)),
        None => {}
    }
}
