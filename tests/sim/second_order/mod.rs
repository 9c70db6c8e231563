//! Schemes of second order: agreement with reference data, order, energy, and what they must not do to contact, pins and edits.

mod energy;
mod events;
mod order;
mod reference;
mod resuming;
mod steps;

use weft::sim::Simulation;
use weft::sim::solver_interface::Ability;
use weft::sim::solvers::REGISTRY;
use weft::sim::step::timing::Scheme;

/// The solvers that know other schemes than their own.
fn solvers() -> impl Iterator<Item = &'static str> {
    REGISTRY.iter().filter(|entry| entry.info.capabilities.schemes == Ability::Yes).map(|entry| entry.info.id)
}

/// The schemes of second order, as name, scheme and θ.
const SECOND: [(&str, Scheme, f64); 2] = [("midpoint", Scheme::Theta, 0.5), ("bdf2", Scheme::Bdf2, 0.5)];

/// Every solver with every scheme of second order, as a name for messages and a way to choose it.
fn choices() -> Vec<Choice> {
    solvers().flat_map(|solver| SECOND.map(|(name, scheme, theta)| Choice { solver, name, scheme, theta })).collect()
}

#[derive(Clone, Copy)]
struct Choice {
    solver: &'static str,
    name: &'static str,
    scheme: Scheme,
    theta: f64,
}

impl Choice {
    fn apply(self, simulation: &mut Simulation) {
        assert!(simulation.set_solver(self.solver));
        choose(simulation, self.scheme, self.theta);
    }
}

impl crate::fixtures::Named for Choice {
    fn name(&self) -> String {
        format!("{}, {}", self.solver, self.name)
    }
}

fn choose(simulation: &mut Simulation, scheme: Scheme, theta: f64) {
    (simulation.parameters.timing.scheme, simulation.parameters.timing.theta) = (scheme, theta);
}
