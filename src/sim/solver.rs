//! What a solver is: it advances the state by one step, says what it promises, and reports what it did.
//!
//! Pins, contacts, the guard against blow-up and timing stand outside, in [`super::simulation`].

use super::contact::Touch;
use super::measure::SpringSystem;
use super::params::Tunable;
use super::pins::Partition;
use super::{Cloth, Material, Pattern, Real, Vec3};

/// A time integrator of the cloth.
pub trait Solver: Send + Sync {
    /// What it is and what it promises.
    fn info(&self) -> &'static Info;

    /// Its own parameters.
    fn settings(&self) -> &dyn Tunable;

    /// Its own parameters, to change.
    fn settings_mut(&mut self) -> &mut dyn Tunable;

    /// Advances the free vertices of `cloth` by `input.dt`. Prescribed vertices stay for the caller to move; their
    /// motion is in `input.partition`.
    ///
    /// # Errors
    /// [`StepError`] when the step cannot be computed. The cloth may then be half advanced; the caller restores it.
    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError>;

    /// Into how many parts a substep is to be divided for this solver. An adaptive step chooses the parts itself.
    fn small_steps(&self) -> u32 {
        1
    }

    /// Forgets everything that is carried from step to step (caches, warm starts).
    fn reset(&mut self) {}

    /// What the next step depends on beside the cloth: warm starts. Snapshots keep it.
    fn memory(&self) -> &[Real] {
        &[]
    }

    /// Puts back what [`Solver::memory`] gave.
    fn remember(&mut self, memory: &[Real]) {
        let _ = memory;
    }

    /// Longest step [s] for which small motions about rest stay bounded, for methods that have such a limit.
    fn critical_step(&self, springs: &SpringSystem) -> Option<Real> {
        let _ = springs;
        None
    }
}

/// The part of [`Solver`] that is the same for all: `INFO` of the module and the field `settings`.
macro_rules! describe_solver {
    () => {
        fn info(&self) -> &'static Info {
            &INFO
        }

        fn settings(&self) -> &dyn Tunable {
            &self.settings
        }

        fn settings_mut(&mut self) -> &mut dyn Tunable {
            &mut self.settings
        }
    };
}
pub(super) use describe_solver;

/// All that a solver may read.
#[derive(Clone, Copy)]
pub struct StepInput<'a> {
    /// Time step `h` [s].
    pub dt: Real,
    /// Rest mesh and springs.
    pub pattern: &'a Pattern,
    /// Stiffness and damping.
    pub material: &'a Material,
    /// Which vertices are free, and the motion of those that are not.
    pub partition: &'a Partition,
    /// Gravity and air on each vertex [N].
    pub external: &'a [Vec3],
    /// The vertices that press on a collider, by rising vertex. A solver may leave them to the response after the step.
    pub contacts: &'a [Touch],
    /// For the times in [`StepStats`].
    pub clock: Clock,
}

impl StepInput<'_> {
    /// Weight [N/m] with which a solver holds a contact: as much as everything else that acts on the vertex, its
    /// inertia and all its springs. A load of the vertex's own order then sinks in by no more than it would move a free
    /// vertex in a step.
    #[must_use]
    pub fn contact_weight(&self, vertex: u32, mass: Real) -> Real {
        let families = &self.pattern.springs().families;
        let springs = self.pattern.neighbours().of_vertex(vertex).iter();
        let stiffness: Real = springs.map(|&(spring, _)| self.material.stiffness(families[spring as usize])).sum();
        mass / (self.dt * self.dt) + stiffness
    }

    /// Writes the inertial target to `target`, one entry per vertex [m]: `y = x + h v + h² f_ext/m` for the free vertices,
    /// the end of their motion for the prescribed ones.
    pub fn predict(&self, cloth: &Cloth, target: &mut Vec<Vec3>) {
        let h = self.dt;
        target.clone_from(&cloth.positions);
        for &vertex in &self.partition.free {
            let i = vertex as usize;
            target[i] += cloth.velocities[i] * h + self.external[i] * (h * h / cloth.masses[i]);
        }
        for prescribed in &self.partition.prescribed {
            target[prescribed.vertex as usize] = prescribed.position;
        }
    }

    /// Ends a step that found the new positions: `v⁺ = (q - x)/h`, `x⁺ = q` for the free vertices.
    pub fn arrive(&self, cloth: &mut Cloth, q: impl Fn(usize) -> Vec3) {
        for &vertex in &self.partition.free {
            let i = vertex as usize;
            let position = q(i);
            cloth.velocities[i] = (position - cloth.positions[i]) / self.dt;
            cloth.positions[i] = position;
        }
    }
}

/// What a solver is and what it promises. The promises are tested over the registry.
#[derive(Debug)]
pub struct Info {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// Name in menus.
    pub name: &'static str,
    /// Kind of method, by which menus group.
    pub group: Group,
    /// Where it was published.
    pub source: &'static str,
    /// Order of convergence in time.
    pub order: u32,
    /// For which steps it stays bounded.
    pub stability: Stability,
    /// Work per step, in words.
    pub cost: &'static str,
    /// One line on what it is good for.
    pub summary: &'static str,
    /// Keys of the common parameters that it does not use, with the reason.
    pub ignores: &'static [(&'static str, &'static str)],
    /// What it conserves.
    pub keeps: Keeps,
}

/// What solvers ignore that keep the factor of their matrix from step to step.
pub const PREFACTORED: &[(&str, &str)] = &[("adaptive", PREFACTORED_REASON), ("tolerance", PREFACTORED_REASON)];
const PREFACTORED_REASON: &str = "its matrix is factored for one step; every other length would cost a factorisation";

impl Info {
    /// Why the common parameter `key` has no effect on this method, if it has none.
    #[must_use]
    pub fn ignored(&self, key: &str) -> Option<&'static str> {
        self.ignores.iter().find(|(ignored, _)| *ignored == key).map(|(_, reason)| *reason)
    }
}

/// The kind of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Forces at the present state decide the next.
    Explicit,
    /// A linear system or minimisation couples all vertices of the next state.
    Implicit,
    /// Something cheaper than the implicit system takes its place.
    ApproximateImplicit,
    /// Projections onto each constraint alternate with one constant linear system.
    LocalGlobal,
    /// Constraints move the positions one after the other; the velocity follows.
    PositionBased,
    /// Constraints change the velocities one after the other, by impulses.
    VelocityConstraints,
}

impl Group {
    /// Name in menus.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explicit => "Explicit",
            Self::Implicit => "Implicit",
            Self::ApproximateImplicit => "Approximate implicit",
            Self::LocalGlobal => "Local/global",
            Self::PositionBased => "Position-based",
            Self::VelocityConstraints => "Velocity constraints",
        }
    }
}

/// For which time steps a method stays bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// Never without damping, and with it only for very short steps.
    Damped,
    /// Below a critical step in proportion to the period of the stiffest vibration.
    Conditional,
    /// At rest for any step; under tension `T` only below `√(m L/T)`, since springs are stiff along but not across.
    Taut,
    /// No limit is met in practice, but there is no proof.
    Practical,
    /// For any step.
    Unconditional,
}

impl Stability {
    /// In words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Damped => "none without damping: every step adds energy",
            Self::Conditional => "conditional: below the critical step of the stiffest vibration",
            Self::Taut => "no limit at rest; across taut springs h < √(m L / tension)",
            Self::Practical => "no limit met in practice, none proven",
            Self::Unconditional => "unconditional",
        }
    }
}

/// What a method conserves for a free, undamped cloth, to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeps {
    /// Total linear momentum.
    pub momentum: bool,
    /// Total angular momentum.
    pub angular_momentum: bool,
    /// Whether a cloth at rest gains `g · h` in every step of free fall.
    pub free_fall: bool,
}

/// A part of a step that is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
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
    /// Colliders.
    Contact,
}

impl Stage {
    /// All stages, in the order of their index.
    pub const ALL: [Self; 6] = [Self::External, Self::Assemble, Self::Factor, Self::Local, Self::Solve, Self::Contact];

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Assemble => "assemble",
            Self::Factor => "factor",
            Self::Local => "local",
            Self::Solve => "solve",
            Self::Contact => "contact",
        }
    }
}

/// What a step did and how long it took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepStats {
    /// Time in each stage [s], in the order of [`Stage::ALL`]. Zero without a clock.
    pub seconds: [Real; Stage::ALL.len()],
    /// Iterations of the solver.
    pub iterations: u32,
    /// Number of numeric factorisations.
    pub factorisations: u32,
    /// Number of times that a system matrix was not positive definite.
    pub indefinite: u32,
    /// What is left of the equations of an iterated step, in the solver's own measure; the largest of all substeps.
    pub residual: Real,
    /// Number of substeps.
    pub substeps: u32,
    /// Number of substeps that the adaptive control took back.
    pub rejected: u32,
}

impl StepStats {
    /// Adds what another (sub)step did.
    pub fn add(&mut self, other: &Self) {
        for (sum, part) in self.seconds.iter_mut().zip(other.seconds) {
            *sum += part;
        }
        self.iterations += other.iterations;
        self.factorisations += other.factorisations;
        self.indefinite += other.indefinite;
        self.residual = self.residual.max(other.residual);
        self.substeps += other.substeps;
        self.rejected += other.rejected;
    }

    /// Time of all stages together [s].
    #[must_use]
    pub fn total_seconds(&self) -> Real {
        self.seconds.iter().sum()
    }
}

/// Where the time comes from. The library itself has no clock; by default every reading is zero.
#[derive(Debug, Clone, Copy)]
pub struct Clock(pub fn() -> Real);

impl Default for Clock {
    fn default() -> Self {
        Self(|| 0.0)
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

    /// Adds the time since the start or the last lap to `stage`.
    pub fn lap(&mut self, stats: &mut StepStats, stage: Stage) {
        let now = (self.clock.0)();
        stats.seconds[stage as usize] += now - self.last;
        self.last = now;
    }
}

/// Why a step failed. A result to show, never a panic.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The state left every sensible range.
    #[error("{0}")]
    Diverged(super::guard::Absurd),
    /// The system matrix has no Cholesky factor.
    #[error("the system matrix could not be factored: {0}")]
    Factor(#[from] super::linear::FactorError),
}
