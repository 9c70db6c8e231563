//! How much of their examples bodies and cloths show.

use crate::sim::Real;

/// How much of each example is in a piece of cloth or a body.
#[derive(Debug, Clone, PartialEq)]
pub struct ExampleWeights {
    /// Number of the piece.
    pub piece: u32,
    /// Weight of each example, the mean over the piece by area or volume; the remainder to 1 is the
    /// rest shape.
    pub mean: Vec<Real>,
}
