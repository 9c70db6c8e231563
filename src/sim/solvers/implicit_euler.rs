//! Implicit Euler, one linearised step.
//!
//! ```text
//! (M - h² Jˣ - h Jᵛ) dv = h F + h² Jˣ v;   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, algorithms 1 and 3 (with the sign of `physics.md` section 2), after Baraff and Witkin 1998. First order.
//! Bounded for any step with clamped blocks: the matrix is positive definite, also under compression. Raw blocks are what the
//! papers run: exact, until compressed springs make the matrix indefinite; the step is then solved by `L D Lᵀ` and says so. The
//! matrix of 3×3 blocks is factored anew in every step; its ordering and symbolic factor are kept while pattern, pins and the
//! set of active spring families stay.

use crate::sim::forces::Linearised;
use crate::sim::forces::linearised::{apply_changes, neighbours, prescribed_changes};
use crate::sim::forces::springs::Blocks;
use crate::sim::linear::BlockSystem;
use crate::sim::params::Tunable;
use crate::sim::solver::{Group, Info, Keeps, Stability, Stage, Stopwatch, describe_solver};
use crate::sim::{Cloth, Solver, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "implicit-euler",
    name: "Implicit Euler",
    group: Group::Implicit,
    source: "Kang, algorithms 1 and 3; Baraff and Witkin 1998",
    order: 1,
    stability: Stability::Unconditional,
    cost: "a sparse factorisation of 3n unknowns",
    summary: "One linearised implicit step: holds at any stiffness and step, damps fine motion, and costs much.",
    ignores: &[],
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

crate::parameters! {
    /// Settings of [`ImplicitEuler`].
    pub struct Settings {
        /// Whether compressed springs count with their full, indefinite Jacobian (raw, as in the paper) or without the part that destabilises (clamped).
        pub blocks: Blocks = Blocks::Clamped, "Blocks", "", Blocks::KIND;
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct ImplicitEuler {
    /// Kind of blocks.
    pub settings: Settings,
    terms: Linearised,
    change: Vec<Vec3>,
    system: Option<BlockSystem>,
}

/// Holds the vertices that press on a collider: `W (b - x - h v⁺)`, and the sliding friction.
fn add_contacts(terms: &mut Linearised, cloth: &Cloth, input: &StepInput) {
    let h = input.dt;
    for touch in input.contacts {
        let i = touch.vertex as usize;
        let hold = input.hold(touch, cloth.masses[i]);
        terms.matrix.diagonal[i] += hold * (h * h);
        let gap = touch.point - cloth.positions[i] - cloth.velocities[i] * h;
        terms.rhs[i] += hold * gap * h + touch.sliding.unwrap_or(Vec3::ZERO);
    }
}

impl Solver for ImplicitEuler {
    describe_solver!();

    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats { iterations: 1, factorisations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        let system = BlockSystem::prepare(&mut self.system, input)?;
        watch.lap(&mut stats, Stage::Factor);

        let (terms, change) = (&mut self.terms, &mut self.change);
        terms.compute(cloth, input, self.settings.blocks);
        add_contacts(terms, cloth, input);
        prescribed_changes(cloth, input, change);
        for prescribed in &input.partition.prescribed {
            let i = prescribed.vertex as usize;
            for (e, other) in neighbours(input, i) {
                terms.rhs[other] += terms.matrix.couplings[e] * change[i];
            }
        }
        system.assemble(input, |i| terms.matrix.diagonal[i], |e| terms.matrix.couplings[e]);
        watch.lap(&mut stats, Stage::Assemble);

        match self.settings.blocks {
            Blocks::Clamped => system.factor()?,
            Blocks::Raw => stats.indefinite = u32::from(!system.factor_any()?),
        }
        watch.lap(&mut stats, Stage::Factor);

        system.solve(&input.partition.free, |i| terms.rhs[i], |i, dv| change[i] = dv);
        apply_changes(cloth, input, |i| change[i]);
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }

    fn reset(&mut self) {
        self.system = None;
    }
}
