//! Forces on the vertices: springs, and the air that the cloth moves through.

pub mod air;
pub mod springs;
pub mod wind;

pub use air::Air;
pub use springs::SpringSum;
pub use wind::Wind;
