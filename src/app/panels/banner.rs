//! What the user has to know now: a blow-up, or a message.

use egui::{Align2, Area, Color32, Frame, Id, Order, Rect, RichText, Stroke, Ui};

use super::style::{ALARM, OVERLAY, QUIET};
use super::{Shown, note_place};
use crate::scene::Scalar;
use crate::session::Command;

/// For how long the picture may be incomplete without a word [s].
const PATIENCE: f64 = 0.7;

/// Banner and message, each if there is one.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let (ctx, view) = (&ui.ctx().clone(), shown.view);
    say_unready(ctx, shown);
    if shown.session.frame.failure.is_some() {
        boxed(ctx, "failure", view, 24.0, |ui| failure(ui, shown));
    } else if let Some(notice) = shown.session.frame.notice.clone() {
        let mut closed = false;
        boxed(ctx, "notice", view, 24.0, |ui| {
            ui.label(notice);
            closed = ui.button("Close").clicked();
        });
        if closed {
            shown.session.send(Command::Dismiss);
        }
    } else if let Some(offer) = shown.session.frame.offer.clone() {
        let (mut taken, mut closed) = (false, false);
        boxed(ctx, "offer", view, 24.0, |ui| {
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
    }
}

/// Says that a part of the picture is still to come, if it has been for a while.
fn say_unready(ctx: &egui::Context, shown: &Shown) {
    let (id, now) = (Id::new("unready since"), ctx.input(|input| input.time));
    if !shown.unready {
        ctx.data_mut(|data| data.remove_temp::<f64>(id));
        return;
    }
    let since: f64 = ctx.data_mut(|data| *data.get_temp_mut_or_insert_with(id, || now));
    if now - since < PATIENCE {
        return;
    }
    let area = Area::new(Id::new("unready")).fixed_pos(shown.view.center()).pivot(Align2::CENTER_CENTER);
    area.order(Order::Background).interactable(false).show(ctx, |ui| {
        Frame::new().fill(OVERLAY).inner_margin(10).corner_radius(8).show(ui, |ui| {
            ui.label(RichText::new("The driver is preparing the picture …").color(Color32::WHITE));
        });
    });
}

fn failure(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    let Some(failure) = session.frame.failure.clone() else { return };
    let title = format!("{} blew up at t = {:.3} s", failure.solver, failure.time);
    ui.label(RichText::new(title).heading().color(ALARM));
    ui.label(format!(
        "{}. The last good cloth is shown, and the broken one as a thin ghost.",
        capitalised(&failure.cause.to_string())
    ));
    let too_long = failure.too_long;
    if let Some((critical, substeps)) = too_long {
        let ms = 1e3 * session.frame.parameters.timing.time_step;
        let critical = 1e3 * critical;
        let text = format!(
            "Its step of {:.2} ms is too long for this cloth: about {critical:.2} ms is the limit. {substeps} substeps of \
             the time step of {ms:.1} ms would hold; so would another solver.",
            ms / f64::from(session.frame.parameters.timing.substeps)
        );
        ui.label(RichText::new(text).color(QUIET));
    }
    ui.horizontal(|ui| {
        let restore = ui.button("Restore last good state");
        note_place(ui, "restore", restore.rect);
        if restore.clicked() {
            session.send(Command::Restore);
        }
        if let Some((_, substeps)) = too_long
            && ui.button(format!("Restore with {substeps} substeps")).clicked()
        {
            session.send(Command::Set { key: "substeps".to_owned(), value: Scalar::Integer(substeps) });
            session.send(Command::Restore);
            session.pause(false);
        }
        if ui.button("Reset").clicked() {
            session.send(Command::Reset);
        }
    });
}

fn boxed(ctx: &egui::Context, id: &str, view: Rect, top: f32, contents: impl FnOnce(&mut Ui)) {
    Area::new(Id::new(id))
        .fixed_pos(egui::pos2(view.center().x, view.top() + top))
        .pivot(Align2::CENTER_TOP)
        .order(Order::Foreground)
        .show(ctx, |ui| {
            ui.set_max_width((view.width() - 40.0).clamp(200.0, 460.0));
            Frame::new()
                .fill(Color32::from_rgb(44, 38, 38))
                .stroke(Stroke::new(1.0, ALARM))
                .inner_margin(12)
                .corner_radius(8)
                .show(ui, contents);
        });
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
