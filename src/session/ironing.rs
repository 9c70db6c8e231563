//! Ironing: creases are taken out without a reset. For a while of simulated time the cloth is bent
//! much harder, by the model that has no creases, and comes to rest; all that holds of steps,
//! contact above all, holds of these.

use serde::{Deserialize, Serialize};

use super::countdown::Countdown;
use crate::sim::model::material::BendingModel;
use crate::sim::pattern::Family;
use crate::sim::solver_interface::BendingRule;
use crate::sim::solvers::{Entry, REGISTRY};
use crate::sim::{Parameters, Real, Simulation};

/// How long it takes [s].
const DURATION: Real = 1.0;
/// How many times as hard the cloth is bent.
const HARDER: Real = 300.0;
/// Least bending stiffness as a share of the structural stiffness times the square of an edge.
const LEAST: Real = 0.05;
/// Share of the velocity that is left after a second: ironed cloth does not swing.
const LEFT: Real = 1e-3;

/// Ironing, by the remaining time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ironing(Countdown);

impl Ironing {
    /// Begins, or begins again.
    pub(super) fn begin(&mut self) {
        self.0.begin(DURATION);
    }

    /// Why it cannot continue for so long, if it cannot.
    pub(super) fn fault(self) -> Option<String> {
        self.0.fault("ironing goes on", DURATION)
    }

    /// Raises the bending stiffness for a step while ironing. Returns the values to restore after
    /// it.
    pub(super) fn press(self, simulation: &mut Simulation) -> Option<Ironed> {
        if !self.0.is_on() {
            return None;
        }
        let at_work = simulation.solver().info().id;
        let ironed = Ironed { parameters: simulation.parameters, solver: at_work, time: simulation.time() };
        // a solver without isometric bending, or with an explicit one, leaves it to constraints
        if matches!(simulation.solver().capabilities().bending, BendingRule::SpringsOnly(_) | BendingRule::Force) {
            let bends = |entry: &&Entry| entry.info.capabilities.bending == BendingRule::Constraints;
            if let Some(entry) = REGISTRY.iter().find(bends) {
                simulation.set_solver(entry.info.id);
            }
        }
        let springs = simulation.pattern().springs();
        let edge = springs.rest_lengths.iter().sum::<Real>() / springs.rest_lengths.len().max(1) as Real;
        let stiffness = simulation.parameters.material.stiffness_by_kind(simulation.pattern());
        let least = LEAST * stiffness.of_plain(Family::Structural, edge) * edge * edge;
        let Parameters { material, tearing, .. } = &mut simulation.parameters;
        material.bending_stiffness = (HARDER * material.isometric_stiffness()).max(least).min(1.0);
        // a bend spring would hold a fold that has snapped over
        material.bending_model = BendingModel::Isometric;
        tearing.tearing = false;
        Some(ironed)
    }

    /// Restores the values of `press` after the step, and damps the cloth.
    pub(super) fn lift(&mut self, simulation: &mut Simulation, ironed: Option<Ironed>) {
        let Some(Ironed { parameters, solver, time }) = ironed else { return };
        simulation.parameters = parameters;
        simulation.set_solver(solver);
        let step = simulation.time() - time;
        let kept = LEFT.powf(step);
        simulation.state.cloth.velocities.iter_mut().for_each(|v| *v *= kept);
        self.0.pass(step);
    }
}

/// Values before a step of ironing.
#[derive(Debug)]
pub(super) struct Ironed {
    parameters: Parameters,
    solver: &'static str,
    /// When it began [s].
    time: Real,
}
