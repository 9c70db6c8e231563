//! The next step as a problem of its own, taken out of a simulation that continues without it.

use std::sync::Arc;

use super::{Clock, Parameters, Pattern, Real, Simulation, Solver, State, WorkBudget, solvers};
use crate::sim::StepInput;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::step::timing::Rule;
use crate::sim::step::{SchemeStep, Situation, StepInputs, Support};

/// All that a solver would be given for the next substep, frozen.
pub struct FrozenStep {
    /// The state at its start; by another scheme than implicit Euler the one from which the solver
    /// is to go.
    pub state: State,
    pattern: Arc<Pattern>,
    parameters: Parameters,
    inputs: StepInputs,
    stage: SchemeStep,
    clock: Clock,
    budget: WorkBudget,
}

impl FrozenStep {
    /// Whether pins and hand are held as `solver` holds them.
    #[must_use]
    pub fn fits(&self, solver: &dyn Solver) -> bool {
        self.inputs.partition().pin_stiffness == solver.capabilities().pin_stiffness
    }

    /// Input of a solver, with the thread pool.
    #[must_use]
    pub fn input<'a>(&'a self, pool: &'a ThreadPool) -> StepInput<'a> {
        let Self { inputs, pattern, parameters, clock, budget, .. } = self;
        self.stage.input(StepInput::new(inputs, pattern, &parameters.material, *clock, budget, pool))
    }
}

impl Simulation {
    /// The next substep, with the contacts of a method that couples all vertices, and with pins and
    /// hand as the solver at work holds them. An adaptive step is not asked: the time step is
    /// divided by the number of substeps. The simulation stays as it is.
    #[must_use]
    pub fn freeze(&self) -> FrozenStep {
        self.freeze_for(self.solver.as_ref())
    }

    /// [`freeze`](Self::freeze), with pins and hand as `solver` holds them.
    #[must_use]
    pub fn freeze_for(&self, solver: &dyn Solver) -> FrozenStep {
        let (pattern, mut parameters) = (Arc::clone(&self.pattern), self.parameters);
        // a solver without a membrane has springs in its place
        let membrane = &mut parameters.material.membrane;
        *membrane = solver.capabilities().membrane.at_work(*membrane);
        let mut state = self.state.clone();
        if self.scratch.applied_mass != Some(parameters.mass) {
            parameters.mass.distribute(&pattern, &mut state.cloth.masses);
        }
        let dt = parameters.timing.time_step / Real::from(parameters.timing.substeps);
        let mut inputs = StepInputs::default();
        let layers_apart = parameters.contact.self_contact;
        let cloth_contact = if layers_apart { &self.state.contact_forces.cloth_contact[..] } else { &[] };
        let solids = &self.state.contact_forces.solids[..];
        let now = Situation { state: &state, pattern: &pattern, parameters: &parameters, cloth_contact, solids };
        let rule = self.rule();
        inputs.set_pin_stiffness(solver.capabilities().pin_stiffness);
        inputs.keep_air(rule != Rule::Own);
        inputs.halve_air(rule != Rule::Own);
        inputs.sample_wind(&now, &ThreadPool::alone());
        inputs.gather_bending(&pattern, &parameters.material);
        inputs.fill(&now, &parameters.material, dt, Support::Pressing, &ThreadPool::alone());
        let (clock, budget, mut stage) = (self.clock, WorkBudget::unlimited(), SchemeStep::default());
        if !inputs.partition().free.is_empty() {
            let pool = ThreadPool::alone();
            let input = StepInput::new(&inputs, &pattern, &parameters.material, clock, &budget, &pool);
            stage.begin(rule, &self.state.previous, &mut state.cloth, &input, inputs.air(), SchemeStep::LONGEST);
        }
        FrozenStep { state, pattern, parameters, inputs, stage, clock, budget }
    }

    /// A new solver called `id`, with the settings that it has here, or had when it was last in
    /// use, if it was.
    #[must_use]
    pub fn solver_like(&self, id: &str) -> Option<Box<dyn Solver>> {
        let mut solver = solvers::build(id)?;
        let known = std::iter::once(&self.solver).chain(&self.idle_solvers).find(|known| known.info().id == id);
        if let Some(known) = known {
            let (from, to) = (known.settings(), solver.settings_mut());
            for index in 0..from.params().len() {
                to.assign(index, from.get(index));
            }
        }
        Some(solver)
    }
}
