//! Stable mass-spring: an explicit update in O(n) that approximates the implicit one through one
//! ring of neighbours.
//!
//! ```text
//! F̃_i = F_i + h Σ_j k (v_j - v_i)
//! dv_i = [ h F̃_i + h² Σ_j k h F̃_j/(m_j + h² K_j) ] / (m_i + h² K_i),   K_i = Σ_j k
//! v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, Cho, Park, equation 4. First order. Stable at stiffnesses at which explicit methods
//! explode, but slow: a force reaches one ring of neighbours per step and is divided by their
//! stiffness, and momentum is lost. In a free cloth of equal vertices in uniform motion `F̃ = m g`
//! at each, and the rule above yields the acceleration
//!
//! ```text
//! dv/h = g (1 + 2r)/(1 + r)²,   r = h² K/m
//! ```
//!
//! which is nearly g for small r, 75 % of it at r = 1, and 2/r of it for large r. This is a
//! property of the published method.
//!
//! Damping is an explicit force at the initial velocities, as in the paper, up to its stability
//! limit; the rest is added to `h² k` ([`filter_weights`]).

use crate::sim::forces::SpringSum;
use crate::sim::params::{NoSettings, Tunable};
use crate::sim::solver_interface::{
    BendingRule, Capabilities, ContactLaw, Group, Info, Keeps, SeenRange, Stability, StepStage, Stopwatch,
    describe_solver,
};
use crate::sim::solvers::implicit::filtered::{FilteredForces, filter_weights};
use crate::sim::solvers::implicit::linearised::{apply_changes, neighbours, prescribed_changes};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "stable-mass-spring",
    name: "Stable mass-spring",
    group: Group::ApproximateImplicit,
    source: "Kang, Cho, Park, equation 4",
    order: 1,
    stability: Stability::Seen(SeenRange { stiffness: 1e6, step: 0.1, remark: "" }),
    cost: "three passes over the springs",
    summary: "Linear time, no linear solve, very stable, but slows the motion. A free cloth falls at (1 + 2r)/(1 + r)² of g, r = h² Σk/m at a vertex. Fast-swinging cloth is drawn out.",
    formula: "(m + h² Σk) Δv = h F + h² Σ k h F/(m + h² Σk),  the sums over neighbours",
    algorithm: include_str!("algorithms/stable-mass-spring.txt"),
    capabilities: Capabilities {
        bending: BendingRule::SpringsOnly(
            "its formula covers the one-ring of a vertex, and curvature needs the two-ring",
        ),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: false, angular_momentum: false, free_fall: false },
    breaches: &[
        (ContactLaw::Slide, 0.000_371),
        (ContactLaw::SlideByFrames, 3.56e-5),
        (ContactLaw::Slip, 0.001_36),
        (ContactLaw::Rebound, 0.094_3),
    ],
};

/// Vertices per task.
const VERTICES: usize = 512;

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct StableMassSpring {
    settings: NoSettings,
    springs: SpringSum,
    filtered: FilteredForces,
    /// `m_i + h² K_i` [kg].
    weights: Vec<Real>,
    /// The neighbours' own estimate of their change of velocity [m/s].
    estimate: Vec<Vec3>,
}

impl Solver for StableMassSpring {
    describe_solver!();

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let Self { springs, filtered, weights, estimate, .. } = self;
        let mut stats = StepStats { iterations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        filtered.compute(springs, cloth, input);
        watch.lap(&mut stats, StepStage::Assemble);

        let StepInput { dt: h, pattern, partition, pool, .. } = *input;
        let pulls = filter_weights(cloth, input).on(pattern);
        let pull = |e: usize| pulls.at(e);
        weights.resize(cloth.len(), 0.0);
        pool.fill(weights, VERTICES, |i| cloth.masses[i] + neighbours(pattern, i).map(|(e, _)| pull(e)).sum::<Real>());
        prescribed_changes(cloth, input, estimate);
        pool.update(estimate, VERTICES, |i, dv| {
            if partition.is_free(i as u32) {
                *dv = filtered.forces[i] * (h / weights[i]);
            }
        });
        apply_changes(cloth, input, |i| {
            let own = filtered.forces[i] * h;
            let all = neighbours(pattern, i).fold(own, |sum, (e, j)| sum + estimate[j] * pull(e));
            all / weights[i]
        });
        watch.lap(&mut stats, StepStage::Solve);
        Ok(stats)
    }

    fn passes(&self) -> u32 {
        3
    }
}
