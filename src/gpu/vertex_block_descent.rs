//! Vertex block descent on a graphics device: the energy of `gpu-projective-dynamics`, one colour
//! of vertices after the other.
//!
//! ```text
//! n times, colour after colour, for every vertex i of the colour at the same time:
//! H_i du = f_i,   H_i = ∂²E/∂u_i²,   f_i = -∂E/∂u_i
//! u_i ← u_i + du,   or u_i + f_i/D_i where E would rise
//! ```
//!
//! Chen, Liu, Yuksel, Yang 2024. `H_i` counts springs across their direction as far as they are
//! stretched, triangles with a bound, and friction as far as it turns with what slides; `D_i` is
//! the bound of the local/global methods. So every vertex lowers the energy, up to single
//! precision. Grids have five colours, `(column + 2 row) mod 5`; any other cloth has greedy ones.
//! What crosses the whole cloth is carried by the coarse levels of `gpu-projective-dynamics`,
//! before every pass.

use std::sync::Arc;

use super::device::Device;
use super::engine::ITERATIONS;
use super::schedule::{Method, Schedule};
use super::stepper::{Plan, Stepper, capabilities, elastic_energy, elastic_force, minimises_potential, objective};
use super::triangles::StrainLimit;
use crate::parameters;
use crate::sim::measure::SpringSystem;
use crate::sim::params::{Kind, Tunable, count, linear, logarithmic};
use crate::sim::solver::{Capabilities, Info, Iteration, Minimiser, WorkSetting, describe_solver};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

/// What it is and what it promises.
pub static INFO: Info = Info {
    id: "gpu-vertex-block-descent",
    name: "Vertex block descent (GPU)",
    source: "Chen et al. 2024",
    cost: "per iteration three passes over the springs, on a graphics device",
    summary: "Implicit Euler by block descent over vertices on a graphics device: every iteration lowers the energy. A stiff or large cloth needs many iterations.",
    formula: "per vertex: H dx = f,  x' = x + dx  (H, f: second and minus first derivative of the potential)",
    ..super::projective_dynamics::INFO
};

parameters! {
    /// Settings of [`VertexBlockDescent`].
    pub struct Settings {
        /// Iterations over all vertices per step. More approach implicit Euler: less stretch, less
        /// lag, more work.
        pub iterations: u32 = 40, "Iterations", "", count(1, 10_000);
        /// Coarse levels transfer forces across the whole cloth before every iteration. They are
        /// used where springs are stiff for the step.
        pub coarse_levels: bool = true, "Coarse levels", "", Kind::Toggle;
        /// Strain limiting of triangles: free to stretch and shear within the limits, stiff beyond.
        pub triangle_strain: bool = false, "Triangle strain", "", Kind::Toggle, needs Cloth;
        /// Stiffness beyond the strain limits, per area.
        pub strain_weight: Real = 300.0, "Weight", "J/m²", logarithmic(0.0, 1e7), under triangle_strain;
        /// Least stretch of a triangle; 1 allows no compression.
        pub strain_min: Real = 1.0, "Least stretch", "", linear(0.0, 1.0), under triangle_strain;
        /// Largest stretch of a triangle; 1.1 allows 10 %.
        pub strain_max: Real = 1.0, "Largest stretch", "", linear(1.0, 3.0), under triangle_strain;
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct VertexBlockDescent {
    /// Number of iterations.
    pub settings: Settings,
    stepper: Stepper,
}

impl VertexBlockDescent {
    /// One that uses this device and no other.
    #[must_use]
    pub fn on(device: Arc<Device>) -> Self {
        Self { stepper: Stepper::on(device), ..Self::default() }
    }

    fn plan(&self) -> Plan {
        let Settings { iterations, coarse_levels: levels, .. } = self.settings;
        Plan { schedule: Schedule { iterations, method: Method::Blocks { levels } }, limit: self.limit() }
    }

    fn limit(&self) -> Option<StrainLimit> {
        let Settings { triangle_strain, strain_weight: weight, strain_min, strain_max, .. } = self.settings;
        StrainLimit::of_settings(triangle_strain, weight, [strain_min, strain_max])
    }
}

impl Minimiser for VertexBlockDescent {
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        self.stepper.iterate(cloth, input, self.plan(), q)
    }

    fn start(&mut self, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) -> Result<(), StepError> {
        crate::sim::solver::start_lower(self, cloth, input, q);
        Ok(())
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        objective(cloth, input, self.limit(), q)
    }

    fn limit_iterations(&mut self, most: u32) {
        self.settings.iterations = most;
    }

    fn minimises_potential(&self, input: &StepInput) -> bool {
        minimises_potential(input, self.limit())
    }
}

impl Solver for VertexBlockDescent {
    describe_solver!();

    fn capabilities(&self) -> Capabilities {
        capabilities(&INFO, self.limit())
    }

    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        Some(elastic_energy(system, self.limit()))
    }

    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        Some(elastic_force(system, self.limit(), vertex))
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of(ITERATIONS)
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        self.stepper.step(cloth, input, self.plan())
    }

    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        Some(self)
    }

    fn reset(&mut self) {
        self.stepper.reset();
    }
}
