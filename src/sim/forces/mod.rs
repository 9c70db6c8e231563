//! Forces on the vertices: springs, membranes, and the air that the cloth moves through.

pub mod air;
pub mod bending;
pub mod blocks;
pub mod gravity;
pub mod membrane;
pub mod springs;
pub mod triangle_air;
pub mod wind;

pub use air::Air;
pub use bending::IsometricBending;
pub use gravity::Gravity;
pub use springs::SpringSum;
pub use triangle_air::TriangleAir;
pub use wind::Wind;
