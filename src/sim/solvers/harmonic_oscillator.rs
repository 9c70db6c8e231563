//! Harmonic oscillator: every spring contributes the exact impulse of its own damped oscillation
//! over the step.
//!
//! ```text
//! v⁺ = v + (share · Σ P + h f_ext)/m;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, algorithm 5; `P` from `physics.md` section 2.1. The paper halves the impulse (share ½);
//! with share 1 the relative velocity of an isolated pair is exact for any step. First order as a
//! whole. The impulses of springs with a common vertex are computed independently, so the step is
//! limited: the impulses act like a spring `k sin(ωh)/(ωh)` with a damper `μ (1 - cos ωh)/h`, and
//! the damper overshoots; beyond half a period the spring reverses. One pass over the springs with
//! a sine, a cosine and an exponential.

use crate::sim::forces::SpringSum;
use crate::sim::math::outer;
use crate::sim::measure::SpringSystem;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Tunable, linear};
use crate::sim::solver_interface::{
    Capabilities, CriticalStep, DampingLaws, Elasticity, Group, Info, Keeps, Stability, StepStage, Stopwatch,
    describe_solver,
};
use crate::sim::solvers::oscillator::{Oscillator, add_up_impulses};
use crate::sim::{Cloth, Mat3, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "harmonic-oscillator",
    name: "Harmonic oscillator",
    group: Group::Explicit,
    source: "Kang, algorithm 5",
    order: 1,
    stability: Stability::Conditional,
    cost: "one pass over the springs, with a sine and an exponential each",
    summary: "Exact impulse of each spring as an isolated oscillator. Springs that share a vertex perturb each other.",
    formula: "v' = v + (Σ P + h f)/m,  P the impulse of a spring that swings alone",
    algorithm: include_str!("algorithms/harmonic-oscillator.txt"),
    capabilities: Capabilities {
        damping: DampingLaws::Only(
            DampingModel::AlongSpring,
            "its springs oscillate, and are damped, along their length only",
        ),
        critical_step: CriticalStep::Own(
            "An undamped spring has no effect if the step is a whole number of its periods.",
        ),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: true, free_fall: true },
    breaches: &[],
};

crate::parameters! {
    /// Settings of [`HarmonicOscillator`].
    pub struct HarmonicOscillatorSettings {
        /// Share of each spring's exact impulse that is applied. 1 gives an isolated pair its exact
        /// relative velocity after a step (its positions follow in first order); the paper's 0.5 is
        /// more stable, and softer. With c = 0 and a step of a whole number of periods the impulse
        /// vanishes: the spring has no effect.
        pub share: Real = 1.0, "Share", "", linear(0.0, 1.0);
    }
}

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct HarmonicOscillator {
    /// Share of the impulses.
    pub settings: HarmonicOscillatorSettings,
    springs: SpringSum,
    impulses: Vec<Vec3>,
}

impl Solver for HarmonicOscillator {
    describe_solver!();

    fn capabilities(&self) -> Capabilities {
        let own = self.settings.share != 1.0;
        let elasticity = if own { Elasticity::Own } else { Elasticity::Springs };
        Capabilities { elasticity, ..INFO.capabilities }
    }

    /// The springs with their share, and bending in full.
    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        let bending = system.bending_energy();
        Some(self.settings.share * (system.elastic_energy() - bending) + bending)
    }

    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        let bending = system.bending_force_on(vertex);
        Some((system.force_on(vertex) - bending) * self.settings.share + bending)
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats { iterations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        add_up_impulses(&mut self.springs, cloth, input, self.settings.share, &mut self.impulses);
        watch.lap(&mut stats, StepStage::Assemble);
        let h = input.dt;
        for &i in &input.partition.free {
            let i = i as usize;
            cloth.velocities[i] += (self.impulses[i] + input.external[i] * h) / cloth.masses[i];
            cloth.positions[i] += cloth.velocities[i] * h;
        }
        watch.lap(&mut stats, StepStage::Solve);
        Ok(stats)
    }

    /// Where symplectic Euler with the effective springs and dampers of that step would fail:
    /// scanned, since the effective values oscillate with the step.
    fn critical_step(&self, springs: &SpringSystem) -> Option<Real> {
        let count = springs.pattern.springs().len();
        let oscillator = |e: usize| {
            let stiffness = springs.stiffness(e);
            let reduced_mass = springs.reduced_mass(e).filter(|_| stiffness > 0.0)?;
            Some(Oscillator { stiffness, damping: springs.damping(e), reduced_mass })
        };
        let fails = |h: Real| {
            // beyond half a period a spring pushes its ends apart instead of together
            if (0..count).filter_map(oscillator).any(|oscillator| oscillator.impulse(h, 1.0, 0.0) < 0.0) {
                return true;
            }
            // stiffness and damping at once: `h² K + 2 h C` of each spring along its direction
            let load = springs.largest_eigenvalue_with(h * h, |e, u| {
                let Some(oscillator) = oscillator(e) else { return Mat3::ZERO };
                let (k, c) = (oscillator.impulse(h, 1.0, 0.0) / h, oscillator.impulse(h, 0.0, 1.0) / h);
                outer(u) * (self.settings.share * (k * h * h + 2.0 * c * h))
            });
            load >= 4.0
        };
        let start = 0.1 * springs.critical_step();
        if !start.is_finite() || self.settings.share == 0.0 {
            return Some(Real::INFINITY);
        }
        let mut low = start;
        while !fails(1.1 * low) {
            low *= 1.1;
            // overdamped springs never push apart
            if low > 1e4 * start {
                return Some(Real::INFINITY);
            }
        }
        let mut high = 1.1 * low;
        for _ in 0..12 {
            let middle = 0.5 * (low + high);
            *(if fails(middle) { &mut high } else { &mut low }) = middle;
        }
        Some(low)
    }
}
