//! The quantities that a cloth can be painted with.

use crate::scene::InputError;

/// A quantity over the cloth, or the cloth itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PaintQuantity {
    /// As it is woven.
    #[default]
    Cloth,
    /// The larger of the strains along warp and weft.
    Stretch,
    /// Strain along the warp, from bottom to top.
    Warp,
    /// Strain of those across.
    Weft,
    /// Sine of the change of the angle between warp and weft.
    Shear,
    /// Curvature.
    Bending,
    /// Speed.
    Speed,
    /// The largest force of a spring.
    Tension,
    /// Contact with colliders and cloth, and truncation.
    Contact,
    /// How near the structural springs are to tearing.
    Tearing,
    /// The force that the solver has left unbalanced.
    Residual,
    /// How far it is from the same place of the reference lane.
    Distance,
}

/// Kinds of contact of a vertex, by number: name and colour.
pub const TOUCHES: [(&str, [f32; 3]); 4] = [
    ("nothing", [0.80, 0.80, 0.78]),
    ("a collider", [0.34, 0.60, 0.86]),
    ("cloth", [0.20, 0.66, 0.45]),
    ("truncated", [0.93, 0.62, 0.10]),
];

impl PaintQuantity {
    /// All, in the order of the menu.
    pub const ALL: [Self; 12] = [
        Self::Cloth,
        Self::Stretch,
        Self::Warp,
        Self::Weft,
        Self::Shear,
        Self::Bending,
        Self::Speed,
        Self::Tension,
        Self::Contact,
        Self::Tearing,
        Self::Residual,
        Self::Distance,
    ];

    /// Reads the first word of a name, in small letters.
    ///
    /// # Errors
    /// [`InputError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let word = |quantity: &Self| quantity.name().split(' ').next().unwrap_or_default().to_lowercase();
        Self::ALL.into_iter().find(|quantity| word(quantity) == text).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(word).collect();
            InputError::new(format!("--paint {text}"), format!("is not known; take {}", known.join(", ")))
        })
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cloth => "Cloth",
            Self::Stretch => "Stretch",
            Self::Warp => "Warp stretch",
            Self::Weft => "Weft stretch",
            Self::Shear => "Shear",
            Self::Bending => "Bending",
            Self::Speed => "Speed",
            Self::Tension => "Tension",
            Self::Contact => "Contact",
            Self::Tearing => "Tearing",
            Self::Residual => "Residual",
            Self::Distance => "Distance",
        }
    }

    /// Its explanation.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Cloth => "Plain cloth (1)",
            Self::Stretch => "Strain along warp or weft, the larger of the two; red is longer than at rest (2)",
            Self::Warp => "Strain along the warp, from bottom to top",
            Self::Weft => "Strain along the weft, from side to side",
            Self::Shear => "Shear: sine of the change of the right angle between warp and weft",
            Self::Bending => "Curvature: one over the radius of the sharper bend",
            Self::Speed => "Speed (3)",
            Self::Tension => "Largest spring force at each vertex; red pulls, blue pushes",
            Self::Contact => {
                "Contact with colliders and of cloth with cloth, and the vertices whose motion was truncated to prevent intersections"
            }
            Self::Residual => {
                "Residual force in the equations of implicit Euler: more iterations reduce it. \
                 Methods that solve other equations keep a residual."
            }
            Self::Distance => "With several lanes: distance of each vertex from its position in the reference lane",
            Self::Tearing => "Strain of the structural springs relative to their tear strain: at 1 they break",
        }
    }

    /// Its unit, and the factor from SI units to it.
    #[must_use]
    pub const fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Cloth => ("", 1.0),
            Self::Stretch | Self::Warp | Self::Weft | Self::Shear => ("%", 100.0),
            Self::Bending => ("1/m", 1.0),
            Self::Speed => ("m/s", 1.0),
            Self::Tension => ("N", 1.0),
            Self::Residual => ("mN", 1e3),
            Self::Distance => ("mm", 1.0),
            Self::Contact | Self::Tearing => ("", 1.0),
        }
    }

    /// Whether its values are kinds, those of `TOUCHES`, and no amounts.
    #[must_use]
    pub const fn is_kind(self) -> bool {
        matches!(self, Self::Contact)
    }

    /// Whether it has two sides, so that zero is in the middle of its scale.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::Stretch | Self::Warp | Self::Weft | Self::Shear | Self::Tension)
    }

    /// Where its scale ends at first, in its unit.
    pub(super) const fn range(self) -> f64 {
        match self {
            Self::Cloth => 1.0,
            Self::Stretch | Self::Warp | Self::Weft => 5.0,
            Self::Shear => 20.0,
            Self::Bending => 60.0,
            Self::Speed => 2.0,
            Self::Tension | Self::Tearing | Self::Residual => 1.0,
            Self::Distance => 100.0,
            Self::Contact => TOUCHES.len() as f64,
        }
    }
}
