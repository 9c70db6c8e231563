//! The parameters in sight at all times: fabric, stretch, bend, damping, time step, wind, drag,
//! lift.

use egui::Ui;

use super::parameter_widgets::{self, idle};
use crate::app::desk::Shown;
use crate::app::library::{Library, fabrics};
use crate::app::textile;
use crate::session::Command;
use crate::sim::forces::Air;
use crate::sim::forces::air::AirMode;
use crate::sim::params::Tunable;
use crate::sim::{Material, Parameters, Timing};

/// The parameters of each row, of which the first with an effect is shown.
const CLOTH: [&[&str]; 4] = [
    &[Material::structural_stiffness],
    &[Material::bend_stiffness, Material::bending_stiffness],
    &[Material::damping],
    &[Timing::time_step],
];
const AIR: [&[&str]; 2] = [&[Air::drag, Air::drag_coefficient], &[Air::lift, Air::lift_coefficient]];

const WIND: &str = Air::wind_speed;

/// The rows.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    let frame = std::sync::Arc::clone(session.frame());
    let mut parameters = *session.parameters();
    let mut defaults = frame.defaults.parameters;
    let mut commands = Vec::new();
    ui.add_space(6.0);
    if frame.scene.first.body.is_none() {
        let is_tested;
        (commands, is_tested) = fabrics::show(ui, &frame, &parameters, shown.states.of::<Library>());
        if is_tested {
            shown.desk.windows.set(textile::panel::TITLE, true);
        }
    }
    let idle = |key: &str| idle(&frame, key);
    let mut row = |ui: &mut Ui, parameters: &mut Parameters, keys: &[&str]| {
        let mut acts = |key: &&str| {
            let found = parameters.find_mut(key);
            found.is_some_and(|(group, index)| parameter_widgets::reason(group, index, &idle).is_none())
        };
        // one without effect says why
        let key = keys.iter().copied().find(|key| acts(key)).unwrap_or(keys[0]);
        if let (Some((group, index)), Some((default, _))) = (parameters.find_mut(key), defaults.find_mut(key)) {
            parameter_widgets::show_one(ui, group, default, index, &idle);
        }
    };
    CLOTH.into_iter().for_each(|of| row(ui, &mut parameters, of));
    wind(ui, &mut parameters, &frame.defaults.parameters, &mut commands);
    AIR.into_iter().for_each(|of| row(ui, &mut parameters, of));
    ui.add_space(4.0);
    session.set_parameters(parameters);
    for command in commands {
        session.send(command);
    }
}

/// The speed of the wind, which is zero without wind: moved up it begins to blow, at zero it ends.
fn wind(ui: &mut Ui, parameters: &mut Parameters, defaults: &Parameters, commands: &mut Vec<Command>) {
    let calm = |air: &Air| air.air != AirMode::Wind;
    let as_shown =
        |air: &Air| Air { air: AirMode::Wind, wind_speed: if calm(air) { 0.0 } else { air.wind_speed }, ..*air };
    let (mut air, default) = (as_shown(&parameters.air), as_shown(&defaults.air));
    let Some(index) = air.index_of(WIND) else { return };
    let before = air.wind_speed;
    parameter_widgets::show_one(ui, &mut air, &default, index, &|_| None);
    if air.wind_speed == before {
        return;
    }
    if air.wind_speed > 0.0 {
        parameters.air.wind_speed = air.wind_speed;
    }
    let blows = air.wind_speed > 0.0;
    if blows == calm(&parameters.air) {
        commands.push(Command::Wind { on: blows });
    }
}
