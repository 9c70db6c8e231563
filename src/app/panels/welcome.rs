//! Hints: a general line until the first grab or click, or for a while, and then the action of the
//! pointer at its place.

use egui::{Align2, Area, Color32, CursorIcon, Frame, Id, Order, Pos2, RichText, Ui, vec2};

use crate::app::desk::Shown;
use crate::app::export::Files;
use crate::app::key_focus::IsAsking;
use crate::app::widgets::style::OVERLAY;
use crate::session::Frame as SessionFrame;
use crate::sim::measure::{tension_at, warp_weft_strain_at};
use crate::sim::params::units::significant;

/// How long the line for all stays if nothing is done [s].
const LONGEST: f64 = 40.0;

/// The line at the foot of the view.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let (ctx, done) = (ui.ctx().clone(), Id::new("welcome is over"));
    let (now, clicked) =
        ctx.input(|input| (input.time, input.pointer.any_click().then(|| input.pointer.interact_pos())));
    let began: f64 = ctx.data_mut(|data| *data.get_temp_mut_or(Id::new("welcome began"), now));
    let is_in_view = clicked.flatten().is_some_and(|at| shown.view.contains(at));
    if shown.session.frame().grab.is_some() || is_in_view || now - began > LONGEST {
        ctx.data_mut(|data| data.insert_temp(done, true));
    }
    let cutting = ctx.input(|input| input.key_down(egui::Key::C) && input.modifiers.is_none())
        && !ctx.egui_wants_keyboard_input()
        && !shown.states.of::<IsAsking>().0;
    point(ui, shown, cutting);
    if shown.desk.hidden || shown.view.width() < 320.0 {
        return;
    }
    // the news of files stand there
    let files = shown.states.of::<Files>();
    if files.is_busy() || files.news().is_some() {
        return;
    }
    let is_over = ctx.data(|data| data.get_temp(done).unwrap_or(false));
    let (at, pivot, text) = if is_over {
        (shown.view.left_bottom() + vec2(12.0, -10.0), Align2::LEFT_BOTTOM, status(shown, cutting))
    } else if shown.desk.windows.is_any_open() {
        return;
    } else {
        let text = "Drag the cloth  ·  click for its forces  ·  right click pins  ·  hold C and draw to cut  ·  ? for all keys";
        (shown.view.center_bottom() - vec2(0.0, 14.0), Align2::CENTER_BOTTOM, text.to_owned())
    };
    if !text.is_empty() {
        line(&ctx, at, pivot, text, is_over);
    }
}

/// The pointer as a hand over objects that can be grabbed, and as a cross while cutting.
fn point(ui: &Ui, shown: &Shown, cutting: bool) {
    let holds = shown.session.frame().grab.is_some();
    let icon = match (holds, cutting, shown.hovered.is_some() || shown.collider.is_some()) {
        (true, ..) => CursorIcon::Grabbing,
        (_, true, _) if shown.cursor.is_some_and(|at| shown.view.contains(Pos2::new(at.x, at.y))) => {
            CursorIcon::Crosshair
        }
        (.., true) => CursorIcon::Grab,
        _ => return,
    };
    ui.ctx().set_cursor_icon(icon);
}

/// Effect of the pointer at its place, in words.
fn status(shown: &Shown, cutting: bool) -> String {
    let frame = shown.session.frame();
    let is_over_view = shown.cursor.is_some_and(|at| shown.view.contains(Pos2::new(at.x, at.y)));
    match (frame.grab, shown.hovered, shown.collider) {
        (Some(_), ..) => "The wheel moves it away and closer  ·  P pins it here".to_owned(),
        _ if !is_over_view => String::new(),
        _ if cutting => "Draw across the cloth to cut it".to_owned(),
        (_, Some(_), _) | (_, _, Some(_)) if shown.view_state.edited.is_open => "A click chooses it".to_owned(),
        (_, Some(vertex), _) if frame.is_pinned(vertex) => {
            format!("{}  ·  pinned: drag moves the pin, right click unpins", values(frame, vertex))
        }
        (_, Some(vertex), _) => {
            format!("{}  ·  drag pulls, a click shows its forces, right click pins", values(frame, vertex))
        }
        (_, _, Some(_)) => "Drag moves it  ·  with Shift, turns it".to_owned(),
        _ => "Drag turns the view  ·  middle button shifts it  ·  wheel zooms  ·  Home goes back".to_owned(),
    }
}

/// Strains and tension at a vertex.
fn values(frame: &SessionFrame, vertex: u32) -> String {
    let strain = warp_weft_strain_at(&frame.pattern, &frame.positions, vertex);
    let percent = |strain: f64| format!("{:+.1} %", 100.0 * strain);
    let tension = tension_at(&frame.pattern, &frame.parameters.material, &frame.positions, vertex);
    let (warp, weft, tension) = (percent(strain.warp), percent(strain.weft), significant(tension));
    format!("Vertex {vertex}: warp {warp}, weft {weft}, {tension} N")
}

fn line(ctx: &egui::Context, at: Pos2, pivot: Align2, text: String, is_small: bool) {
    let (margin, text) = if is_small {
        (egui::Margin::symmetric(8, 3), RichText::new(text).small())
    } else {
        (egui::Margin::symmetric(12, 6), RichText::new(text))
    };
    let area = Area::new(Id::new("welcome")).fixed_pos(at).pivot(pivot).order(Order::Background).interactable(false);
    area.show(ctx, |ui| {
        Frame::new().fill(OVERLAY).inner_margin(margin).corner_radius(12).show(ui, |ui| {
            ui.add(egui::Label::new(text.color(Color32::WHITE)).extend());
        });
    });
}
