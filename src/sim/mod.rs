//! The simulation library: cloth, solvers, forces, contact and what can be measured of them.
//!
//! Pure: no window, no files, no clock. Of the process are only the right to call workers, which
//! changes times alone ([`exec::pool`]), and a switch to portable kernels for comparisons
//! ([`exec::simd`]). SI units, `y` up, double precision. A step reads from top to bottom in
//! [`Simulation::step`].

pub mod constraints;
pub mod contact;
pub mod exec;
pub mod forces;
pub mod linear;
pub mod math;
pub mod measure;
pub mod model;
pub mod params;
pub mod pattern;
pub mod quantities;
pub mod simulation;
pub mod solver_interface;
pub mod solvers;
pub mod state;
pub mod step;
pub mod stretch;
pub mod study;
pub mod topology;

pub use contact::{Collider, Shape};
pub use exec::budget::{CancelToken, Canceller, WorkBudget};
pub use exec::clock::Clock;
pub use forces::air::vertex_normals;
pub use math::{Mat3, Quat, Real, Vec3};
pub use model::cloth::Cloth;
pub use model::material::{Mass, Material};
pub use model::motion::{Motion, Path, Swing, Turn};
pub use model::pins::{Grab, Pin};
pub use pattern::{Pattern, Plane};
pub use simulation::{Checkpoint, Observe, Simulation};
pub use solver_interface::{Solver, StepError, StepStats};
pub use state::{SolverState, State, World};
pub use step::StepInput;
pub use step::parameters::Parameters;
pub use step::timing::Timing;
pub use topology::tearing::Tearing;
