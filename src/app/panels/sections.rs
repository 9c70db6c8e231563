//! The sections of common parameters: cloth, time, tearing, air, gravity, contact, table.

use egui::{CollapsingHeader, Ui};

use super::rows::{self, Idle};
use crate::app::lab::Lab;
use crate::sim::params::Tunable;
use crate::sim::pattern::Family;
use crate::sim::world::Gravity;
use crate::sim::{Simulation, World};

/// Why what divides the step has no effect on an adaptive one.
pub const CHOOSES_ITSELF: &str = "the adaptive step chooses its own substeps";

/// The common parameters that have no effect on the solver at work, with the reason.
fn ignored(simulation: &Simulation) -> Vec<(&'static str, &'static str)> {
    let World { gravity, air, contact, table, .. } = &simulation.world;
    let groups: [&dyn Tunable; 7] =
        [&simulation.material, &simulation.mass, &simulation.timing, air, gravity, contact, table];
    let keys = groups.into_iter().flat_map(|group| group.params()).map(|param| param.key);
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
    let defaults = &lab.defaults;
    let simulation = &mut lab.simulation;
    section(ui, "Cloth", true, |ui| {
        rows::show(ui, &mut simulation.material, &defaults.material, &idle);
        rows::show(ui, &mut simulation.mass, &defaults.mass, &idle);
    });
    section(ui, "Time", true, |ui| rows::show(ui, &mut simulation.timing, &defaults.timing, &idle));
    let mut groups: [(&str, bool, &mut dyn Tunable, &dyn Tunable); 5] = [
        ("Tearing", false, &mut simulation.tearing, &defaults.tearing),
        ("Air", false, &mut simulation.world.air, &defaults.air),
        ("Gravity", false, &mut simulation.world.gravity, &Gravity { gravity: defaults.gravity }),
        ("Contact", false, &mut simulation.world.contact, &defaults.contact),
        ("Table", false, &mut simulation.world.table, &defaults.table),
    ];
    for (title, open, group, default) in &mut groups {
        section(ui, title, *open, |ui| rows::show(ui, *group, *default, &idle as Idle));
    }
}

/// A section that can be folded.
pub fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(egui::RichText::new(title).strong()).default_open(open).show_unindented(ui, |ui| {
        contents(ui);
        ui.add_space(4.0);
    });
}
