//! The step.

use super::contact::{self, Collider};
use super::forces::air::{AirMode, add_air, vertex_normals};
use super::forces::wind::Wind;
use super::guard::Guard;
use super::linear::FactorHistory;
use super::material::Mass;
use super::pins::Partition;
use super::solver::{Ability, Clock, ContactRule, Stage, StepError, StepInput, StepStats, Stopwatch};
use super::tearing::TearSearch;
use super::{
    CancelToken, Cloth, Effort, Hand, Parameters, Pattern, Real, Solver, Timing, Vec3, World, measure, solvers,
};

mod adaptive;
mod frozen;
mod readings;
mod rupture;

use std::sync::Arc;

use adaptive::{AdaptivePace, Motion};
pub use frozen::FrozenStep;
pub use rupture::Moment;

/// A cloth in its world, with the solver that moves it.
pub struct Simulation {
    /// The state.
    pub cloth: Cloth,
    /// What can be changed while it runs; a change takes effect at the next step.
    pub parameters: Parameters,
    /// Colliders.
    pub world: World,
    /// The user's hand, while it holds a vertex.
    pub hand: Option<Hand>,
    /// Where the times in [`StepStats`] come from.
    pub clock: Clock,
    /// Whether the step has been called off; asked in the step.
    pub cancel: CancelToken,
    // shared, so that checkpoints cost no copy of it
    pattern: Arc<Pattern>,
    solver: Box<dyn Solver>,
    /// Solvers that were chosen before, with their settings.
    benched: Vec<Box<dyn Solver>>,
    time: Real,
    steps: u64,
    pace: AdaptivePace,
    scratch: Scratch,
}

/// Memory and caches that a step works in.
#[derive(Default)]
struct Scratch {
    partition: Partition,
    external: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Velocity of the air at each vertex.
    wind: Vec<Vec3>,
    /// Positions at the start of the substep, for contact.
    before: Vec<Vec3>,
    /// The state at the start of the step, for recovery.
    good: Motion,
    gusts: Option<Wind>,
    colliders: Vec<Collider>,
    thickness: Real,
    solids: Vec<contact::Solid>,
    touches: Vec<contact::Touch>,
    applied_mass: Option<Mass>,
    guard: Guard,
    effort: Effort,
    tears: TearSearch,
    /// What the solver carries from step to step, at the start of this one.
    warm_start: Vec<Real>,
    /// How its factor came about until then.
    history: FactorHistory,
}

impl Simulation {
    /// A simulation of a cloth that starts at time zero, at rest in the rest positions of `pattern`.
    #[must_use]
    pub fn new(pattern: Pattern, mass: Mass, solver: Box<dyn Solver>) -> Self {
        let mut masses = Vec::new();
        mass.distribute(&pattern, &mut masses);
        Self {
            cloth: Cloth::at_rest(pattern.rest_positions().to_vec(), masses),
            parameters: Parameters { mass, ..Parameters::default() },
            world: World::default(),
            hand: None,
            clock: Clock::default(),
            cancel: CancelToken::default(),
            pattern: Arc::new(pattern),
            solver,
            benched: Vec::new(),
            time: 0.0,
            steps: 0,
            pace: AdaptivePace::default(),
            scratch: Scratch::default(),
        }
    }

    /// Advances the cloth by one time step.
    ///
    /// # Errors
    /// [`StepError`] when a solver cannot compute a step or the state becomes absurd. The cloth then has the state that
    /// it had before the call.
    pub fn step(&mut self) -> Result<StepStats, StepError> {
        self.distribute_mass();
        self.scratch.good.save(&self.cloth, self.time);
        self.scratch.warm_start.clear();
        self.scratch.warm_start.extend_from_slice(self.solver.memory());
        match self.solver.factor_history() {
            Some(history) => self.scratch.history.copy_from(history),
            None => self.scratch.history = FactorHistory::default(),
        }
        self.scratch.effort.begin(self.cancel.clone(), self.parameters.timing.work_limit);
        let next_substep = self.pace.next;
        let mut stats = StepStats::default();
        self.sample_wind();
        if let Err(error) = self.advance(&mut stats) {
            self.scratch.good.restore(&mut self.cloth, &mut self.time);
            self.solver.reset();
            if error == StepError::Cancelled {
                // as if it had not been begun
                self.solver.remember(&self.scratch.warm_start);
                self.solver.resume_factor(std::mem::take(&mut self.scratch.history));
                self.pace.next = next_substep;
            }
            return Err(error);
        }
        self.tear(&mut stats);
        self.steps += 1;
        Ok(stats)
    }

    /// The substeps of a time step.
    fn advance(&mut self, stats: &mut StepStats) -> Result<(), StepError> {
        if self.is_adaptive() {
            return self.advance_adaptively(stats);
        }
        let dt = self.substep_length();
        (0..self.parameters.timing.substeps * self.solver.small_steps()).try_for_each(|_| self.substep(dt, dt, stats))
    }

    /// One substep of `dt` [s], from top to bottom, with preconditioners of a step of `preconditioner_dt` [s].
    fn substep(&mut self, dt: Real, preconditioner_dt: Real, stats: &mut StepStats) -> Result<(), StepError> {
        let mut watch = Stopwatch::start(self.clock);
        self.scratch.partition.update(&self.cloth, self.hand.as_ref(), self.time, dt);
        self.sum_external_forces(dt);
        self.find_contacts(dt);
        self.scratch.before.clone_from(&self.cloth.positions);
        watch.lap(stats, Stage::External);

        if !self.scratch.partition.free.is_empty() {
            let input = StepInput {
                dt,
                preconditioner_dt,
                pattern: &self.pattern,
                material: &self.material_at_work(),
                partition: &self.scratch.partition,
                external: &self.scratch.external,
                contacts: &self.scratch.touches,
                clock: self.clock,
                effort: &self.scratch.effort,
            };
            input.effort.spend(self.pattern.springs().len())?;
            stats.add(&self.solver.step(&mut self.cloth, &input)?);
        }
        for prescribed in &self.scratch.partition.prescribed {
            self.cloth.positions[prescribed.vertex as usize] = prescribed.position;
            self.cloth.velocities[prescribed.vertex as usize] = prescribed.velocity;
        }

        let mut watch = Stopwatch::start(self.clock);
        self.resolve_contacts();
        watch.lap(stats, Stage::Contact);
        self.scratch.guard.check(&self.cloth, &self.pattern).map_err(StepError::Diverged)?;
        self.time += dt;
        stats.substeps += 1;
        Ok(())
    }

    /// Gives every vertex its mass, when that or the pattern has changed.
    fn distribute_mass(&mut self) {
        if self.scratch.applied_mass != Some(self.parameters.mass) {
            self.parameters.mass.distribute(&self.pattern, &mut self.cloth.masses);
            self.scratch.applied_mass = Some(self.parameters.mass);
        }
    }

    /// The wind at every vertex, once per step: gusts change slowly.
    fn sample_wind(&mut self) {
        let Scratch { wind, gusts, .. } = &mut self.scratch;
        let air = &self.parameters.air;
        if air.air == AirMode::Vacuum {
            return;
        }
        let gusts = match gusts.take() {
            Some(same) if same.is_of(air) => gusts.insert(same),
            _ => gusts.insert(Wind::new(air)),
        };
        gusts.sample(&self.cloth.positions, self.time, wind);
    }

    /// Gravity and air on every vertex.
    fn sum_external_forces(&mut self, dt: Real) {
        let Scratch { external, normals, wind, .. } = &mut self.scratch;
        external.clear();
        let gravity = Vec3::NEG_Y * self.parameters.gravity.gravity;
        external.extend(self.cloth.masses.iter().map(|&mass| gravity * mass));
        if self.parameters.air.air != AirMode::Vacuum {
            vertex_normals(&self.pattern, &self.cloth.positions, normals);
            add_air(&self.parameters.air, &self.cloth, normals, wind, dt, external);
        }
    }

    /// Which vertices press on a collider.
    fn find_contacts(&mut self, dt: Real) {
        let (rule, material) = (self.solver.capabilities().contacts, self.material_at_work());
        let contact = &self.parameters.contact;
        let Scratch { colliders, thickness, solids, partition, external, touches, .. } = &mut self.scratch;
        if *thickness != contact.thickness
            || !self.world.solids(contact, &self.parameters.table).eq(colliders.iter().copied())
        {
            *thickness = contact.thickness;
            *colliders = self.world.solids(contact, &self.parameters.table).collect();
            *solids = contact::prepare(colliders, *thickness);
        }
        let material = match rule {
            ContactRule::HeldInMatrix | ContactRule::PressingConstraints => Some(&material),
            ContactRule::TouchingConstraints => None,
            ContactRule::Response => return touches.clear(),
        };
        let (cloth, pattern) = (&self.cloth, &self.pattern);
        contact::find_touching(contact, solids, cloth, pattern, material, partition, external, dt, touches);
    }

    fn resolve_contacts(&mut self) {
        let Scratch { solids, before, partition, .. } = &self.scratch;
        contact::resolve(&self.parameters.contact, solids, before, partition, &mut self.cloth);
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

    /// Changes the solver; position, velocity and time stay as they are. A solver that was in use before comes back
    /// with the settings it had. Returns whether there is a solver called `id`.
    pub fn set_solver(&mut self, id: &str) -> bool {
        if self.solver.info().id == id {
            return true;
        }
        let next = match self.benched.iter().position(|solver| solver.info().id == id) {
            Some(at) => Some(self.benched.swap_remove(at)),
            None => solvers::build(id),
        };
        let Some(next) = next else { return false };
        let mut last = std::mem::replace(&mut self.solver, next);
        last.reset();
        self.benched.push(last);
        true
    }

    /// Takes over the solvers that `other` had in use before, with their settings.
    pub fn take_bench(&mut self, other: &mut Self) {
        self.benched = std::mem::take(&mut other.benched);
        let at_work = self.solver.info().id;
        self.benched.retain(|solver| solver.info().id != at_work);
    }

    /// Simulated time [s].
    #[must_use]
    pub fn time(&self) -> Real {
        self.time
    }

    /// Number of steps since time zero.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Puts the simulation at a point in time with a state of the present pattern; solver and parameters stay. The solver forgets what it
    /// carried over from the old state.
    pub fn restore(&mut self, cloth: Cloth, time: Real, steps: u64) {
        debug_assert_eq!(self.pattern.len(), cloth.len());
        self.cloth = cloth;
        self.time = time;
        self.steps = steps;
        self.hand = None;
        self.scratch.applied_mass = None;
        self.pace = AdaptivePace::default();
        self.solver.reset();
    }

    /// Largest strain of a thread.
    #[must_use]
    pub fn largest_stretch(&self) -> Real {
        measure::largest_stretch(&self.pattern, &self.cloth.positions)
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
            return self.pace.next.unwrap_or(time_step).min(time_step);
        }
        time_step / Real::from(substeps * self.solver.small_steps())
    }

    /// What the next step depends on beside cloth, time and parameters: the solver's warm start, the length of the next
    /// adaptive substep [s], and how the factor came about. Snapshots keep it.
    #[must_use]
    pub fn memory(&self) -> (&[Real], Option<Real>, Option<&FactorHistory>) {
        (self.solver.memory(), self.pace.next, self.solver.factor_history())
    }

    /// Puts back what [`Simulation::memory`] gave.
    pub fn remember(&mut self, solver: &[Real], next_substep: Option<Real>, factor: Option<FactorHistory>) {
        self.solver.remember(solver);
        self.pace.next = next_substep;
        if let Some(history) = factor {
            self.solver.resume_factor(history);
        }
    }
}
