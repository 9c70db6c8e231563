//! Descriptions of solvers. Their promises are data, and tested.

use super::{Ability, Breach, Capabilities, ContactLaw};
use crate::sim::Real;
use crate::sim::params::units;
use crate::sim::step::timing::Rule;

/// Description and promises of a solver. The promises are tested over the registry.
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
    /// Order of convergence in time; by another scheme than its own it [differs](Info::order_by).
    pub order: u32,
    /// For which steps it stays bounded; [likewise](Info::stability_by).
    pub stability: Stability,
    /// Work per step, in words.
    pub cost: &'static str,
    /// Its use; the first sentence stands alone where there is room for one line.
    pub summary: &'static str,
    /// A step in one line: `x'` and `v'` are the state after it, `y` is the inertial target.
    pub formula: &'static str,
    /// A step in some twenty lines of pseudocode, with the parts that depend on settings, in the
    /// form of [`take_home`](crate::documents::take_home); empty if nobody has written it.
    pub algorithm: &'static str,
    /// Capabilities with its default settings.
    pub capabilities: Capabilities,
    /// Conserved quantities.
    pub keeps: Keeps,
    /// Laws of contact that it breaks at its defaults, with what was measured.
    pub breaches: &'static [Breach],
}

impl Info {
    /// The first sentence of the summary.
    #[must_use]
    pub fn headline(&self) -> &'static str {
        self.summary.split_once(". ").map_or(self.summary, |(first, _)| first).trim_end_matches('.')
    }

    /// Whether a cloth that is laid on something gains noticeable energy, a tenth or more.
    #[must_use]
    pub fn gains_energy_on_contact(&self) -> bool {
        self.breaches.iter().any(|(law, figure)| *law == ContactLaw::Lay && *figure > 1.1)
    }

    /// Whether the tests measure a law of contact with it. Explicit Euler is never stable without
    /// damping. Energies are measured where there are any, and not with conditionally stable
    /// solvers, which need hundreds of substeps for these cloths.
    #[must_use]
    pub fn is_measured(&self, law: ContactLaw) -> bool {
        match self.stability {
            Stability::Damped => false,
            _ if !matches!(law, ContactLaw::Lay | ContactLaw::Load) => true,
            Stability::Conditional => false,
            _ => self.capabilities.stiffness == Ability::Yes,
        }
    }

    /// The laws of contact that it breaks at its defaults, in sentences with the measured figures.
    pub fn broken_laws(&self) -> impl Iterator<Item = String> + use<> {
        self.breaches.iter().map(|(law, figure)| law.describe(*figure))
    }

    /// How many laws of contact it keeps at its defaults, and those that it breaks, in words.
    #[must_use]
    pub fn describe_contact_laws(&self) -> String {
        let measured = ContactLaw::ALL.iter().filter(|law| self.is_measured(**law)).count();
        match (measured, self.breaches.len()) {
            (0, _) => "not measured".to_owned(),
            (_, 0) => format!("none of {measured} laws of contact is broken"),
            (_, broken) => {
                let sentences: Vec<_> = self.broken_laws().collect();
                format!("{broken} of {measured} laws of contact are broken. {}", sentences.join(". "))
            }
        }
    }

    /// Order of convergence in time of a step by `rule`.
    #[must_use]
    pub fn order_by(&self, rule: Rule) -> u32 {
        match (self.capabilities.schemes, rule) {
            (Ability::No(_), _) | (_, Rule::Own) => self.order,
            (_, Rule::Bdf2) => 2,
            (_, Rule::Theta(theta)) => 1 + u32::from(theta == 0.5),
        }
    }

    /// Steps for which it stays bounded with `rule`. A proof for implicit Euler holds for the θ
    /// method beyond the midpoint and, at constant steps, for BDF2 as well: both contract every
    /// vibration of the linear system.
    #[must_use]
    pub fn stability_by(&self, rule: Rule) -> Stability {
        let is_midpoint = rule == Rule::Theta(0.5) && self.capabilities.schemes == Ability::Yes;
        if is_midpoint { Stability::Neutral } else { self.stability }
    }
}

/// Why solvers that keep the factor of their matrix from step to step cannot adapt the step.
pub const PREFACTORED: Ability =
    Ability::No("its matrix is factored for one length of step; every other length would need a new factorisation");

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

/// Time steps for which a method stays bounded, in exact arithmetic and under bounded external
/// forces. Proofs and observations are distinguished.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stability {
    /// Never without damping, and with it only for very short steps. Proven for small motions: each
    /// vibration grows by `√(1 + h² ω²)` per step.
    Damped,
    /// Below a critical step in proportion to the period of the stiffest vibration. Proven for
    /// small motions, whose equation is linear.
    Conditional,
    /// At rest for any step; under tension `T` only below `√(m L/T)`, since springs are stiff along
    /// but not across. Proven for a vertex between two springs, seen in a net.
    Taut,
    /// For any step that was tried. There is no proof.
    Seen(SeenRange),
    /// Vibrations of a linear system neither grow nor decay, whatever the step. Where springs are
    /// stiff for the step, large motions can gain energy without bound; damping, a shorter step or
    /// a θ a little above ½ holds them. No proof, and examples against it.
    Neutral,
    /// For any step, with the further terms that the proof covers beside the springs of the cloth.
    ///
    /// The force of a spring is the sum of a linear and a bounded one, `k (l - L) u = k d - k L u`.
    /// With `L_k` and `L_c` the Laplacians weighted with stiffness and damping and `J t` the sum of
    /// the `k t_e`, `|t_e| ≤ L_e`, a step
    ///
    /// ```text
    /// (M + h L_c + h² L_k) v⁺ = M v - h L_k x + h (J t + f),   x⁺ = x + h v⁺
    /// ```
    ///
    /// is implicit Euler for a linear system under a bounded force, whatever the `t`. Mode by mode
    /// it is a contraction, by `1/√(1 + h² ω²)` without damping, plus a bounded term, so the state
    /// stays bounded. Modes without stiffness (a free cloth as a whole) have no part in `J t` and
    /// fly freely. Every global solve of the local/global methods is such a step, with the last
    /// projections as `t`, so the number of iterations does not matter; so is the minimum of the
    /// incremental potential, with `t` at the end. Any constraint with a bounded projection is like
    /// a spring here. In terms of `V = ½ vᵀ M v + ½ xᵀ L_k x` such a step obeys
    /// `V⁺ ≤ V + h v⁺·(J t + f)`, which tests measure.
    Proven(&'static str),
}

/// Where a method without a proof was seen to stay bounded: a cloth of 6 by 6 vertices, rippled and
/// held at a corner, for 200 steps. A test repeats it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeenRange {
    /// Stiffness of all springs [N/m].
    pub stiffness: Real,
    /// Time step [s].
    pub step: Real,
    /// Further remarks.
    pub remark: &'static str,
}

impl Stability {
    /// In a few words, for tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Damped => "none without damping",
            Self::Conditional => "below a critical step",
            Self::Taut => "any step at rest; shorter under tension",
            Self::Seen(_) => "any step in every test",
            Self::Neutral => "small motions any step; stiff springs may gain energy",
            Self::Proven(_) => "any step, proven",
        }
    }

    /// Details of the tests, beyond [`describe`](Self::describe).
    #[must_use]
    pub const fn details(self) -> Option<&'static str> {
        match self {
            Self::Seen(SeenRange { remark, .. }) if !remark.is_empty() => Some(remark),
            _ => None,
        }
    }

    /// In words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Damped => "none without damping: every step adds energy".to_owned(),
            Self::Conditional => "conditional: below the critical step of the stiffest vibration".to_owned(),
            Self::Taut => "no limit at rest; across taut springs h < √(m L / tension)".to_owned(),
            Self::Seen(SeenRange { stiffness, step, .. }) => {
                let (factor, unit) = units::prefixed(stiffness, "N/m");
                format!("stable in every test, up to {} {unit} with steps of {:.0} ms", stiffness / factor, 1e3 * step)
            }
            Self::Neutral => {
                "small motions at any step; large ones of stiff springs may gain energy without bound".to_owned()
            }
            Self::Proven(covered) => format!("any step, proven {covered}"),
        }
    }
}

/// Quantities that a method conserves for a free, undamped cloth, to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeps {
    /// Total linear momentum.
    pub momentum: bool,
    /// Total angular momentum.
    pub angular_momentum: bool,
    /// Whether a cloth at rest gains `g · h` in every step of free fall.
    pub free_fall: bool,
}
