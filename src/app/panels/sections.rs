//! The sections of common parameters: cloth, time, tearing, air, gravity, contact, table.

use egui::{CollapsingHeader, Ui};

use super::rows::{self, Idle};
use super::{Shown, fabrics};
use crate::session::{Command, Frame};
use crate::sim::Parameters;

/// The sections that are open at first.
const OPEN: [&str; 3] = ["Cloth", "Mass", "Time"];

/// Why a parameter has no effect on the solver at work, by its key.
pub fn idle(frame: &Frame, key: &str) -> Option<String> {
    frame.ignored.iter().find(|(ignored, _)| *ignored == key).map(|(_, reason)| (*reason).to_owned())
}

/// All sections.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    let mut parameters = *session.parameters();
    let frame = &session.frame;
    let idle = |key: &str| idle(frame, key);
    let defaults = frame.defaults.parameters;
    let (now, mut chosen) = (parameters, None);
    for (title, (group, default)) in Parameters::TITLES.iter().zip(parameters.groups_mut().zip(defaults.groups())) {
        section(ui, title, OPEN.contains(title), |ui| {
            if *title == "Cloth" {
                chosen = fabrics::show(ui, frame, &now);
            }
            rows::show(ui, group, default, &idle as Idle);
        });
    }
    session.set_parameters(parameters);
    if let Some(fabric) = chosen {
        session.send(Command::Fabric { id: fabric.id.clone() });
    }
}

/// A section that can be folded.
pub fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(egui::RichText::new(title).strong()).default_open(open).show_unindented(ui, |ui| {
        contents(ui);
        ui.add_space(4.0);
    });
}
