//! Vertex block descent on a graphics device: the energy of `gpu-projective-dynamics`, one colour
//! of vertices after the other.
//!
//! ```text
//! n times, colour after colour, for every vertex i of the colour at the same time:
//! H_i du = f_i,   H_i = ∂²E/∂u_i²,   f_i = -∂E/∂u_i
//! u_i ← u_i + du,   or u_i + f_i/D_i where E would rise
//! ```
//!
//! Chen, Liu, Yuksel, Yang 2024. `H_i` has the stiffness of springs across their direction as far
//! as they are stretched, that of triangles by a bound, and friction as far as it turns with the
//! sliding vertex; `D_i` is the bound of the local/global methods. So every vertex lowers the
//! energy, up to single precision. Grids have five colours, `(column + 2 row) mod 5`; any other
//! cloth has greedy ones. Motion across the whole cloth is left to the coarse levels of
//! `gpu-projective-dynamics`, before every pass.

use super::schedule::{Method, Schedule};
use super::solver::{DeviceSettings, DeviceSolver};
use super::triangles::StrainLimit;
use crate::parameters;
use crate::sim::Real;
use crate::sim::params::{Kind, count, linear, logarithmic};
use crate::sim::solver::Info;

/// Description and promises.
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
pub type VertexBlockDescent = DeviceSolver<Settings>;

impl DeviceSettings for Settings {
    fn info() -> &'static Info {
        &INFO
    }

    fn iterations(&mut self) -> &mut u32 {
        &mut self.iterations
    }

    fn schedule(&self) -> Schedule {
        Schedule { iterations: self.iterations, method: Method::Blocks { levels: self.coarse_levels } }
    }

    fn limit(&self) -> Option<StrainLimit> {
        StrainLimit::of_settings(self.triangle_strain, self.strain_weight, [self.strain_min, self.strain_max])
    }
}
