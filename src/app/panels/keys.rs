//! All keys and gestures.

use egui::{Label, RichText, Ui, vec2};

use crate::app::desk::Shown;
use crate::app::widgets::style::{ACCENT, QUIET};

/// The title of the window.
pub const TITLE: &str = "Keys";

/// Groups of inputs and their effects.
const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Cloth",
        &[
            ("drag", "grab a vertex; the wheel moves it away and closer"),
            ("click", "inspect a vertex: forces, springs, trail; a click beside the cloth or Escape ends it"),
            ("right click, P", "pin or unpin the vertex under the pointer"),
            ("C and drag", "cut along the line"),
            ("M", "keep or close the card of the vertex under the pointer"),
            ("drag a collider", "move it; with Shift turn it"),
            ("E", "edit the scene: add, choose, move and change things; time stands at 0"),
            ("G, T, S", "in the editor: shift, turn or scale the chosen thing"),
            ("Delete, Ctrl+D, F2", "in the editor: remove, copy or rename the chosen thing"),
            ("B, L, P", "in the editor: choose vertices by a rectangle or a lasso; pin them"),
        ],
    ),
    (
        "View",
        &[
            ("drag beside the cloth", "turn; middle button: shift; wheel: zoom"),
            ("double click", "zoom to the place"),
            ("numpad 1, numpad 3, numpad 7", "look from the front, the right, above; with Ctrl from the other side"),
            ("numpad 5", "perspective or orthographic projection"),
            ("F, numpad ., Home", "frame the cloth as it is, in the editor the chosen thing; the view of the scene"),
            ("1, 2, 3, 4", "paint plain, by stretch, by speed; wireframe"),
            ("H", "hide or show the panels"),
            ("Tab, Shift+Tab", "the next control, the one before; Enter or Space clicks it, arrows change it"),
        ],
    ),
    (
        "Time",
        &[
            ("Space", "run or pause"),
            ("right arrow or .", "one time step"),
            ("left arrow or ,", "one time step back"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo the last action, redo it"),
            ("R", "the scene from its start"),
            ("Alt and click a slider", "seven cloths across its range; also a long press, Alt+Enter"),
            ("Ctrl+K", "find a parameter, scene, solver or fabric"),
            ("Ctrl+O, Ctrl+S, Ctrl+E", "open a file, save the scene, export"),
            ("Escape", "close the tool that was opened last"),
            ("? or F1", "these keys"),
        ],
    ),
];

/// Width of the keys [points].
const KEYS: f32 = 150.0;

/// All keys and gestures, one by one.
pub fn all() -> impl Iterator<Item = &'static str> {
    let rows = GROUPS.iter().flat_map(|(_, rows)| *rows);
    rows.flat_map(|(keys, _)| keys.split(", ").flat_map(|keys| keys.split(" or ")))
}

/// The window.
pub fn show(ui: &mut Ui, _: &mut Shown) {
    for (title, rows) in GROUPS {
        ui.label(RichText::new(*title).small().color(ACCENT));
        for (keys, what) in *rows {
            ui.horizontal_top(|ui| {
                ui.allocate_ui(vec2(KEYS, 0.0), |ui| {
                    ui.set_width(KEYS);
                    ui.add(Label::new(RichText::new(*keys).strong()).wrap());
                });
                ui.add(Label::new(RichText::new(*what).color(QUIET)).wrap());
            });
        }
        ui.add_space(6.0);
    }
}
