//! The keys of the chosen part on the time line: a click chooses a time, a drag of a key moves it.

use egui::{Align2, FontId, Label, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};

use super::keyframes::{LATEST, SAME, keys_of};
use super::{Editor, inspector};
use crate::app::session::SessionHandle;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{name, note_place};
use crate::scene::ScenePart;
use crate::sim::{Path, Real, Vec3};

/// Height of the keys, and radius of one [points].
const HEIGHT: f32 = 22.0;
const RADIUS: f32 = 5.0;
/// It shows at least so much, and so much more than the path takes [s].
const SHORTEST: Real = 4.0;
const BEYOND: Real = 1.0;
/// Least time between two keys [s].
const LEAST: Real = 0.05;
/// Room that a number of seconds needs [points].
const ROOM: f32 = 30.0;

/// A drag on the line.
#[derive(Debug, Clone, Copy)]
struct Drag {
    /// Time at the right end, which stays while it lasts [s].
    end: Real,
    /// Time of the key that is dragged, if it began on one [s].
    key: Option<Real>,
}

impl Editor {
    /// Whether the time line shows the keys of the chosen part.
    #[must_use]
    pub fn has_keys(&self, session: &SessionHandle) -> bool {
        let scene = &session.frame().scene;
        let Some(part) = self.chosen.filter(|part| self.is_open && !scene.is_locked(*part)) else { return false };
        matches!(part, ScenePart::Collider(_) | ScenePart::Handle { .. })
            && matches!(scene.path_of(part), None | Some(Path::Waypoints { .. }))
    }

    /// Shows the keys of the chosen part in a line of this width [points], and changes their times.
    pub fn show_keys(&mut self, ui: &mut Ui, session: &mut SessionHandle, width: f32) {
        let Some(part) = self.chosen else { return };
        let Some((present, mut draft)) = inspector::draft_of(self, session, part) else { return };
        if let Some(path) = draft.path() {
            let before = keys_of(path.as_ref());
            let mut keys = before.clone();
            line(ui, self, &mut keys, width);
            if let Some(Path::Waypoints { points, .. }) = path.as_mut().filter(|_| keys != before) {
                *points = keys;
            }
        }
        inspector::keep(ui, self, session, (part, &present), draft);
        let name = session.frame().scene.name_of(part);
        let text = RichText::new(format!("{name} at {:.2} s", self.key_time)).color(QUIET);
        ui.add(Label::new(text).truncate());
    }
}

fn line(ui: &mut Ui, editor: &mut Editor, keys: &mut [(Real, Vec3)], width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click_and_drag());
    name(ui, &response, "Keys of the motion");
    note_place(ui, "line of keys", rect);
    let drag: Option<Drag> = ui.data(|data| data.get_temp(response.id));
    let drag = drag.filter(|_| response.dragged() && !response.drag_started());
    let end = drag.map_or_else(
        || keys.last().map_or(0.0, |key| key.0 + BEYOND).max(editor.key_time + BEYOND).max(SHORTEST),
        |drag| drag.end,
    );
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let x_of = |time: Real| inner.left() + (time / end) as f32 * inner.width();
    let time_at = |x: f32| {
        let time = Real::from(((x - inner.left()) / inner.width()).clamp(0.0, 1.0)) * end;
        ((20.0 * time).round() / 20.0).min(LATEST)
    };
    let key_at = |keys: &[(Real, Vec3)], x: f32| {
        keys.iter().map(|key| key.0).find(|time| (x_of(*time) - x).abs() < 2.0 * RADIUS)
    };
    if let Some(at) = response.interact_pointer_pos() {
        if response.drag_started() {
            let pressed = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
            let key = key_at(keys, pressed.x);
            ui.data_mut(|data| data.insert_temp(response.id, Drag { end, key }));
        } else if let Some(drag) = drag {
            let mut key = drag.key;
            if let Some(time) = &mut key {
                *time = move_key(keys, *time, time_at(at.x));
            }
            editor.key_time = key.unwrap_or_else(|| time_at(at.x));
            ui.data_mut(|data| data.insert_temp(response.id, Drag { end, key }));
        }
        if response.clicked() {
            editor.key_time = key_at(keys, at.x).unwrap_or_else(|| time_at(at.x));
        }
    }
    paint(ui, rect, &x_of, (editor.key_time, end), keys);
    response.on_hover_text("Keys of its motion: a click chooses the time of a key, a drag of a key moves it");
}

/// Moves the key at the time `from` towards `to`, between its neighbours, and returns where it is
/// then [s]. The first one stays.
fn move_key(keys: &mut [(Real, Vec3)], from: Real, to: Real) -> Real {
    let Some(at) = keys.iter().position(|key| (key.0 - from).abs() < SAME).filter(|at| *at > 0) else { return from };
    let low = keys[at - 1].0 + LEAST;
    let high = keys.get(at + 1).map_or(LATEST, |next| next.0 - LEAST);
    if low <= high {
        keys[at].0 = to.clamp(low, high);
    }
    keys[at].0
}

fn paint(ui: &Ui, rect: Rect, x_of: &dyn Fn(Real) -> f32, (time, end): (Real, Real), keys: &[(Real, Vec3)]) {
    let painter = ui.painter_at(rect.expand(2.0));
    let visuals = ui.visuals();
    painter.rect_filled(rect, 4.0, visuals.extreme_bg_color);
    let faint = QUIET.gamma_multiply(0.6);
    let second = x_of(1.0) - x_of(0.0);
    let labelled = [1, 5, 10, 60].into_iter().find(|step| second * *step as f32 > ROOM).unwrap_or(600);
    for at in 0..=end.floor() as u32 {
        let x = x_of(Real::from(at));
        if at % labelled == 0 {
            painter.vline(x, rect.bottom() - 7.0..=rect.bottom(), Stroke::new(1.0, faint));
            let font = FontId::proportional(9.0);
            if x + ROOM < rect.right() {
                let place = Pos2::new(x + 3.0, rect.bottom());
                painter.text(place, Align2::LEFT_BOTTOM, format!("{at} s"), font, faint);
            }
        } else if second > 4.0 {
            painter.vline(x, rect.bottom() - 4.0..=rect.bottom(), Stroke::new(1.0, faint));
        }
    }
    painter.vline(x_of(time), rect.y_range(), Stroke::new(1.5, ACCENT));
    for (at, _) in keys {
        let center = Pos2::new(x_of(*at), rect.center().y - 2.0);
        let corners = [vec2(0.0, -RADIUS), vec2(RADIUS, 0.0), vec2(0.0, RADIUS), vec2(-RADIUS, 0.0)];
        let is_chosen = (at - time).abs() < SAME;
        let fill = if is_chosen { ACCENT } else { visuals.widgets.inactive.fg_stroke.color };
        let points = corners.iter().map(|corner| center + *corner).collect();
        painter.add(egui::Shape::convex_polygon(points, fill, Stroke::NONE));
    }
}
