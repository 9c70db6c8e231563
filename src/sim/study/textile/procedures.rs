//! What is done in each test, in sentences for readers.

use super::TextileTest;

/// What is done in each size of drape.
macro_rules! drape {
    () => {
        "Seen from above: (shadow − small disc)/(specimen − small disc). As in the standard a plate below the specimen \
         goes down, at 8 cm/s; dynamic relaxation then brings it to rest."
    };
}

impl TextileTest {
    /// Its procedure, in a sentence or two.
    #[must_use]
    pub const fn procedure(self) -> &'static str {
        match self {
            Self::TensionWarp | Self::TensionWeft => {
                "Strip of 50 by 200 mm, clamped at both ends and stretched by 1 %: force per width and strain. A grid of \
                 springs has eleven of them across its ten cells, and its shear springs pull along: a tenth more."
            }
            Self::TensionBias => {
                "Strip of 50 by 200 mm cut at 45 degrees to the warp, clamped at both ends and stretched by 0.2 %: force \
                 per width and strain. Clamps keep the width of its ends, which is felt far into the strip, so the strain \
                 is read between marks 50 mm apart in its middle. A grid of springs cannot be cut on the bias, so the \
                 strip is of triangles with a membrane; they are regular in place of a grid."
            }
            Self::Shear => "Square of 100 mm in a frame, sheared by 1/200: work of the frame per area and angle.",
            Self::BendingWarp | Self::BendingWeft => {
                "Strip that is clamped level: bending stiffness of the elastica with the same chord angle."
            }
            Self::Drape => concat!("Disc of 30 cm between two of 18 cm, as in BS 5058. ", drape!()),
            Self::Drape24 => concat!("Disc of 24 cm between two of 12 cm, for limp fabrics. ", drape!()),
            Self::Drape36 => concat!("Disc of 36 cm between two of 18 cm, for stiff fabrics. ", drape!()),
            Self::DrapeJis => concat!("Disc of 25.4 cm between two of 12.7 cm, as in JIS L 1096. ", drape!()),
            Self::Friction => "Cloth on a plane: tangent of the largest angle at which it stays.",
            Self::Decay => {
                "Strip of 50 by 200 mm that hangs from a clamp in still air and is let go at 10 degrees from the vertical: time in which the \
                 amplitude of its swing halves. Air, damping of the fabric and that of the solver act together; steps are \
                 of 2 ms, so that the last is small."
            }
            Self::Fall => {
                "Sheet of 30 cm that is let go level in still air: its velocity when it no longer changes. A sheet that \
                 tips or folds meets less air than the level one of the formula."
            }
        }
    }

    /// How its figure follows from what is read off.
    #[must_use]
    pub const fn formula(self) -> &'static str {
        match self {
            Self::TensionWarp | Self::TensionWeft => "E = F/(w ε)      F: force, w: width, ε: strain",
            Self::TensionBias => {
                "E = F/(w ε)      F: force, w: width, ε: strain\n1/E₄₅ = (1/E₁ + 1/E₂ + 1/G)/4      without Poisson's ratio"
            }
            Self::Shear => "G = Σ F·x/(A γ)      F: force on the frame at x, A: area, γ: angle",
            Self::BendingWarp | Self::BendingWeft => {
                "B θ'' = -σ g (L - s) cos θ,   θ(0) = 0,   θ'(L) = 0      θ: angle below the horizontal, σ: mass per area, \
                 L: length"
            }
            Self::Drape | Self::Drape24 | Self::Drape36 | Self::DrapeJis => {
                "DC = (A_shadow - A_disc)/(A_specimen - A_disc)"
            }
            Self::Friction => "μ = tan α      α: largest angle at which it stays",
            Self::Decay => "A(t) = A(0)/2      A: amplitude of the swing of the centre of mass",
            Self::Fall => "v = √(2 σ g/(ρ C))      σ: mass per area, ρ: density of the air, C: drag coefficient",
        }
    }
}
