//! What conditions of the pseudocode ask for: the parameters that act, and facts of the simulation.

use super::target::Target;
use crate::sim::Simulation;
use crate::sim::model::material::{BendingModel, DampingModel};
use crate::sim::params::{Param, Setting};
use crate::sim::solver_interface::{BendingRule, Capabilities, ContactRule, DampingLaws};

/// See the module.
pub(super) struct Facts {
    target: Target,
    /// The parameters that act, each with the title of its group and its value.
    pub acting: Vec<(&'static str, Param, Setting)>,
    /// The facts that hold.
    flags: Vec<&'static str>,
    /// Treatment of contacts with colliders and of the cloth with itself, in words.
    contacts: [&'static str; 2],
}

impl Facts {
    /// Those of `simulation`, for a text in the language of `target`.
    pub fn of(simulation: &Simulation, target: Target) -> Self {
        let can = simulation.solver().capabilities();
        let contacts = [can.contacts.describe(), can.cloth_contact.describe()];
        Self { target, acting: simulation.acting(), flags: flags(simulation, &can), contacts }
    }

    /// Whether all names of `condition` hold.
    pub fn hold(&self, condition: &str) -> bool {
        condition.split('&').map(str::trim).all(|name| match name.strip_prefix('!') {
            Some(name) => !self.holds(name),
            None => self.holds(name),
        })
    }

    fn holds(&self, name: &str) -> bool {
        if self.flags.contains(&name) {
            return true;
        }
        if let Some((key, value)) = name.split_once('=') {
            return self.find(key).is_some_and(|(param, setting)| param.show(*setting) == value);
        }
        self.find(name).is_some_and(|(_, setting)| match setting {
            Setting::Real(x) => *x > 0.0,
            Setting::Integer(n) => *n > 0,
            Setting::Toggle(on) => *on,
            Setting::Choice(at) => *at > 0,
        })
    }

    /// The parameter called `key`, if it acts.
    fn find(&self, key: &str) -> Option<(&Param, &Setting)> {
        self.acting.iter().find(|(_, param, _)| param.key == key).map(|(_, param, setting)| (param, setting))
    }

    /// What stands for `{name}`: the name of a parameter that acts, or words.
    pub fn name(&self, name: &str) -> Option<String> {
        match name {
            "@contacts" => Some(self.contacts[0].to_owned()),
            "@cloth_contacts" => Some(self.contacts[1].to_owned()),
            _ => self.find(name).map(|(param, _)| self.target.identifier(param.key)),
        }
    }
}

/// The facts that hold in `simulation`.
fn flags(simulation: &Simulation, can: &Capabilities) -> Vec<&'static str> {
    let (parameters, pattern) = (&simulation.parameters, simulation.pattern());
    let material = &parameters.material;
    let is_damped = material.damping > 0.0 && !matches!(can.damping, DampingLaws::None(_));
    let law = can.damping.at_work(material.damping_model);
    let is_isometric = can.bending.at_work(material.bending_model) == BendingModel::Isometric
        && material.bending_stiffness > 0.0
        && pattern.has_cloth();
    let is_force = can.bending == BendingRule::Force;
    let has_solids = simulation.state.world.solids(&parameters.contact, &parameters.table).next().is_some();
    let facts = [
        ("damped_evenly", is_damped && law == DampingModel::Isotropic),
        ("damped_along", is_damped && law == DampingModel::AlongSpring),
        ("force_bending", is_isometric && is_force),
        ("own_bending", is_isometric && !is_force),
        ("pinned", !simulation.state.cloth.pins().is_empty()),
        ("colliders", has_solids),
        ("solver_contacts", can.contacts != ContactRule::Response),
    ];
    facts.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect()
}
