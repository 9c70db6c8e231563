//! Solvers on a graphics device, by wgpu: Vulkan, Metal, DirectX 12.
//!
//! They are in [the registry](crate::sim::solvers::REGISTRY) like the others. The state of the
//! cloth stays with the simulation, in double precision; a step uploads it relative to a point of
//! the cloth, and downloads its change. Kernels are in `shaders/gpu/`. Sums are gathered in a fixed
//! order, so a run repeats to the bit on the same device.
//!
//! Agreement and numbers of iterations were measured on a software device. No time of a graphics
//! processor is known yet.
//!
//! A device ([`Device`]) is opened when the first solver needs it ([`choice`]); without one, a step
//! fails with a sentence, and any other solver can continue from the state before it.

pub mod array;
pub mod arrays;
pub mod bindings;
pub mod choice;
pub mod clusters;
pub mod device;
pub mod engine;
pub mod entry;
pub mod fault;
pub mod grid;
pub mod kernels;
pub mod levels;
pub mod packed;
pub mod projective_dynamics;
pub mod schedule;
pub mod solver;
pub mod speed;
pub mod springs;
pub mod stepper;
pub mod timer;
pub mod triangles;
pub mod vertex_block_descent;

pub use device::{AdapterName, Device};
pub use fault::DeviceFault;
pub use projective_dynamics::ProjectiveDynamics;
pub use solver::DeviceSolver;
pub use vertex_block_descent::VertexBlockDescent;

use crate::sim::solver_interface::Rung;

/// Iterations of the solvers, then substeps.
pub const LADDER: &[Rung] = &[
    Rung(&[("substeps", "1"), ("iterations", "10")]),
    Rung(&[("substeps", "1"), ("iterations", "20")]),
    Rung(&[("substeps", "1"), ("iterations", "40")]),
    Rung(&[("substeps", "1"), ("iterations", "80")]),
    Rung(&[("substeps", "2"), ("iterations", "80")]),
];
