//! The sections of common parameters: cloth, time, tearing, air, gravity, contact, table.

use egui::{CollapsingHeader, Ui};

use super::rows::{self, Idle};
use crate::app::lab::Lab;
use crate::sim::pattern::Family;
use crate::sim::{Parameters, Simulation};

/// The sections that are open at first.
const OPEN: [&str; 3] = ["Cloth", "Mass", "Time"];
/// Why what divides the step has no effect on an adaptive one.
pub const CHOOSES_ITSELF: &str = "the adaptive step chooses its own substeps";

/// The common parameters that have no effect on the solver at work, with the reason.
fn ignored(simulation: &Simulation) -> Vec<(&'static str, &'static str)> {
    let keys = simulation.parameters.groups().flat_map(|group| group.params()).map(|param| param.key);
    keys.filter_map(|key| Some((key, simulation.solver().ignored(key)?))).collect()
}

/// All sections.
pub fn show(ui: &mut Ui, lab: &mut Lab) {
    let families = &lab.simulation.pattern().springs().families;
    let has_shear = families.contains(&Family::Shear);
    let adaptive = lab.simulation.is_adaptive();
    let ignored = ignored(&lab.simulation);
    let idle = move |key: &str| {
        if key == "substeps" && adaptive {
            return Some(CHOOSES_ITSELF.to_owned());
        }
        if key == "shear_stiffness" && !has_shear {
            return Some("a mesh has no shear springs, its edges carry shear already".to_owned());
        }
        ignored.iter().find(|(ignored, _)| *ignored == key).map(|(_, reason)| (*reason).to_owned())
    };
    let defaults = lab.defaults.parameters;
    let groups = lab.simulation.parameters.groups_mut().zip(defaults.groups());
    for (title, (group, default)) in Parameters::TITLES.iter().zip(groups) {
        section(ui, title, OPEN.contains(title), |ui| rows::show(ui, group, default, &idle as Idle));
    }
}

/// A section that can be folded.
pub fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(egui::RichText::new(title).strong()).default_open(open).show_unindented(ui, |ui| {
        contents(ui);
        ui.add_space(4.0);
    });
}
