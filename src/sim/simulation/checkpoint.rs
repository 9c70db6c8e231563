//! Checkpoints, from which a simulation continues with the same bits.

use std::sync::Arc;

use super::{Cloth, Parameters, Pattern, Real, Simulation, SolverState, State, Vec3, measure};
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
    /// The solver at work.
    solver: SolverSetup,
    /// Those that were at work before.
    idle_solvers: Vec<SolverSetup>,
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

    /// Largest strain of a spring.
    #[must_use]
    pub fn largest_stretch(&self) -> Real {
        measure::largest_stretch(&self.pattern, &self.state.cloth.positions)
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
            solver: SolverSetup::of(self.solver.as_ref()),
            idle_solvers: self.idle_solvers.iter().map(|solver| SolverSetup::of(solver.as_ref())).collect(),
        }
    }

    /// Another simulation at a checkpoint, which continues, bit for bit, as the original does.
    ///
    /// # Panics
    /// Never: the solver of a checkpoint is in the registry.
    #[must_use]
    pub fn resume(checkpoint: &Checkpoint) -> Self {
        let solver = solvers::build(checkpoint.solver.id).expect("the solver of a checkpoint is in the registry");
        let mut simulation = Self::of(Cloth::default(), Arc::clone(&checkpoint.pattern), solver);
        simulation.restore(checkpoint);
        simulation
    }

    /// Goes to a checkpoint, of this simulation or of another one.
    pub fn restore(&mut self, checkpoint: &Checkpoint) {
        let Checkpoint { state, parameters, pattern, solver, idle_solvers } = checkpoint;
        self.set_solver(solver.id);
        solver.apply(self.solver.as_mut());
        let mut idle: Vec<Box<dyn Solver>> = std::mem::take(&mut self.idle_solvers);
        for setup in idle_solvers {
            let known = idle.iter().position(|solver| solver.info().id == setup.id);
            let solver = known.map(|at| idle.swap_remove(at)).or_else(|| solvers::build(setup.id));
            if let Some(mut solver) = solver {
                setup.apply(solver.as_mut());
                self.idle_solvers.push(solver);
            }
        }
        self.parameters = *parameters;
        self.set_state(state, pattern);
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
        if self.solver.info().id != checkpoint.solver.id {
            self.state.solver = SolverState::default();
        }
        (self.state.grab, self.state.world.grab) = (None, None);
    }

    /// Puts a `state` of a cloth with this `pattern` in the place of the present one.
    fn set_state(&mut self, state: &State, pattern: &Arc<Pattern>) {
        // a factor that came about in the same way has the same numbers
        let factor = &self.state.solver.factor;
        if factor.is_empty() || *factor != state.solver.factor {
            self.solver.reset();
        }
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
