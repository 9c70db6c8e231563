//! The bar below the cloth: time, the two switches, image quality.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, PopupCloseBehavior, Response, RichText, Slider, Ui};

use super::{Panel, Place, REGISTRY, solver};
use crate::app::desk::{OpenWindows, Shown};
use crate::app::pace::Pace;
use crate::app::session::SessionHandle;
use crate::app::view::ViewState;
use crate::app::view::axis_views::{Axis, CameraState, Order};
use crate::app::view::overlays::Overlay;
use crate::app::view::paint_quantity::PaintQuantity;
use crate::app::widgets::style::ACCENT;
use crate::app::widgets::{note_place, pointing};
use crate::app::window::preferences::{Backdrop, Quality};
use crate::session::Command;
use crate::sim::forces::air::AirMode;

/// The bar.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        time(ui, shown.session, &mut shown.desk.pace);
        ui.separator();
        surroundings(ui, shown.session);
        add_lane(ui, shown);
        paint(ui, shown);
        camera(ui, &mut shown.view_state.camera);
        open_panels(ui, &mut shown.desk.windows);
        ui.separator();
        look(ui, shown);
    });
    ui.add_space(2.0);
}

/// Running, stepping, resetting, ironing, and the playback speed.
fn time(ui: &mut Ui, session: &mut SessionHandle, pace: &mut Pace) {
    let paused = session.paused();
    let label = if paused { "▶  Run" } else { "⏸  Pause" };
    let run = ui.add(Button::new(label).min_size([84.0, 24.0].into())).on_hover_text("Space");
    note_place(ui, "run", run.rect);
    if run.clicked() {
        session.pause(!paused);
    }
    if ui.button("⏭  Step").on_hover_text("One time step, then pause: right arrow or .").clicked() {
        session.step_once();
    }
    if ui.button("⟲  Reset").on_hover_text("The scene from its start, with the parameters as they are: R").clicked() {
        session.send(Command::Reset);
    }
    let help = "Removes creases without a reset: high bending stiffness for a second of simulated time";
    let iron = ui.button("Iron").on_hover_text(help);
    note_place(ui, "iron", iron.rect);
    if iron.clicked() {
        session.send(Command::Iron);
    }
    ui.separator();
    let label = ui.label("Playback speed").id;
    ui.spacing_mut().slider_width = 90.0;
    let speed = ui.add(Slider::new(&mut pace.speed, 0.1..=2.0).logarithmic(true).fixed_decimals(1).suffix("×"));
    let speed = speed.labelled_by(label);
    if speed.on_hover_text("Target of simulated seconds per second. Double click: real time.").double_clicked() {
        pace.speed = 1.0;
    }
}

/// A button that stays pressed while something is on, framed like those that only click.
fn switch(ui: &mut Ui, on: &mut bool, text: &str) -> Response {
    let mut button = ui.add(Button::new(text).selected(*on));
    if button.clicked() {
        *on = !*on;
        button.mark_changed();
    }
    button
}

/// Wind and table.
fn surroundings(ui: &mut Ui, session: &mut SessionHandle) {
    let mut windy = session.parameters().air.air == AirMode::Wind;
    let help = "Wind on or off: it rises within two seconds; its strength is under Air";
    let wind = switch(ui, &mut windy, "💨  Wind").on_hover_text(help);
    note_place(ui, "wind", wind.rect);
    if wind.changed() {
        session.send(Command::Wind { on: windy });
    }
    let mut laid = session.parameters().table.table;
    let help = "A table in the middle of the scene; its shape is under Table";
    let table = switch(ui, &mut laid, "▣  Table").on_hover_text(help);
    note_place(ui, "table", table.rect);
    if table.changed() {
        session.send(Command::Table { on: laid });
    }
}

/// The menu that adds a lane.
fn add_lane(ui: &mut Ui, shown: &mut Shown) {
    let lane = ui.add_enabled_ui(shown.session.can_add_lane(), |ui| {
        let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        MenuButton::new("+ Lane").config(config).ui(ui, |ui| solver::lane_menu(ui, shown)).0
    });
    note_place(ui, "add lane", lane.inner.rect);
    let help =
        "A copy of the cloth beside it, with the same hand and the same clock, for another solver or other parameters";
    lane.inner.on_hover_text(help).on_disabled_hover_text("There are four lanes, the most there can be");
}

/// The menu of paints and overlays.
fn paint(ui: &mut Ui, shown: &mut Shown) {
    let ViewState { painting, overlays, .. } = &mut *shown.view_state;
    let title = format!("Paint: {}", painting.quantity().name().to_lowercase());
    let menu = ui.menu_button(title, |ui| {
        ui.label(RichText::new("Painted on the cloth").small().color(ACCENT));
        for quantity in PaintQuantity::ALL {
            let chosen = ui.radio(painting.quantity() == quantity, quantity.name()).on_hover_text(quantity.help());
            note_place(ui, &format!("paint {}", quantity.name().to_lowercase()), chosen.rect);
            if chosen.clicked() {
                painting.choose(quantity);
            }
        }
        ui.separator();
        ui.label(RichText::new("Drawn over it").small().color(ACCENT));
        ui.checkbox(&mut painting.wireframe, "Wireframe").on_hover_text("The edges of the triangles (4)");
        for overlay in Overlay::ALL {
            let mut on = overlays.has(overlay);
            let toggle = ui.checkbox(&mut on, overlay.name()).on_hover_text(overlay.help());
            note_place(ui, &format!("overlay {}", overlay.name().to_lowercase()), toggle.rect);
            overlays.set(overlay, on);
        }
        let mut watched = shown.session.watched();
        let help = "Exact count of intersecting pairs of triangles, marked red; takes some milliseconds";
        let watch = ui.checkbox(&mut watched.intersections, "Intersections").on_hover_text(help);
        note_place(ui, "intersections", watch.rect);
        shown.session.watch(watched);
    });
    let menu = menu.response.on_hover_text("Quantity painted on the cloth (1, 2, 3), and overlays");
    note_place(ui, "paint", menu.rect);
}

/// The menu of the camera: views along the axes, projection, framing.
fn camera(ui: &mut Ui, state: &mut CameraState) {
    let (shown, is_orthographic) = (state.axis(), state.is_orthographic());
    let mut entry = |ui: &mut Ui, chosen: bool, name: &str, keys: &str, order: Order| {
        let entry = ui.add(Button::selectable(chosen, name).shortcut_text(keys));
        note_place(ui, &format!("view {}", name.to_lowercase()), entry.rect);
        if entry.clicked() {
            state.order = Some(order);
        }
    };
    let menu = ui.menu_button("View", |ui| {
        for axis in Axis::ALL {
            entry(ui, shown == Some(axis), axis.name(), axis.keys(), Order::Along(axis));
        }
        ui.separator();
        entry(ui, is_orthographic, "Orthographic", "Numpad 5", Order::Projection);
        ui.separator();
        entry(ui, false, "Frame", "F", Order::Frame);
        entry(ui, false, "As the scene opens", "Home", Order::Scene);
    });
    let help = "Views along the axes, perspective or orthographic projection, framing";
    note_place(ui, "views", menu.response.on_hover_text(help).rect);
}

/// The buttons of the panels that are opened and closed, some of them in a menu.
fn open_panels(ui: &mut Ui, windows: &mut OpenWindows) {
    REGISTRY.iter().filter(|panel| !panel.place.is_in_menu()).for_each(|panel| toggle(ui, windows, panel));
    let more = ui.menu_button("More", |ui| {
        REGISTRY.iter().filter(|panel| panel.place.is_in_menu()).for_each(|panel| toggle(ui, windows, panel));
    });
    note_place(ui, "more", more.response.rect);
    // a button in the closed menu is pointed at by way of the menu
    for panel in REGISTRY.iter().filter(|panel| panel.place.is_in_menu()) {
        pointing::mark(ui, &panel.title.to_lowercase(), more.response.rect);
    }
}

/// Quality and stage.
fn look(ui: &mut Ui, shown: &mut Shown) {
    let mut high = shown.quality.0 == Quality::High;
    let help =
        "Soft shadows, and smooth edges at any rate of pictures. Without them the image is drawn several times faster.";
    let toggle = switch(ui, &mut high, "High quality").on_hover_text(help);
    note_place(ui, "quality", toggle.rect);
    if toggle.changed() {
        shown.quality.0 = if high { Quality::High } else { Quality::Low };
    }
    let mut dark = shown.stage.0 == Backdrop::Dark;
    let toggle = switch(ui, &mut dark, "Dark").on_hover_text("A dark studio around the cloth");
    note_place(ui, "dark", toggle.rect);
    if toggle.changed() {
        shown.stage.0 = if dark { Backdrop::Dark } else { Backdrop::Light };
    }
}

/// The button that opens and closes a panel, if it has one.
fn toggle(ui: &mut Ui, windows: &mut OpenWindows, panel: &Panel) {
    let (Place::Tool { help, .. } | Place::Palette { help, .. } | Place::Drawer { help }) = panel.place else { return };
    let mut open = windows.is_open(panel.title);
    let toggle = switch(ui, &mut open, panel.title).on_hover_text(help);
    note_place(ui, &panel.title.to_lowercase(), toggle.rect);
    windows.set(panel.title, open);
}
