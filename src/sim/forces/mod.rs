//! Forces on the vertices: springs, and the air that the cloth moves through.

pub mod air;
pub mod filtered;
pub mod linearised;
pub mod oscillator;
pub mod springs;
pub mod wind;

pub use air::Air;
pub use filtered::FilteredForces;
pub use linearised::{Linearised, SpringBlocks};
pub use springs::SpringSum;
pub use wind::Wind;
