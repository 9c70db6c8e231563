//! The simulated cloth: positions and velocities, material, pins.

pub mod cloth;
pub mod material;
pub mod motion;
pub mod partition;
pub mod pins;
