//! The reference: states along a trajectory of converged steps of a quarter of the time step, and
//! where each of them is a time step later.
//!
//! Newton's method solves the steps, or the solver at work itself where it has constraints beside
//! the springs. From each state the time step is taken with 4 parts and with 8, and the limit of
//! short steps follows from both by Richardson's extrapolation,
//!
//! ```text
//! x* = (2ᵖ x₈ - x₄) / (2ᵖ - 1),     p the order of the scheme.
//! ```
//!
//! Without it, a method that shares the numerical damping of the reference would have no error.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::candidate::knows_own_constraints;
use crate::sim::forces::air::vertex_normals;
use crate::sim::solvers::{self, ImplicitNewton};
use crate::sim::study::minimum::solve_exactly;
use crate::sim::study::run::{End, Interrupted, run};
use crate::sim::{CancelToken, Checkpoint, Clock, Real, Simulation, Vec3};

/// Parts of a time step on the trajectory.
const PARTS: u32 = 4;
/// Time steps from one state to the next.
const SPACING: u32 = 5;
/// Time steps before a state at which a solver begins that carries data from step to step.
const LEAD: usize = 2;
/// A state, and where it is a time step later.
pub struct Target {
    /// The trajectory two time steps before the state.
    pub lead: Checkpoint,
    /// The state from which a solver takes its step.
    pub start: Checkpoint,
    /// Positions a time step later [m].
    pub end: Vec<Vec3>,
    /// Unit normals there; zero where there is none.
    pub normals: Vec<Vec3>,
    /// Momentum there [kg m/s].
    pub momentum: Vec3,
    /// `Σ m |x' - x|²` of the step [kg m²].
    pub motion: Real,
    /// `Σ m |·|²` of the difference between the two divisions of the step [kg m²].
    pub difference: Real,
}

/// The trajectory of converged steps, and a second simulation that divides a time step further.
pub struct Trajectory {
    simulation: Simulation,
    fine: Simulation,
    /// Checkpoints at the last time steps, the oldest first.
    before: VecDeque<Checkpoint>,
    parts: u32,
    order: u32,
}

/// Makes `simulation` step by the solver of the reference, with settings that suit the cloth: close
/// enough for a run of some seconds.
pub fn step_by_reference(simulation: &mut Simulation) {
    simulation.parameters.timing.adaptive = false;
    if !knows_own_constraints(simulation) {
        simulation.set_solver(solvers::id_of::<ImplicitNewton>());
    }
}

impl Trajectory {
    /// From the state of `checkpoint` on.
    #[must_use]
    pub fn new(checkpoint: &Checkpoint, clock: Clock, cancel: &CancelToken) -> Self {
        let substeps = checkpoint.parameters.timing.substeps;
        let parts = PARTS.max(substeps);
        let made = |parts: u32| {
            let mut simulation = Simulation::resume(checkpoint);
            (simulation.clock, simulation.cancel) = (clock, cancel.clone());
            (simulation.state.grab, simulation.state.world.grab) = (None, None);
            step_by_reference(&mut simulation);
            solve_exactly(&mut simulation);
            let timing = &mut simulation.parameters.timing;
            (timing.time_step, timing.substeps) = (timing.time_step / Real::from(parts), 1);
            simulation
        };
        let (simulation, fine) = (made(parts), made(2 * parts));
        let order = simulation.solver().info().order_by(simulation.rule());
        let before = VecDeque::from([simulation.checkpoint()]);
        Self { simulation, fine, before, parts, order }
    }

    /// The solver of the reference.
    #[must_use]
    pub fn solver(&self) -> &'static crate::sim::solver_interface::Info {
        self.simulation.solver().info()
    }

    /// Parts of a time step on the trajectory; the extrapolation takes twice as many as well.
    #[must_use]
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// The next state. `go_on` is asked before every step.
    ///
    /// # Errors
    /// [`Interrupted`] when `go_on` ended it, or a step failed.
    pub fn next(&mut self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<Target, Interrupted> {
        // the step of the last state has been taken already
        for _ in 1..SPACING {
            self.advance(go_on)?;
        }
        let lead = self.before[self.before.len().saturating_sub(1 + LEAD)].clone();
        let start = self.simulation.checkpoint();
        self.advance(go_on)?;
        self.fine.return_to(&start);
        steps(&mut self.fine, 2 * self.parts, go_on)?;
        Ok(self.target(lead, start))
    }

    /// A time step.
    fn advance(&mut self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Interrupted> {
        steps(&mut self.simulation, self.parts, go_on)?;
        if self.before.len() > LEAD {
            self.before.pop_front();
        }
        self.before.push_back(self.simulation.checkpoint());
        Ok(())
    }

    fn target(&self, lead: Checkpoint, start: Checkpoint) -> Target {
        let (coarse, fine) = (&self.simulation.state.cloth, &self.fine.state.cloth);
        let power = Real::from(1_u32 << self.order);
        let limit = |coarse: &[Vec3], fine: &[Vec3]| -> Vec<Vec3> {
            coarse.iter().zip(fine).map(|(a, b)| *b + (*b - *a) / (power - 1.0)).collect()
        };
        let end = limit(&coarse.positions, &fine.positions);
        let velocities = limit(&coarse.velocities, &fine.velocities);
        let mut normals = Vec::new();
        vertex_normals(self.simulation.pattern(), &end, &mut normals);
        let square = |a: &[Vec3], b: &[Vec3]| -> Real {
            a.iter().zip(b).zip(&fine.masses).map(|((a, b), mass)| mass * a.distance_squared(*b)).sum()
        };
        Target {
            momentum: velocities.iter().zip(&fine.masses).map(|(v, mass)| *v * *mass).sum(),
            motion: square(&end, &start.state.cloth.positions),
            difference: square(&coarse.positions, &fine.positions),
            end,
            normals,
            lead,
            start,
        }
    }
}

fn steps(
    simulation: &mut Simulation,
    count: u32,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(), Interrupted> {
    let end: End = run(simulation, u64::from(count), go_on, |_, _| ControlFlow::Continue(()));
    match end {
        End::Done => Ok(()),
        End::Failed(cause) => Err(Interrupted::Failed { solver: simulation.solver().info().id, cause }),
        End::Cancelled => Err(Interrupted::Cancelled),
    }
}
