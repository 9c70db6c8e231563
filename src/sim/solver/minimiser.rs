//! Methods that find the next state as the minimiser of an objective.

use super::StepError;
use crate::sim::StepInput;
use crate::sim::{Cloth, Real, Vec3};

/// A method that comes closer to a minimiser with every iteration. Its step starts from the inertial target and makes some
/// of these iterations.
pub trait Minimiser {
    /// One iteration of the step from the state of `cloth`: from the positions `q` of all vertices to the next [m].
    ///
    /// # Errors
    /// [`StepError`] when it cannot be computed.
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError>;

    /// What the step from the state of `cloth` minimises, at the positions `q` [m] of all vertices, in joules. `None` if
    /// it is no function of these alone, as friction is not.
    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real>;

    /// Whether that is the incremental potential ([`Potential`](crate::sim::measure::Potential)) and nothing more, so that
    /// Newton's method finds the same minimum.
    fn minimises_potential(&self, input: &StepInput) -> bool;

    /// Newton's method on the same objective, where there is one beside [`ImplicitNewton`](crate::sim::solvers::ImplicitNewton): to compare with.
    fn newton(&self, _: &StepInput) -> Option<Box<dyn Minimiser>> {
        None
    }
}

/// What an iteration did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iteration {
    /// Time that it took [s], without what a step does once. Zero without a clock.
    pub seconds: Real,
    /// Whether the step is solved now, by the method's own measure.
    pub solved: bool,
}
