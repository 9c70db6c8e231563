//! The next step as a problem of its own, taken out of a simulation that goes on without it.

use std::sync::Arc;

use super::{Clock, Cloth, Effort, Partition, Pattern, Real, Simulation, Solver, StepInput, Vec3, contact, solvers};
use crate::sim::Material;

/// All that a solver would be given for the next substep, frozen.
#[derive(Debug)]
pub struct FrozenStep {
    /// The state at its start.
    pub cloth: Cloth,
    pattern: Arc<Pattern>,
    material: Material,
    partition: Partition,
    external: Vec<Vec3>,
    contacts: Vec<contact::Touch>,
    dt: Real,
    clock: Clock,
    effort: Effort,
}

impl FrozenStep {
    /// What a solver may read.
    #[must_use]
    pub fn input(&self) -> StepInput<'_> {
        StepInput {
            dt: self.dt,
            preconditioner_dt: self.dt,
            pattern: &self.pattern,
            material: &self.material,
            partition: &self.partition,
            external: &self.external,
            contacts: &self.contacts,
            clock: self.clock,
            effort: &self.effort,
        }
    }
}

impl Simulation {
    /// The next substep, with the contacts of a method that couples all vertices. An adaptive step is not asked: the time
    /// step is divided by the number of substeps. The simulation stays as it is.
    #[must_use]
    pub fn freeze(&self) -> FrozenStep {
        let solver: Box<dyn Solver> = Box::new(solvers::FastMassSpring::default());
        let mut copy = Self::new(Pattern::clone(&self.pattern), self.parameters.mass, solver);
        copy.parameters = self.parameters;
        copy.cloth.clone_from(&self.cloth);
        copy.world.clone_from(&self.world);
        copy.hand = self.hand;
        copy.time = self.time;
        copy.scratch.applied_mass = self.scratch.applied_mass;
        let dt = self.parameters.timing.time_step / Real::from(self.parameters.timing.substeps);

        copy.distribute_mass();
        copy.sample_wind();
        copy.scratch.partition.update(&copy.cloth, copy.hand.as_ref(), copy.time, dt);
        copy.sum_external_forces(dt);
        copy.find_contacts(dt);
        let Self { cloth, pattern, parameters, scratch, .. } = copy;
        FrozenStep {
            cloth,
            pattern,
            material: parameters.material,
            partition: scratch.partition,
            external: scratch.external,
            contacts: scratch.touches,
            dt,
            clock: self.clock,
            effort: Effort::unlimited(),
        }
    }

    /// A new solver called `id`, with the settings that it has here, or had when it was last in use, if it was.
    #[must_use]
    pub fn solver_like(&self, id: &str) -> Option<Box<dyn Solver>> {
        let mut solver = solvers::build(id)?;
        let known = std::iter::once(&self.solver).chain(&self.benched).find(|known| known.info().id == id);
        if let Some(known) = known {
            let (from, to) = (known.settings(), solver.settings_mut());
            for index in 0..from.params().len() {
                to.assign(index, from.get(index));
            }
        }
        Some(solver)
    }
}
