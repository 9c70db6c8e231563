//! Symplectic Euler: the velocity moves by the force at the present state, the position by the new velocity.
//!
//! ```text
//! v⁺ = v + h F(x, v) / m;   x⁺ = x + h v⁺
//! ```
//!
//! The "Euler" of the tables of Kang and of Kang, Cho, Park, and the semi-implicit Euler that Liu et al. 2013 (section 1)
//! compare with. First order; bounded below `h = 2/ω` of the stiffest vibration, for a spring network
//! `h² < 4 m / λ_max` (`physics.md` section 2.2). One force evaluation per step, O(springs).

use crate::sim::forces::SpringSum;
use crate::sim::measure::SpringSystem;
use crate::sim::params::{NoSettings, Tunable};
use crate::sim::solver::{
    Capabilities, CriticalStep, Group, Info, Keeps, Stability, Stage, Stopwatch, describe_solver,
};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "symplectic-euler",
    name: "Symplectic Euler",
    group: Group::Explicit,
    source: "textbook; the \"Euler\" of Kang's tables",
    order: 1,
    stability: Stability::Conditional,
    cost: "one pass over the springs",
    summary: "Cheapest step and no numerical damping, but unstable when the step is too long for the stiffness.",
    formula: "v' = v + h F(x, v)/m,  x' = x + h v'",
    capabilities: Capabilities { critical_step: CriticalStep::Own(""), ..Capabilities::SPRINGS },
    keeps: Keeps { momentum: true, angular_momentum: true, free_fall: true },
};

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct SymplecticEuler {
    settings: NoSettings,
    springs: SpringSum,
    forces: Vec<Vec3>,
}

impl Solver for SymplecticEuler {
    describe_solver!();

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats { iterations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        self.springs.add_up_forces(input.pattern, input.material, cloth, &mut self.forces, input.team);
        watch.lap(&mut stats, Stage::Assemble);
        let h = input.dt;
        for &i in &input.partition.free {
            let i = i as usize;
            let force = self.forces[i] + input.external[i];
            cloth.velocities[i] += force * (h / cloth.masses[i]);
            cloth.positions[i] += cloth.velocities[i] * h;
        }
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }

    fn critical_step(&self, springs: &SpringSystem) -> Option<Real> {
        Some(springs.critical_step())
    }
}
