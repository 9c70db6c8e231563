//! Equal cost: the value of the setting that buys accuracy for time ([`WorkSetting`]) with which a
//! simulation costs as much as another one.
//!
//! The cost of a value is measured: a copy of the simulation takes some whole steps with it, contact
//! included, and the lower quartile of their times counts, so that a factorisation at the first of
//! them, or another program, does not. As cost grows about linearly with the value, the next value to be tried lies
//! on the line through the two that are nearest to the target.

use std::ops::ControlFlow;

use crate::sim::params::{Kind, Param, Setting};
use crate::sim::solver_interface::WorkSetting;
use crate::sim::study::run::{End, Interrupted, always, run};
use crate::sim::{CancelToken, Checkpoint, Clock, Real, Simulation};

/// Steps before those that are timed, the fewest and the most that are timed, and time after which
/// no more are [s].
const WARM_UP: u64 = 2;
const LEAST_STEPS: usize = 5;
const MOST_STEPS: u64 = 60;
const ENOUGH: Real = 0.15;
/// Most values that are tried for a simulation.
const MOST_TRIED: u32 = 7;
/// Deviation from the target at which the search ends.
const NEAR: Real = 0.04;

/// Result for a simulation.
#[derive(Debug, Clone)]
pub struct EqualCost {
    /// The setting; none if none has an effect.
    pub param: Option<&'static Param>,
    /// Its value.
    pub value: u32,
    /// A setting that is lowered to one beside it, as it brings less for its time.
    pub lowered: Option<&'static Param>,
    /// Whether that is the first or the last of its range.
    pub is_at_end: bool,
    /// Time of a step with it [s].
    pub step: Real,
    /// Time per simulated time, which is made equal.
    pub per_time: Real,
}

/// A moment of a simulation, to be measured.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The moment.
    pub checkpoint: Checkpoint,
    /// Clock for its steps.
    pub clock: Clock,
    /// Calls a step off.
    pub cancel: CancelToken,
}

impl EqualCost {
    /// The settings with their values.
    pub fn settings(&self) -> impl Iterator<Item = (&'static Param, u32)> {
        self.lowered.map(|param| (param, 1)).into_iter().chain(self.param.map(|param| (param, self.value)))
    }

    /// Why its cost differs from that of `reference`, if so.
    #[must_use]
    pub fn shortfall(&self, reference: &Self) -> Option<&'static str> {
        match (self.per_time / reference.per_time, self.param) {
            (0.9..=1.1, _) => None,
            (_, None) => Some("no setting changes its cost"),
            (1.1.., _) if self.is_at_end => Some("costs more at its least"),
            _ if self.is_at_end => Some("costs less at its most"),
            _ => Some("no value comes nearer"),
        }
    }
}

impl Subject {
    /// The present moment of a simulation.
    #[must_use]
    pub fn of(simulation: &Simulation) -> Self {
        Self { checkpoint: simulation.checkpoint(), clock: simulation.clock, cancel: simulation.cancel.clone() }
    }

    fn simulation(&self) -> Simulation {
        let mut simulation = Simulation::resume(&self.checkpoint);
        (simulation.clock, simulation.cancel, simulation.state.grab) = (self.clock, self.cancel.clone(), None);
        simulation
    }

    /// Time of a step [s], the lower quartile, with these values of settings.
    fn step_seconds(&self, settings: &[(&str, u32)]) -> Result<Real, Interrupted> {
        let mut simulation = self.simulation();
        settings.iter().for_each(|(key, value)| simulation.set_integer(key, *value));
        let (mut seconds, mut sum, mut step) = (Vec::new(), 0.0, 0);
        let mut started = (self.clock.0)();
        let end: End = run(&mut simulation, WARM_UP + MOST_STEPS, &mut always, |_, _| {
            step += 1;
            if step > WARM_UP {
                seconds.push((self.clock.0)() - started);
                sum += seconds[seconds.len() - 1];
            }
            started = (self.clock.0)();
            let enough = seconds.len() >= LEAST_STEPS && sum > ENOUGH;
            if enough { ControlFlow::Break(End::Done) } else { ControlFlow::Continue(()) }
        });
        match end {
            End::Done => {
                seconds.sort_by(Real::total_cmp);
                Ok(seconds[seconds.len() / 4])
            }
            End::Failed(cause) => Err(Interrupted::Failed { solver: simulation.solver().info().id, cause }),
            End::Cancelled => Err(Interrupted::Cancelled),
        }
    }
}

impl Simulation {
    /// The setting that buys accuracy for time in this simulation, its declaration, its value and
    /// the range of it; none if it has no effect.
    #[must_use]
    pub fn work(&self) -> Option<(WorkSetting, &'static Param, u32, [u32; 2])> {
        let setting = self.solver().work_setting();
        let own = self.solver().settings();
        let (value, param) = match (own.index_of(setting.key), self.parameters.find(setting.key)) {
            (Some(index), _) if own.idle(index).is_none() => (own.get(index), &own.params()[index]),
            (None, Some((group, index))) if group.idle(index).is_none() => (group.get(index), &group.params()[index]),
            _ => return None,
        };
        match (value, param.kind) {
            (Setting::Integer(value), Kind::Integer { min, max }) if self.ignored(param).is_none() => {
                Some((setting, param, value, [min, max]))
            }
            _ => None,
        }
    }

    /// Sets the setting that buys accuracy for time; a value out of range is left alone.
    pub fn set_work(&mut self, setting: &WorkSetting, value: u32) {
        self.set_integer(setting.key, value);
    }

    fn set_integer(&mut self, key: &str, value: u32) {
        let value = Setting::Integer(value);
        let own = self.solver_mut().settings_mut();
        if let Some(index) = own.index_of(key) {
            let _ = own.set(index, value);
        } else if let Some((group, index)) = self.parameters.find_mut(key) {
            let _ = group.set(index, value);
        }
    }

    /// The setting that is lowered to one before the one that buys accuracy, if it is above one.
    fn lowered_first(&self, setting: &WorkSetting) -> Option<&'static Param> {
        let own = self.solver().settings();
        let index = own.index_of(setting.lowered_first?)?;
        matches!(own.get(index), Setting::Integer(value) if value > 1).then(|| &own.params()[index])
    }
}

/// For each of `subjects` the value with which it costs as much time per simulated time as the one
/// at `reference`, which stays as it is. `progress` hears the share that is done, and says whether
/// to continue.
///
/// # Errors
/// [`Interrupted`] when `progress` ended it, or a step failed.
pub fn equal_cost(
    subjects: &[Subject],
    reference: usize,
    progress: &mut dyn FnMut(Real) -> ControlFlow<()>,
) -> Result<Vec<EqualCost>, Interrupted> {
    let mut tell = |share: Real| match progress(share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Interrupted::Cancelled),
    };
    tell(0.0)?;
    let own = as_it_is(&subjects[reference])?;
    let mut found = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        tell((index + 1) as Real / (subjects.len() + 1) as Real)?;
        found.push(if index == reference { own.clone() } else { search(subject, own.per_time, &mut tell)? });
    }
    Ok(found)
}

/// Cost of a simulation with its present value.
fn as_it_is(subject: &Subject) -> Result<EqualCost, Interrupted> {
    let simulation = subject.simulation();
    let step = subject.step_seconds(&[])?;
    let (param, value) = simulation.work().map_or((None, 0), |(_, param, value, _)| (Some(param), value));
    Ok(EqualCost {
        param,
        value,
        lowered: None,
        is_at_end: false,
        step,
        per_time: step / simulation.parameters.timing.time_step,
    })
}

fn search(
    subject: &Subject,
    target: Real,
    tell: &mut dyn FnMut(Real) -> Result<(), Interrupted>,
) -> Result<EqualCost, Interrupted> {
    let simulation = subject.simulation();
    let Some((setting, param, value, range)) = simulation.work() else { return as_it_is(subject) };
    let dt = simulation.parameters.timing.time_step;
    let lowered = simulation.lowered_first(&setting);
    let is_dear = lowered.is_some() && subject.step_seconds(&[])? / dt > target * (1.0 + NEAR);
    let lowered = lowered.filter(|_| is_dear);
    let mut cost = |value| {
        tell(0.5)?;
        let other = lowered.map(|param| (param.key, 1));
        let settings: Vec<_> = other.into_iter().chain([(setting.key, value)]).collect();
        Ok(subject.step_seconds(&settings)? / dt)
    };
    let (value, per_time) = value_that_costs(target, value, |value| setting.allowed(value, range), &mut cost)?;
    let is_at_end = [0, u32::MAX].map(|end| setting.allowed(end, range)).contains(&value);
    Ok(EqualCost { param: Some(param), value, lowered, is_at_end, step: per_time * dt, per_time })
}

/// The value whose cost is nearest to `target` of those that were tried, from the `first` one on,
/// with its cost. `allowed` gives the nearest value that can be tried, and `cost` the cost of one.
///
/// # Errors
/// Those of `cost`.
pub fn value_that_costs<E>(
    target: Real,
    first: u32,
    allowed: impl Fn(u32) -> u32,
    cost: &mut dyn FnMut(u32) -> Result<Real, E>,
) -> Result<(u32, Real), E> {
    let mut tried: Vec<(u32, Real)> = Vec::new();
    let mut next = allowed(first);
    for _ in 0..MOST_TRIED {
        tried.push((next, cost(next)?));
        tried.sort_by(|a, b| distance(a.1, target).total_cmp(&distance(b.1, target)));
        let is_tried = |value| tried.iter().any(|(other, _)| *other == value);
        next = allowed(estimate(&tried, target));
        if is_tried(next) {
            next = allowed(beyond(&tried, target));
        }
        if (tried[0].1 / target - 1.0).abs() < NEAR || is_tried(next) {
            break;
        }
    }
    Ok(tried[0])
}

/// Difference of a cost from the target, as the logarithm of a ratio.
fn distance(cost: Real, target: Real) -> Real {
    (cost / target).ln().abs()
}

/// The value that is expected to cost `target`, from the `tried` values with their costs, the
/// nearest first: on the line through the nearest and the one that differs most from it, where
/// noise of the costs counts least.
fn estimate(tried: &[(u32, Real)], target: Real) -> u32 {
    let (value, cost) = tried[0];
    let other = tried.iter().max_by_key(|(other, _)| other.abs_diff(value)).filter(|(other, _)| *other != value);
    let slope = other.map_or(0.0, |(other, of_other)| (of_other - cost) / (Real::from(*other) - Real::from(value)));
    // cost proportional to the value, if only one is known or noise exceeds the difference
    let slope = if slope > 0.0 { slope } else { cost / Real::from(value.max(1)) };
    (Real::from(value) + (target - cost) / slope).round().max(0.0) as u32
}

/// The value to try when the expected one was tried already: twice the largest or half the
/// smallest while all cost too little or too much, else the next to the nearest one.
fn beyond(tried: &[(u32, Real)], target: Real) -> u32 {
    let values = tried.iter().map(|(value, _)| *value);
    let (value, cost) = tried[0];
    if tried.iter().all(|(_, cost)| *cost < target) {
        values.max().unwrap_or(value).saturating_mul(2)
    } else if tried.iter().all(|(_, cost)| *cost > target) {
        values.min().unwrap_or(value) / 2
    } else if cost < target {
        value + 1
    } else {
        value.saturating_sub(1)
    }
}
