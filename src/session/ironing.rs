//! Ironing: creases are taken out without a reset. For a while of simulated time the cloth is bent much harder, by the model that has no
//! creases, and comes to rest; all that holds of steps, contact above all, holds of these.

use super::countdown::Countdown;
use crate::sim::model::material::BendingModel;
use crate::sim::solver::BendingRule;
use crate::sim::{Parameters, Real, Simulation};

/// How long it takes [s].
const DURATION: Real = 1.0;
/// How many times as hard the cloth is bent.
const HARDER: Real = 300.0;
/// Least bending stiffness as a share of the structural stiffness times the square of an edge.
const LEAST: Real = 0.05;
/// Share of the velocity that is left after a second: what is ironed does not swing.
const LEFT: Real = 1e-3;

/// The solver that irons for those that know no isometric bending.
const STAND_IN: &str = "xpbd";

/// An ironing that may still go on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ironing {
    /// For how long it goes on.
    pub time: Countdown,
}

impl Default for Ironing {
    fn default() -> Self {
        Self { time: Countdown::of(DURATION) }
    }
}

impl Ironing {
    /// Why it cannot go on for so long [s], if it cannot.
    pub fn fault(left: Real) -> Option<String> {
        Self::default().time.fault("ironing goes on", left)
    }

    /// Makes the cloth hard to bend for a step, if it is being ironed. Returns what to put back after it.
    pub fn press(&self, simulation: &mut Simulation) -> Option<Ironed> {
        if !self.time.is_on() {
            return None;
        }
        let at_work = simulation.solver().info().id;
        let ironed = Ironed { parameters: simulation.parameters, solver: at_work, time: simulation.time() };
        // one that knows no isometric bending, or takes it explicitly, has another one do it
        if matches!(simulation.solver().capabilities().bending, BendingRule::SpringsOnly(_) | BendingRule::Force) {
            simulation.set_solver(STAND_IN);
        }
        let springs = simulation.pattern().springs();
        let edge = springs.rest_lengths.iter().sum::<Real>() / springs.rest_lengths.len().max(1) as Real;
        let Parameters { material, tearing, .. } = &mut simulation.parameters;
        let least = LEAST * material.structural_stiffness * edge * edge;
        material.bending_stiffness = (HARDER * material.isometric_stiffness()).max(least).min(1.0);
        // a bend spring would hold a fold that has snapped over
        material.bending_model = BendingModel::Isometric;
        tearing.tearing = false;
        Some(ironed)
    }

    /// Puts back what `press` gave, after the step, and takes speed out of the cloth.
    pub fn lift(&mut self, simulation: &mut Simulation, ironed: Option<Ironed>) {
        let Some(Ironed { parameters, solver, time }) = ironed else { return };
        simulation.parameters = parameters;
        simulation.set_solver(solver);
        let step = simulation.time() - time;
        let kept = LEFT.powf(step);
        simulation.state.cloth.velocities.iter_mut().for_each(|v| *v *= kept);
        self.time.pass(step);
    }
}

/// What a step of ironing has changed.
#[derive(Debug)]
pub(super) struct Ironed {
    parameters: Parameters,
    solver: &'static str,
    /// When it began [s].
    time: Real,
}
