//! Projective dynamics on a graphics device: the energy of `fast-mass-spring`, vertex by vertex, with Chebyshev's recurrence.
//!
//! ```text
//! y = x + h v + h² M⁻¹ f_ext,   q = y, or x + h v if the energy is lower there
//! q̃_i = q_i + D_i⁻¹ (m/h² (y_i - q_i) + Σ_e (k (L/|d| - 1) d - c/h (d - d₀)) + contacts),   d = q_i - q_j
//! q_{k+1} = q_{k-1} + ω_{k+1} (q̃ - q_{k-1})
//! v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Wang, "A Chebyshev semi-iterative approach for accelerating projective and position-based dynamics", 2015; the energy is that of
//! Liu et al. 2013, with the damping, the contacts and the isometric bending of `fast-mass-spring`, so both have the same minimiser. Local and global step are one:
//! each vertex gathers the projections of its springs. First order. A plain iteration never raises the energy; that of accelerated ones is watched
//! ([`super::engine`]), and a step ends no higher than it started, up to single precision. Coarse levels carry what crosses the whole cloth, of a whole grid
//! ([`super::levels`]) and of any other ([`super::clusters`]).
//!
//! A cloth that nothing holds or touches is shifted as a whole to where the energy is lowest, which keeps its momentum.

use std::sync::Arc;

use super::choice;
use super::device::Device;
use super::engine::Engine;
use super::fault::DeviceFault;
use super::packed::Start;
use super::schedule::Schedule;
use super::springs::Springs;
use crate::parameters;
use crate::sim::measure::Potential;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Choice, Kind, Tunable, count};
use crate::sim::solver::{
    Ability, BendingRule, Capabilities, ContactRule, DampingLaws, Group, Info, Iteration, Keeps, Minimiser, Processor,
    SeenRange, Stability, Stage, Stopwatch,
};
use crate::sim::{Cloth, Material, Real, Solver, StepError, StepInput, StepStats, Vec3};

/// What it is and what it promises.
pub static INFO: Info = Info {
    id: "gpu-projective-dynamics",
    name: "Projective dynamics (GPU)",
    group: Group::LocalGlobal,
    source: "Wang 2015",
    order: 1,
    stability: Stability::Seen(SeenRange {
        stiffness: 1e6,
        step: 0.1,
        remark: "its energy never rises within a step, up to single precision",
    }),
    cost: "per iteration a pass over the springs, on a graphics device",
    summary: "The energy of fast mass-spring on a graphics device, without a matrix: for large cloths; a stiff cloth needs many iterations.",
    formula: "q' = p + ω (q + f(q)/D – p)  (p: the iterate before q, f: minus first derivative of the potential)",
    capabilities: Capabilities {
        contacts: ContactRule::PressingConstraints,
        bending: BendingRule::Matrix,
        schemes: Ability::No("its single precision has not the digits that a second order would gain"),
        damping: DampingLaws::Only(
            DampingModel::Isotropic,
            "its diagonal is constant, and damping along springs that turn is not",
        ),
        processor: Processor::Device,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

parameters! {
    /// Settings of [`ProjectiveDynamics`].
    pub struct Settings {
        /// Iterations per step, at most; a step that is solved to single precision with fewer takes fewer. More come closer to implicit Euler: less stretch, less lag, more work.
        pub iterations: u32 = 60, "Iterations", "", count(1, 10_000);
        /// Whether Chebyshev's recurrence accelerates the iterations: the same motion with far fewer of them.
        pub chebyshev: bool = true, "Chebyshev", "", Kind::Toggle;
        /// Whether coarse levels carry forces across the whole cloth in every iteration. They are used where springs are stiff for the step.
        pub coarse_levels: bool = true, "Coarse levels", "", Kind::Toggle;
    }
}

const ACCELERATIONS: [Choice; 2] = [
    Choice { key: "none", help: "Plain iterations." },
    Choice { key: "chebyshev", help: "Chebyshev's recurrence (Wang 2015)." },
];

/// Visits of a spring on the host that cost as much as those of a device in the time of one.
const FASTER: usize = 32;

/// Iterations one at a time: where the last one led, of which step.
#[derive(Debug)]
struct Left {
    index: u32,
    q: Vec<Vec3>,
    state: [Vec<Vec3>; 3],
    dt: Real,
}

/// See the module.
#[derive(Debug, Default)]
pub struct ProjectiveDynamics {
    /// Number of iterations.
    pub settings: Settings,
    /// The device that it was made for, if not for the one of all.
    device: Option<Arc<Device>>,
    engine: Option<Engine>,
    springs: Springs,
    left: Option<Left>,
}

impl ProjectiveDynamics {
    /// One that uses this device and no other.
    #[must_use]
    pub fn on(device: Arc<Device>) -> Self {
        Self { device: Some(device), ..Self::default() }
    }

    fn device(&self) -> Result<Arc<Device>, DeviceFault> {
        self.device.as_ref().map_or_else(choice::current, |device| Ok(Arc::clone(device)))
    }

    fn schedule(&self) -> Schedule {
        Schedule { iterations: self.settings.iterations, accelerated: self.settings.chebyshev }
    }

    /// The engine with the step uploaded.
    fn prepare(&mut self, cloth: &Cloth, input: &StepInput, start: Start) -> Result<&mut Engine, DeviceFault> {
        let device = self.device()?;
        let known = self.engine.take().filter(|engine| Arc::ptr_eq(engine.device(), &device));
        let (engine, is_new) = match known {
            Some(engine) => (engine, false),
            None => (Engine::new(device), true),
        };
        let engine = self.engine.insert(engine);
        let multilevel = self.settings.coarse_levels;
        let changed = self.springs.update(cloth, input);
        engine.upload(cloth, input, &self.springs, changed || is_new, multilevel, start)?;
        Ok(engine)
    }

    /// Does `work`, and forgets the device when it fails.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, StepError>) -> Result<T, StepError> {
        let device = self.device()?;
        let mut done = None;
        let fault = device.attempt(|| {
            done = Some(work(self));
            Ok(())
        });
        let done = match (fault, done) {
            (Err(fault), _) => Err(fault.into()),
            (Ok(()), Some(done)) => done,
            (Ok(()), None) => Err(DeviceFault::None.into()),
        };
        if done.is_err() {
            self.reset();
        }
        done
    }

    /// So many iterations, or those that the effort of the step allows.
    fn affordable(input: &StepInput, wanted: u32) -> Result<(u32, bool), StepError> {
        let work = (input.pattern.springs().len() / FASTER).max(1);
        for iteration in 1..=wanted {
            if !input.effort.spend_on(iteration, work)? {
                return Ok((iteration - 1, true));
            }
        }
        Ok((wanted, false))
    }

    fn step_on_device(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut watch = Stopwatch::start(input.clock);
        let mut stats = StepStats::default();
        input.effort.check()?;
        self.prepare(cloth, input, Start::Lower)?;
        let schedule = self.schedule();
        // friction is the gradient of nothing, and its error falls as it likes
        let useful = if input.contacts.is_empty() { schedule.useful(self.springs.least_gap) } else { u32::MAX };
        let wanted = schedule.iterations.min(useful);
        let (iterations, exhausted) = Self::affordable(input, wanted)?;
        let schedule = Schedule { iterations, ..schedule };
        watch.lap(&mut stats, Stage::Assemble);
        let Self { engine: Some(engine), springs, .. } = self else { return Err(DeviceFault::None.into()) };
        engine.run(schedule, springs.least_gap, || input.effort.check().map_err(StepError::from))?;
        let outcome = engine.fetch()?;
        (stats.iterations, stats.residual, stats.exhausted) = (iterations, outcome.correction, exhausted.into());
        let shift = engine.shift(cloth, input);
        input.arrive(cloth, |i| engine.position(i) + shift);
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }

    fn iterate_on_device(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        let goes_on = |left: &Left| {
            let [x, v, f] = &left.state;
            left.q == *q
                && *x == cloth.positions
                && *v == cloth.velocities
                && *f == input.external
                && left.dt == input.dt
        };
        let index = match self.left.take().filter(goes_on) {
            Some(left) => left.index + 1,
            None => {
                let schedule = self.schedule();
                self.prepare(cloth, input, Start::At(q))?;
                let Self { engine: Some(engine), springs, .. } = self else { return Err(DeviceFault::None.into()) };
                engine.begin_alone(schedule, springs.least_gap)?;
                engine.fetch()?;
                0
            }
        };
        let Some(engine) = &mut self.engine else { return Err(DeviceFault::None.into()) };
        let started = (input.clock.0)();
        engine.iterate_alone(index)?;
        engine.fetch()?;
        let seconds = (input.clock.0)() - started;
        let shift = engine.shift(cloth, input);
        let mut moved = false;
        for (vertex, q) in q.iter_mut().enumerate() {
            let next = engine.position(vertex) + shift;
            moved |= next != *q;
            *q = next;
        }
        let state = [cloth.positions.clone(), cloth.velocities.clone(), input.external.to_vec()];
        self.left = Some(Left { index, q: q.to_vec(), state, dt: input.dt });
        Ok(Iteration { seconds, solved: !moved })
    }
}

impl Minimiser for ProjectiveDynamics {
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        self.attempt(|this| this.iterate_on_device(cloth, input, q))
    }

    fn start(&mut self, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) -> Result<(), StepError> {
        crate::sim::solver::start_lower(self, cloth, input, q);
        Ok(())
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        if !input.contacts.is_empty() {
            return None;
        }
        let material = Material { damping_model: DampingModel::Isotropic, ..*input.material };
        let input = StepInput { material: &material, ..*input };
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        Some(Potential { cloth, input: &input, target: &target, holds: &[] }.value(q))
    }

    fn limit_iterations(&mut self, most: u32) {
        self.settings.iterations = most;
    }

    fn accelerations(&self) -> &'static [Choice] {
        &ACCELERATIONS
    }

    fn acceleration(&self) -> Option<&'static str> {
        Some(ACCELERATIONS[usize::from(self.settings.chebyshev)].key)
    }

    fn accelerate(&mut self, choice: usize) {
        self.settings.chebyshev = choice > 0;
        self.left = None;
    }

    fn minimises_potential(&self, input: &StepInput) -> bool {
        let law = input.material.damping_model == DampingModel::Isotropic || input.material.damping == 0.0;
        input.contacts.is_empty() && law
    }
}

impl Solver for ProjectiveDynamics {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn settings(&self) -> &dyn Tunable {
        &self.settings
    }

    fn settings_mut(&mut self) -> &mut dyn Tunable {
        &mut self.settings
    }

    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        self.attempt(|this| this.step_on_device(cloth, input))
    }

    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        Some(self)
    }

    fn reset(&mut self) {
        self.engine = None;
        self.springs.reset();
        self.left = None;
    }
}
