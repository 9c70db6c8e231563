//! Layout of the panels in the window, and the remaining area for the cloth.

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_egui::EguiContexts;

use super::{Panel, Place, REGISTRY, carry_out, readouts};
use crate::app::desk::{Desk, OpenWindows, Shown, States};
use crate::app::edit::{self, Editor};
use crate::app::failure_report;
use crate::app::film_strip::FilmStrip;
use crate::app::key_focus::IsAsking;
use crate::app::picking::Pointer;
use crate::app::probes::Probes;
use crate::app::session::SessionHandle;
use crate::app::view::ViewState;
use crate::app::view::pipelines::Waiting;
use crate::app::view::scene::ClothView;
use crate::app::widgets::{focus, name, note_place, note_rest, note_side, style};
use crate::app::window::preferences::{CurrentBackdrop, CurrentQuality};

/// Width of the panel beside the cloth at first [points], and the least width of the view beside
/// the panel and a tool.
const SIDE: f32 = 330.0;
const LEAST_VIEW: f32 = 380.0;
/// Width of the report of a blow-up beside the cloth [points].
const FAILURE: f32 = 400.0;

/// Draws the panels, and applies their changes of the window.
pub fn draw(world: &mut World, contexts: &mut SystemState<EguiContexts>, mut styled: Local<u8>) -> Result {
    let ctx = contexts.get_mut(world)?.ctx_mut()?.clone();
    style::apply(&ctx, &mut styled);
    let whole = egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut root = egui::Ui::new(ctx.clone(), "root".into(), whole);
    world.resource_scope(|world, mut session: Mut<SessionHandle>| {
        world.resource_scope(|world, mut desk: Mut<Desk>| {
            world.resource_scope(|world, mut view_state: Mut<ViewState>| {
                let pointer = world.resource::<Pointer>();
                let mut shown = Shown {
                    session: session.bypass_change_detection(),
                    desk: &mut desk,
                    view_state: &mut view_state,
                    quality: *world.resource(),
                    stage: *world.resource(),
                    unready: world.resource::<Waiting>().is_waiting(),
                    cursor: pointer.cursor,
                    hovered: pointer.hovered,
                    collider: pointer.collider,
                    view: egui::Rect::NOTHING,
                    states: States(world),
                };
                show_all(&mut root, &mut shown);
                note_rest(&ctx, shown.session);
                let (quality, stage, view) = (shown.quality, shown.stage, shown.view);
                // a write would count as a change, and make the renderer start over in every frame
                world.resource_mut::<CurrentQuality>().set_if_neq(quality);
                world.resource_mut::<CurrentBackdrop>().set_if_neq(stage);
                let view = ClothView(Rect::new(view.min.x, view.min.y, view.max.x, view.max.y));
                world.resource_mut::<ClothView>().set_if_neq(view);
            });
        });
    });
    Ok(())
}

/// The open tools, the last one opened at the end.
fn open_tools(windows: &OpenWindows) -> Vec<&'static Panel> {
    let panel = |title: &&str| REGISTRY.iter().find(|panel| panel.title == *title);
    let is_tool = |panel: &&Panel| matches!(panel.place, Place::Tool { .. });
    windows.titles().iter().filter_map(panel).filter(is_tool).collect()
}

/// Width of the widest tool [points]; zero without any.
fn widest(tools: &[&Panel]) -> f32 {
    tools.iter().map(|tool| tool.place.width()).fold(0.0, f32::max)
}

/// Draws all visible panels, and carries out what they ask of each other.
pub fn show_all(root: &mut egui::Ui, shown: &mut Shown) {
    show_visible(root, shown);
    focus::ring(root);
    std::mem::take(&mut shown.desk.requests).into_iter().for_each(|request| carry_out(request, shown));
}

fn show_visible(root: &mut egui::Ui, shown: &mut Shown) {
    let at = |place: Place| REGISTRY.iter().filter(move |panel| panel.place == place);
    follow_escape(root.ctx(), shown);
    shown.with(edit::follow);
    if shown.desk.hidden {
        shown.view = root.max_rect();
        note_place(root, "view", shown.view);
        readouts::show_grab_force(root.ctx(), shown);
        at(Place::Banner).for_each(|panel| panel.contents.show(root, shown));
        return;
    }
    egui::Panel::bottom("transport").resizable(false).show(root, |ui| {
        at(Place::Bottom).for_each(|panel| panel.contents.show(ui, shown));
    });
    let tools = open_tools(&shown.desk.windows);
    let tool_width = widest(&tools);
    // in a narrow window a tool takes the place of the panel
    if root.available_width() - tool_width - SIDE > LEAST_VIEW || tools.is_empty() {
        egui::Panel::left("parameters").default_size(SIDE).size_range(300.0..=480.0).show(root, |ui| {
            let side = egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                at(Place::Side).for_each(|panel| panel.contents.show(ui, shown));
                focus::keep_in_sight(ui);
            });
            note_side(ui.ctx(), side.id);
        });
        name_edge(root, egui::Id::new("parameters"), "the parameters");
    }
    show_drawers(root, shown);
    egui::Panel::top("readouts").resizable(false).show(root, |ui| {
        at(Place::Top).for_each(|panel| panel.contents.show(ui, shown));
    });
    shown.view = root.available_rect_before_wrap();
    show_tool(root, shown, &tools);
    shown.desk.is_failure_docked = tools.is_empty() && show_failure(root, shown);
    shown.view = root.available_rect_before_wrap();
    note_place(root, "view", shown.view);

    readouts::show_grab_force(root.ctx(), shown);
    show_palettes(root.ctx(), shown);
    at(Place::Banner).for_each(|panel| panel.contents.show(root, shown));
}

/// The report of a blow-up beside the cloth, where there is room. Returns whether it is there.
fn show_failure(root: &mut egui::Ui, shown: &mut Shown) -> bool {
    let has_room = root.available_width() - FAILURE > LEAST_VIEW;
    if shown.session.frame().failure.is_none() || !has_room {
        return false;
    }
    egui::Panel::right("failure").exact_size(FAILURE).resizable(false).show(root, |ui| {
        ui.add_space(6.0);
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| failure_report::panel::show(ui, shown));
    });
    true
}

/// The open drawers below the cloth.
fn show_drawers(root: &mut egui::Ui, shown: &mut Shown) {
    for panel in REGISTRY.iter().filter(|panel| matches!(panel.place, Place::Drawer { .. })) {
        if shown.desk.windows.is_open(panel.title) {
            let drawer = egui::Panel::bottom(panel.title)
                .resizable(true)
                .default_size((0.34 * root.available_height()).clamp(190.0, 220.0))
                .size_range(140.0..=420.0)
                .show_separator_line(false);
            drawer.show(root, |ui| {
                // a panel takes the height of what is in it: less than there is, and it shrinks
                // from frame to frame
                ui.take_available_height();
                panel.contents.show(ui, shown);
            });
            name_edge(root, egui::Id::new(panel.title), panel.title);
        }
    }
}

/// Names the edge of a panel, at which its size is changed, for screen readers.
fn name_edge(ui: &egui::Ui, panel: egui::Id, what: &str) {
    ui.ctx().accesskit_node_builder(panel.with("__resize"), |node| node.set_label(format!("Edge of {what}")));
}

/// The open palettes over the cloth.
fn show_palettes(ctx: &egui::Context, shown: &mut Shown) {
    for panel in REGISTRY {
        let Place::Palette { width, .. } = panel.place else { continue };
        let mut open = shown.desk.windows.is_open(panel.title);
        egui::Window::new(panel.title)
            .open(&mut open)
            .default_pos(shown.view.min + egui::vec2(16.0, 16.0))
            .default_width(width)
            .resizable([false, true])
            .constrain_to(shown.view)
            .show(ctx, |ui| panel.contents.show(ui, shown));
        // it may have closed itself
        let open = open && shown.desk.windows.is_open(panel.title);
        shown.desk.windows.set(panel.title, open);
    }
}

/// Escape closes the last opened tool, palette or drawer, then the cards of vertices. A menu, a
/// dialog for a file, a film strip, a number in editing or the focus of the keyboard goes first.
fn follow_escape(ctx: &egui::Context, shown: &mut Shown) {
    // Escape has taken the focus away by now
    let (typing, is_typing) = (egui::Id::new("a text is edited"), ctx.text_edit_focused());
    let was_typing = ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(typing), is_typing));
    let is_pressed = ctx.input(|input| input.key_pressed(egui::Key::Escape));
    let is_taken = egui::Popup::is_any_open(ctx)
        || focus::has_ring(ctx)
        || shown.states.of::<FilmStrip>().open.is_some()
        || shown.states.of::<IsAsking>().0;
    if !is_pressed || is_taken {
        return;
    }
    let is_editing = shown.desk.windows.titles().last() == Some(&edit::panel::TITLE) && !was_typing;
    if is_editing && {
        let editor = shown.states.of::<Editor>();
        editor.leave_choice() || editor.cancel_performance(shown.session)
    } {
        return;
    }
    let is_palette =
        |title: &str| REGISTRY.iter().any(|panel| panel.title == title && matches!(panel.place, Place::Palette { .. }));
    if shown.desk.windows.titles().last().is_some_and(|title| !was_typing || is_palette(title)) {
        shown.desk.windows.close_last();
    } else if !was_typing {
        shown.states.of::<Probes>().leave();
    }
}

/// The tool that was opened last, at the right, under the titles of all that are open.
fn show_tool(root: &mut egui::Ui, shown: &mut Shown, tools: &[&'static Panel]) {
    let Some(seen) = tools.last() else { return };
    // in an order and a width that stay when another is seen
    let tabs: Vec<&Panel> =
        REGISTRY.iter().filter(|panel| tools.iter().any(|tool| tool.title == panel.title)).collect();
    let width = widest(tools);
    let titles: Vec<&str> = tabs.iter().map(|tab| tab.title).collect();
    let id = egui::Id::new(("tools", titles));
    egui::Panel::right(id).default_size(width).size_range(width.min(300.0)..=width.max(640.0)).show(root, |ui| {
        let mut wanted = None;
        ui.add_space(3.0);
        ui.horizontal(|ui| {
            for tool in &tabs {
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
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            seen.contents.show(ui, shown);
            focus::keep_in_sight(ui);
        });
        if let Some((title, open)) = wanted {
            shown.desk.windows.set(title, false);
            shown.desk.windows.set(title, open);
        }
    });
    name_edge(root, id, seen.title);
}
