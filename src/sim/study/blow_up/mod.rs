//! Report on a blow-up: its cause, and stable settings.
//!
//! Everything is tried on a copy, from the last good state: the step that fails, the longest stable
//! step, and the remedies, each for as long as it has to be stable before it is offered. Linear
//! theory of the same cloth stands beside: a spring of stiffness `k` between masses with the
//! reduced mass `μ` vibrates with `ω = √(k/μ)`, the whole net with `ω²`, the largest eigenvalue of
//! `M⁻¹ K`, and symplectic Euler is stable without damping while `h ω < 2` (`physics.md` section
//! 2.2).

mod mend;
mod trial;

use std::ops::ControlFlow;

pub use mend::{Change, Kind, Mend};
pub use trial::{Bounds, Overstretched, Start, Trial, most_stretched};

use crate::sim::pattern::Family;
use crate::sim::{Checkpoint, Real, Simulation, StepError};

/// How long a search for the longest step lets a step hold at least, and at most [s].
const SEARCHED: [Real; 2] = [0.25, 2.0];
/// Most steps of a trial, its largest computing time [s], and the number of steps between looks at
/// the springs.
const STEPS: u64 = 50_000;
const SECONDS: Real = 1.5;
const LOOK: u64 = 8;
/// The search for a step ends when it is known to this share, or at this share of the step that
/// failed.
const PRECISION: Real = 0.02;
const SHORTEST: Real = 1.0 / 2048.0;

/// A blow-up to look into.
pub struct BlowUp {
    /// A copy to try on.
    simulation: Simulation,
    /// The last good state, with the parameters and the solver that failed.
    start: Start,
    failed: Failed,
}

/// The state before the step that failed.
struct Failed {
    /// Time of the cloth when the step failed [s].
    time: Real,
    cause: StepError,
    /// The spring that was stretched most.
    spring: Option<Overstretched>,
}

/// Where it began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Origin {
    /// Whether it happens again from the last good state without a hand.
    pub happens_again: bool,
    /// The spring that is stretched most before the failed step, or first where that is not too
    /// far; none where the cause is none of a spring.
    pub spring: Option<BrokenSpring>,
    /// Whether it is stretched in the state that the failed step proposed, and not before.
    pub in_failed_step: bool,
}

/// A spring that was stretched too far, and linear theory about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrokenSpring {
    /// Its ends; the first is the one that moves faster.
    pub vertices: [u32; 2],
    /// Its family.
    pub family: Family,
    /// Its strain.
    pub strain: Real,
    /// Its stiffness [N/m].
    pub stiffness: Real,
    /// Angular frequency with which its ends vibrate against each other [rad/s].
    pub frequency: Real,
}

/// Linear theory, for small motions about rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearTheory {
    /// The substep that failed [s].
    pub step: Real,
    /// Angular frequency of the stiffest vibration of the whole net [rad/s].
    pub frequency: Real,
    /// Longest substep of the solver, if it has such a limit [s].
    pub own: Option<Real>,
    /// That of symplectic Euler, as a measure of stiffness [s].
    pub symplectic: Real,
}

/// Findings, as soon as they are known.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Linear theory.
    Linear(LinearTheory),
    /// Where it began.
    Origin(Origin),
    /// Longest substep that holds [s], at most the one that failed; none if no step of a
    /// two-thousandth of the one that failed does.
    LongestStep(Option<Real>),
    /// A mend is being tried.
    Trying(Kind),
    /// A mend that held.
    Mend(Mend),
    /// No mend of this kind held, or can be.
    NoMend(Kind),
}

impl BlowUp {
    /// Of a simulation that stands before the step that failed, for `cause`, with the last good
    /// state.
    #[must_use]
    pub fn new(mut simulation: Simulation, good: &Checkpoint, cause: StepError) -> Self {
        let failed = Failed { time: simulation.time(), cause, spring: most_stretched(&simulation) };
        simulation.return_to(good);
        let start = Start::of(&simulation);
        Self { simulation, start, failed }
    }

    /// The copy, for its token by which its steps can be called off.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Finds all of it, in the order in which it is worth knowing. `go_on` is asked at every step.
    pub fn investigate(
        &mut self,
        tell: &mut dyn FnMut(Finding),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let linear = self.linear_theory();
        tell(Finding::Linear(linear));
        let origin = self.origin(go_on)?;
        tell(Finding::Origin(origin));
        let longest = self.longest_share(go_on)?;
        tell(Finding::LongestStep(longest.map(|share| share * linear.step)));
        self.find_mends(&linear, longest, tell, go_on)
    }

    /// Linear theory of the cloth with the parameters that failed.
    fn linear_theory(&mut self) -> LinearTheory {
        let simulation = &mut self.simulation;
        simulation.restore(self.start.checkpoint());
        let timing = simulation.parameters.timing;
        // the first substep of an adaptive step is the whole step
        let parts = if simulation.is_adaptive() { 1 } else { timing.substeps * simulation.solver().small_steps() };
        LinearTheory {
            step: timing.time_step / Real::from(parts),
            frequency: simulation.stiffest_frequency(),
            own: simulation.solver_critical_step(),
            symplectic: simulation.critical_step(),
        }
    }

    /// Where it began: it is repeated from the last good state.
    pub fn origin(&mut self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<(), Origin> {
        let lasted = self.failed.time - self.start.checkpoint().state.time;
        let bounds = Bounds { time: lasted + SEARCHED[0], steps: STEPS, seconds: 2.0 * SECONDS, look: 1 };
        let trial = self.start.run(&mut self.simulation, |_| {}, bounds, go_on)?;
        let is_of_spring = matches!(self.failed.cause, StepError::Diverged(_));
        // the spring that is stretched most, as the readouts say, if that is what fails again
        let before = self
            .failed
            .spring
            .filter(|most| is_of_spring && (trial.holds || trial.broken.is_some() && self.start.is_too_far(most)));
        let mut seen = before.or(trial.broken);
        let mut in_failed_step = before.is_none() && trial.in_failed_step;
        if in_failed_step {
            // a fast vertex stretches springs as well: they fail where the step is too long for them
            let LinearTheory { step, own, .. } = self.linear_theory();
            in_failed_step = own.is_some_and(|own| step > own);
            seen = seen.filter(|_| in_failed_step);
        }
        let spring = seen.and_then(|seen| BrokenSpring::of(&self.simulation, seen));
        ControlFlow::Continue(Origin { happens_again: !trial.holds, spring, in_failed_step })
    }

    /// The largest share of the time step with which the steps hold, as far as they are tried.
    fn longest_share(&mut self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<(), Option<Real>> {
        let lasted = self.failed.time - self.start.checkpoint().state.time;
        let time = (2.0 * lasted).clamp(SEARCHED[0], SEARCHED[1]);
        let bounds = Bounds { time, steps: STEPS, seconds: SECONDS, look: LOOK };
        let Self { simulation, start, .. } = self;
        let mut holds = |share: Real| {
            let shorten = |simulation: &mut Simulation| simulation.parameters.timing.time_step *= share;
            start.run(simulation, shorten, bounds, go_on).map_continue(|trial| trial.holds)
        };
        longest(&mut holds)
    }
}

/// The largest share of one that holds: by halves down to one that does, and from there by
/// bisection.
fn longest(holds: &mut dyn FnMut(Real) -> ControlFlow<(), bool>) -> ControlFlow<(), Option<Real>> {
    let (mut low, mut high) = (1.0, 1.0);
    while !holds(low)? {
        if low <= SHORTEST {
            return ControlFlow::Continue(None);
        }
        high = low;
        low *= 0.5;
    }
    while high - low > PRECISION * high {
        let middle = (low * high).sqrt();
        *(if holds(middle)? { &mut low } else { &mut high }) = middle;
    }
    ControlFlow::Continue(Some(low))
}

impl BrokenSpring {
    /// Of a cloth as it stands; none between two held ends.
    #[must_use]
    pub fn of(simulation: &Simulation, Overstretched { spring, strain }: Overstretched) -> Option<Self> {
        let (stiffness, reduced_mass) = simulation.spring(spring)?;
        let [i, j] = simulation.pattern().springs().ends[spring];
        let speed = |vertex: u32| simulation.state.cloth.velocities[vertex as usize].length_squared();
        Some(Self {
            vertices: if speed(j) > speed(i) { [j, i] } else { [i, j] },
            family: simulation.pattern().springs().families[spring],
            strain,
            stiffness,
            frequency: (stiffness / reduced_mass).sqrt(),
        })
    }
}
