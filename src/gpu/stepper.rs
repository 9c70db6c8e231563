//! Common part of the solvers of a device: a step, or one iteration at a time, by a [`Schedule`].
//!
//! Connected parts without prescribed vertices are translated to the lowest energy first: that
//! keeps their momentum, and lets them slide.

use std::sync::Arc;

use super::choice;
use super::device::Device;
use super::engine::Engine;
use super::fault::DeviceFault;
use super::packed::Start;
use super::schedule::{Method, Schedule};
use super::springs::Springs;
use super::triangles::StrainLimit;
use crate::sim::measure::{Potential, SpringSystem};
use crate::sim::model::material::DampingModel;
use crate::sim::solver_interface::{Capabilities, Elasticity, Info, Iteration, StepStage, Stopwatch};
use crate::sim::{Cloth, Material, Real, StepError, StepInput, StepStats, Vec3};

/// Visits of a spring on the host that cost as much as those of a device in the time of one.
const FASTER: usize = 32;

/// Settings of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepPlan {
    /// The iterations.
    pub schedule: Schedule,
    /// Strain limits of triangles, if any.
    pub limit: Option<StrainLimit>,
}

/// Iterations one at a time: where the last one led, of which step.
#[derive(Debug)]
struct Left {
    index: u32,
    q: Vec<Vec3>,
    state: [Vec<Vec3>; 3],
    dt: Real,
}

/// A device at work for a solver.
#[derive(Debug, Default)]
pub struct Stepper {
    /// The device that it was made for, if not for the one of all.
    device: Option<Arc<Device>>,
    engine: Option<Engine>,
    springs: Springs,
    left: Option<Left>,
}

impl Stepper {
    /// One that uses this device and no other.
    #[must_use]
    pub fn on(device: Arc<Device>) -> Self {
        Self { device: Some(device), ..Self::default() }
    }

    fn device(&self) -> Result<Arc<Device>, DeviceFault> {
        self.device.as_ref().map_or_else(choice::current, |device| Ok(Arc::clone(device)))
    }

    /// The engine with the step uploaded.
    fn prepare(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        (method, limit): (Method, Option<StrainLimit>),
        start: Start,
    ) -> Result<&mut Engine, DeviceFault> {
        let device = self.device()?;
        let known = self.engine.take().filter(|engine| Arc::ptr_eq(engine.device(), &device));
        let (engine, is_new) = match known {
            Some(engine) => (engine, false),
            None => (Engine::new(device), true),
        };
        let engine = self.engine.insert(engine);
        let changed = self.springs.update(cloth, input, limit.as_ref());
        engine.upload(cloth, input, &self.springs, changed || is_new, method, start)?;
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

    /// So many iterations, or those that the budget of the step allows.
    fn affordable(input: &StepInput, wanted: u32) -> Result<(u32, bool), StepError> {
        let work = (input.pattern.springs().len() / FASTER).max(1);
        for iteration in 1..=wanted {
            if !input.budget.spend_on(iteration, work)? {
                return Ok((iteration - 1, true));
            }
        }
        Ok((wanted, false))
    }

    /// Takes the step of `input`.
    ///
    /// # Errors
    /// [`StepError`] when it is called off, or the device fails.
    pub fn step(&mut self, cloth: &mut Cloth, input: &StepInput, plan: StepPlan) -> Result<StepStats, StepError> {
        self.attempt(|this| this.step_on_device(cloth, input, plan))
    }

    fn step_on_device(&mut self, cloth: &mut Cloth, input: &StepInput, plan: StepPlan) -> Result<StepStats, StepError> {
        let StepPlan { schedule, limit } = plan;
        let mut watch = Stopwatch::start(input.clock);
        let mut stats = StepStats::default();
        input.budget.check()?;
        self.prepare(cloth, input, (schedule.method, limit), Start::Lower)?;
        // friction is the gradient of nothing, and its error falls as it likes
        let useful = if input.contacts.is_empty() { schedule.useful(self.springs.least_gap) } else { u32::MAX };
        let wanted = schedule.iterations.min(useful);
        let (iterations, exhausted) = Self::affordable(input, wanted)?;
        let schedule = Schedule { iterations, ..schedule };
        watch.lap(&mut stats, StepStage::Assemble);
        let Self { engine: Some(engine), springs, .. } = self else { return Err(DeviceFault::None.into()) };
        engine.run(schedule, springs.least_gap, || input.budget.check().map_err(StepError::from))?;
        let outcome = engine.fetch(input.pool)?;
        (stats.iterations, stats.residual, stats.exhausted) = (iterations, outcome.correction, exhausted.into());
        engine.balance(cloth, input, springs);
        input.arrive(cloth, |i| engine.position(i));
        watch.lap(&mut stats, StepStage::Solve);
        Ok(stats)
    }

    /// Makes one iteration from `q` [m] on; one after the other they are those of a step.
    ///
    /// # Errors
    /// [`DeviceFault`].
    pub fn iterate(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        plan: StepPlan,
        q: &mut [Vec3],
    ) -> Result<Iteration, StepError> {
        self.attempt(|this| this.iterate_on_device(cloth, input, plan, q))
    }

    fn iterate_on_device(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        plan: StepPlan,
        q: &mut [Vec3],
    ) -> Result<Iteration, StepError> {
        let StepPlan { schedule, limit } = plan;
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
                self.prepare(cloth, input, (schedule.method, limit), Start::At(q))?;
                let Self { engine: Some(engine), springs, .. } = self else { return Err(DeviceFault::None.into()) };
                engine.begin_alone(schedule, springs.least_gap)?;
                engine.fetch(input.pool)?;
                0
            }
        };
        let Self { engine: Some(engine), springs, .. } = self else { return Err(DeviceFault::None.into()) };
        let started = (input.clock.0)();
        engine.iterate_alone(index)?;
        engine.fetch(input.pool)?;
        let seconds = (input.clock.0)() - started;
        engine.balance(cloth, input, springs);
        let mut moved = false;
        for (vertex, q) in q.iter_mut().enumerate() {
            let next = engine.position(vertex);
            moved |= next != *q;
            *q = next;
        }
        let state = [cloth.positions.clone(), cloth.velocities.clone(), input.external.to_vec()];
        self.left = Some(Left { index, q: q.to_vec(), state, dt: input.dt });
        Ok(Iteration { seconds, solved: !moved })
    }

    /// Forgets where iterations one at a time have led.
    pub fn interrupt(&mut self) {
        self.left = None;
    }

    /// Forgets all but the device that it was made for.
    pub fn reset(&mut self) {
        *self = Self { device: self.device.take(), ..Self::default() };
    }
}

/// The energy that a step minimises [J], with triangles if they are limited; `None` with contacts,
/// whose friction has none.
#[must_use]
pub fn objective(cloth: &Cloth, input: &StepInput, limit: Option<StrainLimit>, q: &[Vec3]) -> Option<Real> {
    if !input.contacts.is_empty() {
        return None;
    }
    let material = Material { damping_model: DampingModel::Isotropic, ..*input.material };
    let input = StepInput { material: &material, ..*input };
    let mut target = Vec::new();
    input.predict(cloth, &mut target);
    let of_triangles = limit.map_or(0.0, |limit| limit.energy(input.pattern, q));
    Some(Potential { cloth, input: &input, target: &target, holds: &[] }.value(q) + of_triangles)
}

/// Energy of springs, and of triangles if they are limited [J].
#[must_use]
pub fn elastic_energy(system: &SpringSystem, limit: Option<StrainLimit>) -> Real {
    let of_triangles = limit.map_or(0.0, |limit| limit.energy(system.pattern, &system.cloth.positions));
    system.elastic_energy() + of_triangles
}

/// Force of these on `vertex` [N].
#[must_use]
pub fn elastic_force(system: &SpringSystem, limit: Option<StrainLimit>, vertex: u32) -> Vec3 {
    let of_triangles = |limit: StrainLimit| limit.force_on(vertex, system.pattern, &system.cloth.positions);
    system.force_on(vertex) + limit.map_or(Vec3::ZERO, of_triangles)
}

/// Capabilities of a solver with strain limits of triangles, if any.
#[must_use]
pub fn capabilities(of: &Info, limit: Option<StrainLimit>) -> Capabilities {
    let elasticity = if limit.is_some() { Elasticity::Own } else { of.capabilities.elasticity };
    Capabilities { elasticity, ..of.capabilities }
}

/// Whether the energy of a step is the potential of implicit Euler.
#[must_use]
pub fn minimises_potential(input: &StepInput, limit: Option<StrainLimit>) -> bool {
    let law = input.material.damping_model == DampingModel::Isotropic || input.material.damping == 0.0;
    limit.is_none() && input.contacts.is_empty() && law
}
