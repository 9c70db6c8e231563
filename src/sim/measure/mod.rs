//! Measurements of a cloth: energies, strains, fields over the surface, the critical step of
//! explicit solvers, the load on a pin, readings of a vertex.

mod critical_step;
mod energy;
mod example_weights;
mod fields;
pub mod guard;
mod potential;
mod reaction;
mod strain;
mod vertex;

pub use critical_step::SpringSystem;
pub use energy::{Energy, energy};
pub use example_weights::ExampleWeights;
pub use fields::{WarpWeftStrain, curvatures, tension_at, tensions, warp_weft_strain_at, warp_weft_strains, warps};
pub use potential::Potential;
pub use reaction::reaction;
pub use strain::{Stretch, largest_stretch, stretch};
pub use vertex::{MOST_PROBES, Probes, Rest, SpringReading, VertexForces, VertexReading};
