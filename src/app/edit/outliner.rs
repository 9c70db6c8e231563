//! The list of what is in the scene: names, visibility, locks, copies.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Button, Response, RichText, TextEdit, Ui};

use super::{Editor, duplicate, last_added, send};
use crate::app::session::SessionHandle;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{name, note_place};
use crate::scene::{Edit, OutlinerRow, Scene, ScenePart};
use crate::session::Command;
use crate::sim::forces::air::AirMode;

/// How much pins and handles are moved in below their cloth, and width of a switch [points].
const INDENT: f32 = 14.0;
const SWITCH: f32 = 18.0;
/// Most letters of a name.
const LETTERS: usize = 60;

/// The list.
pub fn show(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle) {
    let scene = std::sync::Arc::clone(&session.frame().scene);
    if let Some((order, added)) = editor.added
        && session.frame().seen >= order
    {
        editor.added = None;
        if let Some(part) = last_added(added, &scene) {
            editor.choose(Some(part));
        }
    }
    ui.label(RichText::new("In the scene").small().color(ACCENT));
    // the fields of the chosen one are below, and stay in sight
    let height = (0.25 * ui.ctx().viewport_rect().height()).clamp(80.0, 300.0);
    egui::ScrollArea::vertical().id_salt("parts").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for row in scene.rows() {
            show_row(ui, editor, session, &scene, &row);
        }
    });
    furniture(ui, session);
}

impl Editor {
    /// Shows a field for the name of a part that can have one.
    pub fn begin_naming(&mut self, scene: &Scene, part: ScenePart) {
        if !matches!(part, ScenePart::Pins(_)) && !scene.is_locked(part) {
            self.naming = Some((part, scene.name_of(part)));
        }
    }
}

fn show_row(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, scene: &Scene, row: &OutlinerRow) {
    let OutlinerRow { part, name: title, .. } = row;
    let id = place_name(scene, row);
    ui.horizontal(|ui| {
        if part.is_thing() {
            switches(ui, session, row, &id);
        } else {
            ui.add_space(2.0 * SWITCH + INDENT);
        }
        if let Some((_, text)) = editor.naming.as_mut().filter(|(named, _)| named == part) {
            let field = ui.add(TextEdit::singleline(text).desired_width(130.0).char_limit(LETTERS));
            name(ui, &field, "Name");
            note_place(ui, "name of part", field.rect);
            finish_naming(ui, editor, session, *part, &field);
            return;
        }
        let is_chosen = editor.chosen == Some(*part);
        let text = format!("{} {title}", icon(scene, *part));
        let label =
            ui.selectable_label(is_chosen, if row.hidden { RichText::new(text).color(QUIET) } else { text.into() });
        name(ui, &label, title);
        note_place(ui, &format!("part {id}"), label.rect);
        if label.double_clicked() {
            editor.begin_naming(scene, *part);
        } else if label.clicked() {
            editor.choose(if is_chosen { None } else { Some(*part) });
            // the list stays under the pointer, for a double click
            editor.listed = editor.chosen;
        }
        if is_chosen && editor.listed != Some(*part) {
            editor.listed = Some(*part);
            label.scroll_to_me(None);
        }
        label.on_hover_text("Click chooses it, double click or F2 renames it");
        actions(ui, session, scene, row, &id);
    });
}

/// The name of a row for the log: pins and handles with that of their cloth.
fn place_name(scene: &Scene, row: &OutlinerRow) -> String {
    let own = row.name.to_lowercase();
    if row.part.is_thing() { own } else { format!("{own} of {}", scene.name_of(row.part.thing()).to_lowercase()) }
}

/// What a part is, in a sign.
fn icon(scene: &Scene, part: ScenePart) -> &'static str {
    match part {
        ScenePart::Piece(at) if scene.all_pieces().nth(at as usize).is_some_and(|piece| piece.body.is_some()) => "◆",
        ScenePart::Piece(_) => "▦",
        ScenePart::Collider(_) => "●",
        ScenePart::Pins(_) => "📌",
        ScenePart::Handle { .. } => "✋",
    }
}

/// Sends the typed name, or drops it.
fn finish_naming(ui: &Ui, editor: &mut Editor, session: &mut SessionHandle, part: ScenePart, field: &Response) {
    let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if field.lost_focus() || is_cancelled {
        if let Some((_, name)) = editor.naming.take().filter(|_| !is_cancelled) {
            send(session, Edit::Rename { part, name });
        }
    } else if !field.has_focus() {
        field.request_focus();
        // what is typed replaces the name
        let letters = editor.naming.as_ref().map_or(0, |(_, text)| text.chars().count());
        let mut state = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), CCursor::new(letters))));
        state.store(ui.ctx(), field.id);
    }
}

/// Whether it is seen, and whether it is locked.
fn switches(ui: &mut Ui, session: &mut SessionHandle, row: &OutlinerRow, id: &str) {
    let OutlinerRow { part, name: title, hidden, locked } = row;
    let sign = |on: bool, text: &'static str| {
        let text = RichText::new(text).small();
        if on { text.color(ACCENT) } else { text.color(QUIET) }
    };
    let size = egui::vec2(SWITCH, ui.spacing().interact_size.y);
    let seen = ui.add_sized(size, Button::new(sign(*hidden, if *hidden { "–" } else { "👁" })).frame(false));
    name(ui, &seen, &format!("{} {title}", if *hidden { "Show" } else { "Hide" }));
    note_place(ui, &format!("hide {id}"), seen.rect);
    let help = if *hidden { "Show it" } else { "Hide it; it acts all the same" };
    if seen.on_hover_text(help).clicked() {
        send(session, Edit::Hide { part: *part, on: !hidden });
    }
    let lock = ui.add_sized(size, Button::new(sign(*locked, if *locked { "🔒" } else { "🔓" })).frame(false));
    name(ui, &lock, &format!("{} {title}", if *locked { "Unlock" } else { "Lock" }));
    note_place(ui, &format!("lock {id}"), lock.rect);
    let help = if *locked { "Allow edits again" } else { "Protect it against edits" };
    if lock.on_hover_text(help).clicked() {
        send(session, Edit::Lock { part: *part, on: !locked });
    }
}

/// Copies and removes it.
fn actions(ui: &mut Ui, session: &mut SessionHandle, scene: &Scene, row: &OutlinerRow, id: &str) {
    let OutlinerRow { part, name: title, locked, .. } = row;
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let is_last_piece = scene.pieces.is_empty() && matches!(part, ScenePart::Piece(_));
        ui.add_space(8.0);
        let remove = Button::new(RichText::new("remove").small()).frame(false);
        let remove = ui.add_enabled(!is_last_piece && !locked, remove);
        name(ui, &remove, &format!("Remove {title}"));
        note_place(ui, &format!("remove {id}"), remove.rect);
        let why = if *locked { "It is locked" } else { "A scene needs a cloth or a body" };
        if remove.on_disabled_hover_text(why).clicked() {
            send(session, Edit::Remove { part: *part });
        }
        if !part.is_thing() {
            return;
        }
        let copy = ui.add(Button::new(RichText::new("copy").small()).frame(false));
        name(ui, &copy, &format!("Copy {title}"));
        note_place(ui, &format!("copy {id}"), copy.rect);
        if copy.on_hover_text("A copy beside it: Ctrl+D").clicked() {
            duplicate(session, *part);
        }
    });
}

/// Floor, table and wind, which are parameters.
fn furniture(ui: &mut Ui, session: &mut SessionHandle) {
    ui.horizontal(|ui| {
        let mut parameters = *session.parameters();
        ui.checkbox(&mut parameters.contact.ground, "Floor");
        session.set_parameters(parameters);
        let mut is_laid = session.parameters().table.table;
        if ui.checkbox(&mut is_laid, "Table").changed() {
            session.send(Command::Table { on: is_laid });
        }
        let mut is_windy = session.parameters().air.air == AirMode::Wind;
        let wind = ui.checkbox(&mut is_windy, "Wind");
        note_place(ui, "wind of scene", wind.rect);
        if wind.changed() {
            session.send(Command::Wind { on: is_windy });
        }
    });
}
