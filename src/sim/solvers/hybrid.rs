//! Hybrid of the approximate implicit step and the harmonic oscillator: a weighted mean of their
//! right-hand sides, by the block diagonal alone.
//!
//! ```text
//! dv_i = D_i⁻¹ ((1 - w) b_i + w P_i),   P_i = share · Σ P + h f_ext;   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, algorithm 6, which calls `w = ½` the simple way; `b` and `D` as in Jacobi implicit, `P`
//! the oscillator impulses. First order with share 1. No limit up to 10¹² N/m in the test of table 1 with clamped blocks; raw blocks
//! fail near 10⁸. Loses momentum and falls too slowly, like every method that keeps only the
//! diagonal. O(springs), no iteration.

use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::Blocks;
use crate::sim::measure::SpringSystem;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Tunable, linear};
use crate::sim::solver_interface::{
    Ability, BendingRule, Capabilities, ContactLaw, ContactRule, DampingLaws, Elasticity, Group, Info, Keeps,
    SeenRange, Stability, StepStage, Stopwatch, describe_solver,
};
use crate::sim::solvers::implicit::linearised::{Linearised, apply_changes, contact_terms};
use crate::sim::solvers::oscillator::add_up_impulses;
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "hybrid",
    name: "Hybrid",
    group: Group::ApproximateImplicit,
    source: "Kang, algorithm 6",
    order: 1,
    stability: Stability::Seen(SeenRange {
        stiffness: 1e6,
        step: 0.1,
        remark: "table 1 of Kang: clamped blocks are stable up to 10¹² N/m, raw blocks fail near 100 MN/m",
    }),
    cost: "a 3×3 block and an oscillator impulse per spring, no iteration",
    summary: "Half diagonal implicit, half exact oscillator: as cheap as explicit, but slows the motion. Stiff cloth stretches, cotton at 60 Hz by 25 %, and gains energy in fast motion.",
    formula: "D Δv = (1 − w) b + w P,  w = ½,  D and b of implicit Euler, P of the oscillators",
    algorithm: include_str!("algorithms/hybrid.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::HeldInMatrix,
        drapes: Ability::No(
            "draped cloth stretches, by 15 to 35 % on the table: forces reach one spring further per step",
        ),
        bending: BendingRule::SpringsOnly("the coupling by curvature exceeds the diagonal of its matrix"),
        damping: DampingLaws::Partly(DampingModel::AlongSpring, "its oscillators damp along the springs only"),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: false, angular_momentum: false, free_fall: false },
    breaches: &[
        (ContactLaw::Slide, 0.000_347),
        (ContactLaw::SlideByFrames, 3.05e-5),
        (ContactLaw::Slip, -3.17e-5),
        (ContactLaw::Lay, 1.68),
        (ContactLaw::Load, 24.2),
    ],
};

crate::parameters! {
    /// Settings of [`Hybrid`].
    pub struct HybridSettings {
        /// Share of each spring's exact impulse that is added. 1 gives the springs their full
        /// stiffness; the paper uses 0.5.
        pub share: Real = 1.0, "Share", "", linear(0.0, 1.0);
        /// Weight of the oscillators in the mean with the implicit right-hand side: the paper uses
        /// 0.5. 0 is the diagonal implicit step alone, 1 the oscillators divided by its diagonal.
        pub oscillator_weight: Real = 0.5, "Weight of oscillators", "", linear(0.0, 1.0);
        /// Jacobian of compressed springs: in full and indefinite (raw, as in the paper), or
        /// without the destabilising part (clamped).
        pub blocks: Blocks = Blocks::Clamped, "Blocks", "", Blocks::KIND;
    }
}

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct Hybrid {
    /// Share of the impulses and kind of blocks.
    pub settings: HybridSettings,
    system: Linearised,
    springs: SpringSum,
    impulses: Vec<Vec3>,
}

impl Hybrid {
    /// Stiffness of a spring at rest, relative to its own: the mean of all of it and of its share.
    fn stiffness(&self) -> Real {
        let HybridSettings { share, oscillator_weight, .. } = self.settings;
        (1.0 - oscillator_weight) + oscillator_weight * share
    }
}

impl Solver for Hybrid {
    describe_solver!();

    fn capabilities(&self) -> Capabilities {
        let own = self.stiffness() != 1.0;
        let elasticity = if own { Elasticity::Own } else { Elasticity::Springs };
        Capabilities { elasticity, ..INFO.capabilities }
    }

    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        Some(self.stiffness() * system.elastic_energy())
    }

    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        Some(system.force_on(vertex) * self.stiffness())
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let Self { settings, system, springs, impulses } = self;
        let mut stats = StepStats { iterations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        system.compute(cloth, input, settings.blocks, true);
        add_up_impulses(springs, cloth, input, settings.share, impulses);
        // both halves of the mean have the contacts with colliders
        system.hold_contacts(cloth, input);
        for contact in input.contacts {
            impulses[contact.vertex as usize] += contact_terms(contact, cloth, input).1;
        }
        watch.lap(&mut stats, StepStage::Assemble);
        let weight = settings.oscillator_weight;
        apply_changes(cloth, input, |i| {
            let implicit = system.rhs[i] * (1.0 - weight);
            let mean = implicit + impulses[i] * weight + input.external[i] * input.dt * weight;
            system.matrix.diagonal[i].inverse() * mean
        });
        watch.lap(&mut stats, StepStage::Solve);
        Ok(stats)
    }
}
