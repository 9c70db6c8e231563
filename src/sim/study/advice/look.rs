//! A short look at every solver on a cloth, as the menu of solvers shows it: whether it holds, how
//! far it stretches, and how it leaves the reference.

use std::ops::ControlFlow;

use super::departure::{Departure, Way, departures};
use super::over_time::Series;
use super::profile::PROFILES;
use super::reference::step_by_reference;
use super::trial::{bounds, run_over_time};
use super::{AdvicePlan, Question};
use crate::sim::params::units::significant;
use crate::sim::solver_interface::Processor;
use crate::sim::solvers::REGISTRY;
use crate::sim::study::blow_up::Start;
use crate::sim::{Real, Simulation};

/// Simulated time of a look [s], and the time by the clock that the reference and each solver may
/// take for it [s].
const RUN: Real = 1.0;
const REFERENCE_SECONDS: Real = 10.0;
const SECONDS: Real = 4.0;
/// Strain from which on a cloth that stretches as the reference does is failing all the same.
const ANY_STRAIN: Real = 10.0;

/// What a look at a solver has shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Its id.
    pub solver: &'static str,
    /// Cost of a step [s].
    pub step: Option<Real>,
    /// Largest strain in the second half of the run.
    pub stretch: Option<Real>,
    /// Time after which it failed [s].
    pub fails_after: Option<Real>,
    /// How it leaves the reference, if it does so by more than a game tolerates.
    pub departure: Option<Departure>,
}

impl Look {
    /// Whether it fails, or leaves the reference for all to see.
    #[must_use]
    pub fn looks_broken(&self) -> bool {
        self.fails_after.is_some() || self.departure.is_some()
    }

    /// The result in two or three words.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        if let Some(time) = self.fails_after {
            return Some(if time > 0.0 { format!("fails after {} s", significant(time)) } else { "fails".to_owned() });
        }
        let percent = |strain: Real| format!("{} %", significant((1e3 * strain).round() / 10.0));
        match self.departure {
            Some(Departure { way: Way::Stretch, own, .. }) => Some(format!("stretch {}", percent(own))),
            Some(Departure { way: Way::Hover, times, .. }) => Some(format!("falls {:.0}× too slowly", times)),
            Some(Departure { way: Way::Sag, .. }) => Some("sags".to_owned()),
            Some(Departure { way: Way::Rise, .. }) => Some("flies up".to_owned()),
            Some(Departure { way: Way::Energy, .. }) => Some("gains energy".to_owned()),
            None => self.stretch.map(|stretch| format!("stretch {}", percent(stretch))),
        }
    }
}

/// Looks at every solver of the processor, with settings that suit the cloth, and tells what it
/// sees; the solver at work keeps its settings. Ends early when `tell` says so, or the token of the
/// plan. Without a run of the reference only failures and stretch are told.
pub fn look_at_all(question: &Question, plan: &AdvicePlan, tell: &mut dyn FnMut(Look) -> ControlFlow<()>) {
    let mut simulation = Simulation::resume(question.checkpoint());
    (simulation.clock, simulation.cancel) = (plan.clock, plan.cancel.clone());
    let start = Start::of(&simulation).tolerating(ANY_STRAIN);
    let mut go_on = || if plan.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let limits = |seconds: Real| (bounds(RUN, u64::MAX, seconds), plan.cost);
    let reference = run_over_time(&start, &mut simulation, step_by_reference, limits(REFERENCE_SECONDS), &mut go_on);
    let ControlFlow::Continue(reference) = reference else { return };
    simulation.restore(start.checkpoint());
    let at_work = simulation.solver().info().id;
    for entry in REGISTRY.iter().filter(|entry| entry.info.capabilities.processor == Processor::Host) {
        let id = entry.info.id;
        let change = |simulation: &mut Simulation| {
            if id != at_work {
                simulation.set_solver(id);
            }
        };
        let run = run_over_time(&start, &mut simulation, change, limits(SECONDS), &mut go_on);
        let ControlFlow::Continue(run) = run else { return };
        let left = departures(&run.series, &reference.series);
        let farthest = left.into_iter().max_by(|a, b| a.times.total_cmp(&b.times));
        let lasted = run.series.lasted();
        let look = Look {
            solver: id,
            step: run.step,
            stretch: largest_stretch_from(&run.series, 0.5 * lasted),
            fails_after: run.fails_after,
            departure: farthest.filter(|farthest| farthest.times > PROFILES[0].times),
        };
        if tell(look).is_break() {
            return;
        }
    }
}

/// The largest strain from `time` [s] on.
fn largest_stretch_from(series: &Series, time: Real) -> Option<Real> {
    series.moments().filter(|moment| moment.time >= time).map(|moment| moment.figures[0]).reduce(Real::max)
}
