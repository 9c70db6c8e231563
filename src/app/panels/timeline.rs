//! The time line: the way that the session has gone, to be scrubbed, played backwards and gone on
//! from, and actions to be undone. While a scene is edited, the keys of the chosen part.

use egui::{Button, Color32, Pos2, Rect, RichText, Slider, Stroke, Ui};

use crate::app::desk::Shown;
use crate::app::edit::Editor;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{name, note_place};
use crate::session::{Command, TimelineSummary};

/// Room for the words at the right [points].
const WORDS: f32 = 150.0;
/// Least width of the slider [points].
const LEAST: f32 = 90.0;

/// The line.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let (session, pace) = (&mut *shown.session, &mut shown.desk.pace);
    let timeline = session.frame().timeline.clone();
    let [undo, redo] = session.names_of_actions();
    ui.add_space(3.0);
    ui.horizontal(|ui| {
        for (again, label, known, keys) in [(false, "⮪", &undo, "Ctrl+Z"), (true, "⮫", &redo, "Ctrl+Shift+Z")] {
            let what = if again { "Redo" } else { "Undo" };
            let button = ui.add_enabled(known.is_some(), Button::new(label).min_size([26.0, 20.0].into()));
            name(ui, &button, what);
            note_place(ui, if again { "redo" } else { "undo" }, button.rect);
            let help =
                known.as_ref().map_or_else(|| "Nothing".to_owned(), |action| format!("{what}: {action}  ({keys})"));
            if button.on_hover_text(&help).on_disabled_hover_text(format!("{what} ({keys}): nothing yet")).clicked() {
                session.undo_or_redo(again);
            }
        }
        ui.add_space(4.0);
        let help = "Plays the recorded motion backwards, at the playback speed";
        let rewind = ui.add_enabled(!timeline.is_empty(), Button::new("⏪").selected(pace.backwards));
        name(ui, &rewind, "Play backwards");
        note_place(ui, "rewind", rewind.rect);
        if rewind.on_hover_text(help).clicked() {
            pace.backwards = !pace.backwards;
            if pace.backwards {
                session.pause(true);
            }
        }
        let back = ui.add_enabled(timeline.place() > 0, Button::new("⏴"));
        name(ui, &back, "Step back");
        note_place(ui, "step back", back.rect);
        if back.on_hover_text("One time step back: left arrow or ,").clicked() {
            session.go_by(-1);
        }
        if shown.states.of::<Editor>().has_keys(session) {
            let room = (ui.available_width() - WORDS).max(LEAST);
            shown.states.of::<Editor>().show_keys(ui, session, room);
            return;
        }
        let mut place = timeline.place();
        let room = (ui.available_width() - WORDS - left_width(&timeline)).max(LEAST);
        ui.spacing_mut().slider_width = room;
        let slider = Slider::new(&mut place, 0..=timeline.len().max(1)).show_value(false);
        let slider = ui.add_enabled(!timeline.is_empty(), slider);
        name(ui, &slider, "Moment");
        note_place(ui, "time line", slider.rect);
        draw_forks(ui, slider.rect, &timeline);
        let slider = if slider.dragged() { slider } else { slider.on_hover_text(help_of(&timeline)) };
        if slider.changed() {
            pace.backwards = false;
            session.go_to(timeline.step_at(place));
        }
        words(ui, &timeline, session.frame().time);
        left(ui, session, &timeline);
    });
}

/// How far back the session stands, or how much of the run up to `time` [s] is recorded: a reset
/// begins another run, and the slider spans both.
fn words(ui: &mut Ui, timeline: &TimelineSummary, time: f64) {
    let text = if timeline.is_newest {
        let text = format!("now, {:.1} s recorded", timeline.behind.min(time));
        RichText::new(text).color(QUIET)
    } else {
        RichText::new(format!("−{:.2} s, at t = {time:.2} s", timeline.ahead)).color(ACCENT)
    };
    ui.label(text);
}

fn help_of(timeline: &TimelineSummary) -> String {
    format!(
        "Drag to an earlier moment. Continuing from here starts a new branch; the old one is kept. The last 60 s are recorded, those before a reset included, at most 256 MB: now {:.1} s and {:.1} MB.",
        timeline.behind + timeline.ahead,
        timeline.bytes as f64 / 1e6
    )
}

fn left_width(timeline: &TimelineSummary) -> f32 {
    if timeline.left.is_empty() { 0.0 } else { 150.0 }
}

/// The branches that were left.
fn left(ui: &mut Ui, session: &mut crate::app::session::SessionHandle, timeline: &TimelineSummary) {
    if timeline.left.is_empty() {
        return;
    }
    let title = if timeline.left.len() == 1 {
        "1 other branch".to_owned()
    } else {
        format!("{} other branches", timeline.left.len())
    };
    let menu = ui.menu_button(title, |ui| {
        for line in timeline.left.iter().rev() {
            let text = format!("Go to the end of the branch of {:.1} s", line.seconds);
            let button = ui.button(text);
            note_place(ui, "other future", button.rect);
            if button.clicked() {
                session.go_to(line.end);
            }
        }
        if ui.button("Delete them").clicked() {
            session.send(Command::DropLeft);
        }
    });
    note_place(ui, "other futures", menu.response.rect);
    menu.response.on_hover_text("Earlier continuations, kept when you went back and continued differently");
}

/// A tick where another branch was left, as long as that was.
fn draw_forks(ui: &Ui, rect: Rect, timeline: &TimelineSummary) {
    let length = timeline.len().max(1) as f32;
    // the knob of a slider keeps within it
    let inner = rect.shrink2(egui::vec2(0.5 * rect.height(), 0.0));
    for line in &timeline.left {
        let from = timeline.place_of(line.fork) as f32 / length;
        let to = from + (line.end.saturating_sub(line.fork)) as f32 / length;
        let x = |share: f32| inner.left() + share.min(1.0) * inner.width();
        let y = rect.top() + 2.0;
        let faint = Stroke::new(2.0, Color32::from_white_alpha(70));
        ui.painter().line_segment([Pos2::new(x(from), y), Pos2::new(x(to), y)], faint);
        ui.painter().line_segment([Pos2::new(x(from), y), Pos2::new(x(from), rect.center().y)], faint);
    }
}
