//! The laws that contact must keep, and what is measured of each.

use crate::sim::Real;
use crate::sim::params::units::{quantity, significant};

/// A law of contact with the case in which it is measured, by
/// [`measure`](crate::sim::study::contact_laws::measure).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactLaw {
    /// A frictionless surface does no work along itself: drop of the end of a strip over a rod
    /// after 0.4 s [m], by steps of 5 ms.
    Slide,
    /// The same by steps of 1/60 s.
    SlideByFrames,
    /// Coulomb's friction holds up to its limit (Euler and Eytelwein): slip of a strip over a rod
    /// in 2 s at 0.9 of the load that the friction can hold [m].
    Hold,
    /// And no farther: the same at 1.1 of that load.
    Slip,
    /// A rebound does not depend on the step (Newton): the share of its height of fall to which a
    /// cloth of restitution ½ rises, by that step of 4 to 0.5 ms which is the farthest off.
    Rebound,
    /// A cloth that is laid on something gains no energy: the largest energy as a multiple of that
    /// at the start, of a stiff cloth, of silk and of an irregular mesh on a box, and of the first
    /// two on a ball.
    Lay,
    /// Nor does a heavy cloth on a light one: the same, for 200 times the mass per area.
    Load,
}

/// Law and measured figure, of a solver that breaks the law at its defaults.
pub type Breach = (ContactLaw, Real);

/// Drop of the strip of [`ContactLaw::Slide`], `d (cosh(t √(2 g/L)) - 1)` for ends that differ by
/// `2 d` and a length `L` [m].
pub const RIGHT_DROP: Real = 0.174_6;

impl ContactLaw {
    /// All laws.
    pub const ALL: [Self; 7] =
        [Self::Slide, Self::SlideByFrames, Self::Hold, Self::Slip, Self::Rebound, Self::Lay, Self::Load];

    /// Name in files and on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Slide => "slide",
            Self::SlideByFrames => "slide-by-frames",
            Self::Hold => "hold",
            Self::Slip => "slip",
            Self::Rebound => "rebound",
            Self::Lay => "lay",
            Self::Load => "load",
        }
    }

    /// Whether it is of the contact of cloth with cloth alone.
    #[must_use]
    pub const fn is_between_cloths(self) -> bool {
        matches!(self, Self::Load)
    }

    /// Whether a measured figure keeps the law: within 5 % by short steps, 10 % by frames, and
    /// within 1 % of the energy at the start.
    #[must_use]
    pub fn is_kept(self, figure: Real) -> bool {
        match self {
            Self::Slide => (figure - RIGHT_DROP).abs() < 0.05 * RIGHT_DROP,
            Self::SlideByFrames => (figure - RIGHT_DROP).abs() < 0.1 * RIGHT_DROP,
            Self::Hold => figure < 0.02,
            Self::Slip => figure > 1.0,
            Self::Rebound => (figure - 0.25).abs() < 0.05 * 0.25,
            Self::Lay | Self::Load => figure < 1.01,
        }
    }

    /// What was measured and what is right, in a sentence.
    #[must_use]
    pub fn describe(self, figure: Real) -> String {
        let metres = quantity(figure, "m");
        match self {
            Self::Slide => format!("A strip over a frictionless rod slides {metres} in 0.4 s, right: 0.175 m"),
            Self::SlideByFrames => {
                format!("A strip over a frictionless rod slides {metres} in 0.4 s by steps of 1/60 s, right: 0.175 m")
            }
            Self::Hold => format!("A strip over a rod that friction must hold slips {metres} in 2 s, right: nothing"),
            Self::Slip => {
                format!(
                    "A strip over a rod at 1.1 of the load that friction holds slips {metres} in 2 s, right: it falls off"
                )
            }
            Self::Rebound => {
                format!("A cloth of restitution ½ rises to {} of its height of fall, right: 0.25", significant(figure))
            }
            Self::Lay => format!(
                "Laid on a box or a ball, a cloth has up to {} its energy at the start, right: 1",
                times(figure)
            ),
            Self::Load => {
                format!("A heavy cloth on a light one has up to {} its energy at the start, right: 1", times(figure))
            }
        }
    }
}

fn times(factor: Real) -> String {
    format!("{} times", significant(factor))
}
