//! All keys and gestures.

use egui::{Label, RichText, Ui, vec2};

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
            ("Escape", "close the tool that was opened last"),
            ("? or F1", "these keys"),
        ],
    ),
];

/// Width of the keys [points].
const KEYS: f32 = 150.0;

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
