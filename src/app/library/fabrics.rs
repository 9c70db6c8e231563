//! Fabrics as swatches: a click makes the cloth of one. Own ones stand behind those that come with
//! the program.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align2, Color32, FontId, Id, PopupCloseBehavior, Rect, Response, Sense, Stroke, StrokeKind, TextEdit, Ui, vec2,
};

use super::{Library, OwnFabric};
use crate::app::widgets::note_place;
use crate::app::widgets::style::ACCENT;
use crate::scene::{Fabric, Print};
use crate::session::{Command, Frame};
use crate::sim::Parameters;
use crate::sim::params::units::significant;

/// Size of a swatch [points].
const SWATCH: [f32; 2] = [29.0, 24.0];

/// A row of swatches; returns the commands that make the cloth of the one that was clicked. That
/// which the cloth is made of has a frame.
pub fn show(ui: &mut Ui, frame: &Frame, parameters: &Parameters, library: &mut Library) -> Vec<Command> {
    let mut chosen = Vec::new();
    let current = &frame.scene.fabric;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 5.0);
        // one's own may have the numbers of another
        let own = library.fabrics().iter().position(|own| own.is_of(current, parameters));
        for fabric in Fabric::all() {
            let is_made_of_it = own.is_none() && *current == fabric.id && fabric.is_of(parameters);
            let (rect, response) = swatch(ui, fabric, &fabric.name, is_made_of_it);
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
    });
    ui.add_space(4.0);
    chosen
}

/// A fabric's swatch with its name for screen readers.
fn swatch(ui: &mut Ui, look: &Fabric, name: &str, is_made_of_it: bool) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(SWATCH.into(), Sense::click());
    draw(ui, look, rect);
    if is_made_of_it || response.hovered() || response.has_focus() {
        let stroke = if is_made_of_it { Stroke::new(2.0, ACCENT) } else { Stroke::new(1.0, Color32::WHITE) };
        ui.painter().rect_stroke(rect.expand(1.0), 4.0, stroke, StrokeKind::Outside);
    }
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    (rect, response)
}

/// Its numbers with units, and where they are from.
fn help(fabric: &Fabric) -> String {
    format!(
        "{}\n{} kg/m², stretch {} N/m, shear {} N/m, bending {} N·m, damping {} N·s/m, friction {}\n\n{}",
        fabric.name,
        significant(fabric.area_density),
        significant(fabric.stretch),
        significant(fabric.shear),
        significant(fabric.bending),
        significant(fabric.damping),
        significant(fabric.friction),
        fabric.source
    )
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

/// Its colours: the front, with its stripes, and a corner turned over.
fn draw(ui: &Ui, fabric: &Fabric, rect: Rect) {
    let colour = |[r, g, b]: [f32; 3], shade: f32| {
        let [r, g, b] = [r, g, b].map(|part| (255.0 * (part * shade).min(1.0)) as u8);
        Color32::from_rgb(r, g, b)
    };
    let look = &fabric.look;
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colour(look.front, 1.0));
    let dark = colour(look.front, 0.78).gamma_multiply(0.6);
    let width = 4.0;
    let stripes = |count: usize| (0..count).map(move |k| 2.0 + 2.0 * width * k as f32);
    if look.pattern != Print::Plain {
        for x in stripes(5) {
            let stripe = Rect::from_min_size(rect.min + vec2(x, 0.0), vec2(width, rect.height()));
            painter.rect_filled(stripe, 0.0, dark);
        }
    }
    if look.pattern == Print::Check {
        for y in stripes(4) {
            let stripe = Rect::from_min_size(rect.min + vec2(0.0, y), vec2(rect.width(), width));
            painter.rect_filled(stripe, 0.0, dark);
        }
    }
    let corner = rect.right_bottom();
    let back = vec![corner, corner - vec2(9.0, 0.0), corner - vec2(0.0, 9.0)];
    painter.add(egui::Shape::convex_polygon(back, colour(look.back, 1.0), Stroke::NONE));
}
