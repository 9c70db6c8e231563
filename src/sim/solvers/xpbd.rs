//! XPBD: position-based dynamics with compliance, so that the stiffness is that of the springs.
//!
//! ```text
//! q = x + h v + h² f_ext/m,  λ = 0;   n times, per spring, with α = 1/(k h²), γ = c/(k h):
//! Δλ = -(C + α λ + γ ∇C·(q - x)) / ((1 + γ)(w_i + w_j) + α),   Δq = w ∇C Δλ
//! v⁺ = (q - x)/h;   x⁺ = q
//! ```
//!
//! Macklin, Müller, Chentanez 2016, in small steps after Macklin et al. 2019. First order;
//! converges to implicit Euler. Never explodes in practice; with too few iterations for the
//! stiffness the cloth looks softer than it is. O(springs) per iteration, in place, colour by
//! colour.

use super::position_based::{PositionBased, suiting};
use crate::sim::constraints::Projection;
use crate::sim::contact::cloth::ContactRow;
use crate::sim::model::material::{DampingModel, StiffnessLaw};
use crate::sim::params::{Tunable, count};
use crate::sim::solver_interface::{
    BendingRule, Capabilities, ClothContactRule, ContactLaw, ContactRule, DampingLaws, Demand, Group, Info, Keeps,
    MembraneRule, SeenRange, Stability, WorkSetting, describe_solver,
};
use crate::sim::{Cloth, Material, Solver, SolverState, StepError, StepInput, StepStats};

pub(super) static INFO: Info = Info {
    id: "xpbd",
    name: "XPBD",
    group: Group::PositionBased,
    source: "Macklin et al. 2016, 2019",
    order: 1,
    stability: Stability::Seen(SeenRange { stiffness: 1e6, step: 0.1, remark: "" }),
    cost: "per iteration a pass over the springs",
    summary: "Position-based with a true stiffness in N/m: fast and robust. Needs many iterations or small steps to be stiff.",
    formula: "Δλ = −(C + α λ)/(wi + wj + α),  Δx = w grad C Δλ,  α = 1/(k h²)",
    algorithm: include_str!("algorithms/xpbd.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::TouchingConstraints,
        cloth_contact: ClothContactRule::Constraints,
        bending: BendingRule::Constraints,
        membrane: MembraneRule::Constraints,
        damping: DampingLaws::Only(
            DampingModel::AlongSpring,
            "its constraints are the lengths of the springs, and so is their damping",
        ),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[(ContactLaw::Hold, 0.038_5), (ContactLaw::Lay, 1.57), (ContactLaw::Load, 1.07)],
};

crate::parameters! {
    /// Settings of [`Xpbd`].
    pub struct XpbdSettings {
        /// Iterations over all springs per small step. More approach the true stiffness; more small
        /// steps do so sooner.
        pub iterations: u32 = 2, "Iterations", "", count(1, 1000);
        /// Equal parts of the step, each with all its iterations (small steps, Macklin et al.
        /// 2019). More are stiffer and more accurate for the same number of iterations.
        pub small_steps: u32 = 10, "Small steps", "", count(1, 100), needs EqualSubsteps;
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct Xpbd {
    /// Number of iterations.
    pub settings: XpbdSettings,
    engine: PositionBased,
}

impl Solver for Xpbd {
    describe_solver!();

    fn suit(&mut self, demand: &Demand) {
        (self.settings.iterations, self.settings.small_steps) = suiting(demand);
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of("small_steps").after("iterations")
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let (h, by_family, c) = (input.dt, input.material.stiffness_by_family(), input.material.damping);
        let projections = input.pattern.by_kind(Projection::default(), |family, factors| {
            let k = by_family[family as usize] * factors.stiffness(family);
            Projection {
                active: k > 0.0,
                share: 1.0,
                compliance: 1.0 / (k * h * h),
                damping: c * factors.damping / (k * h),
                per_strain: input.material.stiffness_law == StiffnessLaw::PerStrain,
            }
        });
        let left = if input.material.has_membrane() { Material::SHARE_OF_SIDES } else { 1.0 };
        let softened = |projection: Projection| Projection {
            compliance: projection.compliance / left,
            damping: projection.damping / left,
            ..projection
        };
        self.engine.step(cloth, input, self.settings.iterations, projections.map_sides(softened))
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
