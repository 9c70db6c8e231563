//! New scenes: one cloth over the floor, or a copy of the present scene, in the editor.

use egui::{Button, RichText, Ui};

use crate::app::desk::{Request, Shown};
use crate::app::widgets::note_place;
use crate::app::widgets::style::ACCENT;
use crate::scene::Edit;
use crate::session::Command;

/// Name of the scene to begin with.
const STAGE: &str = "stage";
/// Most letters of the title of a copy.
const TITLE: usize = 60;

/// A button for each; returns whether one was clicked.
pub fn show(ui: &mut Ui, shown: &mut Shown) -> bool {
    let mut is_begun = false;
    let scene = std::sync::Arc::clone(&shown.session.frame().scene);
    ui.horizontal(|ui| {
        ui.label(RichText::new("New").color(ACCENT));
        let stage = ui.button("One cloth").on_hover_text("A cloth in the air over the floor, in the editor");
        note_place(ui, "new cloth", stage.rect);
        if stage.clicked() {
            crate::app::lessons::leave(shown);
            shown.session.send(Command::Scene { name: STAGE.to_owned() });
            is_begun = true;
        }
        let text = format!("A copy of \"{}\"", scene.title);
        let copy = ui.add(Button::new(text).truncate());
        let copy = copy.on_hover_text("The scene as it is now, in the editor; saving asks for a file of its own");
        note_place(ui, "new copy", copy.rect);
        if copy.clicked() {
            shown.desk.requests.push(Request::SaveAsCopy(scene.name.clone()));
            if !scene.title.is_empty() {
                let title: String = format!("Copy of {}", scene.title).chars().take(TITLE).collect();
                shown.session.send(Command::Edit { edit: Edit::Title { title } });
            }
            is_begun = true;
        }
    });
    if is_begun {
        shown.desk.requests.push(Request::Edit);
    }
    is_begun
}
