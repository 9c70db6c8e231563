//! Constraints of single springs and hinges, for the methods that solve them one after the other.

pub mod batches;
pub mod distance;
pub mod hinge;

pub use batches::{Projection, SpringBatches};
pub use distance::{ColouredSprings, Distance};
pub use hinge::{ColouredHinges, Hinge};
