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
use super::solver::{DeviceSettings, DeviceSolver, device_settings};
use crate::sim::params::{Kind, count};
use crate::sim::solver_interface::{ContactLaw, Info};

/// Description and promises.
pub static INFO: Info = Info {
    id: "gpu-vertex-block-descent",
    name: "Vertex block descent (GPU)",
    source: "Chen et al. 2024",
    cost: "per iteration three passes over the springs, on a graphics device",
    summary: "Implicit Euler by block descent over vertices on a graphics device: every iteration lowers the energy. A stiff or large cloth needs many iterations.",
    formula: "per vertex: H dx = f,  x' = x + dx  (H, f: second and minus first derivative of the potential)",
    algorithm: include_str!("algorithms/vertex-block-descent.txt"),
    breaches: &[
        (ContactLaw::Slide, 0.011_3),
        (ContactLaw::SlideByFrames, -0.022_3),
        (ContactLaw::Slip, 0.090_5),
        (ContactLaw::Lay, 2.49),
        (ContactLaw::Load, 3.62),
    ],
    ..super::projective_dynamics::INFO
};

device_settings! {
    /// Settings of [`VertexBlockDescent`].
    pub struct VertexBlockDescentSettings {
        /// Iterations over all vertices per step. More approach implicit Euler: less stretch, less
        /// lag, more work.
        pub iterations: u32 = 40, "Iterations", "", count(1, 10_000);
        /// Coarse levels transfer forces across the whole cloth before every iteration. They are
        /// used where springs are stiff for the step.
        pub coarse_levels: bool = true, "Coarse levels", "", Kind::Toggle;
    }
}

/// See the module.
pub type VertexBlockDescent = DeviceSolver<VertexBlockDescentSettings>;

impl DeviceSettings for VertexBlockDescentSettings {
    fn info() -> &'static Info {
        &INFO
    }

    fn iterations(&mut self) -> &mut u32 {
        &mut self.iterations
    }

    fn schedule(&self) -> Schedule {
        Schedule { iterations: self.iterations, method: Method::Blocks { levels: self.coarse_levels } }
    }
}
