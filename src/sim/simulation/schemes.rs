//! By which scheme a simulation steps.

use super::{Ability, Simulation};
use crate::sim::step::timing::Rule;

impl Simulation {
    /// By which rule a substep is made: the one that is chosen, if the solver knows others than its
    /// own.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self.solver.capabilities().schemes {
            Ability::Yes => self.parameters.timing.rule(),
            Ability::No(_) => Rule::Own,
        }
    }

    /// Order of convergence in time of the steps as they are made.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.solver.info().order_by(self.rule())
    }
}
