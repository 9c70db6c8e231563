//! The films in a row, with their captions, and below them in a table what the eye sees at the end.

use egui::{Align, Align2, Color32, CornerRadius, FontId, Grid, Label, Layout, Pos2, Rect, RichText, Sense, Ui};
use egui::{UiBuilder, WidgetInfo, WidgetType, pos2, vec2};

use super::figures::{describe_sag, percent};
use super::film::Reel;
use crate::app::film_strip::raster::Eye;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::Shown;

/// Room between the pictures [points], and their height as a share of their width.
const GAP: f32 = 6.0;
const TALL: f32 = 0.8;
/// Room for a picture and its caption, more than they take [points].
const TALLEST: f32 = 1000.0;
/// Width of a scroll bar [points].
const BAR: f32 = 12.0;
/// Behind a cloth.
const GROUND: Color32 = Color32::from_gray(48);
/// Width of the first column of the table [points].
const LABELS: f32 = 112.0;

/// The row with its table.
pub(super) fn show(ui: &mut Ui, reel: &mut Reel, eye: Option<Eye>) {
    // beside the scroll bar, which lies over the panel
    let (count, room) = (reel.shown.len(), ui.available_width() - BAR);
    let width = ((room - GAP * (count - 1) as f32) / 3.0_f32.max(count as f32)).floor();
    let pixels = |points: f32| (points * ui.ctx().pixels_per_point()).round().max(1.0) as usize;
    reel.play(&ui.ctx().clone(), eye, [pixels(width), pixels(TALL * width)]);
    ui.add_space(2.0);
    ui.scope(|ui| {
        ui.set_max_width(room);
        heading(ui, reel);
    });
    let top = ui.cursor().min;
    let mut bottom = top.y;
    let mut is_clicked = false;
    for at in 0..count {
        let left = top.x + at as f32 * (width + GAP);
        let cell = Rect::from_min_size(pos2(left, top.y), vec2(width, TALLEST));
        let mut ui = ui.new_child(UiBuilder::new().max_rect(cell).layout(Layout::top_down(Align::Min)));
        ui.spacing_mut().item_spacing.y = 1.0;
        is_clicked |= picture(&mut ui, reel, at, width);
        caption(&mut ui, &reel.shown[at], reel.time);
        bottom = bottom.max(ui.min_rect().bottom());
    }
    ui.advance_cursor_after_rect(Rect::from_min_max(top, pos2(top.x + room, bottom)));
    if is_clicked {
        reel.is_paused = !reel.is_paused;
    }
    table(ui, reel, room);
    ui.add_space(4.0);
}

/// What is shown, and the time in it.
fn heading(ui: &mut Ui, reel: &Reel) {
    ui.horizontal(|ui| {
        let text = format!("{} s from the state that was measured", significant(reel.length()));
        ui.label(RichText::new(text).small().color(QUIET));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let time = RichText::new(format!("+{:.2} s", reel.time)).small().monospace();
            ui.label(time.color(if reel.is_paused { QUIET } else { ACCENT }));
        });
    });
}

/// The picture of a film. Returns whether it was clicked.
fn picture(ui: &mut Ui, reel: &Reel, at: usize, width: f32) -> bool {
    let one = &reel.shown[at];
    let (frame, response) = ui.allocate_exact_size(vec2(width, TALL * width), Sense::click());
    note_place(ui, &format!("advice film {}", at + 1), frame);
    let text = format!("Film: {}, {}", one.role, one.name);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &text));
    let painter = ui.painter_at(frame);
    painter.rect_filled(frame, CornerRadius::same(5), GROUND);
    if let Some(texture) = reel.screens[at].shown() {
        let fade = if has_failed(one, reel.time) { Color32::from_white_alpha(70) } else { Color32::WHITE };
        painter.image(texture, frame.shrink(1.0), Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), fade);
    } else {
        painter.text(frame.center(), Align2::CENTER_CENTER, "…", FontId::proportional(16.0), QUIET);
    }
    response.on_hover_text(if reel.is_paused { "Click to play" } else { "Click to pause" }).clicked()
}

/// Whether a film has come to the failure of its solver at a time [s].
fn has_failed(one: &Shown, time: Real) -> bool {
    one.fails_after.is_some() && time >= one.film.lasted()
}

/// What is told of a film at a time [s].
fn caption(ui: &mut Ui, one: &Shown, time: Real) {
    let line = |ui: &mut Ui, text: RichText, is_wrapped: bool| {
        let label = Label::new(text.small());
        ui.add(if is_wrapped { label.wrap() } else { label.truncate() });
    };
    let colour = if has_failed(one, time) { ALARM } else { Color32::WHITE };
    line(ui, RichText::new(one.role).strong().color(colour), false);
    line(ui, RichText::new(&one.name), true);
    if let Some(step) = one.step {
        line(ui, RichText::new(format!("{} ms per step", significant(1e3 * step))).color(QUIET), false);
    }
    if let Some(failed) = one.fails_after.filter(|_| has_failed(one, time)) {
        line(ui, RichText::new(format!("fails after {} s", significant(failed))).color(ALARM), false);
        return;
    }
    let now = one.film.at(time);
    let (sag, word) = (1e3 * now.sag.abs(), if now.sag < 0.0 { "rises" } else { "sag" });
    let text = format!("stretch {:.1} %, {word} {sag:.0} mm", 100.0 * now.stretch);
    line(ui, RichText::new(text).color(QUIET), false);
}

/// Error and cost of a step, and what the eye sees at the end.
fn table(ui: &mut Ui, reel: &Reel, room: f32) {
    let column = ((room - LABELS) / reel.shown.len() as f32 - GAP).floor();
    let figure = |of: fn(&Shown) -> Option<String>| -> Vec<String> {
        reel.shown.iter().map(|one| of(one).unwrap_or_else(|| "–".to_owned())).collect()
    };
    let rows: [(&str, &str, Vec<String>); 7] = [
        ("", "", reel.shown.iter().map(|one| one.role.to_owned()).collect()),
        (
            "After",
            "Simulated time of the film: a run ends early when its time by the clock is over, or it fails",
            figure(|one| Some(format!("{} s", significant(one.film.lasted())))),
        ),
        ("Error of a step", "As a share of its motion", figure(|one| one.error.map(percent))),
        (
            "Largest stretch",
            "Of a structural spring, mean of the last quarter of the film",
            figure(|one| one.figures.map(|it| percent(it.stretch))),
        ),
        (
            "Sag",
            "Descent of the lowest vertex since the start, mean of the last quarter",
            figure(|one| one.figures.map(|it| describe_sag(it.sag).trim_start_matches("sag ").to_owned())),
        ),
        (
            "Folds",
            "Mean curvature of the cloth in the last quarter: the larger principal one of each vertex",
            figure(|one| Some(format!("{} 1/m", significant(one.film.folds())))),
        ),
        ("Jitter at rest", "Alternation from step to step; none is told of a cloth that moves", figure(jitter)),
    ];
    ui.add_space(3.0);
    let grid = Grid::new("advice film figures").spacing(vec2(GAP, 1.0)).min_col_width(0.0);
    let grid = grid.show(ui, |ui| {
        for (label, help, cells) in rows {
            let cell = |ui: &mut Ui, width: f32, text: RichText| {
                ui.allocate_ui_with_layout(vec2(width, 14.0), Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_width(width);
                    ui.add(Label::new(text.small()).truncate())
                })
                .inner
            };
            let name = cell(ui, LABELS - GAP, RichText::new(label).color(QUIET));
            if !help.is_empty() {
                name.on_hover_text(help);
            }
            for text in cells {
                let text = RichText::new(text);
                cell(ui, column, if label.is_empty() { text.color(QUIET) } else { text });
            }
            ui.end_row();
        }
    });
    note_place(ui, "advice film figures", grid.response.rect);
}

fn jitter(one: &Shown) -> Option<String> {
    let figures = one.figures?;
    Some(figures.jitter.map_or_else(|| "in motion".to_owned(), |it| format!("{} mm", significant(1e3 * it))))
}
