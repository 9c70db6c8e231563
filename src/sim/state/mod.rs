//! The state of a simulation: everything that the next step depends on, beside the pattern, the
//! parameters and the solver's settings.
//!
//! [`State`] is its one owner. Snapshots, checkpoints, the time line, undo, trials and the way back
//! from a failed step hold one; a piece of state is added here and nowhere else. All other memory
//! of a simulation can be thrown away at any time without a change in the results.

mod previous_step;
mod world;

pub use previous_step::PreviousStep;
pub use world::{Placement, World};

use serde::{Deserialize, Serialize};

use super::contact::cloth::ContactForces;
use super::exec::pool::ThreadPool;
use super::linear::FactorHistory;
use super::{Cloth, Grab, Real};

/// State of a cloth in its world.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// Positions, velocities, masses and pins.
    pub cloth: Cloth,
    /// Colliders beside floor and table, with the grab on one of them.
    pub world: World,
    /// The grab on a vertex.
    pub grab: Option<Grab>,
    /// Simulated time [s].
    pub time: Real,
    /// Number of steps since time zero.
    pub steps: u64,
    /// Contact forces of the last step; the next step starts from them.
    pub contact_forces: ContactForces,
    /// The last step, for schemes of second order.
    pub previous: PreviousStep,
    /// Length of the next adaptive substep [s]; none before the first.
    pub next_substep: Option<Real>,
    /// State of the solver, carried from step to step.
    pub solver: SolverState,
}

/// State of a solver, beside that of the cloth.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct SolverState {
    /// Where its iterations start, in an order of its own; empty if it starts anew.
    pub warm_start: Vec<Real>,
    /// How its factor came about, by a factorisation and updates. The last digits of a solution
    /// depend on that.
    pub factor: FactorHistory,
}

impl State {
    /// A state at time zero, of a cloth in an empty world.
    #[must_use]
    pub fn of(cloth: Cloth) -> Self {
        Self { cloth, ..Self::default() }
    }

    /// Memory that it takes [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Self { cloth, world, contact_forces, previous, solver, .. } = self;
        let parts = [cloth.bytes(), contact_forces.bytes(), previous.bytes(), solver.bytes()];
        size_of::<Self>() + size_of_val(&world.colliders[..]) + parts.iter().sum::<usize>()
    }
}

impl SolverState {
    /// Memory of its lists [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.warm_start[..]) + self.factor.bytes()
    }
}

/// A copy asks for no memory where there is enough: one is made in every step.
impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        self.copy_from(from, &ThreadPool::alone());
    }
}

impl State {
    /// Becomes a copy of `from`, as [`clone_from`](Clone::clone_from) makes it, by all threads.
    pub fn copy_from(&mut self, from: &Self, pool: &ThreadPool) {
        let Self { cloth, world, grab, time, steps, contact_forces, previous, next_substep, solver } = self;
        cloth.copy_from(&from.cloth, pool);
        world.clone_from(&from.world);
        contact_forces.clone_from(&from.contact_forces);
        previous.clone_from(&from.previous);
        solver.clone_from(&from.solver);
        (*grab, *time, *steps, *next_substep) = (from.grab, from.time, from.steps, from.next_substep);
    }
}

impl Clone for SolverState {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { warm_start, factor } = self;
        warm_start.clone_from(&from.warm_start);
        factor.clone_from(&from.factor);
    }
}
