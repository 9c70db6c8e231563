//! Open, save, export: one window, and a line over the cloth that tells how it went.

use std::time::Instant;

use bevy::prelude::{ButtonInput, KeyCode, Res, ResMut};
use egui::{
    Align2, Area, Button, Color32, ComboBox, DragValue, Frame, Grid, Id, Label, Order, ProgressBar, RadioButton,
    RichText, Stroke, Ui,
};

use super::{Appearance, Choice, Copied, Files, Kind, MOST_BYTES, MOST_SECONDS, News, Purpose, RecordedSpan};
use crate::app::desk::{Desk, Shown};
use crate::app::key_focus::IsAsking;
use crate::app::letters::Letters;
use crate::app::library::{Library, own};
use crate::app::session::SessionHandle;
use crate::app::widgets::style::{ACCENT, ALARM, OVERLAY, QUIET};
use crate::app::widgets::{note_place, take_home};
use crate::app::window::CONTROL;

/// Title of the window.
pub const TITLE: &str = "Files";

/// The window.
pub fn show(files: &mut Files, ui: &mut Ui, shown: &mut Shown) {
    ui.horizontal(|ui| {
        let open = ui.add(Button::new("Open…").shortcut_text("Ctrl+O"));
        let open = open.on_hover_text("A scene (.ron), a mesh (.obj) as the cloth, a body of tetrahedra (.mesh, .msh), a snapshot (.json), a picture for the cloth (.png), or the table of a sweep (.csv). Dropping it on the window does the same");
        note_place(ui, "open file", open.rect);
        if open.clicked() {
            files.ask(Purpose::Open);
        }
        let save = ui.add(Button::new("Save scene…").shortcut_text("Ctrl+S"));
        let save = save.on_hover_text(
            "This scene from its start with all changes: parameters, solver, fabric, pins, colliders, and this view",
        );
        note_place(ui, "save scene", save.rect);
        if save.clicked() {
            files.ask(Purpose::SaveScene);
        }
        let mut opened = None;
        let recent = ui.add_enabled_ui(!shown.states.of::<Library>().files().is_empty(), |ui| {
            ui.menu_button("Recent", |ui| {
                opened = shown.states.of::<Library>().files().iter().find(|file| own::show_row(ui, file)).cloned();
            })
        });
        note_place(ui, "recent files", recent.response.rect);
        recent.response.on_hover_text("Files that were opened or saved last");
        if let Some(file) = opened {
            shown.with(|library, shown| own::open(library, shown, file));
        }
    });
    heading(ui, "Export");
    kinds(ui, &mut files.choice);
    ui.add_space(2.0);
    range(ui, files);
    ui.horizontal(|ui| {
        let choice = &mut files.choice;
        ui.add_enabled_ui(choice.kind.is_drawn(), |ui| look(ui, choice));
        export_button(ui, files);
    });
    if files.is_busy() || files.news().is_some() {
        ui.add_space(2.0);
        ui.horizontal_wrapped(|ui| state(ui, files));
    }
    ui.add_space(6.0);
    record(ui, files, shown.session);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Copy as a command").small().color(ACCENT));
        for copied in Copied::ALL {
            let (name, help) = copied.texts();
            let button = ui.button(name).on_hover_text(help);
            note_place(ui, &format!("copy {} command", name.to_lowercase()), button.rect);
            if button.clicked() {
                let appearance = appearance(shown);
                files.copy_command(copied, shown.session, appearance);
            }
        }
        let help = "weft replay …: all actions since the beginning of the time line, step by step; saved first";
        let button = ui.button("Replay").on_hover_text(help);
        note_place(ui, "copy replay command", button.rect);
        if button.clicked() {
            files.ask(Purpose::SaveRecording { way: true });
        }
    });
    if let Some(target) = take_home::targets(ui) {
        files.take_home(target, shown);
    }
}

fn export_button(ui: &mut Ui, files: &mut Files) {
    let kind = files.choice.kind;
    let lack = kind.lack();
    let button = Button::new("Export…").shortcut_text("Enter").min_size([110.0, 24.0].into());
    let button = ui.add_enabled(lack.is_none() && !files.is_busy(), button);
    let button = button.on_disabled_hover_text(lack.unwrap_or("A file is being written"));
    note_place(ui, "export", button.rect);
    if std::mem::take(&mut files.wants_focus) {
        button.request_focus();
    }
    if button.clicked() {
        files.ask(Purpose::Export(kind));
    }
}

/// Recordings, which weft replay repeats.
fn record(ui: &mut Ui, files: &mut Files, session: &mut SessionHandle) {
    let kept = session.frame().timeline.behind + session.frame().timeline.ahead;
    let mut watched = session.watched();
    ui.horizontal(|ui| {
        ui.label(RichText::new("Record").small().color(ACCENT));
        let title = if watched.recording { "⏹  Stop and save…" } else { "⏺  From now on" };
        let help = "Records your actions and every step from now on. \"weft replay FILE\" repeats them, and checks that \
                    each step is bit-identical";
        let button = ui.add(Button::new(title).selected(watched.recording)).on_hover_text(help);
        note_place(ui, "record", button.rect);
        if button.clicked() {
            if watched.recording {
                files.ask(Purpose::SaveRecording { way: false });
            } else {
                watched.recording = true;
                session.watch(watched);
            }
        }
        let button = ui.add_enabled(kept > 0.0, Button::new(format!("Save the last {kept:.0} s…")));
        let button = button.on_hover_text("A recording of the whole time line, with what came before the present scene");
        note_place(ui, "save recording", button.rect);
        if button.clicked() {
            files.ask(Purpose::SaveRecording { way: true });
        }
    });
}

fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    ui.label(RichText::new(text).small().color(ACCENT));
}

/// The list of formats, each with its use.
fn kinds(ui: &mut Ui, choice: &mut Choice) {
    Grid::new("kinds").num_columns(2).spacing([12.0, 3.0]).min_col_width(84.0).show(ui, |ui| {
        for kind in Kind::ALL {
            let lack = kind.lack();
            let radio = RadioButton::new(choice.kind == kind, kind.title());
            let radio = ui.add_enabled(lack.is_none(), radio);
            note_place(ui, &format!("export as {}", kind.title().to_lowercase()), radio.rect);
            if radio.clicked() {
                choice.kind = kind;
            }
            let help = Label::new(RichText::new(lack.unwrap_or(kind.help())).small().color(QUIET));
            if ui.add(help.sense(egui::Sense::CLICK)).clicked() && lack.is_none() {
                choice.kind = kind;
            }
            ui.end_row();
        }
    });
}

/// The part of the motion. Controls without use for a kind are faint, so that nothing moves.
fn range(ui: &mut Ui, files: &mut Files) {
    let (recorded, start) = (files.recorded(), files.recorded_from());
    let choice = &mut files.choice;
    ui.add_enabled_ui(choice.kind.takes_motion(), |ui| {
        ui.horizontal(|ui| {
            let is_motion = choice.is_motion(choice.kind);
            let now = ui.add_enabled(choice.kind.takes_moment(), RadioButton::new(!is_motion, "As it is now"));
            note_place(ui, "export now", now.rect);
            if now.clicked() {
                choice.motion = false;
            }
            let is_all = is_motion && choice.part == RecordedSpan::All;
            let all = ui.add(RadioButton::new(is_all, format!("From t = {start:.1} s")));
            note_place(ui, "export all", all.rect);
            let help = format!("All that is recorded: from the start on, or the last {MOST_SECONDS:.0} s of it");
            if all.on_hover_text(help).clicked() {
                (choice.motion, choice.part) = (true, RecordedSpan::All);
            }
        });
        ui.horizontal(|ui| last(ui, choice, recorded));
    });
}

/// Some seconds of the motion, of those that are `recorded`, which take so many bytes.
fn last(ui: &mut Ui, choice: &mut Choice, (seconds, bytes): (f64, usize)) {
    let kind = choice.kind;
    let is_motion = choice.is_motion(kind);
    let last = ui.add(RadioButton::new(is_motion && choice.part == RecordedSpan::Last, "The last"));
    note_place(ui, "export motion", last.rect);
    let drag = DragValue::new(&mut choice.seconds).range(0.1..=MOST_SECONDS).speed(0.1).suffix(" s");
    let drag = ui.add(drag).on_hover_text(format!(
        "The motion is recorded all the time, 30 times per simulated second: at most {MOST_SECONDS:.0} s and {} MB, \
         now {:.1} MB. Another cloth, or a reset, starts a new recording.",
        MOST_BYTES >> 20,
        bytes as f64 / 1e6
    ));
    ui.label("up to");
    let ago =
        DragValue::new(&mut choice.ago).range(0.0..=seconds.max(0.0)).speed(0.05).max_decimals(2).suffix(" s ago");
    let ago = ui.add(ago).on_hover_text("End of the exported part; 0 is now");
    crate::app::widgets::name(ui, &ago, "Ended");
    note_place(ui, "export until", ago.rect);
    if last.clicked() || drag.changed() || ago.changed() {
        (choice.motion, choice.part) = (true, RecordedSpan::Last);
    }
    let files = if is_motion && kind.takes_moment() && !kind.is_animated() { ", numbered" } else { "" };
    ui.label(RichText::new(format!("of {seconds:.0} s{files}")).small().color(QUIET));
}

/// Size, rate and marks of pictures.
fn look(ui: &mut Ui, choice: &mut Choice) {
    ui.label("Size");
    let name = |[width, height]: [u32; 2]| format!("{width} × {height}");
    let sizes = ComboBox::from_id_salt("picture size").width(110.0).selected_text(name(choice.size));
    let sizes = sizes.show_ui(ui, |ui| {
        for size in Choice::SIZES {
            let entry = ui.selectable_value(&mut choice.size, size, name(size));
            note_place(ui, &format!("{} pixels wide", size[0]), entry.rect);
        }
    });
    note_place(ui, "picture size", sizes.response.rect);
    let is_motion = choice.is_motion(choice.kind);
    let fps = DragValue::new(&mut choice.fps).range(1.0..=60.0).speed(0.5).fixed_decimals(0).suffix(" per s");
    ui.add_enabled(is_motion, fps).on_hover_text("Pictures per simulated second");
    let pins = ui.checkbox(&mut choice.pins, "Pins");
    note_place(ui, "export pins", pins.rect);
    pins.on_hover_text("Mark the pins with beads");
}

/// Appearance of pictures, as in the window.
pub fn appearance(shown: &Shown) -> Appearance {
    Appearance { quality: shown.quality.0, stage: shown.stage.0, quantity: shown.view_state.painting.quantity() }
}

/// The file dialog, the progress of writing, and its outcome.
pub fn show_state(files: &mut Files, ui: &mut Ui, shown: &mut Shown) {
    let appearance = appearance(shown);
    files.show_dialog(ui.ctx(), shown, appearance);
    files.show_question(ui.ctx(), shown.session);
    shown.states.of::<IsAsking>().0 = files.is_asking();
    if files.take_opened() {
        shown.desk.windows.set(TITLE, false);
    }
    if let Some(text) = files.take_copied() {
        ui.ctx().copy_text(text);
    }
    if let Some(News { until, is_fault: false, .. }) = files.news() {
        // nothing else may have the window drawn when it is time
        ui.ctx().request_repaint_after(until.saturating_duration_since(Instant::now()));
    }
    // the window tells it where it is asked for
    if shown.desk.windows.is_open(TITLE) && !shown.desk.hidden {
        return;
    }
    let view = shown.view;
    let is_fault = files.news().is_some_and(|news| news.is_fault);
    if files.is_busy() || files.news().is_some() {
        boxed(ui.ctx(), view, is_fault, |ui| state(ui, files));
    }
}

/// Progress of the file that is being written, or its result.
fn state(ui: &mut Ui, files: &mut Files) {
    if let Some((name, share, pictures)) = files.progress() {
        ui.label(RichText::new(format!("Writing {name}")).color(Color32::WHITE));
        ui.add(ProgressBar::new(share).desired_width(130.0).desired_height(6.0));
        if let Some(pictures) = pictures {
            ui.label(RichText::new(pictures).color(Color32::WHITE));
        }
        let cancel = ui.button("Cancel");
        note_place(ui, "cancel export", cancel.rect);
        if cancel.clicked() {
            files.cancel();
        }
        return;
    }
    let Some(news) = files.news() else { return };
    let colour = if news.is_fault { ALARM } else { Color32::WHITE };
    ui.add(Label::new(RichText::new(&news.text).color(colour)).wrap());
    let close = ui.small_button("Close");
    note_place(ui, "close news", close.rect);
    if close.clicked() {
        files.dismiss();
    }
}

/// Ctrl+O opens, Ctrl+S saves the scene, Ctrl+E exports.
pub fn follow_keys(
    keys: Res<ButtonInput<KeyCode>>,
    letters: Res<Letters>,
    (mut desk, mut files): (ResMut<Desk>, ResMut<Files>),
) {
    if !keys.any_pressed(CONTROL) {
        return;
    }
    if letters.just_pressed('o') {
        files.ask(Purpose::Open);
    } else if letters.just_pressed('s') {
        files.ask(Purpose::SaveScene);
    } else if letters.just_pressed('e') {
        files.wants_focus = desk.windows.toggle(TITLE);
    }
}

/// A box at the lower left of the view.
fn boxed(ctx: &egui::Context, view: egui::Rect, is_fault: bool, contents: impl FnOnce(&mut Ui)) {
    Area::new(Id::new("news of files"))
        .fixed_pos(view.left_bottom() + egui::vec2(14.0, -14.0))
        .pivot(Align2::LEFT_BOTTOM)
        .order(Order::Foreground)
        .constrain_to(view)
        .show(ctx, |ui| {
            let line = if is_fault { Stroke::new(1.0, ALARM) } else { Stroke::NONE };
            Frame::new().fill(OVERLAY).stroke(line).inner_margin(10).corner_radius(6).show(ui, |ui| {
                ui.set_max_width((view.width() - 60.0).clamp(160.0, 520.0));
                ui.horizontal_wrapped(contents);
            });
        });
}
