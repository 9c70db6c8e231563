//! The sections of common parameters: cloth, time, tearing, air, gravity, contact, table.

use egui::{CollapsingHeader, Ui};

use super::rows::{self, Idle};
use crate::app::lab::Lab;
use crate::sim::params::Param;
use crate::sim::{Parameters, Simulation};

/// The sections that are open at first.
const OPEN: [&str; 3] = ["Cloth", "Mass", "Time"];
/// The parameters of `params` that have no effect on the solver at work, with the reason.
pub fn ignored(
    simulation: &Simulation,
    params: impl Iterator<Item = &'static Param>,
) -> Vec<(&'static str, &'static str)> {
    params.filter_map(|param| Some((param.key, simulation.ignored(param)?))).collect()
}

/// All sections.
pub fn show(ui: &mut Ui, lab: &mut Lab) {
    let groups = lab.simulation.parameters.groups();
    let ignored = ignored(&lab.simulation, groups.flat_map(|group| group.params()));
    let idle =
        move |key: &str| ignored.iter().find(|(ignored, _)| *ignored == key).map(|(_, reason)| (*reason).to_owned());
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
