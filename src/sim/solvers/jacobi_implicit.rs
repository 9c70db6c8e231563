//! Jacobi-approximated implicit Euler: the linear system of implicit Euler, by a few Jacobi sweeps.
//!
//! ```text
//! dv⁰_i = D_i⁻¹ b_i;   dvᵏ⁺¹_i = D_i⁻¹ (b_i + h² Σ_j J_ij dvᵏ_j + h c Σ_j dvᵏ_j);   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, algorithms 2 and 4 (each sweep starts again from `b`: the listing accumulates, which
//! diverges). `D` is the block diagonal of the matrix. First order. With clamped blocks an odd
//! number of sweeps meets no limit in the test of table 1; an even number overshoots, and the
//! sweeps need not converge at all, since the matrix is not diagonally dominant. Loses momentum and
//! falls too slowly, because few sweeps carry a force only to few neighbours. O(springs) per sweep.

use crate::sim::forces::springs::Blocks;
use crate::sim::params::{Kind, Tunable, count};
use crate::sim::solver_interface::{
    BendingRule, Capabilities, ContactLaw, ContactRule, Demand, Group, Info, Iterations, Keeps, Rung, SeenRange,
    Stability, StepStage, Stopwatch, WorkSetting, describe_solver,
};
use crate::sim::solvers::implicit::linearised::{Linearised, apply_changes, neighbours, prescribed_changes};
use crate::sim::{Cloth, Mat3, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "jacobi-implicit",
    name: "Jacobi implicit",
    group: Group::ApproximateImplicit,
    source: "Kang, algorithms 2 and 4",
    order: 1,
    stability: Stability::Seen(SeenRange {
        stiffness: 1e6,
        step: 0.1,
        remark: "table 1 of Kang: clamped blocks with one sweep are stable up to 10¹² N/m, but fail from 300 MN/m on without shear springs",
    }),
    cost: "a 3×3 block per spring, and a pass over them per sweep",
    summary: "A few Jacobi sweeps instead of the linear solve: cheap, but loses momentum. With one sweep, as in the paper, stiff cloth moves too slowly and gains energy.",
    formula: "D Δv' = b + (D − A) Δv, a few times,  A Δv = b being implicit Euler",
    algorithm: include_str!("algorithms/jacobi-implicit.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::HeldInMatrix,
        bending: BendingRule::SpringsOnly("the coupling by curvature exceeds the diagonal of its matrix"),
        iterations: Iterations::Sweeps,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: false, angular_momentum: false, free_fall: false },
    breaches: &[
        (ContactLaw::Slide, 0.001_81),
        (ContactLaw::SlideByFrames, 0.000_59),
        (ContactLaw::Slip, 0.001_1),
        (ContactLaw::Lay, 6.19),
        (ContactLaw::Load, 14.5),
    ],
};

/// Odd numbers of sweeps, since even ones overshoot; then substeps.
pub(super) const LADDER: &[Rung] = &[
    Rung(&[("substeps", "1"), ("sweeps", "1")]),
    Rung(&[("substeps", "1"), ("sweeps", "5")]),
    Rung(&[("substeps", "1"), ("sweeps", "11")]),
    Rung(&[("substeps", "1"), ("sweeps", "25")]),
    Rung(&[("substeps", "2"), ("sweeps", "25")]),
    Rung(&[("substeps", "4"), ("sweeps", "25")]),
    Rung(&[("substeps", "8"), ("sweeps", "25")]),
];

crate::parameters! {
    /// Settings of [`JacobiImplicit`].
    pub struct JacobiImplicitSettings {
        /// Jacobi sweeps after the initial guess. More transfer forces farther in a step; even
        /// numbers overshoot, and beyond a certain stiffness more increase the error.
        pub sweeps: u32 = 1, "Sweeps", "", count(0, 100);
        /// Jacobian of compressed springs: in full and indefinite (raw, as in the paper), or
        /// without the destabilising part (clamped).
        pub blocks: Blocks = Blocks::Clamped, "Blocks", "", Blocks::KIND;
        /// Whether the derivative of the damping is in the matrix (Kang, algorithms 3 and 4). Without
        /// it (algorithms 1 and 2) damping is an explicit force, and strong damping is unstable.
        pub implicit_damping: bool = true, "Implicit damping", "", Kind::Toggle;
    }
}

/// Vertices per task.
const VERTICES: usize = 512;

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct JacobiImplicit {
    /// Sweeps and kind of blocks.
    pub settings: JacobiImplicitSettings,
    system: Linearised,
    inverse: Vec<Mat3>,
    change: Vec<Vec3>,
    next: Vec<Vec3>,
}

impl Solver for JacobiImplicit {
    describe_solver!();

    fn suit(&mut self, _: &Demand) {
        // an odd number; a cloth at rest stretches nearly as little as with more
        self.settings.sweeps = 25;
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::odd("sweeps")
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let Self { settings, system, inverse, change, next } = self;
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        system.compute(cloth, input, settings.blocks, settings.implicit_damping);
        system.hold_contacts(cloth, input);
        watch.lap(&mut stats, StepStage::Assemble);

        let StepInput { pattern, partition, pool, .. } = *input;
        inverse.resize(cloth.len(), Mat3::ZERO);
        pool.fill(inverse, VERTICES, |i| system.matrix.diagonal[i].inverse());
        prescribed_changes(cloth, input, change);
        next.clone_from(change);
        pool.update(change, VERTICES, |i, dv| {
            if partition.is_free(i as u32) {
                *dv = inverse[i] * system.rhs[i];
            }
        });
        // a sweep visits every spring from both ends, with a block of nine
        let work = 2 * input.pattern.springs().len();
        for sweep in 1..=settings.sweeps {
            if !input.budget.spend_on(sweep, work)? {
                stats.exhausted = 1;
                break;
            }
            stats.iterations = sweep;
            let last = &*change;
            pool.update(next, VERTICES, |i, dv| {
                if partition.is_free(i as u32) {
                    let pull = neighbours(pattern, i)
                        .fold(system.rhs[i], |b, (e, j)| b + system.matrix.couplings[e] * last[j]);
                    *dv = inverse[i] * pull;
                }
            });
            std::mem::swap(change, next);
        }
        apply_changes(cloth, input, |i| change[i]);
        watch.lap(&mut stats, StepStage::Solve);
        Ok(stats)
    }

    fn passes(&self) -> u32 {
        3 + self.settings.sweeps
    }
}
