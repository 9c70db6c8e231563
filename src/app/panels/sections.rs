//! All parameters, in sections: the solver's own, then cloth, time, tearing, air, gravity, contact,
//! table.

use egui::{Align, Button, CollapsingHeader, Layout, Rect, RichText, Ui, UiBuilder};

use super::{parameter_widgets, solver};
use crate::app::desk::Shown;
use crate::app::panels::parameter_widgets::Idle;
use crate::app::widgets::note_place;
use crate::app::widgets::style::ACCENT;
use crate::session::Frame;
use crate::sim::Parameters;

/// Why a parameter has no effect on the solver at work, by its key.
pub fn idle(frame: &Frame, key: &str) -> Option<String> {
    frame.ignored.iter().find(|(ignored, _)| *ignored == key).map(|(_, reason)| (*reason).to_owned())
}

/// All sections, behind a title.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    section(ui, "All parameters", false, |ui| {
        ui.indent("all parameters", |ui| {
            solver::show_details(ui, shown);
            common(ui, shown);
        });
    });
}

/// The sections of the common parameters.
fn common(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    let mut parameters = *session.parameters();
    let frame = &session.frame;
    let idle = |key: &str| idle(frame, key);
    let defaults = frame.defaults.parameters;
    for (title, (group, default)) in Parameters::TITLES.iter().zip(parameters.groups_mut().zip(defaults.groups())) {
        let header = section(ui, title, false, |ui| parameter_widgets::show(ui, group, default, &idle as Idle));
        if parameter_widgets::is_changed(group, default) && offer_reset(ui, title, header) {
            parameter_widgets::reset(group, default);
        }
    }
    session.set_parameters(parameters);
}

/// A section that can be folded. Returns the place of its title.
pub fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) -> Rect {
    let header = CollapsingHeader::new(RichText::new(title).strong()).default_open(open);
    let header = header.show_unindented(ui, |ui| {
        contents(ui);
        ui.add_space(4.0);
    });
    note_place(ui, &format!("fold {}", title.to_lowercase()), header.header_response.rect);
    header.header_response.rect
}

/// Offers beside the title at `header` to take back what was changed in the section. Returns whether that is wanted.
pub fn offer_reset(ui: &mut Ui, title: &str, header: Rect) -> bool {
    let row = header.with_max_x(ui.max_rect().right());
    let layout = Layout::right_to_left(Align::Center);
    let mut over = ui.new_child(UiBuilder::new().id_salt((title, "reset")).max_rect(row).layout(layout));
    let button = Button::new(RichText::new("reset").small().color(ACCENT)).frame(false);
    let button = over.add(button).on_hover_text(format!("{title}: back to the values of the scene"));
    note_place(ui, &format!("reset {}", title.to_lowercase()), button.rect);
    button.clicked()
}
