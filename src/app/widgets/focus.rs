//! The control that has the keyboard: a ring around it, and its place in a panel that scrolls.

use egui::{Context, Id, Key, LayerId, Order, Response, Stroke, StrokeKind, Ui};

use super::note_place;
use super::style::FOCUS;

/// Distance of the ring from its control, and its width [points].
const AROUND: f32 = 2.0;
const WIDTH: f32 = 2.0;

/// The focused control as it was drawn last.
fn focused(ctx: &Context) -> Option<Response> {
    ctx.read_response(ctx.memory(|memory| memory.focused())?)
}

/// Whether the keyboard moved the focus last. A click of the mouse shows by itself where it is.
fn follow(ctx: &Context) -> bool {
    let is_moved = ctx.input(|input| input.key_pressed(Key::Tab));
    let is_clicked = ctx.input(|input| input.pointer.any_pressed());
    ctx.data_mut(|data| {
        let by_keys = data.get_temp_mut_or_default::<bool>(Id::new("focus by the keyboard"));
        *by_keys = (*by_keys || is_moved) && !is_clicked;
        *by_keys
    })
}

/// Where it is kept whether there is a ring.
fn ringed() -> Id {
    Id::new("a control has a ring")
}

/// Whether a control had a ring in the last frame.
#[must_use]
pub fn has_ring(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(ringed())).unwrap_or(false)
}

/// Draws a ring around the control that the keyboard has moved to.
pub fn ring(ui: &Ui) {
    let ctx = ui.ctx();
    let is_by_keys = follow(ctx);
    let control = focused(ctx).filter(|control| is_by_keys && control.interact_rect.is_positive());
    ctx.data_mut(|data| data.insert_temp(ringed(), control.is_some()));
    let Some(control) = control else { return };
    // above whatever the control is in
    let layer = LayerId::new(Order::Tooltip, Id::new("ring of the focus"));
    let place = control.interact_rect.expand(AROUND).intersect(ctx.content_rect());
    ctx.layer_painter(layer).rect_stroke(place, 5.0, Stroke::new(WIDTH, FOCUS), StrokeKind::Inside);
    note_place(ui, "focus", control.interact_rect);
}

/// Scrolls the panel with `ui` to the control in it that the keyboard has moved to, once.
pub fn keep_in_sight(ui: &Ui) {
    let (ctx, last) = (ui.ctx(), ui.id().with("focus in sight"));
    let Some(control) = focused(ctx).filter(|control| control.layer_id == ui.layer_id()) else { return };
    // one out of sight in a list inside the panel is for the list to scroll to
    let is_here = ui.min_rect().expand(1.0).contains_rect(control.rect);
    if !is_here
        || ctx.data_mut(|data| data.get_temp_mut_or_default::<Option<Id>>(last).replace(control.id)) == Some(control.id)
    {
        return;
    }
    let is_moved = ctx.data(|data| data.get_temp(Id::new("focus by the keyboard")).unwrap_or(false));
    if is_moved && !ui.clip_rect().contains_rect(control.rect) {
        ui.scroll_to_rect(control.rect.expand(8.0), None);
    }
}
