//! Advice: which solver, with which effort, for a cloth, a budget and a purpose.
//!
//! Candidates are all solvers that fit, each with every rung of its effort ladder. Their error is
//! that of single steps from states of a reference, so that chaos does not decide; their cost is
//! the time of a step on this machine. Successive halving looks at all of them for a moment, and at
//! length only at those that are near the front of cost and error. The measurements depend on
//! neither the budget nor the purpose: [`Advice`] judges them again when these change.
//!
//! Everything runs on copies. Results are reported as they come, and the work can be called off at
//! any step.

mod cache;
mod candidate;
mod departure;
mod film;
mod halving;
mod judgement;
mod look;
mod measurement;
mod over_time;
mod parts;
mod profile;
mod reference;
mod trial;
mod words;

pub use cache::Cache;
pub use candidate::{Candidate, Skipped, candidates};
pub use departure::{Departure, Way, departures};
pub use film::{Film, FilmFrame, ReferenceRun, Shown};
pub use halving::{dominates, fronts, survivors};
pub use judgement::{Advice, Fault, Judged};
pub use look::{Look, look_at_all};
pub use measurement::measure;
pub use over_time::{Series, TimeFigures};
pub use parts::{Parts, squares};
pub use profile::{PROFILES, Profile};
pub use reference::{Target, Trajectory, step_by_reference};
pub use trial::{Cost, Step, drift, relative, step_from};
pub use words::{RULES, Sentence};

use std::sync::Arc;

use crate::sim::{CancelToken, Checkpoint, Clock, Parameters, Pattern, Real, Simulation};

/// The cloth that is asked about, with the solver at work and all parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    checkpoint: Checkpoint,
    /// Whether the cloth can tear.
    tears: bool,
}

impl Question {
    /// The present state of `simulation`. Nothing tears and nobody holds it in the trials.
    #[must_use]
    pub fn of(simulation: &Simulation) -> Self {
        let mut checkpoint = simulation.checkpoint();
        (checkpoint.state.grab, checkpoint.state.world.grab) = (None, None);
        let tears = std::mem::take(&mut checkpoint.parameters.tearing.tearing);
        Self { checkpoint, tears }
    }

    /// Whether it is about a cloth of this pattern with these parameters. The solver may be another
    /// one, and its substeps as well.
    #[must_use]
    pub fn is_about(&self, pattern: &Pattern, parameters: &Parameters) -> bool {
        let mut own = self.checkpoint.parameters;
        own.tearing.tearing = self.tears;
        let Parameters { timing, .. } = parameters;
        (own.timing.substeps, own.timing.adaptive) = (timing.substeps, timing.adaptive);
        own == *parameters && self.checkpoint.pattern().revision() == pattern.revision()
    }

    /// The simulation with a candidate at work.
    #[must_use]
    pub fn with(&self, candidate: &Candidate) -> Simulation {
        let mut simulation = Simulation::resume(&self.checkpoint);
        trial::apply(candidate, &mut simulation);
        simulation.parameters.tearing.tearing = self.tears;
        simulation
    }

    /// The state from which everything is tried.
    #[must_use]
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }
}

/// How much is measured.
#[derive(Debug, Clone)]
pub struct AdvicePlan {
    /// States of the reference in each look, rising. A last look runs over time.
    pub states: [usize; 3],
    /// Simulated time of the run that shows what only time does [s].
    pub run: Real,
    /// Time for everything, by the clock [s]. What is not finished then is reported as it is.
    pub seconds: Real,
    /// Candidates that take so many times as long as the cloth itself are not looked at further.
    pub slowest: Real,
    /// Cost of a step [s].
    pub cost: Cost,
    /// Clock for the costs and the limits.
    pub clock: Clock,
    /// Calls it off, within steps as well.
    pub cancel: CancelToken,
}

impl AdvicePlan {
    /// The usual one, by a clock.
    #[must_use]
    pub fn new(clock: Clock, cancel: CancelToken) -> Self {
        let cost: Cost = |_, stats| stats.total_seconds();
        Self { states: [3, 8, 24], run: 4.0, seconds: 75.0, slowest: 10.0, cost, clock, cancel }
    }
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Not looked at yet.
    Waiting,
    /// Figures of a first look.
    Looked,
    /// It failed.
    Failed,
    /// Its steps err by more than their motion: not to move at all would be nearer.
    Hopeless,
    /// It takes too long to be looked at further.
    TooSlow,
    /// Others were cheaper and nearer.
    Behind,
    /// Not looked at: by what another effort of its solver costs and errs, others are cheaper and
    /// nearer.
    Foreseen,
    /// All figures are known.
    Measured,
    /// The time was over before the run: its error and cost are known, but not what time shows.
    OutOfTime,
}

impl Standing {
    /// In a few words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Waiting => "not measured",
            Self::Looked => "first look",
            Self::Failed => "fails",
            Self::Hopeless => "errs by more than the motion",
            Self::TooSlow => "too slow",
            Self::Behind => "others are better",
            Self::Foreseen => "not tried, others are better than another effort of it lets expect",
            Self::Measured => "measured",
            Self::OutOfTime => "out of time",
        }
    }
}

/// How much measurements of a candidate scatter, as shares of them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scatter {
    /// Median over lower quartile of the costs of its steps, less one.
    pub cost: Real,
    /// Standard error of its error over the states, by leaving out one at a time.
    pub error: Real,
}

/// A run over time, beside the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunFigures {
    /// Simulated time [s].
    pub lasted: Real,
    /// Its figures, at the last time to which the reference has run as well.
    pub own: TimeFigures,
    /// Those of the reference at that time.
    pub reference: Option<TimeFigures>,
    /// How far it is from the reference where it is farthest.
    pub departures: Option<[Departure; 5]>,
}

/// A candidate and its figures so far.
#[derive(Debug, Clone)]
pub struct CandidateRow {
    /// The candidate.
    pub candidate: Candidate,
    /// Its effort in words.
    pub effort: String,
    /// Result of the candidate.
    pub stage: Standing,
    /// States of the reference that it has stepped from.
    pub states: usize,
    /// Error of its steps, relative to their motion.
    pub error: Option<Parts>,
    /// Systematic change of the momentum [m/s²].
    pub drift: Option<Real>,
    /// Cost of a step [s].
    pub step: Option<Real>,
    /// How much error and cost scatter.
    pub scatter: Scatter,
    /// Simulated time after which it failed [s]; zero if a single step did.
    pub fails_after: Option<Real>,
    /// Figures of a longer run.
    pub run: Option<RunFigures>,
    /// Those of another run, from a later state of the reference.
    pub again: Option<RunFigures>,
    /// The film of the longer run.
    pub film: Option<Arc<Film>>,
}

impl CandidateRow {
    /// The largest departure of its runs from those of the reference.
    #[must_use]
    pub fn farthest(&self) -> Option<Departure> {
        let departures = [self.run, self.again].into_iter().flatten().filter_map(|run| run.departures).flatten();
        departures.max_by(|a, b| a.times.total_cmp(&b.times))
    }
}

/// The reference of the errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferenceFigures {
    /// Id of its solver.
    pub solver: &'static str,
    /// Parts of a time step on its trajectory.
    pub parts: u32,
    /// States of it.
    pub states: usize,
    /// How far its divisions of the step are apart, relative to the motion.
    pub difference: Real,
}

/// All measurements.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The reference.
    pub reference: ReferenceFigures,
    /// Its run over time, when it has been made.
    pub reference_run: Option<ReferenceRun>,
    /// The candidates, the present one first.
    pub rows: Vec<CandidateRow>,
    /// Solvers that are no candidates.
    pub skipped: Vec<Skipped>,
    /// Mean length of a structural spring [m].
    pub spring: Real,
    /// The time step [s].
    pub time_step: Real,
    /// Simulated time of a whole run [s].
    pub run: Real,
    /// Time that there was for the measurements, by the clock [s].
    pub seconds: Real,
    /// Time that the measurements had taken by the clock when each [look](Event::Look) was reported
    /// [s].
    pub looks: Vec<Real>,
}

impl Findings {
    /// Whether no candidate ran out of time.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.stage != Standing::OutOfTime)
    }
}

/// What is reported while it is measured.
#[derive(Debug)]
pub enum Event<'a> {
    /// The candidates, without figures, at the beginning.
    Begun(&'a Findings),
    /// Share of the work that is done, about.
    Progress(Real),
    /// The figures of a candidate, by its number.
    Row(usize, &'a CandidateRow),
    /// All figures so far: when one effort of every solver has been looked at, and after each look.
    Look(&'a Findings),
}
