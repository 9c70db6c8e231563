//! All parameters, in sections: the solver's own, then cloth, time, tearing, air, gravity, contact,
//! table.

use egui::Ui;

use super::parameter_widgets::{self, Idle, idle};
use super::solver;
use crate::app::desk::Shown;
use crate::app::widgets::{offer_reset, pointing, section_for};
use crate::sim::Parameters;

/// All sections, behind a title.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let parameters = *shown.session.parameters();
    let settings = std::iter::once(shown.session.solver().settings());
    let unfolds = parameters.groups().chain(settings).any(|group| pointing::hides_slider(ui.ctx(), group));
    section_for(ui, "All parameters", false, unfolds, |ui| {
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
    let frame = session.frame();
    let idle = |key: &str| idle(frame, key);
    let defaults = frame.defaults.parameters;
    for (title, (group, default)) in Parameters::TITLES.iter().zip(parameters.groups_mut().zip(defaults.groups())) {
        let unfolds = pointing::hides_slider(ui.ctx(), group);
        let header = section_for(ui, title, false, unfolds, |ui| {
            parameter_widgets::show(ui, group, default, &idle as Idle);
        });
        if parameter_widgets::is_changed(group, default) && offer_reset(ui, title, header) {
            parameter_widgets::reset(group, default);
        }
    }
    session.set_parameters(parameters);
}
