//! What a solver is: it advances the state by one step, says what it promises, and reports what it did.
//!
//! Pins, contacts, the guard against blow-up and timing stand outside, in [`super::simulation`].

mod capabilities;
mod info;
mod minimiser;
mod stats;

pub use capabilities::{Ability, Capabilities, ContactRule, CriticalStep, DampingLaws, Elasticity};
pub use info::{Group, Info, Keeps, PREFACTORED, SeenRange, Stability};
pub use minimiser::{Iteration, Minimiser};
pub use stats::{Clock, Stage, StepStats, Stopwatch};

use super::contact::Touch;
use super::linear::FactorHistory;
use super::measure::SpringSystem;
use super::params::Tunable;
use super::pins::Partition;
use super::step::StepInputs;
use super::team::{Shared, Team};
use super::{Cloth, Effort, Mat3, Material, Pattern, Real, Vec3};

/// A time integrator of the cloth.
pub trait Solver: Send + Sync {
    /// What it is and what it promises.
    fn info(&self) -> &'static Info;

    /// Its own parameters.
    fn settings(&self) -> &dyn Tunable;

    /// Its own parameters, to change.
    fn settings_mut(&mut self) -> &mut dyn Tunable;

    /// What it can do with its present settings.
    fn capabilities(&self) -> Capabilities {
        self.info().capabilities
    }

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

    /// About how often a substep, or a small step, passes over the springs: what tells whether several threads are worth waking.
    fn passes(&self) -> u32 {
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

    /// How the factor at hand came about, if the method keeps one that it updates: in its last digits it depends on that.
    /// Snapshots keep it.
    fn factor_history(&self) -> Option<&FactorHistory> {
        None
    }

    /// Makes the factor of the next step come about like this.
    fn resume_factor(&mut self, history: FactorHistory) {
        drop(history);
    }

    /// The method as a minimisation, if it is one.
    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        None
    }

    /// Elastic energy [J] of what holds the cloth together in this method, so that its forces are minus the gradient in the
    /// limit of short steps; `None` where its capabilities say that there is none to name.
    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        matches!(self.capabilities().elasticity, Elasticity::Springs).then(|| system.elastic_energy())
    }

    /// Force [N] on `vertex` of what holds the cloth together, with its damping; `None` like the energy.
    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        matches!(self.capabilities().elasticity, Elasticity::Springs).then(|| system.force_on(vertex))
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

/// Vertices that a thread takes at a time.
const VERTICES: usize = 512;

/// All that a solver may read.
#[derive(Clone, Copy)]
pub struct StepInput<'a> {
    /// Time step `h` [s].
    pub dt: Real,
    /// Time step [s] for which a preconditioner may be factored instead: `dt`, or one that the next adaptive substeps share, at most twice
    /// as long or half as long.
    pub preconditioner_dt: Real,
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
    /// What the step may still do; to be asked before every iteration.
    pub effort: &'a Effort,
    /// The threads that work on the step.
    pub team: &'a Team<'a>,
}

impl<'a> StepInput<'a> {
    /// The step that `inputs` were filled for.
    #[must_use]
    pub fn new(
        inputs: &'a StepInputs,
        pattern: &'a Pattern,
        material: &'a Material,
        clock: Clock,
        effort: &'a Effort,
        team: &'a Team<'a>,
    ) -> Self {
        let (partition, external, contacts) = (inputs.partition(), inputs.external(), inputs.contacts());
        Self {
            dt: inputs.dt(),
            preconditioner_dt: inputs.dt(),
            pattern,
            material,
            partition,
            external,
            contacts,
            clock,
            effort,
            team,
        }
    }
}

impl StepInput<'_> {
    /// How many times as stiff as all else that acts on a vertex an implicit method holds a contact.
    pub const CONTACT_STIFFER: Real = 100.0;

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

    /// The matrix `W` [N/m] of the force `W (b - x)` with which an implicit method holds a contact: far stiffer than all else
    /// that acts on the vertex.
    #[must_use]
    pub fn hold(&self, touch: &Touch, mass: Real) -> Mat3 {
        touch.hold(Self::CONTACT_STIFFER * self.contact_weight(touch.vertex, mass))
    }

    /// Writes the inertial target to `target`, one entry per vertex [m]: `y = x + h v + h² f_ext/m` for the free vertices,
    /// the end of their motion for the prescribed ones.
    pub fn predict(&self, cloth: &Cloth, target: &mut Vec<Vec3>) {
        let Self { dt: h, partition, external, .. } = *self;
        target.resize(cloth.len(), Vec3::ZERO);
        self.team.fill(target, VERTICES, |i| {
            let x = cloth.positions[i];
            if partition.is_free(i as u32) {
                x + (cloth.velocities[i] * h + external[i] * (h * h / cloth.masses[i]))
            } else {
                x
            }
        });
        for prescribed in &self.partition.prescribed {
            target[prescribed.vertex as usize] = prescribed.position;
        }
    }

    /// Ends a step that found the new positions: `v⁺ = (q - x)/h`, `x⁺ = q` for the free vertices.
    pub fn arrive(&self, cloth: &mut Cloth, q: impl Fn(usize) -> Vec3 + Sync) {
        let Self { dt, partition, .. } = *self;
        let state = (Shared::new(&mut cloth.positions), Shared::new(&mut cloth.velocities));
        self.team.change(state, VERTICES, |range, (positions, velocities)| {
            for (i, (x, v)) in range.zip(positions.iter_mut().zip(velocities)) {
                if partition.is_free(i as u32) {
                    let position = q(i);
                    *v = (position - *x) / dt;
                    *x = position;
                }
            }
        });
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
    /// It was called off.
    #[error("the step was called off")]
    Cancelled,
}
