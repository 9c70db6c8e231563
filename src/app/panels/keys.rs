//! All keys and gestures.

use egui::{Grid, RichText, Ui};

use super::Shown;
use super::style::{ACCENT, QUIET};

/// The title of the window.
pub const TITLE: &str = "Keys";

/// Groups of what to do, and what it does.
const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Cloth",
        &[
            ("drag", "grab a vertex; the wheel moves it away and closer"),
            ("click", "look at a vertex: forces, springs, trail; a click beside the cloth or Escape ends it"),
            ("right click, P", "pin the vertex under the pointer, or let it go"),
            ("C and drag", "cut along the line"),
            ("M", "look at the vertex under the pointer and keep its card, or no longer"),
            ("drag a collider", "move it; with Shift turn it"),
        ],
    ),
    (
        "View",
        &[
            ("drag beside the cloth", "turn; middle button: shift; wheel: zoom"),
            ("double click", "look at the place from near"),
            ("F, Home", "frame the cloth as it is; the view of the scene"),
            ("1, 2, 3, 4", "paint the cloth, its stretch, its speed; wireframe"),
            ("Tab", "put the panels away, and bring them back"),
        ],
    ),
    (
        "Time",
        &[
            ("Space", "run or pause"),
            ("right arrow or .", "one time step"),
            ("left arrow or ,", "one time step back"),
            ("Ctrl+Z, Ctrl+Shift+Z", "take the last act back, do it again"),
            ("R", "the scene from its start"),
            ("Alt and click a slider", "seven cloths across its range; also a long press, Alt+Enter"),
            ("Ctrl+K", "find a parameter, scene, solver or fabric"),
            ("Ctrl+O, Ctrl+S, Ctrl+E", "open a file, save the scene, export"),
            ("? or F1", "these keys"),
        ],
    ),
];

/// The window.
pub fn show(ui: &mut Ui, _: &mut Shown) {
    for (title, rows) in GROUPS {
        ui.label(RichText::new(*title).small().color(ACCENT));
        Grid::new(title).num_columns(2).spacing([14.0, 4.0]).min_col_width(130.0).show(ui, |ui| {
            for (keys, what) in *rows {
                ui.label(RichText::new(*keys).strong());
                ui.label(RichText::new(*what).color(QUIET));
                ui.end_row();
            }
        });
        ui.add_space(6.0);
    }
}
