//! The interface of solvers: a solver advances the state by one step, states its promises, and
//! reports statistics.
//!
//! Pins, contacts, the guard against blow-up and timing stand outside, in [`super::simulation`].

mod capabilities;
mod components;
mod contact_law;
pub mod contact_motion;
mod effort;
mod freedom;
mod held_wholes;
mod info;
mod minimiser;
mod stats;
mod wholes;

pub use capabilities::{
    Ability, BendingRule, Capabilities, ClothContactRule, ContactRule, CriticalStep, DampingLaws, Elasticity,
    Iterations, MembraneRule, Processor,
};
pub use components::{Components, parts_of_vertices};
pub use contact_law::{Breach, ContactLaw, RIGHT_DROP};
pub use contact_motion::ContactMotion;
pub use effort::{Demand, FEW_SUBSTEPS, MANY_SUBSTEPS, Rung, WorkSetting};
pub use freedom::{Freedom, NormalSum};
pub use held_wholes::HeldWholes;
pub use info::{Group, Info, Keeps, PREFACTORED, SeenRange, Stability};
pub use minimiser::{Iteration, Minimiser, start_lower};
pub use stats::{StepStage, StepStats, Stopwatch};
pub use wholes::Wholes;

use super::linear::FactorError;
use super::measure::{ExampleWeights, Projections, SpringSystem};
use super::params::Tunable;
use super::{Cloth, Real, SolverState, Vec3};
use crate::sim::StepInput;
use crate::sim::contact::cloth::ContactRow;
use crate::sim::exec::budget::Cancelled;

/// A time integrator of the cloth.
pub trait Solver: Send + Sync {
    /// Description and promises.
    fn info(&self) -> &'static Info;

    /// Its own parameters.
    fn settings(&self) -> &dyn Tunable;

    /// Its own parameters, to change.
    fn settings_mut(&mut self) -> &mut dyn Tunable;

    /// Chooses settings that show its abilities on a cloth with this demand, at interactive cost.
    /// The defaults are those of the papers.
    fn suit(&mut self, demand: &Demand) {
        let _ = demand;
    }

    /// Capabilities with its present settings.
    fn capabilities(&self) -> Capabilities {
        self.info().capabilities
    }

    /// Advances the free vertices of `cloth` by `input.dt`. `carried` is the state that the solver
    /// carries from step to step; the step reads that of the last step and writes that for the
    /// next. Prescribed vertices are left for the caller to move; their motion is in
    /// `input.partition`.
    ///
    /// # Errors
    /// [`StepError`] when the step cannot be computed. The cloth may then be half advanced; the
    /// caller restores it.
    fn step(&mut self, cloth: &mut Cloth, carried: &mut SolverState, input: &StepInput)
    -> Result<StepStats, StepError>;

    /// Into how many parts a substep is to be divided for this solver. An adaptive step chooses the
    /// parts itself.
    fn small_steps(&self) -> u32 {
        1
    }

    /// The parameter, one of its own or a common one, that buys accuracy for time.
    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of("substeps")
    }

    /// Approximate number of passes over the springs per substep, or small step, which decides
    /// whether several threads pay.
    fn passes(&self) -> u32 {
        1
    }

    /// Drops all caches. Results do not depend on them.
    fn reset(&mut self) {}

    /// Contact rows of cloth on cloth after the last step, if the method takes them as constraints.
    fn contact_rows(&self) -> &[ContactRow] {
        &[]
    }

    /// How much of each example the last step has found in each piece, if the method knows examples
    /// and there are some.
    fn example_weights(&self) -> Vec<ExampleWeights> {
        Vec::new()
    }

    /// The method as a minimisation, if it is one.
    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        None
    }

    /// Elastic energy [J] of the method, so that its forces are minus the gradient in the limit of
    /// short steps; `None` if its capabilities state none.
    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        matches!(self.capabilities().elasticity, Elasticity::Springs).then(|| system.elastic_energy())
    }

    /// Elastic force [N] on `vertex`, with its damping; `None` like the energy.
    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        matches!(self.capabilities().elasticity, Elasticity::Springs).then(|| system.force_on(vertex))
    }

    /// The projections of the local step at the present positions; `None` for methods without one.
    fn projections(&self, system: &SpringSystem) -> Option<Projections> {
        let _ = system;
        None
    }

    /// Longest step [s] for which small motions about rest stay bounded, for methods that have such
    /// a limit.
    fn critical_step(&self, springs: &SpringSystem) -> Option<Real> {
        let _ = springs;
        None
    }
}

/// The part of [`Solver`] that is the same for all: `INFO` of the module and the field `settings`.
macro_rules! describe_solver {
    () => {
        describe_solver!(INFO);
    };
    ($info:ident) => {
        fn info(&self) -> &'static Info {
            &$info
        }

        fn settings(&self) -> &dyn Tunable {
            &self.settings
        }

        fn settings_mut(&mut self) -> &mut dyn Tunable {
            &mut self.settings
        }
    };
}
pub(crate) use describe_solver;

/// Why a step failed. A result to show, never a panic.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The state left every sensible range.
    #[error("{0}")]
    Diverged(super::measure::guard::Absurd),
    /// The system matrix has no Cholesky factor.
    #[error("the system matrix could not be factored: {0}")]
    Factor(FactorError),
    /// It was called off.
    #[error("the step was called off")]
    Cancelled,
    /// The device that it runs on has a fault; another solver can continue from the state before
    /// the step.
    #[error("{0}")]
    Device(String),
}

impl From<FactorError> for StepError {
    fn from(error: FactorError) -> Self {
        match error {
            FactorError::Cancelled => Self::Cancelled,
            error => Self::Factor(error),
        }
    }
}

impl From<Cancelled> for StepError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
