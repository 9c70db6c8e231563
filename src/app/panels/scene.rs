//! The scene: its choice, and its cloth.

use std::sync::Arc;

use egui::Ui;

use super::parameter_widgets;
use crate::app::desk::Shown;
use crate::app::lessons::Lessons;
use crate::app::library::gallery;
use crate::app::widgets::style::QUIET;
use crate::app::widgets::{note_place, pointing, section_for};
use crate::scene::{Grid, IMAGE, MeshImport, Pinning, Scalar, Scene};
use crate::session::Command;
use crate::sim::params::Tunable;

/// Which scene.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let scene = Arc::clone(&shown.session.frame().scene);
    ui.add_space(4.0);
    let size = egui::vec2(ui.available_width(), 26.0);
    let open = shown.desk.windows.is_open(gallery::TITLE);
    let button = egui::Button::new(egui::RichText::new(&scene.title).strong()).right_text("all scenes").selected(open);
    let button = ui.add_sized(size, button).on_hover_text("Choose another scene from the gallery");
    note_place(ui, "scene", button.rect);
    if button.clicked() {
        shown.desk.windows.set(gallery::TITLE, !open);
    }
    // the steps of a lesson change the scene, and say what they show
    if !scene.summary.is_empty() && shown.states.of::<Lessons>().walk().is_none() {
        ui.label(egui::RichText::new(&scene.summary).small().color(QUIET));
    }
}

/// The mesh, behind its title.
pub fn show_mesh(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    let shape = Shape::default();
    let groups: [&dyn Tunable; 3] = [&shape.grid, &shape.import, &shape.pinning];
    let unfolds = groups.into_iter().any(|group| pointing::hides_slider(ui.ctx(), group));
    section_for(ui, "Mesh", false, unfolds, |ui| {
        let (scene, defaults) = (Arc::clone(&session.frame().scene), Arc::clone(&session.frame().defaults));
        // another cloth cannot keep the motion of the old one; while a slider is being dragged the
        // old one stays
        let before = Shape::of(&scene);
        let id = ui.id().with("pending shape");
        let mut shape: Shape = ui.data(|data| data.get_temp(id)).unwrap_or(before);
        if scene.first.body.is_some() {
            // a body is made of what its scene says
        } else if scene.first.mesh.is_some() {
            parameter_widgets::show(ui, &mut shape.import, &defaults.first.import, &|_| None);
        } else {
            parameter_widgets::show(ui, &mut shape.grid, &defaults.first.grid, &|_| None);
        }
        parameter_widgets::show(ui, &mut shape.pinning, &Pinning { pins: defaults.first.pins }, &|_| None);
        if ui.input(|input| input.pointer.any_down()) {
            ui.data_mut(|data| data.insert_temp(id, shape));
        } else {
            ui.data_mut(|data| data.remove_temp::<Shape>(id));
            for command in shape.changes(&before) {
                session.send(command);
            }
        }
        if scene.first.mesh.is_some() {
            let mut dummy = scene.has_dummy();
            let switch = ui
                .checkbox(&mut dummy, "Dummy")
                .on_hover_text("A figure of 1.75 m stands on the floor and wears the mesh");
            note_place(ui, "dummy", switch.rect);
            if switch.changed() {
                session.send(Command::Set { key: "dummy".to_owned(), value: Scalar::Toggle(dummy) });
            }
        }
        if let Some(file) = &session.frame().scene.image {
            let name = std::path::Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut is_removed = false;
            ui.horizontal(|ui| {
                ui.add(egui::Label::new(format!("Picture: {name}")).truncate()).on_hover_text(file);
                let remove = ui.small_button("Remove");
                note_place(ui, "remove picture", remove.rect);
                is_removed = remove.clicked();
            });
            if is_removed {
                let value = Scalar::Text("none".to_owned());
                session.send(Command::Set { key: IMAGE.to_owned(), value });
            }
        }
        let pattern = &session.frame().pattern;
        let (vertices, springs) = (pattern.len(), pattern.springs().len());
        ui.label(egui::RichText::new(format!("{vertices} vertices, {springs} springs.")).small().color(QUIET));
        ui.label(
            egui::RichText::new("Changing the cloth restarts it. Drop an .obj file on the window for your own, a .mesh or .msh file for a body, or a .png to print on it.")
                .small()
                .color(QUIET),
        );
    });
}

/// Grid, mesh and pins of the cloth.
#[derive(Clone, Copy, Default)]
struct Shape {
    grid: Grid,
    import: MeshImport,
    pinning: Pinning,
}

impl Shape {
    fn of(scene: &Scene) -> Self {
        Self { grid: scene.first.grid, import: scene.first.import, pinning: Pinning { pins: scene.first.pins } }
    }

    /// The commands that turn `before` into this.
    fn changes(&self, before: &Self) -> impl Iterator<Item = Command> + use<> {
        let groups: [(&dyn Tunable, &dyn Tunable); 3] =
            [(&before.grid, &self.grid), (&before.import, &self.import), (&before.pinning, &self.pinning)];
        groups.map(|(before, after)| Command::changes(before, after)).into_iter().flatten()
    }
}
