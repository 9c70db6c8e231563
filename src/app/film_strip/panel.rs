//! The film strip at its slider: Alt and a press, or a long press, or Alt+Enter opens it.

use bevy::log::debug;
use egui::{
    Align2, Area, Color32, Context, CornerRadius, EventFilter, FontId, Frame, Id, Key, Modifiers, Order, Pos2, Rect,
    RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::opening::{open_id, request_id};
use super::{Asked, FilmStrip, PICTURES, Picture, Request, Strip};
use crate::app::desk::Shown;
use crate::app::widgets::note_place;
use crate::app::widgets::study::show_fault;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::sim::params::units::significant;

/// Width of a picture [points], and its height as a share of that.
const WIDTHS: [f32; 2] = [48.0, 132.0];
const TALL: f32 = 1.1;
/// Room between pictures, around the strip, and below a picture for its text [points].
const GAP: f32 = 5.0;
const MARGIN: f32 = 8.0;
const CAPTION: f32 = 44.0;
/// Background of the strip; it covers the panels below.
const GROUND: Color32 = Color32::from_rgb(28, 30, 34);

/// The strip, while one is open.
pub fn show(film: &mut FilmStrip, ui: &mut Ui, shown: &mut Shown) {
    let ctx = ui.ctx().clone();
    let width = picture_width(shown.view);
    if let Some(request) =
        ctx.data_mut(|data| std::mem::take(data.get_temp_mut_or_default::<Option<Request>>(request_id())))
    {
        let pixels = |points: f32| (points * ctx.pixels_per_point()).round().max(1.0) as usize;
        let size = [pixels(width), pixels(TALL * width)];
        let frame = ctx.cumulative_frame_nr();
        film.begin(request, shown.session, &shown.view_state.painting, size, frame);
    }
    film.follow(&ctx);
    let done = film.open.as_mut().map(|strip| draw(&ctx, strip, shown.view, width));
    match done {
        Some(Done::Land(index)) => {
            give_back_focus(&ctx, film.open.as_ref());
            film.land(index, shown.session);
        }
        Some(Done::Leave) => {
            give_back_focus(&ctx, film.open.as_ref());
            film.close();
        }
        Some(Done::Stay) => {
            ctx.request_repaint();
        }
        None => {}
    }
    let open = film.open.as_ref().map(|strip| strip.request.slider);
    ctx.data_mut(|data| data.insert_temp(open_id(), open));
}

/// Returns the keyboard focus to the slider that opened the strip.
fn give_back_focus(ctx: &Context, strip: Option<&Strip>) {
    match strip.map(|strip| &strip.request) {
        Some(request) if request.by == Asked::Keys => ctx.memory_mut(|memory| memory.request_focus(request.slider)),
        _ => ctx.memory_mut(|memory| memory.surrender_focus(focus_id())),
    }
}

fn focus_id() -> Id {
    Id::new("film strip")
}

/// Outcome of a frame of the strip.
enum Done {
    Stay,
    Leave,
    Land(usize),
}

fn picture_width(view: Rect) -> f32 {
    let room = view.width() - 2.0 * MARGIN - 16.0 - GAP * (PICTURES - 1) as f32;
    (room / PICTURES as f32).clamp(WIDTHS[0], WIDTHS[1]).floor()
}

fn draw(ctx: &Context, strip: &mut Strip, view: Rect, width: f32) -> Done {
    let count = strip.pictures.len();
    let inner =
        vec2((width + GAP) * count.max(4) as f32 - GAP, if count == 0 { 40.0 } else { TALL * width + CAPTION + 24.0 });
    let whole = inner + vec2(2.0 * MARGIN, 2.0 * MARGIN);
    let place = strip.request.place;
    // beside the slider, or below it where it stands over the cloth
    let top = if place.right() < view.left() + 8.0 { place.center().y - 0.5 * whole.y } else { place.bottom() + 12.0 };
    let at = pos2(
        (view.center().x - 0.5 * whole.x).max(view.left() + 6.0),
        top.clamp(view.top() + 6.0, (view.bottom() - whole.y - 6.0).max(view.top() + 6.0)),
    );
    let is_new = ctx.cumulative_frame_nr() == strip.since;
    let input = ctx.input(|input| {
        let pointer = &input.pointer;
        Input { at: pointer.latest_pos(), pressed: pointer.any_pressed(), released: pointer.primary_released(), is_new }
    });
    let area = Area::new(Id::new("film strip area")).order(Order::Foreground).fixed_pos(at).constrain(false);
    let shown = area.show(ctx, |ui| {
        Frame::new().fill(GROUND).inner_margin(MARGIN).corner_radius(8).show(ui, |ui| {
            ui.set_width(inner.x);
            ui.spacing_mut().item_spacing.y = 4.0;
            // what has the focus while the strip is open
            let all = ui.interact(Rect::from_min_size(at, whole), focus_id(), Sense::focusable_noninteractive());
            all.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Film strip"));
            contents(ui, strip, width, &input)
        })
    });
    let whole = shown.response.rect;
    note_place_of(ctx, whole);
    let picked = shown.inner.inner;
    follow(ctx, strip, &input, picked, whole)
}

fn note_place_of(ctx: &Context, whole: Rect) {
    let id = Id::new("place of the film strip");
    if ctx.data(|data| data.get_temp::<Rect>(id)) != Some(whole) {
        ctx.data_mut(|data| data.insert_temp(id, whole));
        debug!("film strip at {:.0} {:.0}", whole.center().x, whole.center().y);
    }
}

/// State of the pointer in this frame.
struct Input {
    at: Option<Pos2>,
    pressed: bool,
    released: bool,
    /// Whether the strip was opened in this frame.
    is_new: bool,
}

/// The picture under the pointer, and the one that was clicked.
#[derive(Default)]
struct Picked {
    under: Option<usize>,
    clicked: Option<usize>,
}

fn contents(ui: &mut Ui, strip: &Strip, width: f32, input: &Input) -> Picked {
    let param = strip.request.param;
    if let Some(reason) = &strip.request.idle {
        ui.label(RichText::new(param.label).strong().color(Color32::WHITE));
        ui.label(RichText::new(format!("It has no effect now: {reason}.")).color(QUIET));
        return Picked::default();
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new(param.label).strong().color(Color32::WHITE));
        let from =
            if strip.starts_again { "each starts from the beginning" } else { "each continues from this moment" };
        let hint = if strip.is_held { "release over one to choose it" } else { "click one to choose it" };
        let hint = format!("{from}; {hint}, Esc closes");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let time = RichText::new(format!("+{:.1} s", strip.elapsed())).monospace();
            ui.label(time.color(if strip.study.is_running() { ACCENT } else { QUIET }));
            ui.add(egui::Label::new(RichText::new(hint).small().color(QUIET)).truncate());
        });
    });
    show_fault(ui, &strip.study);
    let mut picked = Picked::default();
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), TALL * width + CAPTION), Sense::hover());
    for (index, picture) in strip.pictures.iter().enumerate() {
        let left = row.left() + index as f32 * (width + GAP);
        let cell = Rect::from_min_size(pos2(left, row.top()), vec2(width, TALL * width + CAPTION));
        let button = ui.interact(cell, focus_id().with(index), Sense::click());
        let text = param.value_text(picture.value);
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("{} {text}", param.label)));
        note_place(ui, &format!("film {}", index + 1), cell);
        if button.clicked() {
            picked.clicked = Some(index);
        }
        // while a button is held on the slider, only the cell under the pointer counts as hovered
        let is_under = input.at.is_some_and(|at| cell.contains(at));
        if is_under {
            picked.under = Some(index);
        }
        let is_chosen = is_under || (!strip.is_held && strip.chosen == index);
        draw_picture(ui, cell, width, picture, &text, [is_chosen, index == strip.present]);
    }
    picked
}

/// A picture with its text.
fn draw_picture(ui: &Ui, cell: Rect, width: f32, picture: &Picture, text: &str, [chosen, present]: [bool; 2]) {
    let painter = ui.painter_at(cell.expand(2.0));
    let frame = Rect::from_min_size(cell.min, vec2(width, TALL * width));
    let ground = if chosen { Color32::from_gray(74) } else { Color32::from_gray(48) };
    painter.rect_filled(frame, CornerRadius::same(5), ground);
    if let Some(texture) = picture.texture.shown() {
        let fade = if picture.failure.is_some() { Color32::from_white_alpha(70) } else { Color32::WHITE };
        let all = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        painter.image(texture, frame.shrink(1.0), all, fade);
    } else if picture.failure.is_none() {
        painter.text(frame.center(), Align2::CENTER_CENTER, "…", FontId::proportional(16.0), QUIET);
    }
    let edge = match (chosen, present) {
        (true, _) => Some(Stroke::new(2.0, Color32::WHITE)),
        (false, true) => Some(Stroke::new(2.0, ACCENT)),
        _ => None,
    };
    if let Some(edge) = edge {
        painter.rect_stroke(frame, CornerRadius::same(5), edge, StrokeKind::Inside);
    }
    let write = |text: &str, top: f32, size: f32, colour: Color32| {
        let galley = painter.layout(text.to_owned(), FontId::proportional(size), colour, width);
        let at = pos2(frame.center().x - 0.5 * galley.size().x, frame.bottom() + top);
        painter.galley(at, galley, colour);
    };
    write(text, 2.0, 12.0, if present { ACCENT } else { Color32::WHITE });
    match &picture.failure {
        Some(failure) => write(failure, 17.0, 10.0, ALARM),
        None if picture.texture.shown().is_some() => {
            let stretch = format!("{} % stretch", significant(round_to_tenth(100.0 * picture.stretch)));
            write(&stretch, 17.0, 10.0, QUIET);
        }
        None => {}
    }
}

fn round_to_tenth(x: f64) -> f64 {
    (10.0 * x).round() / 10.0
}

/// Applies pointer and keyboard to the strip, which covers `whole`.
fn follow(ctx: &Context, strip: &mut Strip, input: &Input, picked: Picked, whole: Rect) -> Done {
    // clicks are for the strip now, and not for the slider or the cloth
    ctx.memory_mut(|memory| {
        if !memory.has_focus(focus_id()) {
            memory.request_focus(focus_id());
        }
        let all = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        memory.set_focus_lock_filter(focus_id(), all);
    });
    let pressed = |key: Key| !input.is_new && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::Escape) {
        return Done::Leave;
    }
    if strip.is_held {
        if !input.released {
            return Done::Stay;
        }
        strip.is_held = false;
        return match picked.under {
            Some(index) => Done::Land(index),
            // a click with Alt leaves it open to click at
            None if strip.request.by == Asked::WithAlt
                && input.at.is_some_and(|at| strip.request.place.expand(4.0).contains(at)) =>
            {
                Done::Stay
            }
            None => Done::Leave,
        };
    }
    if let Some(index) = picked.clicked {
        return Done::Land(index);
    }
    if input.pressed && !input.is_new && input.at.is_none_or(|at| !whole.contains(at)) {
        return Done::Leave;
    }
    let last = strip.pictures.len().saturating_sub(1);
    if pressed(Key::ArrowLeft) {
        strip.chosen = strip.chosen.saturating_sub(1);
    }
    if pressed(Key::ArrowRight) {
        strip.chosen = (strip.chosen + 1).min(last);
    }
    if pressed(Key::Enter) {
        return if strip.pictures.is_empty() { Done::Leave } else { Done::Land(strip.chosen) };
    }
    Done::Stay
}
