//! The panels, one file each. They draw parameters from their declarations and know no more about the physics than that.

mod adapters;
mod banner;
mod basics;
mod compass;
mod convergence;
mod curves;
mod examples;
mod fabrics;
mod files;
mod film;
mod find;
mod gallery;
mod keys;
mod lanes;
mod legend;
mod messages;
mod offscreen;
mod plots;
mod probes;
mod readouts;
mod rows;
mod scene;
mod sections;
mod solver;
mod stability;
mod strip_view;
mod strips;
mod style;
mod sweep;
mod sweep_form;
mod timeline;
mod transport;
mod welcome;
mod why;

use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};

pub use offscreen::{DrawnText, Offscreen};

use super::desk::{Desk, OpenWindows, Shown};
use super::input::{CONTROL, SHIFT};
use super::pointer::Pointer;
use super::preferences::{CurrentQuality, CurrentStage, RestorePanels};
use super::session::SessionHandle;
use super::sweep::is_table;
use super::view::ViewState;
use super::view::camera::ClothView;
use super::view::pipelines::Waiting;
use crate::session::Command;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(EguiPlugin::default())
        .add_systems(EguiPrimaryContextPass, draw.after(RestorePanels))
        .add_systems(Update, (open_dropped_file, follow_keys, files::follow_keys));
}

/// Where a panel stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// The bar below the cloth.
    Bottom,
    /// Sections beside the cloth, one below the other.
    Side,
    /// The line above the cloth.
    Top,
    /// At the right of the cloth, opened by its button in the bar; the last one opened is seen.
    Tool {
        /// What it is for, as its button says when it is hovered.
        help: &'static str,
        /// Its width at first [points].
        width: f32,
    },
    /// Over the cloth, opened by its button in the bar.
    Palette {
        /// What it is for.
        help: &'static str,
        /// Its width [points].
        width: f32,
    },
    /// Below the cloth, opened by its button in the bar.
    Drawer {
        /// What it is for.
        help: &'static str,
    },
    /// Over the cloth, while there is something to say.
    Banner,
}

impl Place {
    /// Its width at first, where it has one [points].
    const fn width(self) -> f32 {
        match self {
            Self::Tool { width, .. } | Self::Palette { width, .. } => width,
            _ => 0.0,
        }
    }
}

/// Width of the panel beside the cloth at first [points], and the least width of the view beside
/// the panel and a tool.
const SIDE: f32 = 330.0;
const LEAST_VIEW: f32 = 380.0;

/// A panel: what it is called, where it stands, what it draws.
pub struct Panel {
    /// Title of a window, name in tests.
    pub title: &'static str,
    /// Where it stands.
    pub place: Place,
    draw: fn(&mut egui::Ui, &mut Shown),
}

/// All panels, in the order in which those of one place are drawn.
pub const REGISTRY: &[Panel] = &[
    Panel { title: "Time line", place: Place::Bottom, draw: timeline::show },
    Panel { title: "Transport", place: Place::Bottom, draw: transport::show },
    Panel { title: "Scene", place: Place::Side, draw: scene::show },
    Panel { title: "Solver", place: Place::Side, draw: solver::show },
    Panel { title: "Parameters", place: Place::Side, draw: basics::show },
    Panel { title: "Mesh", place: Place::Side, draw: scene::show_mesh },
    Panel { title: "All parameters", place: Place::Side, draw: sections::show },
    Panel { title: "Readouts", place: Place::Top, draw: readouts::show },
    Panel { title: "Lanes", place: Place::Top, draw: lanes::show },
    Panel {
        title: plots::TITLE,
        place: Place::Drawer { help: "Energies, stretch and cost over time" },
        draw: plots::show,
    },
    Panel {
        title: gallery::TITLE,
        place: Place::Tool { help: "All scenes, with a picture each", width: 490.0 },
        draw: gallery::show,
    },
    Panel {
        title: "Stability",
        place: Place::Tool { help: "The largest stable stiffness or time step of a method", width: 460.0 },
        draw: stability::show,
    },
    Panel {
        title: compass::TITLE,
        place: Place::Tool {
            help: "Stability of the methods by time step and stiffness, with a dot to drag",
            width: 460.0,
        },
        draw: compass::show,
    },
    Panel {
        title: "Convergence",
        place: Place::Tool {
            help: "The error of a step after every iteration and every millisecond, for the optimisation-based methods",
            width: 460.0,
        },
        draw: convergence::show,
    },
    Panel {
        title: sweep::TITLE,
        place: Place::Tool { help: "Heat map of a table of weft sweep: a measure over two parameters", width: 500.0 },
        draw: sweep::show,
    },
    Panel {
        title: find::TITLE,
        place: Place::Palette { help: "Every parameter, scene, solver and fabric by its name: Ctrl+K", width: 330.0 },
        draw: find::show,
    },
    Panel {
        title: files::TITLE,
        place: Place::Tool { help: "Open, save, export: Ctrl+O, Ctrl+S, Ctrl+E", width: 400.0 },
        draw: files::show,
    },
    Panel {
        title: messages::TITLE,
        place: Place::Tool { help: "All messages so far", width: 420.0 },
        draw: messages::show,
    },
    Panel {
        title: keys::TITLE,
        place: Place::Tool { help: "All keys and gestures: ? or F1", width: 430.0 },
        draw: keys::show,
    },
    Panel { title: "Names of lanes", place: Place::Banner, draw: lanes::show_names },
    Panel { title: "Dragged solver", place: Place::Banner, draw: solver::show_dragged },
    Panel { title: "Probes", place: Place::Banner, draw: probes::show },
    Panel { title: "Legend", place: Place::Banner, draw: legend::show },
    Panel { title: "Welcome", place: Place::Banner, draw: welcome::show },
    Panel { title: "Banner", place: Place::Banner, draw: banner::show },
    Panel { title: "News of files", place: Place::Banner, draw: files::show_state },
    Panel { title: "Film strip", place: Place::Banner, draw: film::show },
];

/// What the system that draws the panels asks Bevy for.
#[derive(bevy::ecs::system::SystemParam)]
struct Resources<'w> {
    session: ResMut<'w, SessionHandle>,
    desk: ResMut<'w, Desk>,
    view_state: ResMut<'w, ViewState>,
    quality: ResMut<'w, CurrentQuality>,
    stage: ResMut<'w, CurrentStage>,
    pointer: Res<'w, Pointer>,
    waiting: Res<'w, Waiting>,
    view: ResMut<'w, ClothView>,
}

fn draw(mut contexts: EguiContexts, mut resources: Resources, mut styled: Local<u8>) -> Result {
    let ctx = contexts.ctx_mut()?;
    style::apply(ctx, &mut styled);
    let whole = egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut root = egui::Ui::new(ctx.clone(), "root".into(), whole);
    let mut shown = Shown {
        session: resources.session.bypass_change_detection(),
        desk: &mut resources.desk,
        view_state: &mut resources.view_state,
        quality: *resources.quality,
        stage: *resources.stage,
        unready: resources.waiting.is_waiting(),
        cursor: resources.pointer.cursor,
        hovered: resources.pointer.hovered,
        collider: resources.pointer.collider,
        view: egui::Rect::NOTHING,
    };
    show_all(&mut root, &mut shown);
    note_rest(ctx, shown.session);
    let (quality, stage, view) = (shown.quality, shown.stage, shown.view);
    // a write would count as a change, and make the renderer start over in every frame
    resources.quality.set_if_neq(quality);
    resources.stage.set_if_neq(stage);
    resources.view.set_if_neq(ClothView(Rect::new(view.min.x, view.min.y, view.max.x, view.max.y)));
    Ok(())
}

/// The open tools, the last one opened at the end.
fn open_tools(windows: &OpenWindows) -> Vec<&'static Panel> {
    let panel = |title: &&str| REGISTRY.iter().find(|panel| panel.title == *title);
    let is_tool = |panel: &&Panel| matches!(panel.place, Place::Tool { .. });
    windows.titles().iter().filter_map(panel).filter(is_tool).collect()
}

/// Draws all panels that are to be seen, and says what they leave of the window to the cloth.
pub fn show_all(root: &mut egui::Ui, shown: &mut Shown) {
    let at = |place: Place| REGISTRY.iter().filter(move |panel| panel.place == place);
    follow_escape(root.ctx(), shown);
    if shown.desk.hidden {
        shown.view = root.max_rect();
        note_place(root, "view", shown.view);
        readouts::show_grab_force(root.ctx(), shown);
        at(Place::Banner).for_each(|panel| (panel.draw)(root, shown));
        return;
    }
    egui::Panel::bottom("transport").resizable(false).show(root, |ui| {
        at(Place::Bottom).for_each(|panel| (panel.draw)(ui, shown));
    });
    let tools = open_tools(&shown.desk.windows);
    let tool_width = tools.last().map_or(0.0, |tool| tool.place.width());
    // in a narrow window a tool takes the place of the panel
    if root.available_width() - tool_width - SIDE > LEAST_VIEW || tools.is_empty() {
        egui::Panel::left("parameters").default_size(SIDE).size_range(300.0..=480.0).show(root, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                at(Place::Side).for_each(|panel| (panel.draw)(ui, shown));
            });
        });
    }
    for panel in REGISTRY.iter().filter(|panel| matches!(panel.place, Place::Drawer { .. })) {
        if shown.desk.windows.is_open(panel.title) {
            let drawer = egui::Panel::bottom(panel.title)
                .resizable(true)
                .default_size((0.34 * root.available_height()).clamp(190.0, 220.0))
                .size_range(140.0..=420.0)
                .show_separator_line(false);
            drawer.show(root, |ui| {
                // a panel takes the height of what is in it: less than there is, and it shrinks from frame to frame
                ui.take_available_height();
                (panel.draw)(ui, shown);
            });
        }
    }
    egui::Panel::top("readouts").resizable(false).show(root, |ui| {
        at(Place::Top).for_each(|panel| (panel.draw)(ui, shown));
    });
    shown.view = root.available_rect_before_wrap();
    show_tool(root, shown, &tools);
    shown.view = root.available_rect_before_wrap();
    note_place(root, "view", shown.view);

    readouts::show_grab_force(root.ctx(), shown);
    for panel in REGISTRY {
        let Place::Palette { width, .. } = panel.place else { continue };
        let mut open = shown.desk.windows.is_open(panel.title);
        egui::Window::new(panel.title)
            .open(&mut open)
            .default_pos(shown.view.min + egui::vec2(16.0, 16.0))
            .default_width(width)
            .resizable([false, true])
            .constrain_to(shown.view)
            .show(root.ctx(), |ui| (panel.draw)(ui, shown));
        // it may have closed itself
        let open = open && shown.desk.windows.is_open(panel.title);
        shown.desk.windows.set(panel.title, open);
    }
    at(Place::Banner).for_each(|panel| (panel.draw)(root, shown));
}

/// Escape closes the last opened tool, palette or drawer, then the cards of vertices. A menu, a
/// film strip or a number in editing goes first.
fn follow_escape(ctx: &egui::Context, shown: &mut Shown) {
    // Escape has taken the focus away by now
    let (typing, is_typing) = (egui::Id::new("a text is edited"), ctx.text_edit_focused());
    let was_typing = ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(typing), is_typing));
    let is_pressed = ctx.input(|input| input.key_pressed(egui::Key::Escape));
    if !is_pressed || egui::Popup::is_any_open(ctx) || shown.desk.film.open.is_some() {
        return;
    }
    let is_palette =
        |title: &str| REGISTRY.iter().any(|panel| panel.title == title && matches!(panel.place, Place::Palette { .. }));
    if shown.desk.windows.titles().last().is_some_and(|title| !was_typing || is_palette(title)) {
        shown.desk.windows.close_last();
    } else if !was_typing {
        shown.desk.probes.leave();
    }
}

/// The tool that was opened last, at the right, under the titles of all that are open.
fn show_tool(root: &mut egui::Ui, shown: &mut Shown, tools: &[&'static Panel]) {
    let Some(seen) = tools.last() else { return };
    let width = seen.place.width();
    let panel = egui::Panel::right(egui::Id::new(("tool", seen.title)));
    panel.default_size(width).size_range(width.min(300.0)..=width.max(640.0)).show(root, |ui| {
        let mut wanted = None;
        ui.add_space(3.0);
        ui.horizontal(|ui| {
            for tool in tools {
                let title = egui::RichText::new(tool.title).strong();
                let tab = ui.selectable_label(tool.title == seen.title, title);
                if tab.clicked() {
                    wanted = Some((tool.title, true));
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let close = ui.button("×").on_hover_text("Close: Escape");
                name(ui, &close, "Close");
                note_place(ui, "close tool", close.rect);
                if close.clicked() {
                    wanted = Some((seen.title, false));
                }
            });
        });
        ui.separator();
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| (seen.draw)(ui, shown));
        if let Some((title, open)) = wanted {
            shown.desk.windows.set(title, false);
            shown.desk.windows.set(title, open);
        }
    });
}

/// Tab puts the panels away and brings them back; ? and F1 tell the keys.
fn follow_keys(keys: Res<ButtonInput<KeyCode>>, wants: Res<EguiWantsInput>, mut desk: ResMut<Desk>) {
    if keys.any_pressed(CONTROL) && keys.just_pressed(KeyCode::KeyK) {
        desk.windows.toggle(find::TITLE);
    }
    if wants.wants_keyboard_input() {
        return;
    }
    if keys.just_pressed(KeyCode::Tab) {
        desk.hidden = !desk.hidden;
    }
    if keys.just_pressed(KeyCode::F1) || (keys.any_pressed(SHIFT) && keys.just_pressed(KeyCode::Slash)) {
        let open = desk.windows.toggle(keys::TITLE);
        info!("keys are {}", if open { "shown" } else { "put away" });
    }
}

fn open_dropped_file(
    mut dropped: MessageReader<FileDragAndDrop>,
    mut session: ResMut<SessionHandle>,
    mut desk: ResMut<Desk>,
) {
    for event in dropped.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = event {
            if is_table(path_buf) {
                desk.sweep.open(path_buf);
                desk.windows.set(sweep::TITLE, true);
                continue;
            }
            session.send(Command::Open { file: path_buf.to_string_lossy().into_owned() });
        }
    }
}

/// Names a control that has no text of its own, for those who cannot see it.
fn name(ui: &egui::Ui, control: &egui::Response, name: &str) {
    ui.ctx().accesskit_node_builder(control.id, |node| node.set_label(name));
}

/// Tells the log where a control is, when it has moved: bug reports and tests of the real window need to know.
fn note_place(ui: &egui::Ui, name: &str, rect: egui::Rect) {
    // while a window finds its size, things are not yet where they will be
    if ui.is_sizing_pass() {
        return;
    }
    let id = egui::Id::new("place").with(name);
    let last: Option<egui::Rect> = ui.data(|data| data.get_temp(id));
    if last != Some(rect) {
        let frame = ui.ctx().cumulative_frame_nr();
        ui.data_mut(|data| {
            data.insert_temp(id, rect);
            data.insert_temp(moved(), frame);
        });
        let center = rect.center();
        debug!("control {name} at {:.0} {:.0}", center.x, center.y);
    }
}

/// For how many frames every control has kept its place when the log says that they stand still: one may be drawn and not yet seen.
const STILL: u64 = 3;

/// Where the frame is kept in which a control moved last.
fn moved() -> egui::Id {
    egui::Id::new("a control moved")
}

/// Where the last order is kept that was given when F12 was pressed.
fn asked() -> egui::Id {
    egui::Id::new("the log is asked")
}

/// Logs when every control has kept its place for [`STILL`] frames, and the last release of a mouse
/// button is as old. After F12 is pressed, logs when besides the frame shows all that was ordered
/// until then: the effect of all input before it.
fn note_rest(ctx: &egui::Context, session: &mut SessionHandle) {
    let frame = ctx.cumulative_frame_nr();
    let (is_released, is_asked) = ctx.input(|input| (input.pointer.any_released(), input.key_pressed(egui::Key::F12)));
    if is_asked {
        let order = session.last_order();
        ctx.data_mut(|data| data.insert_temp(asked(), order));
    }
    if is_released || is_asked {
        ctx.data_mut(|data| data.insert_temp(moved(), frame));
    }
    let last: Option<u64> = ctx.data(|data| data.get_temp(moved()));
    if last.is_some_and(|last| frame == last + STILL) {
        debug!("controls stand still");
    }
    let order: Option<u64> = ctx.data(|data| data.get_temp(asked()));
    if last.is_some_and(|last| frame >= last + STILL) && order.is_some_and(|order| session.frame.seen >= order) {
        ctx.data_mut(|data| data.remove::<u64>(asked()));
        debug!("all input has its effect");
    }
}
