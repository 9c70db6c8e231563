//! Measurements of a cloth: energies, strains, fields over the surface, the critical step of
//! explicit solvers, the load on a pin, readings of a vertex.

mod critical_step;
mod energy;
mod fields;
pub mod guard;
mod potential;
mod projections;
mod strain;
mod vertex;

use crate::sim::Real;
pub use critical_step::SpringSystem;
pub use energy::{Energy, energy};
pub use fields::{WarpWeftStrain, curvatures, tension_at, tensions, warp_weft_strain_at, warp_weft_strains};
pub use potential::Potential;
pub use projections::Projections;
pub use strain::{Stretch, largest_stretch};
pub use vertex::reaction;
pub use vertex::{MOST_PROBES, Probes, Rest, SpringReading, VertexForces, VertexReading};

/// How much of each example is in a piece of cloth or a body.
#[derive(Debug, Clone, PartialEq)]
pub struct ExampleWeights {
    /// Number of the piece.
    pub piece: u32,
    /// Weight of each example, the mean over the piece by area or volume; the remainder to 1 is the
    /// rest shape.
    pub mean: Vec<Real>,
}
