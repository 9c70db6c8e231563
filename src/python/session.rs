//! The session of a simulation: steps, commands and quantities, without Python.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use weft::session::{Command, Session};
use weft::sim::contact::Intersections;
use weft::sim::measure::{Energy, Stretch};
use weft::sim::quantities::{Reading, StepReading};
use weft::sim::{Canceller, Clock, Pattern, Real, StepError, StepStats, Vec3};

/// Steps that are expected to be shorter are taken on the thread of the caller, which saves the
/// change of threads.
const SHORT: Duration = Duration::from_millis(5);

/// A clock for the times in statistics of steps.
pub fn clock() -> Clock {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Clock(|| START.elapsed().as_secs_f64())
}

/// A session with what its calls need.
pub struct Inner {
    pub session: Session,
    /// Statistics of the last step.
    pub last: StepStats,
    pub search: Intersections,
    /// What the files of the scene left out, and which vertices start inside something.
    pub notes: Vec<String>,
    pub canceller: Canceller,
    /// Number of the order that steps belong to.
    pub order: u64,
    /// Whether the next step may be long.
    pub may_be_long: bool,
    /// Whether the library has failed within a step, so that the state means nothing.
    pub is_broken: bool,
}

impl Inner {
    pub fn new(session: Session, notes: Vec<String>) -> Self {
        let mut inner = Self {
            session,
            last: StepStats::default(),
            search: Intersections::default(),
            notes,
            canceller: Canceller::default(),
            order: 0,
            may_be_long: true,
            is_broken: false,
        };
        inner.session.simulation_mut().clock = clock();
        inner.begin_order();
        inner
    }

    /// Begins another order; a cancelled one stays cancelled.
    pub fn begin_order(&mut self) {
        self.order += 1;
        self.session.simulation_mut().cancel = self.canceller.token(self.order);
    }

    /// Executes a command.
    pub fn apply(&mut self, command: Command) -> Result<(), String> {
        let is_hand = matches!(
            command,
            Command::Grab { .. } | Command::Move { .. } | Command::Release | Command::MoveHandle { .. }
        );
        // a message of another command is no message of this one
        if self.session.message().is_some() {
            self.session.apply(Command::Dismiss);
        }
        self.session.apply(command);
        self.may_be_long |= !is_hand;
        self.session.message().map_or(Ok(()), |message| Err(message.to_owned()))
    }

    /// Takes up to `count` steps: until one fails, or, with a time on the clock, until that is over or
    /// a step was long. Returns how many.
    pub fn take(&mut self, count: u64, until: Option<Instant>) -> (u64, Result<(), StepError>) {
        let mut begun = Instant::now();
        for taken in 0..count {
            match self.session.tick() {
                Ok(stats) => self.last = stats.unwrap_or_default(),
                Err(error) => return (taken, Err(error)),
            }
            let now = Instant::now();
            self.may_be_long = now - begun > SHORT;
            begun = now;
            if until.is_some_and(|until| now >= until || self.may_be_long) {
                return (taken + 1, Ok(()));
            }
        }
        (count, Ok(()))
    }

    /// Why the simulation stands still, if a step has failed.
    pub fn failure(&self) -> Option<String> {
        self.session.failure().map(|failure| self.session.describe_failure(&failure.cause))
    }

    /// The present state and the last step, for quantities.
    pub fn reading(&self, intersections: Option<usize>) -> Now<'_> {
        let step = StepReading::new(self.session.simulation(), &self.last).with_intersections(intersections);
        let failed_at = self.session.failure().map(|failure| failure.time);
        let state = self.session.state();
        Now { step: step.with_failure(failed_at), work: [state.hand_work, state.air_work] }
    }

    /// Pairs of triangles that intersect, and triangles that intersect a collider.
    pub fn intersections(&mut self) -> [&[[u32; 2]]; 2] {
        self.session.simulation().find_intersections(&mut self.search)
    }
}

/// A reading with the work that the session has summed up.
pub struct Now<'a> {
    step: StepReading<'a>,
    work: [Real; 2],
}

impl Reading for Now<'_> {
    fn time(&self) -> Real {
        self.step.time()
    }
    fn steps(&self) -> u64 {
        self.step.steps()
    }
    fn pattern(&self) -> &Pattern {
        self.step.pattern()
    }
    fn positions(&self) -> &[Vec3] {
        self.step.positions()
    }
    fn fastest(&self) -> Option<Real> {
        self.step.fastest()
    }
    fn stats(&self) -> &StepStats {
        self.step.stats()
    }
    fn energy(&self) -> Energy {
        self.step.energy()
    }
    fn stretch(&self) -> Stretch {
        self.step.stretch()
    }
    fn work(&self) -> Option<[Real; 2]> {
        Some(self.work)
    }
    fn intersections(&self) -> Option<usize> {
        self.step.intersections()
    }
    fn shortest_period(&self) -> Option<Real> {
        self.step.shortest_period()
    }
    fn substep_length(&self) -> Option<Real> {
        self.step.substep_length()
    }
    fn failed_at(&self) -> Option<Real> {
        self.step.failed_at()
    }
}
