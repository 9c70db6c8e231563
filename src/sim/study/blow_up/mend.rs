//! Remedies for a blow-up: a shorter step, substeps, another scheme, or another solver. Each is
//! tried before it is offered.

use std::ops::ControlFlow;

use super::{BlowUp, Bounds, Finding, LOOK, LinearTheory, STEPS};
use crate::sim::solver_interface::{Ability, Info, Stability};
use crate::sim::solvers::REGISTRY;
use crate::sim::step::timing::Rule;
use crate::sim::{Real, Simulation};

/// Simulated time of the trial of a remedy [s], and its largest computing time [s].
const LASTS: Real = 2.0;
const SECONDS: Real = 2.5;
/// Least simulated time if the clock ends the trial.
const AT_LEAST: Real = 0.25;
/// A step is so much shorter than the longest that held, or that linear theory allows: large
/// motions are stiffer than small ones.
const MARGIN: [Real; 2] = [0.8, 0.9];
/// So many mends are looked for, at least: further solvers, where shorter steps do not hold.
const WANTED: usize = 2;
/// How many lengths of the step are tried, each half as long as the one before.
const TIMES: i32 = 4;
/// A theta that damps the instability of midpoint, and little else.
const LITTLE_DAMPED: Real = 0.55;
/// Limits of the parameters: the shortest time step [s], and the most substeps.
const SHORTEST: Real = 1e-4;
const MOST: u32 = 200;

/// A kind of mend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A shorter time step.
    Step,
    /// More substeps of the same time step.
    Substeps,
    /// Another scheme of the same solver, where it steps by one of second order.
    Scheme,
    /// Another solver.
    Solver,
}

impl Kind {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 4] = [Self::Step, Self::Substeps, Self::Scheme, Self::Solver];
}

/// The change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// The time step [s].
    Step(Real),
    /// The number of equal substeps.
    Substeps(u32),
    /// The rule by which a step is made.
    Scheme(Rule),
    /// The solver, by its id.
    Solver(&'static str),
}

/// A mend that held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mend {
    /// The change.
    pub change: Change,
    /// Simulated time for which it was tried [s].
    pub lasted: Real,
    /// Time of a step [s]; zero without a clock.
    pub seconds_per_step: Real,
    /// Time of steps per simulated time; none without a clock.
    pub cost: Option<Real>,
}

/// Result of the trial of a change.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Tried {
    Holds(Mend),
    /// It held as long as the trial could last, which is too short a simulated time.
    TooSlow,
    /// It does not hold, or cannot be.
    Fails,
}

impl Tried {
    fn mend(self) -> Option<Mend> {
        if let Self::Holds(mend) = self { Some(mend) } else { None }
    }
}

impl Change {
    /// Makes it.
    pub fn apply(self, simulation: &mut Simulation) {
        match self {
            Self::Step(step) => simulation.parameters.timing.time_step = step,
            Self::Substeps(count) => {
                simulation.parameters.timing.substeps = count;
                simulation.parameters.timing.adaptive = false;
            }
            Self::Scheme(rule) => simulation.parameters.timing.set_rule(rule),
            Self::Solver(id) => drop(simulation.set_solver(id)),
        }
    }
}

impl BlowUp {
    /// Tries the mends, where `longest` is the largest share of the step that held.
    pub(super) fn find_mends(
        &mut self,
        linear: &LinearTheory,
        longest: Option<Real>,
        tell: &mut dyn FnMut(Finding),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let is_too_long = linear.own.is_some_and(|own| linear.step > own);
        if longest == Some(1.0) && !is_too_long {
            // it was a hand that did it: there is nothing to mend
            return ControlFlow::Continue(());
        }
        let allowed = linear.own.map_or(Real::INFINITY, |own| MARGIN[1] * own / linear.step);
        let share = longest.map(|longest| (MARGIN[0] * longest).min(allowed)).filter(|share| *share > 0.0);
        self.simulation.restore(self.start.checkpoint());
        let other_rules = other_rules(self.simulation.rule());
        let (mut count, mut too_slow) = (0, false);
        for kind in Kind::ALL {
            if kind == Kind::Scheme && other_rules.is_empty() {
                continue;
            }
            tell(Finding::Trying(kind));
            let found = match (kind, share) {
                (Kind::Solver, _) => self.find_solvers(WANTED.saturating_sub(count).max(1), go_on)?,
                (Kind::Scheme, _) => self.find_scheme(other_rules, go_on)?.into_iter().collect(),
                // as many short steps cost as much in either way
                (_, Some(share)) if !too_slow => {
                    let found = self.find_step(kind, share, go_on)?;
                    too_slow = found == Tried::TooSlow;
                    found.mend().into_iter().collect()
                }
                _ => Vec::new(),
            };
            if found.is_empty() {
                tell(Finding::NoMend(kind));
            }
            count += found.len();
            found.into_iter().for_each(|mend| tell(Finding::Mend(mend)));
        }
        ControlFlow::Continue(())
    }

    /// A time step, or a number of substeps, that shortens the substep to this share or, where that
    /// does not hold, to less, unless the trial of that would take too long.
    fn find_step(
        &mut self,
        kind: Kind,
        share: Real,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Tried> {
        let timing = self.start.checkpoint().parameters.timing;
        // an adaptive step has no number of substeps: its first one is the whole step
        let substeps = if timing.adaptive { 1.0 } else { Real::from(timing.substeps) };
        for halvings in 0..TIMES {
            let share = share * Real::powi(0.5, halvings);
            let change = match kind {
                Kind::Step => Change::Step(two_digits(timing.time_step * share)),
                _ => Change::Substeps((substeps / share).ceil() as u32),
            };
            let tried = self.try_mend(change, go_on)?;
            if tried != Tried::Fails {
                return ControlFlow::Continue(tried);
            }
        }
        ControlFlow::Continue(Tried::Fails)
    }

    /// The first rule that holds.
    fn find_scheme(
        &mut self,
        rules: &[Rule],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Mend>> {
        for rule in rules {
            let found = self.try_mend(Change::Scheme(*rule), go_on)?.mend();
            if found.is_some() {
                return ControlFlow::Continue(found);
            }
        }
        ControlFlow::Continue(None)
    }

    /// So many of the first solvers that hold, the cheapest first.
    fn find_solvers(
        &mut self,
        wanted: usize,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Vec<Mend>> {
        self.simulation.restore(self.start.checkpoint());
        let mut found: Vec<Mend> = Vec::new();
        for candidates in candidates(self.simulation.solver().info()) {
            for info in candidates {
                found.extend(self.try_mend(Change::Solver(info.id), go_on)?.mend());
            }
            if found.len() >= wanted {
                break;
            }
        }
        let cost = |mend: &Mend| mend.cost.unwrap_or(Real::INFINITY);
        found.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        found.truncate(wanted);
        ControlFlow::Continue(found)
    }

    /// Tries a mend for as long as it has to hold.
    fn try_mend(&mut self, change: Change, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<(), Tried> {
        let possible = match change {
            Change::Step(step) => step >= SHORTEST,
            Change::Substeps(count) => count <= MOST,
            Change::Scheme(_) | Change::Solver(_) => true,
        };
        if !possible {
            return ControlFlow::Continue(Tried::Fails);
        }
        let bounds = Bounds { time: LASTS, steps: STEPS, seconds: SECONDS, look: LOOK };
        let trial = self.start.run(&mut self.simulation, |simulation| change.apply(simulation), bounds, go_on)?;
        let lasted = trial.time >= AT_LEAST * LASTS;
        let mend = Mend {
            change,
            lasted: trial.time,
            seconds_per_step: trial.seconds / trial.steps.max(1) as Real,
            cost: trial.cost(),
        };
        ControlFlow::Continue(match trial.holds {
            true if lasted => Tried::Holds(mend),
            true => Tried::TooSlow,
            false => Tried::Fails,
        })
    }
}

/// Rules that may hold where one of second order has failed, those first that damp less.
const fn other_rules(failed: Rule) -> &'static [Rule] {
    match failed {
        Rule::Own => &[],
        Rule::Theta(theta) if theta < LITTLE_DAMPED => &[Rule::Theta(LITTLE_DAMPED), Rule::Bdf2, Rule::Own],
        Rule::Theta(_) => &[Rule::Bdf2, Rule::Own],
        Rule::Bdf2 => &[Rule::Theta(LITTLE_DAMPED), Rule::Own],
    }
}

/// Solvers that may hold where one has failed: those with a proof of it, and then one after the
/// other those that were seen to hold any step.
fn candidates(failed: &Info) -> Vec<Vec<&'static Info>> {
    let others = || REGISTRY.iter().map(|entry| entry.info).filter(|info| info.id != failed.id);
    let keeps_stiffness = |info: &&Info| info.capabilities.stiffness == Ability::Yes;
    let proven = others().filter(|info| matches!(info.stability, Stability::Proven(_))).filter(keeps_stiffness);
    let seen = others().filter(|info| matches!(info.stability, Stability::Seen(_)));
    let mut all = vec![proven.collect::<Vec<_>>()];
    all.extend(seen.map(|info| vec![info]));
    all
}

/// `x` with two digits, not above it.
fn two_digits(x: Real) -> Real {
    let unit = Real::powi(10.0, x.log10().floor() as i32 - 1);
    // a value with two digits stays, whatever its last bit
    (x / unit + 1e-9).floor() * unit
}
