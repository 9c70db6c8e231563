//! Precomputed filter: the implicit system with a constant matrix, factored once.
//!
//! ```text
//! (M + h² L_k) dv = h F̃,   F̃_i = F_i + h Σ_j k (v_j - v_i);   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, Cho, Park, section 2.1, after Desbrun, Schröder, Barr 1999. `L_k` is the graph Laplacian
//! weighted with the stiffness: every spring has the same stiffness across as along, which makes
//! the matrix constant and the method stable, and damps rotations. First order. Factored again only
//! when pattern, a mass, a stiffness or the step changes. Per step a pass over the springs and one
//! solve with a stored factor. Vertices that stick to a collider are constraints of the matrix,
//! whose factor is updated for them; sliding ones are left to the response after the step. Damping
//! is an explicit force at the initial velocities, up to its stability limit; the rest is added to
//! `h² k` ([`filter_weights`]).

use crate::sim::contact::Contact;
use crate::sim::exec::simd::F64x4;
use crate::sim::forces::SpringSum;
use crate::sim::linear::FactorWork;
use crate::sim::params::{NoSettings, Tunable};
use crate::sim::solver_interface::{
    BendingRule, Capabilities, ContactLaw, ContactRule, Group, Info, Keeps, PREFACTORED, SeenRange, Stability,
    StepStage, Stopwatch, describe_solver,
};
use crate::sim::solvers::implicit::filtered::{FilteredForces, filter_weights};
use crate::sim::solvers::implicit::laplacian::LaplacianSystem;
use crate::sim::solvers::implicit::linearised::{apply_changes, prescribed_changes};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "precomputed-filter",
    name: "Precomputed filter",
    group: Group::ApproximateImplicit,
    source: "Kang, Cho, Park, section 2.1; Desbrun et al. 1999",
    order: 1,
    stability: Stability::Seen(SeenRange { stiffness: 1e6, step: 0.1, remark: "" }),
    cost: "a pass over the springs and a solve with a stored factor",
    summary: "One constant matrix, factored once, for every implicit step: fast and stable, but it resists rotation.",
    formula: "(M + h² L) Δv = h F,  L the constant Laplacian of the stiffness",
    algorithm: include_str!("algorithms/precomputed-filter.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::HeldInMatrix,
        adaptivity: PREFACTORED,
        bending: BendingRule::SpringsOnly("its matrix is the Laplacian of the springs"),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[
        (ContactLaw::Slide, -0.059_6),
        (ContactLaw::SlideByFrames, 0.118),
        (ContactLaw::Slip, 0.000_58),
        (ContactLaw::Lay, 1.21),
        (ContactLaw::Load, 8.57),
    ],
};

/// See the module.
#[derive(Debug, Default)]
pub struct PrecomputedFilter {
    settings: NoSettings,
    springs: SpringSum,
    filtered: FilteredForces,
    change: Vec<Vec3>,
    system: LaplacianSystem,
    /// Right-hand side, then solution, by places.
    x: Vec<F64x4>,
    /// The places of the vertices that stick to a collider, and the weights that hold them [kg].
    held: Vec<(usize, Real)>,
}

/// The contacts that friction holds, and those that carry a load: a constant matrix with one number
/// per spring cannot hold a vertex along the normal alone.
fn sticking<'a>(input: &StepInput<'a>) -> impl Iterator<Item = &'a Contact> {
    input.contacts.iter().filter(|contact| contact.drag.is_none())
}

impl Solver for PrecomputedFilter {
    describe_solver!();

    fn step(
        &mut self,
        cloth: &mut Cloth,
        carried: &mut SolverState,
        input: &StepInput,
    ) -> Result<StepStats, StepError> {
        let mut watch = Stopwatch::start(input.clock);
        let h = input.dt;
        let weights = filter_weights(cloth, input);
        let pool = input.pool;
        let Self { springs, filtered, change, system, x, held, .. } = self;
        system.follow(&carried.factor);
        let system = system.prepare(cloth, input, 1.0, weights)?;
        let column_of = &system.symbolic().column_of;
        held.clear();
        held.extend(sticking(input).map(|contact| {
            let vertex = contact.vertex as usize;
            let stiffer = if contact.load_share.is_some() { 1.0 } else { StepInput::CONTACT_STIFFER };
            let weight = stiffer * input.contact_weight(contact.vertex, cloth.masses[vertex]);
            (column_of[vertex] as usize, h * h * weight)
        }));
        let prescribed = input.partition.prescribed_vertices();
        let FactorWork { updates, factorisations } =
            system.constrain_vertices(prescribed, held.iter().copied(), input.budget, pool)?;
        carried.factor.clone_from(system.history());
        let mut stats = StepStats { iterations: 1, factorisations, updates, ..StepStats::default() };
        watch.lap(&mut stats, StepStage::Factor);

        filtered.compute(springs, cloth, input);
        prescribed_changes(cloth, input, change);
        let symbolic = system.symbolic();
        x.clear();
        x.extend(symbolic.vertex_of.iter().map(|&i| F64x4::from_vec3(filtered.forces[i as usize] * h)));
        for (contact, (place, weight)) in sticking(input).zip(&*held) {
            let i = contact.vertex as usize;
            let load = contact.load_share.map_or(Vec3::ZERO, |load_share| load_share.load);
            let gap = contact.point + load - cloth.positions[i] - cloth.velocities[i] * h;
            x[*place] = x[*place] + F64x4::from_vec3(gap * (weight / h));
        }
        let known = input.partition.prescribed.iter().map(|held| {
            let vertex = held.vertex as usize;
            (symbolic.column_of[vertex] as usize, F64x4::from_vec3(change[vertex]))
        });
        system.prescribe(known, x);
        watch.lap(&mut stats, StepStage::Assemble);

        system.solve(x, pool);
        let column_of = &system.symbolic().column_of;
        apply_changes(cloth, input, |i| x[column_of[i] as usize].to_vec3());
        watch.lap(&mut stats, StepStage::Solve);
        Ok(stats)
    }

    fn reset(&mut self) {
        self.system.reset();
    }

    fn passes(&self) -> u32 {
        // the solve costs more than the springs
        16
    }
}
