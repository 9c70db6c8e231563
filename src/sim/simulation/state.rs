//! All that the future of a simulation depends on, to go on from there with the same bits.

use std::sync::Arc;

use super::{Cloth, FactorHistory, Grab, LayerForce, Parameters, Pattern, Real, Simulation, SolidForce, Vec3, World};
use crate::sim::math::fingerprint::{fingerprint, fingerprint_of_rows};
use crate::sim::params::{Setting, Tunable};
use crate::sim::step::History;
use crate::sim::{Solver, solvers};

/// A moment of a simulation. What follows a simulation that is [put](Simulation::set_state) there is, bit for bit, what followed it then.
/// The pattern is shared; a state takes some 100 bytes per vertex, more with a warm start or contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Positions, velocities, masses and pins.
    pub cloth: Cloth,
    /// Simulated time [s].
    pub time: Real,
    /// Steps since time zero.
    pub steps: u64,
    /// All common parameters.
    pub parameters: Parameters,
    pattern: Arc<Pattern>,
    world: World,
    grab: Option<Grab>,
    /// The solver at work.
    solver: SolverSetup,
    /// Those that were at work before.
    idle_solvers: Vec<SolverSetup>,
    warm_start: Vec<Real>,
    next_substep: Option<Real>,
    factor: Option<FactorHistory>,
    history: Option<History>,
    layers: Vec<LayerForce>,
    solids: Vec<SolidForce>,
}

/// A solver, by its id, with its settings in the order of their declaration.
#[derive(Debug, Clone, PartialEq)]
struct SolverSetup {
    id: &'static str,
    settings: Vec<Setting>,
}

impl SolverSetup {
    fn of(solver: &dyn Solver) -> Self {
        let settings = solver.settings();
        let values = (0..settings.params().len()).map(|index| settings.get(index));
        Self { id: solver.info().id, settings: values.collect() }
    }

    fn apply(&self, solver: &mut dyn Solver) {
        for (index, value) in self.settings.iter().enumerate() {
            solver.settings_mut().assign(index, *value);
        }
    }
}

impl State {
    /// Memory that it takes beside what it shares with others [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let contacts = size_of_val(&self.layers[..]) + size_of_val(&self.solids[..]);
        let held = self.factor.as_ref().map_or(0, FactorHistory::bytes);
        let history = self.history.as_ref().map_or(0, History::bytes);
        size_of::<Self>() - size_of::<Cloth>()
            + self.cloth.bytes()
            + size_of_val(&self.world.colliders[..])
            + size_of_val(&self.warm_start[..])
            + held
            + history
            + contacts
    }
}

impl Simulation {
    /// The present moment.
    #[must_use]
    pub fn state(&self) -> State {
        let (warm_start, next_substep, factor) = self.warm_start();
        State {
            cloth: self.cloth.clone(),
            time: self.time,
            steps: self.steps,
            parameters: self.parameters,
            pattern: Arc::clone(&self.pattern),
            world: self.world.clone(),
            grab: self.grab,
            solver: SolverSetup::of(self.solver.as_ref()),
            idle_solvers: self.idle_solvers.iter().map(|solver| SolverSetup::of(solver.as_ref())).collect(),
            warm_start: warm_start.to_vec(),
            next_substep,
            factor: factor.filter(|history| !history.is_empty()).cloned(),
            history: self.history(),
            layers: self.layer_forces().to_vec(),
            solids: self.solid_forces().to_vec(),
        }
    }

    /// Another simulation at the moment of a `state`. What follows is, bit for bit, what follows the one that the state is of.
    ///
    /// # Panics
    /// Never: the solver of a state is in the registry.
    #[must_use]
    pub fn resume(state: &State) -> Self {
        let solver = solvers::build(state.solver.id).expect("the solver of a state is in the registry");
        let mut simulation = Self::of(state.cloth.clone(), Arc::clone(&state.pattern), solver);
        simulation.set_state(state);
        simulation
    }

    /// Goes to the moment of a `state`, of this simulation or of another one. A factor that came about as that of the state did is kept, since
    /// the same numbers would come out.
    pub fn set_state(&mut self, state: &State) {
        self.set_solver(state.solver.id);
        state.solver.apply(self.solver.as_mut());
        let mut idle: Vec<Box<dyn Solver>> = std::mem::take(&mut self.idle_solvers);
        for setup in &state.idle_solvers {
            let known = idle.iter().position(|solver| solver.info().id == setup.id);
            let solver = known.map(|at| idle.swap_remove(at)).or_else(|| solvers::build(setup.id));
            if let Some(mut solver) = solver {
                setup.apply(solver.as_mut());
                self.idle_solvers.push(solver);
            }
        }
        let history = self.solver.factor_history().filter(|history| !history.is_empty());
        let keeps_factor = history.is_some() && history == state.factor.as_ref();
        self.pattern = Arc::clone(&state.pattern);
        self.parameters = state.parameters;
        self.world.clone_from(&state.world);
        self.grab = state.grab;
        self.cloth.clone_from(&state.cloth);
        (self.time, self.steps) = (state.time, state.steps);
        self.set_history(state.history.as_ref());
        self.scratch.applied_mass = None;
        self.set_layer_forces(&state.layers);
        self.set_solid_forces(&state.solids);
        if keeps_factor {
            self.set_warm_start(&state.warm_start, state.next_substep, None);
        } else {
            self.solver.reset();
            self.set_warm_start(&state.warm_start, state.next_substep, state.factor.clone());
        }
    }

    /// The settings of the solvers that were at work before, with their ids.
    pub fn idle_settings(&self) -> impl Iterator<Item = (&'static str, &dyn Tunable)> {
        self.idle_solvers.iter().map(|solver| (solver.info().id, solver.settings()))
    }

    /// A hash of positions and velocities, the same on every machine that computes the same bits.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let of = |vectors: &[Vec3]| fingerprint_of_rows(vectors.iter().map(|v| v.to_array().map(f64::to_bits)));
        fingerprint([of(&self.cloth.positions), of(&self.cloth.velocities)].into_iter())
    }
}
