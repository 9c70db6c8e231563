//! Euler's methods with the force at the present state: symplectic and explicit, which differ in
//! the order of the two updates.
//!
//! ```text
//! symplectic: v⁺ = v + h F(x, v) / m;   x⁺ = x + h v⁺
//! explicit:   x⁺ = x + h v;             v⁺ = v + h F(x, v) / m
//! ```
//!
//! One force evaluation per step, O(springs). First order.
//!
//! Symplectic Euler is the "Euler" of the tables of Kang and of Kang, Cho, Park, and the
//! semi-implicit Euler that Liu et al. 2013 (section 1) compare with. It is bounded below `h = 2/ω`
//! of the stiffest vibration, for a spring network `h² < 4 m / λ_max` (`physics.md` section 2.2).
//!
//! With explicit (forward) Euler an undamped vibration of angular frequency `ω` grows by
//! `√(1 + h² ω²)` in every step, so no step is short enough; damping keeps it bounded below
//! `h = c/k` (and `2 m/c`). The method is here for comparison.

use crate::sim::forces::SpringSum;
use crate::sim::measure::SpringSystem;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{NoSettings, Tunable};
use crate::sim::solver_interface::{
    Capabilities, CriticalStep, Group, Info, Keeps, MembraneRule, Stability, StepStage, Stopwatch, describe_solver,
};
use crate::sim::{Cloth, Mat3, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static EXPLICIT: Info = Info {
    id: "explicit-euler",
    name: "Explicit Euler",
    group: Group::Explicit,
    source: "textbook",
    order: 1,
    stability: Stability::Damped,
    cost: "one pass over the springs",
    summary: "Positions advance with the old velocity: adds energy in every step; diverges without strong damping.",
    formula: "x' = x + h v,  v' = v + h F(x, v)/m",
    algorithm: include_str!("algorithms/explicit-euler.txt"),
    capabilities: Capabilities {
        critical_step: CriticalStep::Own("Without damping no step is stable."),
        membrane: MembraneRule::Force,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[],
};

pub(super) static SYMPLECTIC: Info = Info {
    id: "symplectic-euler",
    name: "Symplectic Euler",
    group: Group::Explicit,
    source: "textbook; the \"Euler\" of Kang's tables",
    order: 1,
    stability: Stability::Conditional,
    cost: "one pass over the springs",
    summary: "Cheapest step and no numerical damping, but unstable when the step is too long for the stiffness.",
    formula: "v' = v + h F(x, v)/m,  x' = x + h v'",
    algorithm: include_str!("algorithms/symplectic-euler.txt"),
    capabilities: Capabilities {
        critical_step: CriticalStep::Own(""),
        membrane: MembraneRule::Force,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: true, free_fall: true },
    breaches: &[],
};

/// The forces at the present state, with memory.
#[derive(Debug, Clone, Default)]
struct Forces {
    springs: SpringSum,
    forces: Vec<Vec3>,
}

impl Forces {
    /// One step, in which `advance` moves position [m] and velocity [m/s] of a vertex, given the
    /// change of its velocity [m/s] and the length of the step [s].
    fn step(
        &mut self,
        cloth: &mut Cloth,
        input: &StepInput,
        advance: impl Fn(&mut Vec3, &mut Vec3, Vec3, Real),
    ) -> StepStats {
        let mut stats = StepStats { iterations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        self.springs.add_up_forces(input.pattern, input.material, cloth, &mut self.forces, input.pool);
        watch.lap(&mut stats, StepStage::Assemble);
        let h = input.dt;
        for &i in &input.partition.free {
            let i = i as usize;
            let change = (self.forces[i] + input.external[i]) * (h / cloth.masses[i]);
            advance(&mut cloth.positions[i], &mut cloth.velocities[i], change, h);
        }
        watch.lap(&mut stats, StepStage::Solve);
        stats
    }
}

/// Explicit Euler; see the module.
#[derive(Debug, Clone, Default)]
pub struct ExplicitEuler {
    settings: NoSettings,
    forces: Forces,
}

impl Solver for ExplicitEuler {
    describe_solver!(EXPLICIT);

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        Ok(self.forces.step(cloth, input, |x, v, change, h| {
            *x += *v * h;
            *v += change;
        }))
    }

    /// `|1 + h λ| < 1` for each vibration: below `c/k` when underdamped, below the root at which
    /// the fast mode overshoots when overdamped.
    fn critical_step(&self, springs: &SpringSystem) -> Option<Real> {
        // the sides of a membrane are damped without a stiffness of their own
        let is_side = |e: usize| springs.material.has_membrane() && springs.pattern.kinds()[e].is_side();
        let ratios = (0..springs.pattern.springs().len())
            .filter(|&e| springs.stiffness(e) > 0.0 && !is_side(e))
            .map(|e| springs.damping(e) / springs.stiffness(e));
        let underdamped = ratios.fold(Real::INFINITY, Real::min);
        let damping = springs.largest_eigenvalue(|e, u| springs.damping_block(e, u));
        // membrane and isometric bending have no damping of their own: their fastest vibration gets
        // the largest damping of the springs
        let bending = springs.largest_eigenvalue_with(1.0, |_, _| Mat3::ZERO);
        let bent = match springs.material.damping_model {
            _ if bending == 0.0 => Real::INFINITY,
            DampingModel::Isotropic => damping / bending,
            DampingModel::AlongSpring => 0.0,
        };
        Some(underdamped.min(2.0 / damping).min(bent))
    }
}

/// Symplectic Euler; see the module.
#[derive(Debug, Clone, Default)]
pub struct SymplecticEuler {
    settings: NoSettings,
    forces: Forces,
}

impl Solver for SymplecticEuler {
    describe_solver!(SYMPLECTIC);

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        Ok(self.forces.step(cloth, input, |x, v, change, h| {
            *v += change;
            *x += *v * h;
        }))
    }

    fn critical_step(&self, springs: &SpringSystem) -> Option<Real> {
        Some(springs.critical_step())
    }
}
