//! The sections of common parameters: cloth, time, tearing, air, gravity, contact, table.

use egui::{CollapsingHeader, Ui};

use super::Shown;
use super::rows::{self, Idle};
use crate::sim::Parameters;
use crate::sim::pattern::Family;

/// The sections that are open at first.
const OPEN: [&str; 3] = ["Cloth", "Mass", "Time"];
/// Why what divides the step has no effect on an adaptive one.
pub const CHOOSES_ITSELF: &str = "the adaptive step chooses its own substeps";

/// All sections.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    let mut parameters = *session.parameters();
    let frame = &session.frame;
    let has_shear = frame.pattern.springs().families.contains(&Family::Shear);
    let solver = session.solver();
    let idle = |key: &str| {
        if key == "substeps" && frame.readouts.is_adaptive {
            return Some(CHOOSES_ITSELF.to_owned());
        }
        if key == "shear_stiffness" && !has_shear {
            return Some("a mesh has no shear springs, its edges carry shear already".to_owned());
        }
        solver.ignored(key).map(str::to_owned)
    };
    let defaults = frame.defaults.parameters;
    for (title, (group, default)) in Parameters::TITLES.iter().zip(parameters.groups_mut().zip(defaults.groups())) {
        section(ui, title, OPEN.contains(title), |ui| rows::show(ui, group, default, &idle as Idle));
    }
    session.set_parameters(parameters);
}

/// A section that can be folded.
pub fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(egui::RichText::new(title).strong()).default_open(open).show_unindented(ui, |ui| {
        contents(ui);
        ui.add_space(4.0);
    });
}
