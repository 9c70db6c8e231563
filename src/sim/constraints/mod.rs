//! Constraints, each the mathematics of one: what a solver does with it is the solver's own.
//!
//! For the methods that solve them one after the other: springs ([`distance`]) and hinges ([`hinge`]), sorted by colour.
//!
//! For projective dynamics (Bouaziz et al. 2014): edge strain ([`edge`]), triangle strain ([`strain`]), area ([`area`]) and
//! bending ([`bending`]). There a constraint has a few *rows*; a row `a` is a sparse linear function of the positions with
//! the value `z = Σ a_v x_v`, a vector, since x, y and z share the row. The constraint maps its values to admissible ones
//! `p`, and its energy is `w/2 Σ |z - p|²`. Rows depend on the rest shape alone, and so does the matrix `Σ w a aᵀ`.

pub mod area;
pub mod batches;
pub mod bending;
pub mod distance;
pub mod edge;
pub mod hinge;
pub mod strain;
pub mod svd;

pub use area::clamp_area;
pub use batches::{Projection, SpringBatches};
pub use bending::Bending;
pub use distance::{ColouredSprings, Distance};
pub use edge::{Edge, tributary_widths, with_length};
pub use hinge::{ColouredHinges, Hinge};
pub use strain::{Element, StrainLimits, clamp_anisotropic, clamp_strain, elements};
pub use svd::Svd;
