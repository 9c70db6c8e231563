//! How the film strip of a slider is opened: by a long press, or by the icon beside it.

use egui::{
    Color32, CornerRadius, Id, Key, Modifiers, Order, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, vec2,
};

use super::{Asked, Request};
use crate::app::widgets::note_place;
use crate::app::widgets::style::QUIET;
use crate::sim::params::{Kind, Param, Setting, Tunable};

/// How long a press is that opens the strip [s], and how far it may stray [points].
const LONG_PRESS: f64 = 0.5;
const STILL: f32 = 2.0;

/// State of the press on a slider.
#[derive(Clone, Copy)]
enum Press {
    /// It has not moved since this time [s], from this place.
    Waits(f64, Pos2),
    /// It moves the slider.
    Drags,
    /// It opened the strip.
    Opened,
}

/// Where a press on a slider is kept, the request that it made, and the slider whose strip is open.
fn press_id() -> Id {
    Id::new("press on a slider")
}
pub(super) fn request_id() -> Id {
    Id::new("film strip that is asked for")
}
pub(super) fn open_id() -> Id {
    Id::new("slider of the film strip")
}

/// The parameter of a row, for its strip.
pub struct Asks<'a> {
    /// Its parameter.
    pub param: Param,
    /// The value that it has.
    pub now: Setting,
    /// Default value.
    pub default: Setting,
    /// The group of it.
    pub group: &'a dyn Tunable,
    /// Why it has no effect, if so.
    pub idle: Option<&'a str>,
}

impl Asks<'_> {
    fn ask(&self, ui: &Ui, slider: &Response, by: Asked) {
        let Self { param, now, default, group, idle } = *self;
        let all = group.params().iter().enumerate().map(|(index, param)| (param, group.get(index)));
        let modes = all.filter(|(_, value)| matches!(value, Setting::Choice(_) | Setting::Toggle(_))).collect();
        let idle = idle.map(str::to_owned);
        let request = Request { param, now, default, slider: slider.id, place: slider.rect, idle, modes, by };
        ui.data_mut(|data| data.insert_temp(request_id(), Some(request)));
    }
}

/// Prefix of the name of a control in the log: a control in the results of a search also exists
/// beside the cloth.
fn whose(ui: &Ui) -> &'static str {
    if ui.layer_id().order == Order::Background { "" } else { "found " }
}

/// Looks whether the strip of a slider is asked for. Returns whether the slider is to keep its
/// value: while the strip is open, and until it is known what a press on it means.
pub fn holds(ui: &Ui, asks: &Asks, slider: &Response) -> bool {
    let Asks { param, .. } = *asks;
    if !matches!(param.kind, Kind::Real { .. } | Kind::Angle { .. } | Kind::Integer { .. }) {
        return false;
    }
    note_place(ui, &format!("{}slider {}", whose(ui), param.key), slider.rect);
    let ask = |by| asks.ask(ui, slider, by);
    let (time, pressed, down, alt, at) = ui.input(|input| {
        let pointer = &input.pointer;
        let down = pointer.primary_down();
        (input.time, pointer.primary_pressed(), down, input.modifiers.alt, pointer.interact_pos())
    });
    if slider.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::ALT, Key::Enter)) {
        ask(Asked::Keys);
        return true;
    }
    let known: Option<Option<(Id, Press)>> = ui.data(|data| data.get_temp(press_id()));
    let mut press = known.flatten().filter(|(of, _)| *of == slider.id).map(|(_, press)| press);
    let open: Option<Id> = ui.data(|data| data.get_temp(open_id())).flatten();
    let is_open = open == Some(slider.id);
    if pressed && slider.contains_pointer() {
        if alt {
            ask(Asked::WithAlt);
            press = Some(Press::Opened);
        } else if open.is_some() {
            // it puts the strip away, and moves nothing
            press = Some(Press::Opened);
        } else if slider.enabled() {
            press = Some(Press::Waits(time, at.unwrap_or_default()));
        }
    }
    let Some(mut press) = press else { return is_open };
    if let Press::Waits(since, from) = press {
        if at.is_some_and(|at| at.distance(from) > STILL) {
            press = Press::Drags;
        } else if down && time - since >= LONG_PRESS {
            ask(Asked::LongPress);
            press = Press::Opened;
        }
    }
    let kept = down.then_some((slider.id, press));
    ui.data_mut(|data| data.insert_temp(press_id(), kept));
    match press {
        // a click moves the slider when it is over
        Press::Waits(..) => down || is_open,
        Press::Drags => is_open,
        Press::Opened => true,
    }
}

/// Width of the icon [points].
pub const ICON: f32 = 17.0;

/// The icon beside a slider, which opens its strip.
pub fn icon(ui: &mut Ui, asks: &Asks, slider: &Response) {
    let param = asks.param;
    let size = vec2(ICON, ui.spacing().interact_size.y);
    let (rect, icon) = ui.allocate_exact_size(size, Sense::click());
    icon.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Film strip of {}", param.label)));
    note_place(ui, &format!("{}film strip {}", whose(ui), param.key), rect);
    let colour = if icon.hovered() || icon.has_focus() { Color32::WHITE } else { QUIET.gamma_multiply(0.7) };
    let (frame, stroke) = (Rect::from_center_size(rect.center(), vec2(14.0, 12.0)), Stroke::new(1.0, colour));
    let painter = ui.painter();
    painter.rect_stroke(frame, CornerRadius::same(2), stroke, StrokeKind::Inside);
    for x in [frame.left() + 4.0, frame.right() - 4.0] {
        painter.vline(x, frame.y_range(), stroke);
    }
    let clicked = icon.clicked();
    icon.on_hover_text("Film strip: the cloth with seven values of this parameter, live. Alt and a press on the slider, or a long press, opens it as well");
    if clicked {
        asks.ask(ui, slider, Asked::Icon);
    }
}
