//! By which scheme a simulation steps, and what it keeps of the last step for that.

use super::{Ability, Simulation};
use crate::sim::step::History;
use crate::sim::step::timing::Rule;

impl Simulation {
    /// By which rule a substep is made: the one that is chosen, if the solver knows others than its own.
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

    /// What the next step takes from the last one, where the scheme needs that. Snapshots keep it.
    #[must_use]
    pub fn history(&self) -> Option<History> {
        self.past.history(&self.cloth)
    }

    /// Puts back what [`history`](Self::history) gave of the present state of the cloth.
    pub fn set_history(&mut self, history: Option<&History>) {
        self.past.resume(history, &self.cloth);
    }
}
