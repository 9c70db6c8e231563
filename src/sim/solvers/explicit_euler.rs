//! Explicit (forward) Euler: position and velocity both move by the rates at the present state.
//!
//! ```text
//! x⁺ = x + h v;   v⁺ = v + h F(x, v) / m
//! ```
//!
//! Textbook. First order. An undamped vibration of angular frequency `ω` grows by `√(1 + h² ω²)` in every step, so no step
//! is short enough; damping holds it below `h = c/k` (and `2 m/c`). One force evaluation per step, O(springs). It is here
//! to be seen failing, beside symplectic Euler, from which it differs by one letter.

use crate::sim::forces::SpringSum;
use crate::sim::measure::SpringSystem;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{NoSettings, Tunable};
use crate::sim::solver::{
    Capabilities, CriticalStep, Group, Info, Keeps, Stability, Stage, Stopwatch, describe_solver,
};
use crate::sim::{Cloth, Mat3, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "explicit-euler",
    name: "Explicit Euler",
    group: Group::Explicit,
    source: "textbook",
    order: 1,
    stability: Stability::Damped,
    cost: "one pass over the springs",
    summary: "Positions advance with the old velocity: adds energy in every step; diverges without strong damping.",
    formula: "x' = x + h v,  v' = v + h F(x, v)/m",
    capabilities: Capabilities {
        critical_step: CriticalStep::Own("Without damping no step is stable."),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct ExplicitEuler {
    settings: NoSettings,
    springs: SpringSum,
    forces: Vec<Vec3>,
}

impl Solver for ExplicitEuler {
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
            cloth.positions[i] += cloth.velocities[i] * h;
            cloth.velocities[i] += force * (h / cloth.masses[i]);
        }
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }

    /// `|1 + h λ| < 1` for each vibration: below `c/k` when underdamped, below the root at which the fast mode
    /// overshoots when overdamped.
    fn critical_step(&self, springs: &SpringSystem) -> Option<Real> {
        let ratios = (0..springs.pattern.springs().len())
            .filter(|&e| springs.stiffness(e) > 0.0)
            .map(|e| springs.damping(e) / springs.stiffness(e));
        let underdamped = ratios.fold(Real::INFINITY, Real::min);
        let damping = springs.largest_eigenvalue(|e, u| springs.damping_block(e, u));
        // isometric bending has no damping of its own: its fastest vibration has what damping the springs have at most
        let bending = springs.largest_eigenvalue_with(1.0, |_, _| Mat3::ZERO);
        let bent = match springs.material.damping_model {
            _ if bending == 0.0 => Real::INFINITY,
            DampingModel::Isotropic => damping / bending,
            DampingModel::AlongSpring => 0.0,
        };
        Some(underdamped.min(2.0 / damping).min(bent))
    }
}
