//! Pointing at controls: the named ones get a ring, and the first of them is scrolled into view
//! once.

use egui::{Align, Color32, Context, Id, Rect, Stroke, StrokeKind, Ui, pos2};

use crate::sim::params::Tunable;

/// Frames after which a control that was not drawn counts as hidden.
const HIDDEN: u64 = 3;
/// For how many frames it is kept in view: sections above it may be unfolding.
const STAYS: u8 = 12;
/// Room above and below it in a panel that scrolls [points].
const MARGIN: f32 = 20.0;
/// Distance of a ring from its control, its width [points], and its colour.
const AROUND: f32 = 3.0;
const WIDTH: f32 = 2.0;
const RING: Color32 = Color32::from_rgb(235, 140, 20);

/// A control that is pointed at.
#[derive(Debug, Clone, PartialEq)]
struct Pointed {
    name: String,
    /// Frame in which it was drawn last.
    drawn: Option<u64>,
    /// The visible part of it then.
    place: Rect,
    /// In how many frames it was all in view, until it is not scrolled to any more.
    seen: u8,
}

fn id() -> Id {
    Id::new("pointed at")
}

fn all(ctx: &Context) -> Vec<Pointed> {
    ctx.data(|data| data.get_temp(id())).unwrap_or_default()
}

/// Points at the controls with these names, and at no others. Where it is `about` something else
/// than before, they are scrolled into view again.
pub fn point_at(ctx: &Context, about: &str, names: &[String]) {
    let told = Id::new("what is pointed at is about");
    let is_known = ctx.data(|data| data.get_temp::<String>(told)).as_deref() == Some(about);
    if is_known && all(ctx).iter().map(|pointed| &pointed.name).eq(names) {
        return;
    }
    ctx.data_mut(|data| data.insert_temp(told, about.to_owned()));
    let pointed = |name: &String| Pointed { name: name.clone(), drawn: None, place: Rect::NOTHING, seen: 0 };
    let pointed: Vec<Pointed> = names.iter().map(pointed).collect();
    ctx.data_mut(|data| data.insert_temp(id(), pointed));
}

/// Whether one that is pointed at was not drawn in the last frames.
fn is_hidden(ctx: &Context, name: &str) -> bool {
    let now = ctx.cumulative_frame_nr();
    let is_old = |pointed: &Pointed| pointed.drawn.is_none_or(|drawn| drawn + HIDDEN < now);
    all(ctx).iter().any(|pointed| pointed.name == name && is_old(pointed))
}

/// Name of the row of a parameter.
#[must_use]
pub fn slider(key: &str) -> String {
    format!("row {key}")
}

/// Whether the slider of a parameter of the group is pointed at and was not drawn in the last
/// frames.
pub fn hides_slider(ctx: &Context, group: &dyn Tunable) -> bool {
    is_any(ctx) && group.params().iter().any(|param| is_hidden(ctx, &slider(param.key)))
}

/// Draws a ring around the slider of a parameter at `rect`, if it is pointed at.
pub fn mark_slider(ui: &Ui, key: &str, rect: Rect) {
    if is_any(ui.ctx()) {
        mark(ui, &slider(key), rect);
    }
}

fn is_any(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp::<Vec<Pointed>>(id())).is_some_and(|all| !all.is_empty())
}

/// The visible places of all controls that are pointed at and were drawn in the last frames, by
/// their names.
pub fn places(ctx: &Context) -> Vec<(String, Rect)> {
    let now = ctx.cumulative_frame_nr();
    let shown = all(ctx).into_iter().filter(|pointed| pointed.drawn.is_some_and(|drawn| drawn + HIDDEN >= now));
    shown.map(|pointed| (pointed.name, pointed.place)).collect()
}

/// Draws a ring around a control that is drawn at `rect`, if it is pointed at by this name.
pub fn mark(ui: &Ui, name: &str, rect: Rect) {
    let mut all = all(ui.ctx());
    let is_first = all.first().is_some_and(|first| first.name == name);
    let Some(pointed) = all.iter_mut().find(|pointed| pointed.name == name) else { return };
    let now = ui.ctx().cumulative_frame_nr();
    let visible = rect.intersect(ui.clip_rect());
    // of a control that is drawn twice in a frame, the first place counts
    if pointed.drawn != Some(now) || !pointed.place.is_positive() {
        (pointed.drawn, pointed.place) = (Some(now), visible);
    }
    // there is room for one in a panel that scrolls
    if is_first && pointed.seen < STAYS {
        if ui.clip_rect().y_range().contains(rect.top()) && ui.clip_rect().y_range().contains(rect.bottom()) {
            pointed.seen += 1;
        } else {
            // at once: an eased move would begin anew in every frame
            let around = rect.expand2(egui::vec2(0.0, MARGIN));
            ui.scroll_to_rect_animation(around, Some(Align::Center), egui::style::ScrollAnimation::none());
        }
        ui.ctx().request_repaint();
    }
    ui.ctx().data_mut(|data| data.insert_temp(id(), all));
    ring(ui, rect);
}

/// A ring that breathes, so that it is found at once.
fn ring(ui: &Ui, rect: Rect) {
    let time = ui.input(|input| input.time) as f32;
    let strength = 0.75 + 0.25 * (3.0 * time).sin();
    let ring = rect.expand(AROUND);
    // a control as wide as its panel has a ring inside it
    let clip = ui.clip_rect().shrink(1.0);
    let ring = Rect::from_min_max(
        pos2(ring.left().max(clip.left()), ring.top()),
        pos2(ring.right().min(clip.right()), ring.bottom()),
    );
    let stroke = Stroke::new(WIDTH, RING.gamma_multiply(strength));
    ui.painter().rect_stroke(ring, 6.0, stroke, StrokeKind::Inside);
    ui.ctx().request_repaint();
}
