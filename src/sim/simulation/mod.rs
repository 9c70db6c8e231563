//! The simulation: a cloth in its world, stepped by a solver.

use super::Clock;
use super::contact::Obstacles;
use super::contact::cloth::SelfContact;
use super::measure::guard::Guard;
use super::solver_interface::{Ability, StepError, StepStage, StepStats, Stopwatch};
use super::step::{SchemeStep, Situation, StepInputs};
use super::{
    CancelToken, Cloth, Parameters, Pattern, Real, Solver, SolverState, State, Timing, Vec3, WorkBudget, measure,
    solvers,
};
use crate::sim::exec::pool::{ThreadPool, Tuning};
use crate::sim::model::material::Mass;
use crate::sim::model::partition::Partition;
use crate::sim::stretch::StretchLimiter;
use crate::sim::topology::tearing::TearSearch;

mod adaptive;
mod checkpoint;
mod enclosed;
mod explosion;
mod frozen;
mod jump;
mod observing;
mod readings;
mod rupture;
mod substep;
mod suiting;

use std::sync::Arc;

use adaptive::Trial;
pub use checkpoint::{Checkpoint, SolverSetup, SolverSetups};
pub use enclosed::Enclosure;
pub use frozen::FrozenStep;
pub use observing::Observe;
use observing::Observer;
use substep::Substep;

/// Number of alternating corrections by cloth and by colliders of a vertex that is moved at once.
const REACHES: usize = 4;

/// A cloth in its world, with the solver that moves it.
pub struct Simulation {
    /// State that a step starts from and changes.
    pub state: State,
    /// Parameters; a change takes effect at the next step.
    pub parameters: Parameters,
    /// Source of the times in [`StepStats`].
    pub clock: Clock,
    /// Cancels the step; checked within the step.
    pub cancel: CancelToken,
    /// Optional measurements of steps. They change nothing in the state.
    pub observe: Observe,
    /// Share of the wind that blows: less than 1 while it rises.
    pub wind_share: Real,
    // shared, so that checkpoints cost no copy of it
    pattern: Arc<Pattern>,
    solver: Box<dyn Solver>,
    /// Solvers chosen earlier, with their settings.
    idle_solvers: Vec<Box<dyn Solver>>,
    scratch: Scratch,
}

/// Memory and caches of a step. No result depends on their content.
#[derive(Default)]
struct Scratch {
    inputs: StepInputs,
    stage: SchemeStep,
    limiter: StretchLimiter,
    /// Positions at the start of the substep, for contact.
    before: Vec<Vec3>,
    self_contact: SelfContact,
    /// Positions by inertia and external forces, for contact as constraints.
    predicted: Vec<Vec3>,
    /// The state at the start of the step, for recovery.
    start: State,
    trial: Trial,
    applied_mass: Option<Mass>,
    guard: Guard,
    budget: WorkBudget,
    tears: TearSearch,
    observer: Observer,
    tuning: Tuning,
}

impl Simulation {
    /// A simulation of a cloth that starts at time zero, at rest in the rest positions of
    /// `pattern`.
    #[must_use]
    pub fn new(pattern: Pattern, mass: Mass, solver: Box<dyn Solver>) -> Self {
        let mut masses = Vec::new();
        mass.distribute(&pattern, &mut masses);
        let cloth = Cloth::at_rest(pattern.rest_positions().to_vec(), masses);
        Self { parameters: Parameters { mass, ..Parameters::default() }, ..Self::of(cloth, Arc::new(pattern), solver) }
    }

    /// One of a cloth that is made as `pattern` says.
    fn of(cloth: Cloth, pattern: Arc<Pattern>, solver: Box<dyn Solver>) -> Self {
        Self {
            state: State::of(cloth),
            parameters: Parameters::default(),
            clock: Clock::default(),
            cancel: CancelToken::default(),
            observe: Observe::default(),
            wind_share: 1.0,
            pattern,
            solver,
            idle_solvers: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Advances the cloth by one time step.
    ///
    /// # Errors
    /// [`StepError`] when a solver cannot compute a step or the state becomes absurd. The cloth
    /// then has the state that it had before the call.
    pub fn step(&mut self) -> Result<StepStats, StepError> {
        let parts = if self.is_adaptive() { 1 } else { self.parameters.timing.substeps * self.solver.small_steps() };
        let passes = parts as usize * self.solver.passes() as usize;
        let springs = self.pattern.springs().len();
        let worth_it = ThreadPool::is_worth_it(self.state.cloth.len(), springs, passes);
        // a cloth that tears stays about as large
        let amount = passes * springs.next_power_of_two();
        let mut tuning = std::mem::take(&mut self.scratch.tuning);
        let stats = ThreadPool::run_step(worth_it, amount, self.clock, &mut tuning, |pool| self.step_with(pool));
        self.scratch.tuning = tuning;
        stats
    }

    /// [`step`](Self::step) by a pool.
    fn step_with(&mut self, pool: &ThreadPool) -> Result<StepStats, StepError> {
        self.distribute_mass();
        self.scratch.start.copy_from(&self.state, pool);
        self.scratch.budget.begin(self.cancel.clone(), self.parameters.timing.work_limit);
        self.scratch.self_contact.set_token(&self.cancel);
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(self.clock);
        let Self { state, pattern, parameters, scratch, .. } = self;
        let now = Situation { state, pattern, parameters, cloth_contact: &[], solids: &[] };
        scratch.inputs.limit_wind((self.wind_share != 1.0).then_some(self.wind_share));
        scratch.inputs.sample_wind(&now, pool);
        watch.lap(&mut stats, StepStage::External);
        let advanced = self.advance(&mut stats, pool);
        // requests of a hand between steps are not cancelled with them
        self.scratch.self_contact.set_token(&CancelToken::default());
        if let Err(error) = advanced {
            // the failed state is kept, to be looked at
            std::mem::swap(&mut self.state, &mut self.scratch.start);
            self.solver.reset();
            if error == StepError::Cancelled {
                self.scratch.self_contact.forget_search();
            }
            return Err(error);
        }
        self.tear(&mut stats);
        self.state.steps += 1;
        Ok(stats)
    }

    /// The substeps of a time step.
    fn advance(&mut self, stats: &mut StepStats, pool: &ThreadPool) -> Result<(), StepError> {
        if self.is_adaptive() {
            return self.advance_adaptively(stats, pool);
        }
        let dt = self.substep_length();
        let parts = self.parameters.timing.substeps * self.solver.small_steps();
        for part in 0..parts {
            if part > 0 && self.scratch.budget.is_used_up() {
                // the cloth waits for the next step: a solver without iterations would leave it to
                // itself
                let left = parts - part;
                self.state.time += dt * Real::from(left);
                stats.exhausted += left;
                break;
            }
            let longest = SchemeStep::LONGEST;
            self.substep(Substep { dt, preconditioner_dt: dt, longest, limited_over: Some(dt) }, stats, pool)?;
        }
        Ok(())
    }

    /// Gives every vertex its mass, when that or the pattern has changed.
    fn distribute_mass(&mut self) {
        if self.scratch.applied_mass != Some(self.parameters.mass) {
            self.parameters.mass.distribute(&self.pattern, &mut self.state.cloth.masses);
            self.scratch.applied_mass = Some(self.parameters.mass);
        }
    }

    /// Rest mesh and springs.
    #[must_use]
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Rest mesh and springs, to share.
    #[must_use]
    pub fn shared_pattern(&self) -> Arc<Pattern> {
        Arc::clone(&self.pattern)
    }

    /// The solver at work.
    #[must_use]
    pub fn solver(&self) -> &dyn Solver {
        self.solver.as_ref()
    }

    /// The solver at work, to change its settings.
    pub fn solver_mut(&mut self) -> &mut dyn Solver {
        self.solver.as_mut()
    }

    /// Changes the solver; position, velocity and time stay as they are. A solver that was in use
    /// before comes back with the settings it had, another gets settings that suit the cloth.
    /// Returns whether there is a solver called `id`.
    pub fn set_solver(&mut self, id: &str) -> bool {
        if self.solver.info().id == id {
            return true;
        }
        let next = match self.idle_solvers.iter().position(|solver| solver.info().id == id) {
            Some(at) => Some(self.idle_solvers.swap_remove(at)),
            None => solvers::build(id).map(|mut solver| {
                solver.suit(&self.demand());
                solver
            }),
        };
        let Some(next) = next else { return false };
        let mut last = std::mem::replace(&mut self.solver, next);
        last.reset();
        // the state of one solver means nothing to another
        self.state.solver = SolverState::default();
        self.scratch.observer.forget();
        self.idle_solvers.push(last);
        true
    }

    /// Keeps a solver with its settings for when it is chosen, in the place of one that was kept
    /// before.
    pub fn keep_solver(&mut self, solver: Box<dyn Solver>) {
        self.idle_solvers.retain(|kept| kept.info().id != solver.info().id);
        if solver.info().id != self.solver.info().id {
            self.idle_solvers.push(solver);
        }
    }

    /// Takes over the solvers that `other` had in use before, with their settings.
    pub fn take_idle_solvers(&mut self, other: &mut Self) {
        std::mem::take(&mut other.idle_solvers).into_iter().for_each(|solver| self.keep_solver(solver));
    }

    /// Simulated time [s].
    #[must_use]
    pub fn time(&self) -> Real {
        self.state.time
    }

    /// Number of steps since time zero.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// End of the motion of a vertex that a hand puts at `target` [m] at once: it stops at
    /// colliders, and at other parts of the cloth if these must not pass through each other.
    #[must_use]
    pub fn reach(&mut self, vertex: u32, target: Vec3) -> Vec3 {
        let Self { state, pattern, parameters: Parameters { contact, table, .. }, scratch, .. } = self;
        let State { cloth, world, time, .. } = state;
        let mut obstacles = Obstacles::default();
        obstacles.update(|| world.solids(contact, table), None, contact, *time, 0.0);
        let from = cloth.positions[vertex as usize];
        let mut target = obstacles.hold_back(from, target);
        if !contact.self_contact {
            return target;
        }
        let distance = scratch.self_contact.acting_distance(pattern, contact.layer_distance);
        for _ in 0..REACHES {
            let solids = obstacles.solids().1;
            let cut = scratch.self_contact.reach((pattern, distance), solids, cloth, vertex, target);
            let held = if cut == target { cut } else { obstacles.hold_back(from, cut) };
            if held == cut {
                return cut;
            }
            target = held;
        }
        // wedged between both
        from
    }

    /// [`largest_stretch`](measure::largest_stretch) of the cloth.
    #[must_use]
    pub fn largest_stretch(&self) -> Real {
        measure::largest_stretch(&self.pattern, &self.parameters.material, &self.state.cloth.positions)
    }

    /// Whether the substeps follow the motion: if that is wanted and the solver can.
    #[must_use]
    pub fn is_adaptive(&self) -> bool {
        self.parameters.timing.adaptive && self.solver.capabilities().adaptivity == Ability::Yes
    }

    /// Length of a substep [s]; of the next one if the step is adaptive.
    #[must_use]
    pub fn substep_length(&self) -> Real {
        let Timing { time_step, substeps, .. } = self.parameters.timing;
        if self.is_adaptive() {
            return self.state.next_substep.unwrap_or(time_step).min(time_step);
        }
        time_step / Real::from(substeps * self.solver.small_steps())
    }
}
