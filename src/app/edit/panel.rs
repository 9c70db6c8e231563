//! The panel of the editor: things to add, the list of parts, the fields of the chosen one.

use egui::{Button, DragValue, RichText, Ui};

use super::{Added, Editor, Gesture, bounds_of, inspector, outliner, selection, send};
use crate::app::desk::Shown;
use crate::app::export::{Files, Purpose};
use crate::app::session::SessionHandle;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::app::widgets::{name, note_place, row_label};
use crate::scene::{Edit, ScenePart, Template};
use crate::sim::Vec3;

/// Title of the panel.
pub const TITLE: &str = "Edit";

/// The panel.
pub fn show(editor: &mut Editor, ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    // not 0 after single steps and on the time line
    let time = match session.frame().time {
        0.0 => "Time stands at 0 s.".to_owned(),
        time => format!("Time is at {time:.2} s; the next edit starts at 0 s again."),
    };
    let end = if editor.ran {
        "E leaves the editor, and time runs again."
    } else {
        "E leaves the editor; time stays paused."
    };
    ui.label(RichText::new(format!("{time} Click a thing to choose it. {end}")).small().color(QUIET));
    warn(ui, session);
    additions(ui, editor, session, shown.states.of());
    ui.add_space(4.0);
    outliner::show(ui, editor, session);
    ui.add_space(2.0);
    selection::show(ui, editor, session);
    let rows = session.frame().scene.rows();
    let Some(row) = rows.into_iter().find(|row| Some(row.part) == editor.chosen) else { return };
    ui.separator();
    if row.locked {
        ui.label(RichText::new(format!("{} is locked.", row.name)).color(QUIET));
        return;
    }
    inspector::show(ui, editor, session, (row.part, &row.name));
    if row.part.is_thing() {
        ui.add_space(4.0);
        moves(ui, editor, session, row.part);
    }
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
fn additions(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, files: &mut Files) {
    for (title, is_collider) in [("Add", false), ("Collider", true)] {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(title).small().color(ACCENT));
            for template in Template::ALL.into_iter().filter(|template| template.is_collider() == is_collider) {
                let button = ui.button(template.name()).on_hover_text(template.help());
                note_place(ui, &format!("add {}", template.name().to_lowercase()), button.rect);
                if button.clicked() {
                    add(editor, session, template);
                }
            }
            let help = if is_collider {
                "A triangle mesh of a file that the cloth meets"
            } else {
                "A cloth of an OBJ file, or a body of a .mesh or .msh file"
            };
            let button = ui.button("Mesh…").on_hover_text(help);
            note_place(ui, if is_collider { "add mesh collider" } else { "add mesh" }, button.rect);
            if button.clicked() {
                files.ask(Purpose::AddMesh { is_collider });
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
            let added = Added::Thing { before: scene.parts().len(), is_collider: template.is_collider() };
            editor.added = Some((send(session, edit), added));
        }
        Err(error) => editor.refusal = Some(error.to_string()),
    }
}

/// Moves of the chosen part: the gizmo, alignment, copies.
fn moves(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, part: ScenePart) {
    ui.horizontal(|ui| {
        row_label(ui, "In the view", 0.0);
        for (gesture, title, help) in [
            (Gesture::Shift, "Shift", "Arrows in the view shift it: G"),
            (Gesture::Turn, "Turn", "Rings in the view turn it: T"),
            (Gesture::Scale, "Scale", "Blocks in the view scale it: S"),
        ] {
            let choice = ui.selectable_value(&mut editor.gesture, gesture, title).on_hover_text(help);
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
