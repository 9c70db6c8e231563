//! Fast mass-spring: implicit Euler as a minimisation, by local/global alternation with one
//! constant matrix.
//!
//! ```text
//! y = x + h v + h² M⁻¹ f_ext,   q = y, or q = x
//! local:   t_e = L (q_i - q_j)/|q_i - q_j|
//! global:  (M/h² + L_k + L_c/h) q = M y/h² + J t + L_c x/h
//! v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Liu, Bargteil, O'Brien, Kavan 2013; damping as in `physics.md` section 3: quadratic in the
//! motion over the step, so it is implicit and constant in the matrix. `L_k` and `L_c` are the
//! graph Laplacians weighted with stiffness and damping. First order; bounded for any step and any
//! number of iterations ([`Stability::Proven`]). The scalar matrix serves all three coordinates and
//! is factored only when the pattern, a mass, a stiffness, the damping or the step change; pins,
//! the hand and contacts update the factor. Contacts are constraints `w/2 |q - p(q)|²` in the same
//! loop, `p` being the nearest point outside the collider that friction allows.
//!
//! The iterations can be accelerated ([`Acceleration`]): by Chebyshev's recurrence (Wang 2015),
//! Anderson's extrapolation (Peng et al. 2018), or L-BFGS with the matrix as first Hessian (Liu et
//! al. 2017). All converge to the same minimum, and none raises the energy from one iteration to
//! the next; with friction this holds for the energy with the friction limits at the start of the
//! iteration. Accelerated steps start at the inertial target, or at the force-free position
//! `x + h v` if the energy is lower there. A step ends after a number of iterations, or as soon as
//! the [estimated error](FastMassSpringSettings::energy_error) of its energy is small.

use super::local_global::{
    Acceleration, BoundaryConditions, CONSTANT_MATRIX, IterationPlan, LocalGlobal, Start, Weights, damps_as_potential,
    minimise_by_engine, objective, solve_by_engine,
};
use crate::parameters;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Choice, Field, Kind, Setting, Tunable, count, linear, logarithmic};
use crate::sim::solver_interface::{
    Ability, BendingRule, Capabilities, ContactLaw, ContactRule, DampingLaws, Demand, Group, Info, Iteration, Keeps,
    MembraneRule, Minimiser, PREFACTORED, Stability, WorkSetting, describe_solver,
};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "fast-mass-spring",
    name: "Fast mass-spring",
    group: Group::LocalGlobal,
    source: "Liu et al. 2013",
    order: 1,
    stability: Stability::Proven("for any number of iterations, but for contacts"),
    cost: "per iteration a pass over the springs and a solve with a stored factor",
    summary: "Implicit Euler by local/global iterations with one stored factor: fast, and without contact stable at any step. Few iterations look softer.",
    formula: "t = L (xi − xj)/|xi − xj|,  then (M/h² + L) x' = M y/h² + J t",
    algorithm: include_str!("algorithms/fast-mass-spring.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::PressingConstraints,
        bending: BendingRule::Matrix,
        membrane: MembraneRule::Matrix,
        schemes: Ability::Yes,
        adaptivity: PREFACTORED,
        damping: DampingLaws::Only(DampingModel::Isotropic, CONSTANT_MATRIX),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[(ContactLaw::SlideByFrames, 0.114), (ContactLaw::Lay, 1.1), (ContactLaw::Load, 5.25)],
};

parameters! {
    /// Settings of [`FastMassSpring`].
    pub struct FastMassSpringSettings {
        /// Local/global iterations per step. More approach implicit Euler: less stretch, less lag,
        /// more work.
        pub iterations: u32 = 10, "Iterations", "", count(1, 1000);
        /// Where the iterations of a step start. At convergence both are the same motion. Accelerated
        /// ones leave the target for the force-free position if the energy is lower there.
        pub starting_point: Start = Start::Target, "Start", "", Start::KIND;
        /// Acceleration of the iterations. All converge to the same motion with fewer iterations;
        /// none raises the energy from one iteration to the next.
        pub acceleration: Acceleration = Acceleration::None, "Acceleration", "", Acceleration::KIND;
        /// Number of earlier iterates that the acceleration uses. More need fewer iterations, at a
        /// higher cost each.
        pub remembered_steps: u32 = 5, "Memory", "iterates", count(1, 8), under acceleration,
            idle |settings| settings.acceleration.idle_unless(Acceleration::remembers);
        /// Spectral radius of the plain iteration: the factor by which each one reduces the slowest
        /// part of the error. Too low accelerates little; too high overshoots, and iterations are
        /// rejected.
        pub spectral_radius: Real = 0.9, "Spectral radius", "", linear(0.0, 0.999), under acceleration,
            idle |settings| settings.acceleration.idle_unless(|acceleration| acceleration == Acceleration::Chebyshev);
        /// End a step when the estimated error is small, at the latest after the given number of
        /// iterations.
        pub stop_by_error: bool = false, "Stop by error", "", Kind::Toggle;
        /// Error at which a step ends: energy above the minimum, relative to that at the start of
        /// the step. It is estimated from the gradient and the smallest curvature found in the
        /// step.
        pub energy_error: Real = 1e-3, "Error", "", logarithmic(1e-10, 0.1), under stop_by_error;
    }
}

impl FastMassSpringSettings {
    /// The settings as a plan of the iterations.
    fn plan(&self) -> IterationPlan {
        IterationPlan {
            iterations: self.iterations,
            acceleration: self.acceleration,
            memory: self.remembered_steps,
            radius: self.spectral_radius,
            tolerance: self.stop_by_error.then_some(self.energy_error),
            start: self.starting_point,
            velocity_filter: 0.0,
        }
    }

    /// The springs, how the rest is held, and the plan.
    fn problem(&self) -> (Weights, BoundaryConditions, IterationPlan) {
        (Weights::springs(), BoundaryConditions { contacts: 1.0 }, self.plan())
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct FastMassSpring {
    /// Number of iterations.
    pub settings: FastMassSpringSettings,
    engine: LocalGlobal,
}

impl Minimiser for FastMassSpring {
    minimise_by_engine!();

    fn accelerations(&self) -> &'static [Choice] {
        Acceleration::choices()
    }

    fn acceleration(&self) -> Option<&'static str> {
        self.settings.acceleration.key()
    }

    fn minimises_potential(&self, input: &StepInput) -> bool {
        input.contacts.is_empty() && damps_as_potential(input)
    }
}

impl Solver for FastMassSpring {
    describe_solver!();
    solve_by_engine!();
}
