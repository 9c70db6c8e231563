//! Common widgets of panels: their look, labels of rows, names of controls, and the places of
//! controls in the log.

pub mod chart;
pub mod focus;
pub mod moving_texture;
pub mod parameter;
pub mod pointing;
pub mod study;
pub mod style;
pub mod swatch;
pub mod take_home;

use bevy::log::debug;
use egui::collapsing_header::{CollapsingResponse, CollapsingState};
use egui::{Align, Button, CollapsingHeader, Context, Id, Label, Layout, Rect, Response, RichText, Ui, UiBuilder};

use style::ACCENT;

use super::session::SessionHandle;

/// Width of the label of a row [points].
const LABEL: f32 = 100.0;

/// A section that can be folded. Returns the place of its title.
pub fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) -> Rect {
    section_for(ui, title, open, false, contents)
}

/// The same, which unfolds by itself if `unfolds`: a slider in it is pointed at and not in sight.
pub fn section_for(ui: &mut Ui, title: &str, open: bool, unfolds: bool, contents: impl FnOnce(&mut Ui)) -> Rect {
    let header = CollapsingHeader::new(RichText::new(title).strong()).default_open(open);
    let header = if unfolds { header.open(Some(true)) } else { header };
    let header = header.show_unindented(ui, |ui| {
        contents(ui);
        ui.add_space(4.0);
    });
    let id = header.header_response.id;
    ui.data_mut(|data| {
        let folds = data.get_temp_mut_or_default::<Vec<Id>>(Id::new("folds"));
        if !folds.contains(&id) {
            folds.push(id);
        }
    });
    note_place(ui, &format!("fold {}", title.to_lowercase()), header.header_response.rect);
    keep_in_sight(ui, &header);
    header.header_response.rect
}

/// The sections drawn so far.
#[must_use]
pub fn folds(ctx: &Context) -> Vec<Id> {
    ctx.data(|data| data.get_temp(Id::new("folds"))).unwrap_or_default()
}

/// Where the id of the scrolled part of the panel beside the cloth is kept.
fn id_of_side() -> Id {
    Id::new("side")
}

/// The scrolled part of the panel beside the cloth.
#[must_use]
pub fn side(ctx: &Context) -> Id {
    ctx.data(|data| data.get_temp(id_of_side())).unwrap_or(Id::NULL)
}

/// Keeps what [`side`] tells.
pub fn note_side(ctx: &Context, id: Id) {
    ctx.data_mut(|data| data.insert_temp(id_of_side(), id));
}

/// Scrolls a section that the user unfolds until all of it is visible, or as much as has room.
fn keep_in_sight<T>(ui: &Ui, section: &CollapsingResponse<T>) {
    let id = section.header_response.id;
    let unfolding = id.with("unfolding");
    let is_clicked = section.header_response.clicked();
    if is_clicked {
        ui.data_mut(|data| data.insert_temp(unfolding, true));
    }
    let is_open = CollapsingState::load(ui.ctx(), id).is_some_and(|state| state.is_open());
    if !is_open || !ui.data(|data| data.get_temp(unfolding).unwrap_or(false)) {
        return;
    }
    if let Some(body) = &section.body_response {
        let all = section.header_response.rect.union(body.rect);
        let visible = all.with_max_y(all.bottom().min(all.top() + ui.clip_rect().height()));
        ui.scroll_to_rect(visible, None);
    }
    if section.openness == 1.0 && !is_clicked {
        ui.data_mut(|data| data.remove_temp::<bool>(unfolding));
    }
}

/// Offers a reset of the section beside the title at `header`. Returns whether it was clicked.
pub fn offer_reset(ui: &mut Ui, title: &str, header: Rect) -> bool {
    let row = header.with_max_x(ui.max_rect().right());
    let layout = Layout::right_to_left(Align::Center);
    let mut over = ui.new_child(UiBuilder::new().id_salt((title, "reset")).max_rect(row).layout(layout));
    let button = Button::new(RichText::new("reset").small().color(ACCENT)).frame(false);
    let button = over.add(button).on_hover_text(format!("{title}: back to the values of the scene"));
    note_place(ui, &format!("reset {}", title.to_lowercase()), button.rect);
    button.clicked()
}

/// The label at the left of a row, moved in by `indent` [points].
pub fn row_label(ui: &mut Ui, text: &str, indent: f32) -> Response {
    let size = egui::vec2(LABEL, ui.spacing().interact_size.y);
    let layout = Layout::left_to_right(Align::Center);
    let row = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(LABEL);
        ui.add_space(indent);
        ui.add(Label::new(text).truncate())
    });
    row.inner
}

/// A text with a capital at its beginning.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// Names a control without a text, for screen readers.
pub fn name(ui: &Ui, control: &Response, name: &str) {
    ui.ctx().accesskit_node_builder(control.id, |node| node.set_label(name));
}

/// Tells the log where a control is, when it has moved: bug reports and tests of the real window
/// need to know.
pub fn note_place(ui: &Ui, name: &str, rect: Rect) {
    // while a window finds its size, things are not yet where they will be
    if ui.is_sizing_pass() {
        return;
    }
    pointing::mark(ui, name, rect);
    let id = Id::new("place").with(name);
    let last: Option<Rect> = ui.data(|data| data.get_temp(id));
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

/// For how many frames every control has kept its place when the log says that they stand still:
/// one may be drawn and not yet seen.
const STILL: u64 = 3;

/// Where the frame is kept in which a control moved last.
fn moved() -> Id {
    Id::new("a control moved")
}

/// Where the last order is kept that was given when F12 was pressed.
fn asked() -> Id {
    Id::new("the log is asked")
}

/// Logs when every control has kept its place for [`STILL`] frames, and the last release of a mouse
/// button is as old. After F12 is pressed, logs when besides the frame shows all that was ordered
/// until then: the effect of all input before it.
pub fn note_rest(ctx: &Context, session: &mut SessionHandle) {
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
    if last.is_some_and(|last| frame >= last + STILL) && order.is_some_and(|order| session.frame().seen >= order) {
        ctx.data_mut(|data| data.remove::<u64>(asked()));
        debug!("all input has its effect");
    }
}
