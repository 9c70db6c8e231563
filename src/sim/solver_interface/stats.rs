//! Statistics of a step and its times.

use crate::sim::{Clock, Real};

/// A part of a step that is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepStage {
    /// Gravity, air and wind.
    External,
    /// Spring forces, matrices and right-hand sides.
    Assemble,
    /// Ordering, symbolic and numeric factorisation.
    Factor,
    /// Projections of single constraints.
    Local,
    /// Linear solves.
    Solve,
    /// Shortening of springs beyond the stretch limit.
    Stretch,
    /// Contacts of vertices with colliders.
    Contact,
    /// Search for parts of the cloth that could meet.
    Detection,
    /// Cutting of motion that would lead the cloth through itself.
    Truncation,
    /// Search for overstretched springs, and the cuts there.
    Tearing,
}

impl StepStage {
    /// All stages, in the order of their index.
    pub const ALL: [Self; 10] = [
        Self::External,
        Self::Assemble,
        Self::Factor,
        Self::Local,
        Self::Solve,
        Self::Stretch,
        Self::Contact,
        Self::Detection,
        Self::Truncation,
        Self::Tearing,
    ];

    /// Whether it is a part of contact, with colliders or of the cloth with itself.
    const fn is_contact(self) -> bool {
        matches!(self, Self::Contact | Self::Detection | Self::Truncation)
    }

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Assemble => "assemble",
            Self::Factor => "factor",
            Self::Local => "local",
            Self::Solve => "solve",
            Self::Stretch => "stretch",
            Self::Contact => "contact",
            Self::Detection => "detection",
            Self::Truncation => "truncation",
            Self::Tearing => "tearing",
        }
    }
}

/// Statistics of a step and its times.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepStats {
    /// Time in each stage [s], in the order of [`StepStage::ALL`]. Zero without a clock.
    pub seconds: [Real; StepStage::ALL.len()],
    /// Iterations of the solver.
    pub iterations: u32,
    /// Number of numeric factorisations.
    pub factorisations: u32,
    /// Number of changes to a factor that were made by updating it: rank-one updates and downdates,
    /// deleted and added rows.
    pub updates: u32,
    /// Number of times that a system matrix was not positive definite.
    pub indefinite: u32,
    /// Residual of the equations of an iterated step, in the solver's own measure; the largest of
    /// all substeps.
    pub residual: Real,
    /// Number of substeps that a solver ended without having solved their equations to its
    /// tolerance.
    pub unconverged: u32,
    /// Number of substeps that ended early, or were not begun, because the work limit of the step
    /// was reached.
    pub exhausted: u32,
    /// Number of substeps.
    pub substeps: u32,
    /// Number of substeps that the adaptive control took back.
    pub rejected: u32,
    /// Largest strain of a structural spring after the stretch limit, of all substeps; zero if the
    /// stretch is not limited.
    pub stretch_left: Real,
    /// Work that the air has done on the cloth [J], where that is [asked for](crate::sim::Observe).
    pub air_work: Real,
    /// Number of new vertices, where the cloth was torn.
    pub torn: u32,
    /// Most contact rows of cloth on cloth that pressed in a substep.
    pub pressing_rows: u32,
    /// Number of pairs of parts of the cloth that are near each other or in conflict; the most in a
    /// substep.
    pub near_pairs: u32,
    /// Number of substeps in which there were more of them than are dealt with: then only the
    /// nearer ones push, and the motion is halved or given up.
    pub too_many_pairs: u32,
    /// Number of vertices whose motion was cut so that the cloth does not pass through itself; the
    /// most in a substep.
    pub truncated: u32,
    /// Number of searches for parts of the cloth that would meet, in all substeps.
    pub searches: u32,
    /// The largest distance from where a vertex was to go to where contact of the cloth with itself
    /// let it go [m].
    pub given_up: Real,
    /// Number of pairs of a vertex and a triangle, or of two edges, that touched at the start of a
    /// substep and so cannot be held apart: after a start with cloth in cloth. Where triangles
    /// cross, these need not touch; `run --check-intersections` counts that.
    pub touching: u32,
    /// Number of colliders that had to wait so that the cloth did not have to pass through one of
    /// them; the most in a substep. They catch up.
    pub waiting: u32,
}

impl StepStats {
    /// Adds the statistics of another (sub)step.
    pub fn add(&mut self, other: &Self) {
        for (sum, part) in self.seconds.iter_mut().zip(other.seconds) {
            *sum += part;
        }
        self.iterations += other.iterations;
        self.factorisations += other.factorisations;
        self.updates += other.updates;
        self.indefinite += other.indefinite;
        self.residual = self.residual.max(other.residual);
        self.unconverged += other.unconverged;
        self.exhausted += other.exhausted;
        self.substeps += other.substeps;
        self.rejected += other.rejected;
        self.stretch_left = self.stretch_left.max(other.stretch_left);
        self.air_work += other.air_work;
        self.torn += other.torn;
        self.pressing_rows = self.pressing_rows.max(other.pressing_rows);
        self.near_pairs = self.near_pairs.max(other.near_pairs);
        self.too_many_pairs += other.too_many_pairs;
        self.truncated = self.truncated.max(other.truncated);
        self.searches += other.searches;
        self.given_up = self.given_up.max(other.given_up);
        self.touching = self.touching.max(other.touching);
        self.waiting = self.waiting.max(other.waiting);
    }

    /// The limits that the step reached with their consequences, each in a sentence.
    pub fn limits_reached(&self) -> impl Iterator<Item = &'static str> {
        let search = "Too many self-collisions in this step; motion was limited.";
        let work = "Work limit of the step reached; the step ended with its last iterate.";
        [(self.too_many_pairs, search), (self.exhausted, work)]
            .into_iter()
            .filter_map(|(count, sentence)| (count > 0).then_some(sentence))
    }

    /// Time of all stages together [s].
    #[must_use]
    pub fn total_seconds(&self) -> Real {
        self.seconds.iter().sum()
    }

    /// Time of the stages that are parts of contact [s].
    #[must_use]
    pub fn contact_seconds(&self) -> Real {
        StepStage::ALL.into_iter().filter(|stage| stage.is_contact()).map(|stage| self.seconds[stage as usize]).sum()
    }
}

/// Attributes the time since the last lap to a stage.
#[derive(Debug)]
pub struct Stopwatch {
    clock: Clock,
    last: Real,
}

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start(clock: Clock) -> Self {
        Self { clock, last: (clock.0)() }
    }

    /// The clock that it reads.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Adds the time since the start or the last lap to `stage`.
    pub fn lap(&mut self, stats: &mut StepStats, stage: StepStage) {
        let now = (self.clock.0)();
        stats.seconds[stage as usize] += now - self.last;
        self.last = now;
    }
}
