//! Ironing: creases are taken out without a reset. For a while of simulated time the cloth is bent much harder, by the model that has no
//! creases, and comes to rest; all that holds of steps, contact above all, holds of these.

use crate::sim::model::material::BendingModel;
use crate::sim::quote::number;
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

/// What is left of an ironing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ironing {
    /// Simulated time [s].
    left: Real,
}

impl Ironing {
    /// Begins, or begins again.
    pub fn begin(&mut self) {
        self.left = DURATION;
    }

    /// Ends at once.
    pub fn end(&mut self) {
        self.left = 0.0;
    }

    /// How long it goes on [s].
    pub fn left(&self) -> Real {
        self.left
    }

    /// Why it cannot go on for so long [s], if it cannot.
    pub fn fault(left: Real) -> Option<String> {
        let possible = (0.0..=DURATION).contains(&left);
        (!possible).then(|| format!("ironing goes on for 0 to {DURATION} s, not for {} s", number(left)))
    }

    /// Lets it go on for so long [s].
    pub fn set_left(&mut self, left: Real) {
        self.left = left.clamp(0.0, DURATION);
    }

    /// Whether the cloth is being ironed.
    pub fn is_on(&self) -> bool {
        self.left > 0.0
    }

    /// Makes the cloth hard to bend for a step, if it is being ironed. Returns what to put back after it.
    pub fn press(&self, simulation: &mut Simulation) -> Option<Ironed> {
        if !self.is_on() {
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
        simulation.cloth.velocities.iter_mut().for_each(|v| *v *= kept);
        self.left = (self.left - step).max(0.0);
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
