//! The panel of the editor: things to add, the list of parts, the fields of the chosen one.

use egui::{Button, DragValue, RichText, Ui};

use super::{Editor, Handle, bounds_of, duplicate, inspector, last_added, send};
use crate::app::desk::Shown;
use crate::app::session::SessionHandle;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::app::widgets::{name, note_place, row_label};
use crate::scene::{Edit, Part, Template};
use crate::session::Command;
use crate::sim::Vec3;

/// Title of the panel.
pub const TITLE: &str = "Edit";

/// The panel.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    ui.label(RichText::new("Time stands at 0 s. Click a thing to choose it; E goes on.").small().color(QUIET));
    let (editor, session) = (&mut shown.desk.editor, &mut *shown.session);
    warn(ui, session);
    additions(ui, editor, session);
    ui.add_space(6.0);
    list(ui, editor, session);
    let named = session.frame().scene.named_parts();
    let Some((part, name)) = named.into_iter().find(|(part, _)| Some(*part) == editor.chosen) else { return };
    ui.separator();
    inspector::show(ui, editor, session, (part, &name));
    ui.add_space(4.0);
    moves(ui, editor, session, part);
}

/// Says that the scene starts through itself, with the remedy.
fn warn(ui: &mut Ui, session: &mut SessionHandle) {
    let count = session.frame().intersections.as_ref().map_or(0, |pairs| pairs.len());
    if count == 0 || session.frame().steps > 0 {
        return;
    }
    let pairs =
        if count == 1 { "1 pair of triangles meets".to_owned() } else { format!("{count} pairs of triangles meet") };
    ui.label(RichText::new(format!("The scene starts through itself: {pairs}.")).color(ALARM));
    let apart = ui.button("Move apart").on_hover_text("Cloths that are in something are set down on top of it");
    note_place(ui, "move apart", apart.rect);
    if apart.clicked() {
        send(session, Edit::MoveApart);
    }
}

/// A button for everything that can be added.
fn additions(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle) {
    for (title, is_collider) in [("Add cloth", false), ("Add a collider", true)] {
        ui.label(RichText::new(title).small().color(ACCENT));
        ui.horizontal_wrapped(|ui| {
            for template in Template::ALL.into_iter().filter(|template| template.is_collider() == is_collider) {
                let button = ui.button(template.name()).on_hover_text(template.help());
                note_place(ui, &format!("add {}", template.name().to_lowercase()), button.rect);
                if button.clicked() {
                    add(editor, session, template);
                }
            }
        });
    }
    if let Some(refusal) = &editor.refusal {
        ui.label(RichText::new(refusal).small().color(ALARM));
    }
}

fn add(editor: &mut Editor, session: &mut SessionHandle, template: Template) {
    let scene = std::sync::Arc::clone(&session.frame().scene);
    editor.refusal = None;
    match scene.addition(template) {
        Ok(edit) => {
            editor.added = Some((send(session, edit), scene.parts().len(), template.is_collider()));
        }
        Err(error) => editor.refusal = Some(error.to_string()),
    }
}

/// All parts, by name.
fn list(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle) {
    let scene = std::sync::Arc::clone(&session.frame().scene);
    if let Some((order, before, is_collider)) = editor.added
        && session.frame().seen >= order
    {
        editor.added = None;
        if let Some(part) = last_added(before, &scene, is_collider) {
            editor.choose(Some(part));
        }
    }
    ui.label(RichText::new("In the scene").small().color(ACCENT));
    // the fields of the chosen one are below, and stay in sight
    let height = (0.25 * ui.ctx().viewport_rect().height()).clamp(80.0, 300.0);
    egui::ScrollArea::vertical().id_salt("parts").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        for (part, title) in scene.named_parts() {
            row(ui, editor, session, (part, &title));
        }
    });
    furniture(ui, session);
}

/// The row of a part.
fn row(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, (part, title): (Part, &str)) {
    ui.horizontal(|ui| {
        let is_chosen = editor.chosen == Some(part);
        let row = ui.selectable_label(is_chosen, title);
        note_place(ui, &format!("part {}", title.to_lowercase()), row.rect);
        if row.clicked() {
            editor.choose(if is_chosen { None } else { Some(part) });
        }
        if is_chosen && editor.listed != Some(part) {
            editor.listed = Some(part);
            row.scroll_to_me(None);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let scene = &session.frame().scene;
            let is_last_piece = scene.pieces.is_empty() && matches!(part, Part::Piece(_));
            ui.add_space(8.0);
            let remove = ui.add_enabled(!is_last_piece, Button::new(RichText::new("remove").small()).frame(false));
            name(ui, &remove, &format!("Remove {title}"));
            note_place(ui, &format!("remove {}", title.to_lowercase()), remove.rect);
            if remove.on_disabled_hover_text("A scene needs a cloth or a body").clicked() {
                send(session, Edit::Remove { part });
            }
            let copy = ui.add(Button::new(RichText::new("copy").small()).frame(false));
            name(ui, &copy, &format!("Copy {title}"));
            note_place(ui, &format!("copy {}", title.to_lowercase()), copy.rect);
            if copy.on_hover_text("A copy beside it: Ctrl+D").clicked() {
                duplicate(session, part);
            }
        });
    });
}

/// Floor and table, which are parameters.
fn furniture(ui: &mut Ui, session: &mut SessionHandle) {
    ui.horizontal(|ui| {
        let mut parameters = *session.parameters();
        ui.checkbox(&mut parameters.contact.ground, "Floor");
        session.set_parameters(parameters);
        let mut is_laid = session.parameters().table.table;
        if ui.checkbox(&mut is_laid, "Table").changed() {
            session.send(Command::Table { on: is_laid });
        }
    });
}

/// Moves of the chosen part: the gizmo, alignment, copies.
fn moves(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, part: Part) {
    ui.horizontal(|ui| {
        row_label(ui, "In the view", 0.0);
        for (handle, title, help) in [
            (Handle::Shift, "Shift", "Arrows in the view shift it: G"),
            (Handle::Turn, "Turn", "Rings in the view turn it: T"),
            (Handle::Scale, "Scale", "Blocks in the view scale it: S"),
        ] {
            let choice = ui.selectable_value(&mut editor.handle, handle, title).on_hover_text(help);
            note_place(ui, &format!("gizmo {}", title.to_lowercase()), choice.rect);
        }
        ui.checkbox(&mut editor.snaps, "Snap").on_hover_text("In steps of 5 cm, 15° and a tenth");
    });
    ui.horizontal_wrapped(|ui| {
        let down = ui.button("Set down").on_hover_text("Onto the floor or what is below it");
        note_place(ui, "set down", down.rect);
        if down.clicked() {
            send(session, Edit::SetDown { part });
        }
        let center = ui.button("Centre").on_hover_text("Its middle above the origin");
        note_place(ui, "centre", center.rect);
        if center.clicked()
            && let Some((low, high)) = bounds_of(session.frame(), part)
        {
            let by = (-0.5 * (low + high)).with_y(0.0);
            send(session, Edit::Shift { part, by });
        }
    });
    ui.horizontal(|ui| {
        row_label(ui, "Copies", 0.0);
        let (count, by) = &mut editor.copies;
        let number = ui.add(DragValue::new(count).range(1..=100));
        name(ui, &number, "Number of copies");
        for (axis, title) in ["x", "y", "z"].into_iter().enumerate() {
            let number = DragValue::new(&mut by[axis]).speed(0.01).max_decimals(3).suffix(" m");
            let number = ui.add(number);
            name(ui, &number, &format!("Shift of a copy along {title}"));
            number.on_hover_text(format!("Along {title}, from one to the next"));
        }
        let make = ui.add_enabled(*by != Vec3::ZERO, Button::new("Make"));
        note_place(ui, "make copies", make.rect);
        if make.on_disabled_hover_text("Give a shift first").clicked() {
            send(session, Edit::Copy { part, by: *by, count: *count });
        }
    });
}
