//! Constraints: the mathematics of each, independent of the solvers.
//!
//! For the methods that solve them one after the other: springs ([`distance`]), hinges ([`hinge`])
//! and isometric bending ([`curvature`]), membranes ([`membrane`]), sorted by colour.
//!
//! For projective dynamics (Bouaziz et al. 2014): edge strain ([`edge`]), triangle strain
//! ([`strain`]), area ([`area`]), bending ([`bending`]) and hinge angles ([`hinge_angle`]), strain and
//! volume of tetrahedra ([`tetrahedra`]), the membrane of the material ([`membrane`]) and examples ([`examples`], [`bending_examples`]). There a constraint has a few *rows*; a row `a` is
//! a sparse linear function of the positions with the value `z = Σ a_v x_v`, a vector, since x, y
//! and z share the row. The constraint maps its values to admissible ones `p`, and its energy is
//! `w/2 Σ |z - p|²`. Rows depend on the rest shape alone, and so does the matrix `Σ w a aᵀ`. Such a
//! constraint is one file here, with a type that implements [`Constraint`], and its line in
//! [`Constraints`].

pub mod area;
pub mod batches;
pub mod bending;
pub mod bending_examples;
pub mod block;
mod columns;
pub mod curvature;
pub mod distance;
pub mod edge;
pub mod examples;
pub mod hinge;
pub mod hinge_angle;
pub mod membrane;
mod nearest;
mod projections;
pub mod signed_svd;
mod simplex;
pub mod strain;
pub mod svd;
pub mod tetrahedra;
mod volume_projection;

pub use area::{Area, clamp_area};
pub use batches::{Projection, SpringBatches};
pub use bending::{Bending, BendingRows, with_length_within};
pub use bending_examples::BendingExamples;
pub use block::{Chunk, Constraint, Elements, TOGETHER};
pub use curvature::Curvatures;
pub use distance::{ColouredSprings, Distance};
pub use edge::{Edge, EdgeStrain, tributary_widths, with_length};
pub use examples::{BodyExamples, ClothExamples};
pub use hinge::{ColouredHinges, Hinge};
pub use hinge_angle::{HingeAngle, with_angle};
pub use membrane::{ColouredMembrane, MembraneConstraints};
pub use signed_svd::SignedSvd;
pub use simplex::{MOST_EXAMPLES, best_weights};
pub use strain::{Limits, StrainLimits, TriangleStrain, clamp_anisotropic, clamp_strain, elements};
pub use svd::Svd;
pub use tetrahedra::{TetrahedralStrain, Volume, clamp_tetrahedral_strain, clamp_volume};

/// Declares [`Constraints`] with a constraint per line: its field and its type, which implements
/// [`Constraint`] and has `SAMPLES`, settings for its tests.
macro_rules! constraints {
    ($( #[doc = $what:literal] $field:ident: $constraint:ty, )+) => {
        /// The constraints of projective dynamics that take part, with their settings.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Constraints {
            $( #[doc = $what] pub $field: Option<$constraint>, )+
        }

        impl Constraints {
            /// The names of all constraints.
            pub const NAMES: [&'static str; [$( stringify!($field) ),+].len()] = [$( stringify!($field) ),+];

            /// Those that take part with a weight above zero, each at its place.
            #[must_use]
            pub fn list(&self) -> [Option<&dyn Constraint>; Self::NAMES.len()] {
                [$( match &self.$field {
                    Some(constraint) if constraint.weight() > 0.0 => Some(constraint),
                    _ => None,
                } ),+]
            }

            /// One constraint at a time, with each of the settings that it is tested with.
            #[must_use]
            pub fn samples() -> Vec<Self> {
                let none = Self::default;
                let mut samples = Vec::new();
                $( samples.extend(<$constraint>::SAMPLES.iter().map(|&sample| Self { $field: Some(sample), ..none() })); )+
                samples
            }
        }
    };
}

constraints! {
    /// Edges of triangles keep their length, with the stiffness of the sheet.
    edge_strain: EdgeStrain,
    /// Triangles keep their shape within limits.
    triangle_strain: TriangleStrain,
    /// Triangles keep their area within limits.
    area: Area,
    /// The magnitude of the mean curvature is kept within limits.
    bending: Bending,
    /// Tetrahedra keep their shape within limits.
    tetrahedral_strain: TetrahedralStrain,
    /// Tetrahedra keep their volume within limits.
    volume: Volume,
    /// Tetrahedra prefer the shapes of examples.
    body_examples: BodyExamples,
    /// Triangles prefer the shapes of examples.
    cloth_examples: ClothExamples,
    /// Triangles keep their shape within further limits, with another weight.
    strain_limit: TriangleStrain,
    /// Tetrahedra keep their shape within further limits, with another weight.
    tetrahedral_limit: TetrahedralStrain,
    /// The magnitude of the mean curvature prefers those of examples.
    bending_examples: BendingExamples,
    /// Angles between triangles are kept.
    hinges: HingeAngle,
}

impl Constraints {
    /// Whether none takes part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list().iter().all(Option::is_none)
    }
}
