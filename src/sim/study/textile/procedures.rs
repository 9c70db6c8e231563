//! What is done in each test, in sentences for readers.

use super::TextileTest;

impl TextileTest {
    /// Its procedure, in a sentence or two.
    #[must_use]
    pub const fn procedure(self) -> &'static str {
        match self {
            Self::TensionWarp | Self::TensionWeft => {
                "Strip of 50 by 200 mm, clamped at both ends and stretched by 1 %: force per width and strain."
            }
            Self::TensionBias => {
                "Strip of 50 by 200 mm cut at 45 degrees to the warp, clamped at both ends and stretched by 1 %: force \
                 per width and strain. A grid of springs cannot be cut on the bias, so the strip is of triangles with a \
                 membrane; they are regular in place of a grid."
            }
            Self::Shear => "Square of 100 mm in a frame, sheared by 1/200: work of the frame per area and angle.",
            Self::BendingWarp | Self::BendingWeft => {
                "Strip that is clamped level: bending stiffness of the elastica with the same chord angle."
            }
            Self::Drape => {
                "Disc of 30 cm between two of 18 cm: (shadow − small disc)/(specimen − small disc) from above."
            }
            Self::Friction => "Cloth on a plane: tangent of the largest angle at which it stays.",
        }
    }
}
