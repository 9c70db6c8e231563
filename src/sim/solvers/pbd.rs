//! Position-based dynamics: the constraints are projected one after the other, for a given number
//! of iterations.
//!
//! ```text
//! q = x + h v + h² f_ext/m;   n times, per spring:  Δq = ∓ s' w/(w_i + w_j) (|d| - L) u,   s' = 1 - (1 - s)^(1/n)
//! v⁺ = (q - x)/h;   x⁺ = q
//! ```
//!
//! Müller, Heidelberger, Hennix, Ratcliff 2007. The stiffness is a share of the error, not a force
//! per length: the more iterations and the shorter the step, the stiffer the cloth, up to
//! inextensible (Bouaziz et al. 2014, figure 4). So its limit for short steps is not the spring,
//! and its order is 0. This property of the method is kept on purpose. O(springs) per iteration, in
//! place, colour by colour.

use super::position_based::{PositionBased, suiting};
use crate::sim::constraints::Projection;
use crate::sim::contact::cloth::ContactRow;
use crate::sim::params::{Tunable, count, linear};
use crate::sim::solver_interface::{
    Ability, BendingRule, Capabilities, ClothContactRule, ContactRule, DampingLaws, Demand, Elasticity, Group, Info,
    Keeps, MembraneRule, SeenRange, Stability, WorkSetting, describe_solver,
};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats};

pub(super) static INFO: Info = Info {
    id: "pbd",
    name: "Position-based dynamics",
    group: Group::PositionBased,
    source: "Müller et al. 2007",
    order: 0,
    stability: Stability::Seen(SeenRange { stiffness: 1e6, step: 0.1, remark: "" }),
    cost: "per iteration a pass over the springs",
    summary: "Projects springs one by one: fast, never diverges; but stiffness depends on iterations and step.",
    formula: "Δx = ± s w/(wi + wj) (|d| − L) d/|d|, spring by spring",
    algorithm: include_str!("algorithms/pbd.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::TouchingConstraints,
        cloth_contact: ClothContactRule::Constraints,
        bending: BendingRule::SpringsOnly(
            "its constraints are the lengths of the springs; bending is a share of its own",
        ),
        membrane: MembraneRule::SpringsOnly("its constraints are the lengths of the springs, without a stiffness"),
        adaptivity: Ability::No("its stiffness changes with the step, so shorter steps do not converge"),
        stiffness: Ability::No("position-based dynamics has no stiffness in N/m; its shares are set below the solver"),
        elasticity: Elasticity::Unknown(
            "its stiffness is a share of the error per step, which has no energy and no force",
        ),
        damping: DampingLaws::None("position-based dynamics has no damping in N·s/m; its damping depends on the step"),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[],
};

crate::parameters! {
    /// Settings of [`Pbd`].
    pub struct PbdSettings {
        /// Iterations over all springs per step. More make the cloth stiffer, without limit: a
        /// strip of 4 by 12 vertices that hangs with a share of 1 stretches by 19.41 % with 1, 1.70
        /// % with 10 and 0.06 % with 100 iterations (compare figure 4 of the projective dynamics
        /// paper). XPBD corrects that.
        pub iterations: u32 = 2, "Iterations", "", count(1, 1000);
        /// Equal parts of the step, each with all its iterations. Ten parts with 2 iterations
        /// stretch far less than one with 20; like every change of the step, more make the cloth
        /// stiffer.
        pub small_steps: u32 = 10, "Small steps", "", count(1, 100), needs EqualSubsteps;
        /// Share of a structural spring's stretch that a step removes. The equivalent in N/m
        /// depends on iterations, step and mesh.
        pub structural_share: Real = 1.0, "Stretch", "", linear(0.0, 1.0);
        /// Share of a shear spring's stretch that a step removes; 0 leaves the shear springs out.
        pub shear_share: Real = 0.5, "Shear", "", linear(0.0, 1.0);
        /// Share of a bend spring's compression that a step removes; 0 leaves the bend springs out.
        pub bend_share: Real = 0.02, "Bend", "", linear(0.0, 1.0);
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct Pbd {
    /// Iterations and shares.
    pub settings: PbdSettings,
    engine: PositionBased,
}

impl Solver for Pbd {
    describe_solver!();

    fn suit(&mut self, demand: &Demand) {
        (self.settings.iterations, self.settings.small_steps) = suiting(demand);
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of("small_steps").after("iterations")
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let PbdSettings { iterations, structural_share, shear_share, bend_share, .. } = self.settings;
        let by_family = [structural_share, shear_share, bend_share].map(|share| Projection {
            active: share > 0.0,
            share: 1.0 - (1.0 - share).powf(1.0 / Real::from(iterations)),
            ..Projection::default()
        });
        let projections = input.pattern.by_kind(Projection::default(), |family, _| by_family[family as usize]);
        self.engine.step(cloth, input, iterations, projections)
    }

    fn contact_rows(&self) -> &[ContactRow] {
        self.engine.contact_rows()
    }

    fn small_steps(&self) -> u32 {
        self.settings.small_steps
    }

    fn passes(&self) -> u32 {
        self.settings.iterations
    }
}
