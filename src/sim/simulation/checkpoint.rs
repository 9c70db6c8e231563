//! Checkpoints, from which a simulation continues with the same bits.

use std::sync::Arc;

use super::{Cloth, Parameters, Pattern, Real, Simulation, SolverState, State, Vec3, measure};
use crate::sim::linear::FactorHistory;
use crate::sim::math::fingerprint::{fingerprint, fingerprint_of_rows};
use crate::sim::params::{Setting, Tunable};
use crate::sim::{Solver, solvers};

/// The state of a simulation with all that it is stepped by. The pattern is shared; a checkpoint
/// takes some 100 bytes per vertex, more with a warm start or contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The state.
    pub state: State,
    /// All common parameters.
    pub parameters: Parameters,
    pattern: Arc<Pattern>,
    solvers: SolverSetups,
}

/// The solver at work and those that were at work before, with their settings.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverSetups {
    /// The solver at work.
    pub at_work: SolverSetup,
    idle: Vec<SolverSetup>,
}

/// A solver, by its id, with its settings in the order of their declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverSetup {
    /// Its id.
    pub id: &'static str,
    settings: Vec<Setting>,
}

impl SolverSetup {
    /// Of a solver.
    #[must_use]
    pub fn of(solver: &dyn Solver) -> Self {
        let settings = solver.settings();
        let values = (0..settings.params().len()).map(|index| settings.get(index));
        Self { id: solver.info().id, settings: values.collect() }
    }

    /// A solver with these settings; none if the registry has none of this id.
    #[must_use]
    pub fn build(&self) -> Option<Box<dyn Solver>> {
        let mut solver = solvers::build(self.id)?;
        self.apply(solver.as_mut());
        Some(solver)
    }

    fn apply(&self, solver: &mut dyn Solver) {
        for (index, value) in self.settings.iter().enumerate() {
            solver.settings_mut().assign(index, *value);
        }
    }
}

impl Checkpoint {
    /// Memory without shared data [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<State>() + self.state.bytes()
    }

    /// Rest mesh and springs.
    #[must_use]
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// [`largest_stretch`](measure::largest_stretch) of the cloth.
    #[must_use]
    pub fn largest_stretch(&self) -> Real {
        measure::largest_stretch(&self.pattern, &self.parameters.material, &self.state.cloth.positions)
    }
}

impl Simulation {
    /// The present state with all that it is stepped by.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            state: self.state.clone(),
            parameters: self.parameters,
            pattern: Arc::clone(&self.pattern),
            solvers: self.solver_setups(),
        }
    }

    /// The solvers with their settings.
    #[must_use]
    pub fn solver_setups(&self) -> SolverSetups {
        let idle = self.idle_solvers.iter().map(|solver| SolverSetup::of(solver.as_ref()));
        SolverSetups { at_work: SolverSetup::of(self.solver.as_ref()), idle: idle.collect() }
    }

    /// Another simulation at a checkpoint, which continues, bit for bit, as the original does.
    ///
    /// # Panics
    /// When the solver at work is none of the registry: [`restore`](Self::restore) a simulation
    /// that has it.
    #[must_use]
    pub fn resume(checkpoint: &Checkpoint) -> Self {
        let solver =
            solvers::build(checkpoint.solvers.at_work.id).expect("the solver of a checkpoint is in the registry");
        let mut simulation = Self::of(Cloth::default(), Arc::clone(&checkpoint.pattern), solver);
        simulation.restore(checkpoint);
        simulation
    }

    /// Goes to a checkpoint, of this simulation or of another one. A solver that neither this
    /// simulation nor the registry has is not taken over.
    pub fn restore(&mut self, checkpoint: &Checkpoint) {
        let Checkpoint { state, parameters, pattern, solvers } = checkpoint;
        self.restore_solvers(solvers);
        self.parameters = *parameters;
        self.set_state(state, pattern);
    }

    /// Goes to other solvers and settings, and leaves the state. A solver other than the one at
    /// work starts anew.
    pub fn restore_solvers(&mut self, setups: &SolverSetups) {
        if self.set_solver(setups.at_work.id) {
            setups.at_work.apply(self.solver.as_mut());
        }
        let mut idle: Vec<Box<dyn Solver>> = std::mem::take(&mut self.idle_solvers);
        for setup in &setups.idle {
            let known = idle.iter().position(|solver| solver.info().id == setup.id);
            let solver = known.map(|at| idle.swap_remove(at)).or_else(|| solvers::build(setup.id));
            if let Some(mut solver) = solver {
                setup.apply(solver.as_mut());
                self.idle_solvers.push(solver);
            }
        }
    }

    /// Gives the solver at work the state that it had at another time.
    pub fn restore_solver_state(&mut self, state: &SolverState) {
        self.expect_factor(&state.factor);
        self.state.solver.clone_from(state);
    }

    /// Drops the factor of the solver at work unless it has the history of the one to continue
    /// with: then it has the same numbers.
    fn expect_factor(&mut self, history: &FactorHistory) {
        let factor = &self.state.solver.factor;
        if factor.is_empty() || factor != history {
            self.solver.reset();
        }
    }

    /// Goes to the state of a checkpoint, to before a tear as well. Parameters, solver and
    /// colliders stay, but for the lag of the colliders; another solver than that of the checkpoint
    /// starts anew, and the grabs are released.
    pub fn return_to(&mut self, checkpoint: &Checkpoint) {
        let mut colliders = std::mem::take(&mut self.state.world.colliders);
        self.set_state(&checkpoint.state, &checkpoint.pattern);
        let then = std::mem::take(&mut self.state.world.colliders);
        colliders.iter_mut().zip(then).for_each(|(now, then)| now.lag = then.lag);
        self.state.world.colliders = colliders;
        if self.solver.info().id != checkpoint.solvers.at_work.id {
            self.state.solver = SolverState::default();
        }
        (self.state.grab, self.state.world.grab) = (None, None);
    }

    /// Puts a `state` of a cloth with this `pattern` in the place of the present one.
    fn set_state(&mut self, state: &State, pattern: &Arc<Pattern>) {
        self.expect_factor(&state.solver.factor);
        self.pattern = Arc::clone(pattern);
        self.state.clone_from(state);
        self.scratch.applied_mass = None;
        self.scratch.observer.forget();
    }

    /// The settings of the solvers that were at work before, with their ids.
    pub fn idle_settings(&self) -> impl Iterator<Item = (&'static str, &dyn Tunable)> {
        self.idle_solvers.iter().map(|solver| (solver.info().id, solver.settings()))
    }

    /// A hash of positions and velocities, the same on every machine that computes the same bits.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let of = |vectors: &[Vec3]| fingerprint_of_rows(vectors.iter().map(|v| v.to_array().map(f64::to_bits)));
        fingerprint([of(&self.state.cloth.positions), of(&self.state.cloth.velocities)].into_iter())
    }
}
