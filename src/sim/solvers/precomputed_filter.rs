//! Precomputed filter: the implicit system with a constant matrix, factored once.
//!
//! ```text
//! (M + h² L_k) dv = h F̃,   F̃_i = F_i + h Σ_j k (v_j - v_i);   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, Cho, Park, section 2.1, after Desbrun, Schröder, Barr 1999. `L_k` is the graph Laplacian weighted with the stiffness:
//! every spring counts as if it were as stiff across as along, which makes the matrix constant and the method stable, and damps
//! rotations. First order. Factored again only when pattern, pins, a mass, a stiffness or the step changes. Per step a pass
//! over the springs and one solve with a stored factor.

use crate::sim::forces::linearised::{apply_changes, neighbours, prescribed_changes};
use crate::sim::forces::{FilteredForces, SpringSum};
use crate::sim::linear::{LaplacianSystem, Weights};
use crate::sim::params::{NoSettings, Tunable};
use crate::sim::solver::{Group, Info, Keeps, PREFACTORED, Stability, Stage, Stopwatch, describe_solver};
use crate::sim::{Cloth, Solver, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "precomputed-filter",
    name: "Precomputed filter",
    group: Group::ApproximateImplicit,
    source: "Kang, Cho, Park, section 2.1; Desbrun et al. 1999",
    order: 1,
    stability: Stability::Practical,
    cost: "a pass over the springs and a solve with a stored factor",
    summary: "One constant matrix, factored once, stands for every implicit step: quick and stable, but it resists rotation.",
    ignores: PREFACTORED,
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

/// See the module.
#[derive(Debug, Default)]
pub struct PrecomputedFilter {
    settings: NoSettings,
    springs: SpringSum,
    filtered: FilteredForces,
    change: Vec<Vec3>,
    system: Option<LaplacianSystem>,
}

impl Solver for PrecomputedFilter {
    describe_solver!();

    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut watch = Stopwatch::start(input.clock);
        let h = input.dt;
        let stiffness = input.material.stiffness_by_family();
        let weights = Weights { inertia: 1.0, springs: stiffness.map(|k| h * h * k), vertices: &[] };
        let (system, factorisations) = LaplacianSystem::prepare(&mut self.system, cloth, input, &weights)?;
        let mut stats = StepStats { iterations: 1, factorisations, ..StepStats::default() };
        watch.lap(&mut stats, Stage::Factor);

        let (filtered, change) = (&mut self.filtered, &mut self.change);
        filtered.compute(&mut self.springs, cloth, input);
        prescribed_changes(cloth, input, change);
        let families = &input.pattern.springs().families;
        for prescribed in &input.partition.prescribed {
            let dv = change[prescribed.vertex as usize];
            for (e, other) in neighbours(input, prescribed.vertex as usize) {
                filtered.forces[other] += dv * (h * stiffness[families[e] as usize]);
            }
        }
        watch.lap(&mut stats, Stage::Assemble);

        system.solve(&input.partition.free, |_, i| filtered.forces[i] * h, |i, dv| change[i] = dv);
        apply_changes(cloth, input, |i| change[i]);
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }

    fn reset(&mut self) {
        self.system = None;
    }
}
