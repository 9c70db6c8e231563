//! All messages so far, to be read again.

use egui::{Label, RichText, ScrollArea, Ui};

use super::Messages;
use crate::app::desk::Shown;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ALARM, QUIET};

/// Title of the window.
pub const TITLE: &str = "Messages";

/// The window.
pub fn show(messages: &mut Messages, ui: &mut Ui, shown: &mut Shown) {
    if messages.is_empty() {
        ui.label(RichText::new("No messages yet. All messages shown over the cloth are listed here.").color(QUIET));
        return;
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{}, the newest first", messages.len())).small().color(QUIET));
        let copy = ui.small_button("Copy all");
        note_place(ui, "copy messages", copy.rect);
        if copy.clicked() {
            let lines = shown
                .states
                .of::<Messages>()
                .newest_first()
                .map(|message| format!("{:.3} s\t{}", message.time, message.text));
            ui.ctx().copy_text(lines.collect::<Vec<_>>().join("\n"));
        }
    });
    let height = (shown.view.height() - 120.0).clamp(80.0, 320.0);
    ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        for message in messages.newest_first() {
            ui.horizontal_top(|ui| {
                ui.label(RichText::new(format!("{:7.2} s", message.time)).small().monospace().color(QUIET));
                let colour = if message.is_fault { ALARM } else { ui.visuals().text_color() };
                ui.add(Label::new(RichText::new(&message.text).color(colour)).wrap());
            });
        }
    });
}
