//! Projective dynamics on a graphics device: the energy of `fast-mass-spring`, vertex by vertex,
//! with Chebyshev's recurrence.
//!
//! ```text
//! y = x + h v + h² M⁻¹ f_ext,   q = y, or x + h v if the energy is lower there
//! q̃_i = q_i + D_i⁻¹ (m/h² (y_i - q_i) + Σ_e (k (L/|d| - 1) d - c/h (d - d₀)) + contacts)
//! d = q_i - q_j
//! q_{k+1} = q_{k-1} + ω_{k+1} (q̃ - q_{k-1})
//! v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Wang, "A Chebyshev semi-iterative approach for accelerating projective and position-based
//! dynamics", 2015; the energy is that of Liu et al. 2013, with the damping, the contacts and the
//! isometric bending of `fast-mass-spring`, so both have the same minimiser. Local and global step
//! are one: each vertex gathers the projections of its springs. First order. A plain iteration
//! never raises the energy; that of accelerated ones is watched ([`super::engine`]), and a step
//! ends no higher than it started, up to single precision. Coarse levels carry what crosses the
//! whole cloth, of a whole grid ([`super::levels`]) and of any other ([`super::clusters`]). Beside
//! the springs there may be triangles that keep their shape within limits ([`super::triangles`]).
//! The step itself is in [`super::stepper`].

use super::schedule::{Method, Schedule};
use super::solver::{DeviceSettings, DeviceSolver, device_settings};
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Choice, Kind, count};
use crate::sim::solver_interface::{
    Ability, BendingRule, Capabilities, ContactLaw, ContactRule, DampingLaws, Group, Info, Keeps, Processor, SeenRange,
    Stability,
};

/// Description and promises.
pub static INFO: Info = Info {
    id: "gpu-projective-dynamics",
    name: "Projective dynamics (GPU)",
    group: Group::LocalGlobal,
    source: "Wang 2015",
    order: 1,
    stability: Stability::Seen(SeenRange {
        stiffness: 1e6,
        step: 0.1,
        remark: "its energy never rises within a step, up to single precision",
    }),
    cost: "per iteration a pass over the springs, on a graphics device",
    summary: "The energy of fast mass-spring on a graphics device, without a matrix: for large cloths. A stiff cloth needs many iterations.",
    formula: "q' = p + ω (q + f(q)/D – p)  (p: the iterate before q, f: minus first derivative of the potential)",
    algorithm: include_str!("algorithms/projective-dynamics.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::PressingConstraints,
        bending: BendingRule::Matrix,
        schemes: Ability::No("single precision has too few digits for a second order"),
        damping: DampingLaws::Only(
            DampingModel::Isotropic,
            "its damping matrix is constant; that of damping along the springs rotates with them",
        ),
        processor: Processor::Device,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[
        (ContactLaw::Slide, 0.054_6),
        (ContactLaw::SlideByFrames, 0.008_43),
        (ContactLaw::Slip, 0.973),
        (ContactLaw::Lay, 1.24),
        (ContactLaw::Load, 3.63),
    ],
};

device_settings! {
    /// Settings of [`ProjectiveDynamics`].
    pub struct ProjectiveDynamicsSettings {
        /// Largest number of iterations per step; a step that is solved to single precision earlier
        /// ends earlier. More approach implicit Euler: less stretch, less lag, more work.
        pub iterations: u32 = 60, "Iterations", "", count(1, 10_000);
        /// Chebyshev acceleration: the same motion with far fewer iterations.
        pub chebyshev: bool = true, "Chebyshev", "", Kind::Toggle;
        /// Coarse levels transfer forces across the whole cloth in every iteration. They are used
        /// where springs are stiff for the step.
        pub coarse_levels: bool = true, "Coarse levels", "", Kind::Toggle;
    }
}

const ACCELERATIONS: [Choice; 2] = [
    Choice { key: "none", help: "Plain iterations." },
    Choice { key: "chebyshev", help: "Chebyshev's recurrence (Wang 2015)." },
];

/// See the module.
pub type ProjectiveDynamics = DeviceSolver<ProjectiveDynamicsSettings>;

impl DeviceSettings for ProjectiveDynamicsSettings {
    fn info() -> &'static Info {
        &INFO
    }

    fn iterations(&mut self) -> &mut u32 {
        &mut self.iterations
    }

    fn schedule(&self) -> Schedule {
        let Self { iterations, chebyshev: accelerated, coarse_levels: levels, .. } = *self;
        Schedule { iterations, method: Method::Jacobi { accelerated, levels } }
    }

    fn accelerations(&self) -> &'static [Choice] {
        &ACCELERATIONS
    }

    fn acceleration(&self) -> Option<&'static str> {
        Some(ACCELERATIONS[usize::from(self.chebyshev)].key)
    }

    fn accelerate(&mut self, choice: usize) {
        self.chebyshev = choice > 0;
    }
}
