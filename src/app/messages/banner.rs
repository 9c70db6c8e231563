//! Banner over the cloth: a blow-up, or a message.

use egui::{Align2, Area, Color32, Frame, Id, Order, Rect, RichText, Stroke, Ui};

use crate::app::desk::Shown;
use crate::app::failure_report::panel as failure_report;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ALARM, OVERLAY};
use crate::session::Command;

/// Width of the view from which on the card of a blow-up stands beside the cloth [points].
const ROOMY: f32 = 900.0;
/// For how long a note stays [s].
const NOTE: f64 = 8.0;
/// For how long the picture may be incomplete without a word [s].
const PATIENCE: f64 = 0.7;

/// Banner and message, each if there is one.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let (ctx, view) = (&ui.ctx().clone(), shown.view);
    say_unready(ctx, shown);
    if shown.session.frame().failure.is_some() {
        if shown.desk.is_failure_docked && !shown.desk.hidden {
            return;
        }
        boxed(ctx, "failure", view, 24.0, |ui| failure_report::show(ui, shown));
    } else if let Some(message) = shown.session.frame().message.clone() {
        let mut closed = false;
        boxed(ctx, "notice", view, 24.0, |ui| {
            ui.label(message);
            closed = ui.button("Close").clicked();
        });
        if closed {
            shown.session.send(Command::Dismiss);
        }
    } else if let Some(offer) = shown.session.frame().offer.clone() {
        let (mut taken, mut closed) = (false, false);
        let note = shown.session.frame().note.clone();
        boxed(ctx, "offer", view, 24.0, |ui| {
            if let Some(note) = note {
                ui.label(note);
            }
            ui.label(&offer.reason);
            ui.horizontal(|ui| {
                let take = ui.button(&offer.label);
                note_place(ui, "offer", take.rect);
                taken = take.clicked();
                closed = ui.button("No").clicked();
            });
        });
        if taken {
            shown.session.send(offer.command);
        }
        if taken || closed {
            shown.session.send(Command::Dismiss);
        }
    } else {
        show_note(ctx, shown);
    }
}

/// A note, for a while after it comes.
fn show_note(ctx: &egui::Context, shown: &mut Shown) {
    let (id, now) = (Id::new("note and since when"), ctx.input(|input| input.time));
    let note = shown.session.frame().note.clone();
    let since = ctx.data_mut(|data| {
        let last = data.get_temp_mut_or_default::<(Option<String>, f64)>(id);
        if last.0 != note {
            *last = (note.clone(), now);
        }
        last.1
    });
    let left = since + NOTE - now;
    let Some(note) = note.filter(|_| left > 0.0) else { return };
    ctx.request_repaint_after_secs(left as f32);
    let mut closed = false;
    boxed(ctx, "note", shown.view, 24.0, |ui| {
        ui.label(note);
        closed = ui.button("Close").clicked();
    });
    if closed {
        shown.session.send(Command::Dismiss);
    }
}

/// Says that a cloth is being built, or that a part of the picture is still to come, if that has
/// taken a while.
fn say_unready(ctx: &egui::Context, shown: &Shown) {
    let (id, now) = (Id::new("unready since"), ctx.input(|input| input.time));
    let what = match () {
        () if shown.session.is_building() => "Building the cloth …",
        () if shown.unready => "The driver is preparing the picture …",
        () => {
            ctx.data_mut(|data| data.remove_temp::<f64>(id));
            return;
        }
    };
    let since: f64 = ctx.data_mut(|data| *data.get_temp_mut_or_insert_with(id, || now));
    if now - since < PATIENCE {
        return;
    }
    let area = Area::new(Id::new("unready")).fixed_pos(shown.view.center()).pivot(Align2::CENTER_CENTER);
    area.order(Order::Background).interactable(false).show(ctx, |ui| {
        Frame::new().fill(OVERLAY).inner_margin(10).corner_radius(8).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label(RichText::new(what).color(Color32::WHITE));
            });
        });
    });
}

fn boxed(ctx: &egui::Context, id: &str, view: Rect, top: f32, contents: impl FnOnce(&mut Ui)) {
    let is_fault = ["failure", "notice"].contains(&id);
    let ground = if is_fault { Color32::from_rgb(44, 38, 38) } else { OVERLAY };
    let line = if is_fault { Stroke::new(1.0, ALARM) } else { Stroke::NONE };
    // where there is room, the cloth in the middle stays to be seen
    let (x, pivot) = if view.width() >= ROOMY && id == "failure" {
        (view.left() + 24.0, Align2::LEFT_TOP)
    } else {
        (view.center().x, Align2::CENTER_TOP)
    };
    Area::new(Id::new(id)).fixed_pos(egui::pos2(x, view.top() + top)).pivot(pivot).order(Order::Foreground).show(
        ctx,
        |ui| {
            ui.set_max_width((view.width() - 40.0).clamp(200.0, 460.0));
            Frame::new().fill(ground).stroke(line).inner_margin(12).corner_radius(8).show(ui, contents);
        },
    );
}
