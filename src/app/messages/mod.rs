//! Log of messages: every message shown over the cloth, for reading after it has disappeared, and
//! its window.

pub mod banner;

use std::collections::VecDeque;

use bevy::prelude::*;
use egui::{Label, RichText, ScrollArea, Ui};

use super::session::SessionHandle;
use crate::app::desk::Shown;
use crate::app::export::Files;
use crate::app::plots::history::History;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ALARM, QUIET};
use crate::sim::solvers::name_of;

/// Most messages that are kept.
const MOST: usize = 200;

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Simulated time at which it was shown [s].
    pub time: f64,
    /// Its text.
    pub text: String,
    /// Whether something went wrong.
    pub is_fault: bool,
}

/// The messages so far.
#[derive(Resource, Default)]
pub struct Messages {
    list: VecDeque<Message>,
    /// The message that each source shows now, so that it is taken once.
    last: [Option<String>; 4],
}

impl Messages {
    /// All that are kept, the newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &Message> {
        self.list.iter().rev()
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes what the sources show at a simulated `time` [s]: the text of each, and whether it is
    /// of a fault.
    pub fn follow(&mut self, time: f64, shown: [Option<(String, bool)>; 4]) {
        for (last, shown) in self.last.iter_mut().zip(shown) {
            let text = shown.as_ref().map(|(text, _)| text.clone());
            if *last == text {
                continue;
            }
            *last = text;
            if let Some((text, is_fault)) = shown {
                self.list.push_back(Message { time, text, is_fault });
            }
        }
        let excess = self.list.len().saturating_sub(MOST);
        self.list.drain(..excess);
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Messages>().add_systems(Update, follow);
}

fn follow(
    session: Res<SessionHandle>,
    mut files: ResMut<Files>,
    history: Res<History>,
    mut messages: ResMut<Messages>,
) {
    let frame = session.frame();
    let failure = frame.failure.as_ref().map(|failure| {
        (format!("{} blew up at t = {:.3} s: {}", name_of(failure.solver), failure.time, failure.cause), true)
    });
    let offer = frame.offer.as_ref().map(|offer| (offer.reason.clone(), false));
    let note = || frame.note.clone().map(|note| (note, false));
    let message = frame.message.clone().map(|message| (message, true)).or(offer).or_else(note);
    let news = files.news().map(|news| (news.text.clone(), news.is_fault));
    let saved = history.message.clone().map(|message| match message {
        Ok(text) => (text, false),
        Err(text) => (text, true),
    });
    messages.follow(frame.time, [failure, message, news, saved]);
}

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
