//! What a solver says of itself. The promises are data, and tested.

use super::{Ability, Capabilities};

/// What a solver is and what it promises. The promises are tested over the registry.
#[derive(Debug)]
pub struct Info {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// Name in menus.
    pub name: &'static str,
    /// Kind of method, by which menus group.
    pub group: Group,
    /// Where it was published.
    pub source: &'static str,
    /// Order of convergence in time.
    pub order: u32,
    /// For which steps it stays bounded.
    pub stability: Stability,
    /// Work per step, in words.
    pub cost: &'static str,
    /// One line on what it is good for.
    pub summary: &'static str,
    /// What it can do, with its default settings.
    pub capabilities: Capabilities,
    /// What it conserves.
    pub keeps: Keeps,
}

/// Why solvers that keep the factor of their matrix from step to step cannot adapt the step.
pub const PREFACTORED: Ability =
    Ability::No("its matrix is factored for one step; every other length would cost a factorisation");

/// The kind of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Forces at the present state decide the next.
    Explicit,
    /// A linear system or minimisation couples all vertices of the next state.
    Implicit,
    /// Something cheaper than the implicit system takes its place.
    ApproximateImplicit,
    /// Projections onto each constraint alternate with one constant linear system.
    LocalGlobal,
    /// Constraints move the positions one after the other; the velocity follows.
    PositionBased,
    /// Constraints change the velocities one after the other, by impulses.
    VelocityConstraints,
}

impl Group {
    /// Name in menus.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explicit => "Explicit",
            Self::Implicit => "Implicit",
            Self::ApproximateImplicit => "Approximate implicit",
            Self::LocalGlobal => "Local/global",
            Self::PositionBased => "Position-based",
            Self::VelocityConstraints => "Velocity constraints",
        }
    }
}

/// For which time steps a method stays bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// Never without damping, and with it only for very short steps.
    Damped,
    /// Below a critical step in proportion to the period of the stiffest vibration.
    Conditional,
    /// At rest for any step; under tension `T` only below `√(m L/T)`, since springs are stiff along but not across.
    Taut,
    /// No limit is met in practice, but there is no proof.
    Practical,
    /// For any step.
    Unconditional,
}

impl Stability {
    /// In words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Damped => "none without damping: every step adds energy",
            Self::Conditional => "conditional: below the critical step of the stiffest vibration",
            Self::Taut => "no limit at rest; across taut springs h < √(m L / tension)",
            Self::Practical => "no limit met in practice, none proven",
            Self::Unconditional => "unconditional",
        }
    }
}

/// What a method conserves for a free, undamped cloth, to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeps {
    /// Total linear momentum.
    pub momentum: bool,
    /// Total angular momentum.
    pub angular_momentum: bool,
    /// Whether a cloth at rest gains `g · h` in every step of free fall.
    pub free_fall: bool,
}
