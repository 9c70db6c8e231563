//! What one can do here, until it has been done once.

use egui::{Align2, Area, Color32, Frame, Id, Order, RichText, Ui};

use super::Shown;
use super::style::OVERLAY;

/// A line below the cloth, until something has been in the hand.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let (ctx, done) = (ui.ctx().clone(), Id::new("welcome is over"));
    if shown.session.frame.grab.is_some() {
        ctx.data_mut(|data| data.insert_temp(done, true));
    }
    let is_over = ctx.data(|data| data.get_temp(done).unwrap_or(false));
    if is_over || shown.hidden || shown.windows.is_any_open() || shown.view.width() < 320.0 {
        return;
    }
    Area::new(Id::new("welcome"))
        .fixed_pos(egui::pos2(shown.view.center().x, shown.view.bottom() - 14.0))
        .pivot(Align2::CENTER_BOTTOM)
        .order(Order::Background)
        .interactable(false)
        .show(&ctx, |ui| {
            Frame::new().fill(OVERLAY).inner_margin(egui::Margin::symmetric(12, 6)).corner_radius(12).show(ui, |ui| {
                let text = "Drag the cloth  ·  right click pins  ·  hold C and draw to cut  ·  ? for all keys";
                ui.label(RichText::new(text).color(Color32::WHITE));
            });
        });
}
