//! The simulation library: cloth, solvers, forces, contact and what can be measured of them.
//!
//! Pure: no window, no files, no clock, no global state. SI units, `y` up, double precision.
//! A step reads from top to bottom in [`Simulation::step`].

pub mod cloth;
pub mod colouring;
pub mod constraints;
pub mod contact;
pub mod convergence;
pub mod csr;
pub mod effort;
pub mod fingerprint;
pub mod forces;
pub mod guard;
pub mod knife;
pub mod lanes;
pub mod linear;
pub mod material;
pub mod measure;
pub mod parallel;
pub mod parameters;
pub mod params;
pub mod pattern;
pub mod pins;
pub mod quote;
pub mod simulation;
pub mod solver;
pub mod solvers;
pub mod stability;
pub mod team;
pub mod tearing;
pub mod timing;
pub mod world;

pub use cloth::Cloth;
pub use effort::{CancelToken, Canceller, Effort};
pub use material::Material;
pub use parameters::Parameters;
pub use pattern::Pattern;
pub use pins::{Hand, Path, Pin};
pub use simulation::{Moment, Simulation};
pub use solver::{Solver, StepError, StepInput, StepStats};
pub use tearing::Tearing;
pub use timing::Timing;
pub use world::World;

/// The scalar of the simulation.
pub type Real = f64;
/// Point, direction, force or velocity in space.
pub type Vec3 = glam::DVec3;
/// 3×3 block of a Jacobian.
pub type Mat3 = glam::DMat3;
