//! Methods that find the next state as the minimiser of an objective.

use super::StepError;
use crate::sim::StepInput;
use crate::sim::params::Choice;
use crate::sim::{Cloth, Real, Vec3};

/// A method that comes closer to a minimiser with every iteration. Its step makes some
/// of these iterations.
pub trait Minimiser {
    /// One iteration of the step from the state of `cloth`: from the positions `q` of all vertices
    /// to the next [m].
    ///
    /// # Errors
    /// [`StepError`] when it cannot be computed.
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError>;

    /// Writes where a step starts to `q`, an entry per vertex [m]: at the inertial target, unless
    /// the method knows better.
    ///
    /// # Errors
    /// [`StepError`] when it cannot be computed.
    fn start(&mut self, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) -> Result<(), StepError> {
        input.predict(cloth, q);
        Ok(())
    }

    /// The minimised energy of the step from the state of `cloth`, at the positions `q` [m] of all
    /// vertices, in joules. `None` if it is no function of these alone, as with friction.
    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real>;

    /// [`objective`](Self::objective) with the limits of friction at the positions `near` [m]. If
    /// `near` is a solution of the step, it is lowest there. The step is that of the last
    /// iteration.
    fn objective_near(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3], near: &[Vec3]) -> Option<Real> {
        let _ = near;
        self.objective(cloth, input, q)
    }

    /// Makes this the most iterations of a step.
    fn limit_iterations(&mut self, most: u32);

    /// The accelerations to choose from, the first of which is none; empty where there is no
    /// choice.
    fn accelerations(&self) -> &'static [Choice] {
        &[]
    }

    /// Key of the acceleration that is chosen, if one is.
    fn acceleration(&self) -> Option<&'static str> {
        None
    }

    /// Takes the acceleration at this place of the list.
    fn accelerate(&mut self, choice: usize) {
        let _ = choice;
    }

    /// The coordinates of its distances to choose from, with the same energy; empty where there is
    /// no choice.
    fn coordinates(&self) -> &'static [Choice] {
        &[]
    }

    /// Key of the coordinates that are chosen, unless they are the first.
    fn chosen_coordinates(&self) -> Option<&'static str> {
        None
    }

    /// Takes the coordinates at this place of the list.
    fn choose_coordinates(&mut self, choice: usize) {
        let _ = choice;
    }

    /// Whether that is the incremental potential ([`Potential`](crate::sim::measure::Potential))
    /// and nothing more, so that Newton's method finds the same minimum.
    fn minimises_potential(&self, input: &StepInput) -> bool;

    /// Newton's method on the same objective, where there is one beside
    /// [`ImplicitNewton`](crate::sim::solvers::ImplicitNewton): to compare with.
    fn newton(&self, _: &StepInput) -> Option<Box<dyn Minimiser>> {
        None
    }
}

/// Statistics of an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iteration {
    /// Its time [s], without work done once per step. Zero without a clock.
    pub seconds: Real,
    /// Whether the step is solved now, by the method's own measure.
    pub solved: bool,
}

/// Writes to `q` the inertial target, or where the cloth would go without any force, or where it
/// is: the one with the lowest objective of `method`.
pub fn start_lower(method: &dyn Minimiser, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) {
    input.predict(cloth, q);
    let mut trial = Vec::new();
    for share in [1.0, 0.0] {
        input.coast(cloth, share, &mut trial);
        if method.objective(cloth, input, &trial) < method.objective(cloth, input, q) {
            std::mem::swap(q, &mut trial);
        }
    }
}
