//! Fabrics as swatches: a click makes the cloth of one. Own ones stand behind those that come with
//! the program.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align2, Color32, FontId, Id, Label, PopupCloseBehavior, RichText, TextEdit, Ui, vec2};

use super::{Library, OwnFabric};
use crate::app::widgets::note_place;
use crate::app::widgets::style::QUIET;
use crate::app::widgets::swatch::swatch;
use crate::scene::{Fabric, Origins};
use crate::session::{Command, Frame};
use crate::sim::params::units::{quantity, significant};
use crate::sim::{Parameters, Real};

/// Rows of swatches; returns the commands that make the cloth of the one that was clicked, and
/// whether the present one is to be tested. That which the cloth is made of has a frame.
pub fn show(ui: &mut Ui, frame: &Frame, parameters: &Parameters, library: &mut Library) -> (Vec<Command>, bool) {
    let mut chosen = Vec::new();
    let mut is_tested = false;
    let current = &frame.scene.fabric;
    let mut told = String::new();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 5.0);
        // one's own may have the numbers of another
        let own = library.fabrics().iter().position(|own| own.is_of(current, parameters));
        for fabric in Fabric::all() {
            let is_worn = own.is_none() && *current == fabric.id;
            let (rect, response) = swatch(ui, fabric, &fabric.name, is_worn);
            if is_worn {
                told = fabric.name.clone();
                if !fabric.is_of(parameters) {
                    told += ", changed";
                }
            }
            note_place(ui, &format!("fabric {}", fabric.id), rect);
            if response.clicked() {
                chosen = vec![Command::Fabric { id: fabric.id.clone() }];
            }
            response.on_hover_ui(|ui| drop(ui.label(help(fabric))));
        }
        let mut forgotten = None;
        for (number, fabric) in library.fabrics().iter().enumerate() {
            let Ok(look) = Fabric::find(&fabric.like) else { continue };
            let (rect, response) = swatch(ui, look, &fabric.name, own == Some(number));
            if own == Some(number) {
                told.clone_from(&fabric.name);
            }
            note_place(ui, &format!("own fabric {}", fabric.name), rect);
            let initial: String = fabric.name.chars().take(1).flat_map(char::to_uppercase).collect();
            ui.painter().text(
                rect.center(),
                Align2::CENTER_CENTER,
                initial,
                FontId::proportional(14.0),
                Color32::WHITE,
            );
            if response.clicked() {
                chosen = fabric.commands().collect();
            }
            response.context_menu(|ui| {
                if ui.button("Forget").clicked() {
                    forgotten = Some(fabric.name.clone());
                }
            });
            response.on_hover_ui(|ui| {
                ui.label(format!(
                    "{}, like {}\n{}\n\nRight click forgets it.",
                    fabric.name,
                    look.name,
                    fabric.description()
                ));
            });
        }
        if let Some(name) = forgotten {
            library.forget_fabric(&name);
        }
        offer_to_keep(ui, frame, parameters, library);
        let test = ui.button("Test").on_hover_text("What a textile laboratory measures on this fabric");
        note_place(ui, "test the fabric", test.rect);
        is_tested = test.clicked();
        let help = "The fabric that the cloth is made of; changed: with other numbers than the fabric has";
        ui.add(Label::new(RichText::new(told).small().color(QUIET)).truncate()).on_hover_text(help);
    });
    ui.add_space(4.0);
    (chosen, is_tested)
}

/// Its numbers with units, each with where it is from, and its published drape.
fn help(fabric: &Fabric) -> String {
    let Origins { area_density: weight, stretch, shear, bending, damping, friction } = &fabric.origins;
    let both = |warp: Real, ratio: Real, unit: &str| match ratio {
        1.0 => quantity(warp, unit),
        _ => format!("{} along the warp, {} along the weft", quantity(warp, unit), quantity(warp * ratio, unit)),
    };
    let lines = [
        format!("{} kg/m², {weight}", significant(fabric.area_density)),
        format!("stretch {}, {stretch}", both(fabric.stretch, fabric.stretch_weft, "N/m")),
        format!("shear {} N/m, {shear}", significant(fabric.shear)),
        format!("bending {}, {bending}", both(fabric.bending, fabric.bending_weft, "N·m")),
        format!("damping {} N·s/m, {damping}", significant(fabric.damping)),
        format!("friction {}, {friction}", significant(fabric.friction)),
    ];
    let drape = fabric.drape.as_ref().map_or_else(|| "not published".to_owned(), ToString::to_string);
    format!("{}. {}\n{}\n\nDrape coefficient: {drape}", fabric.name, fabric.source, lines.join("\n"))
}

/// A button that keeps the cloth as it is as a fabric of one's own, under a name that is asked for.
fn offer_to_keep(ui: &mut Ui, frame: &Frame, parameters: &Parameters, library: &mut Library) {
    let id = Id::new("name of an own fabric");
    // a click into the field is none that ends it
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (menu, _) = MenuButton::new("+").config(stays).ui(ui, |ui| {
        let mut name: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        ui.label("Keep this cloth as a fabric of your own");
        ui.horizontal(|ui| {
            let field =
                ui.add(TextEdit::singleline(&mut name).hint_text("its name").desired_width(140.0).char_limit(40));
            crate::app::widgets::name(ui, &field, "Name of the fabric");
            note_place(ui, "name of fabric", field.rect);
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let keep = ui.add_enabled(!name.trim().is_empty(), egui::Button::new("Keep"));
            note_place(ui, "keep fabric", keep.rect);
            if keep.clicked() || (entered && !name.trim().is_empty()) {
                library.keep_fabric(OwnFabric::of(&name, frame, parameters));
                name.clear();
                ui.close();
            }
        });
        ui.data_mut(|data| data.insert_temp(id, name));
    });
    let menu = menu
        .on_hover_text("Keep this cloth as a fabric of your own: weight, stiffness, bending, damping, friction, look");
    crate::app::widgets::name(ui, &menu, "Keep as a fabric");
    note_place(ui, "keep as fabric", menu.rect);
}
