//! The motion of a collider or a handle: its path, by keys or by the hand.

use egui::{Button, ComboBox, DragValue, RichText, Slider, Ui};

use super::performance::Performance;
use super::vector_row::vector;
use super::{Editor, still};
use crate::app::session::SessionHandle;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{note_place, row_label};
use crate::scene::ScenePart;
use crate::sim::{Path, Real, Vec3};

/// Longest time of a key [s].
pub const LATEST: Real = 600.0;
/// Times of keys that are the same [s].
pub const SAME: Real = 5e-4;
/// Longest smoothing of a recorded motion [s].
const SMOOTHEST: Real = 0.5;

/// Shows the motion of a part, and changes its path.
pub fn show(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, part: ScenePart, path: &mut Option<Path>) {
    ui.add_space(4.0);
    ui.label(RichText::new("Motion").small().color(ACCENT));
    record(ui, editor, session, part);
    same_as(ui, session, part, path);
    if !matches!(path, None | Some(Path::Waypoints { .. })) {
        ui.label(RichText::new("It moves along a formula that its file has.").small().color(QUIET));
        if ui.button("Take the path away").clicked() {
            *path = still(part);
        }
        return;
    }
    let mut keys = keys_of(path.as_ref());
    let mut repeats = matches!(path, Some(Path::Waypoints { repeat: true, .. }));
    let before = (keys.clone(), repeats);
    key_fields(ui, editor, &mut keys);
    ui.horizontal(|ui| {
        row_label(ui, "", 0.0);
        ui.add_enabled(keys.len() > 1, egui::Checkbox::new(&mut repeats, "Repeat"));
        let clear = ui.add_enabled(keys.len() > 1, Button::new("Clear"));
        note_place(ui, "clear keys", clear.rect);
        if clear.on_hover_text("Take all keys away").clicked() {
            keys.clear();
        }
    });
    // a path of a file stays as it was written
    if (&keys, repeats) != (&before.0, before.1) {
        *path = path_of(keys, repeats, part);
    }
}

/// The keys of a path [s], [m].
pub fn keys_of(path: Option<&Path>) -> Vec<(Real, Vec3)> {
    match path {
        Some(Path::Waypoints { points, .. }) => points.clone(),
        _ => Vec::new(),
    }
}

/// The path with these keys; it begins where the part starts.
fn path_of(keys: Vec<(Real, Vec3)>, repeat: bool, part: ScenePart) -> Option<Path> {
    if keys.len() < 2 {
        return still(part);
    }
    Some(Path::Waypoints { points: keys, repeat })
}

/// Puts the key at a time [s]; one that is there is replaced, and the first one later than 0 brings
/// one at 0 along.
pub fn set_key(path: Option<&Path>, time: Real, offset: Vec3) -> Path {
    let repeat = matches!(path, Some(Path::Waypoints { repeat: true, .. }));
    let mut points = keys_of(path);
    if points.is_empty() && time > SAME {
        points.push((0.0, Vec3::ZERO));
    }
    put(&mut points, time, offset);
    Path::Waypoints { points, repeat }
}

fn put(keys: &mut Vec<(Real, Vec3)>, time: Real, offset: Vec3) {
    match keys.iter_mut().find(|key| (key.0 - time).abs() < SAME) {
        Some(key) => key.1 = offset,
        None => {
            let at = keys.partition_point(|key| key.0 < time);
            keys.insert(at, (time, offset));
        }
    }
}

/// The recording of the hand, and the smoothing of the last one.
fn record(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, part: ScenePart) {
    let performs = editor.performance.as_ref().is_some_and(Performance::is_under_way);
    ui.horizontal(|ui| {
        row_label(ui, "By hand", 0.0);
        if performs {
            let cancel = ui.button("Cancel");
            note_place(ui, "cancel the hand", cancel.rect);
            if cancel.clicked() {
                editor.cancel_performance(session);
            }
        } else {
            let button = ui
                .button("Record the hand")
                .on_hover_text("Time runs while you drag it in the view, and the motion of your hand becomes its path");
            note_place(ui, "record the hand", button.rect);
            if button.clicked() {
                editor.prepare_performance(session, part);
            }
        }
    });
    if performs {
        ui.label(RichText::new("Drag it in the view: time runs while you hold it.").color(ACCENT));
    } else if let Some(done) = editor.performance.as_mut().filter(|done| done.is_of(part)) {
        ui.horizontal(|ui| {
            let label = row_label(ui, "Smoothing", 0.0).id;
            let slider = Slider::new(&mut done.smoothing, 0.0..=SMOOTHEST).max_decimals(2).suffix(" s");
            let slider = ui.add(slider).labelled_by(label);
            note_place(ui, "smoothing", slider.rect);
            if (slider.changed() && !slider.dragged()) || slider.drag_stopped() {
                done.keep(session);
            }
        });
    }
}

/// A choice of the path of another part.
fn same_as(ui: &mut Ui, session: &SessionHandle, part: ScenePart, path: &mut Option<Path>) {
    let scene = &session.frame().scene;
    let others = scene.rows().into_iter().filter(|row| row.part != part);
    let others = others.filter_map(|row| Some((row.name, scene.path_of(row.part)?.clone()))).collect::<Vec<_>>();
    if others.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        row_label(ui, "Same as", 0.0);
        let present = others.iter().find(|(_, other)| path.as_ref() == Some(other)).map_or("–", |(name, _)| name);
        let choice = ComboBox::from_id_salt("same motion").selected_text(present).show_ui(ui, |ui| {
            for (name, other) in &others {
                let entry = ui.selectable_label(present == name.as_str(), name);
                note_place(ui, &format!("motion of {}", name.to_lowercase()), entry.rect);
                if entry.clicked() {
                    *path = Some(other.clone());
                }
            }
        });
        note_place(ui, "same motion", choice.response.rect);
        choice.response.on_hover_text("It moves as the other one does");
    });
}

/// The key at the chosen time: its offset, or a button that sets it.
fn key_fields(ui: &mut Ui, editor: &mut Editor, keys: &mut Vec<(Real, Vec3)>) {
    ui.horizontal(|ui| {
        let label = row_label(ui, "Time", 0.0).id;
        let time = DragValue::new(&mut editor.key_time).range(0.0..=LATEST).speed(0.05).max_decimals(2).suffix(" s");
        let time = ui.add(time).labelled_by(label);
        note_place(ui, "key time", time.rect);
        let here = keys.iter().position(|key| (key.0 - editor.key_time).abs() < SAME);
        match here {
            Some(at) if keys.len() > 1 && at > 0 => {
                let remove = ui.button("Remove key");
                note_place(ui, "remove key", remove.rect);
                if remove.clicked() {
                    keys.remove(at);
                }
            }
            Some(_) => {}
            None => {
                let set = ui.button("Set key").on_hover_text("The arrows in the view set it, too");
                note_place(ui, "set key", set.rect);
                if set.clicked() {
                    let path = Path::Waypoints { points: std::mem::take(keys), repeat: false };
                    let offset = path.offset(editor.key_time);
                    *keys = keys_of(Some(&set_key(Some(&path), editor.key_time, offset)));
                }
            }
        }
    });
    if let Some(key) = keys.iter_mut().find(|key| (key.0 - editor.key_time).abs() < SAME && key.0 > 0.0) {
        vector(ui, "Offset", "key offset", &mut key.1, (1.0, " m"));
    } else {
        ui.label(RichText::new("At the start it is where it stands; keys come after.").small().color(QUIET));
    }
}
