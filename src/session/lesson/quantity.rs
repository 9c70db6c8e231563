//! Quantities that a lesson measures, with their names, labels and units.

use serde::Deserialize;

use crate::sim::Real;
use crate::sim::params::units;

/// A measured quantity of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Simulated time since the step of the lesson began [s].
    Time,
    /// Time steps since then.
    Steps,
    /// Largest strain of a structural spring.
    Stretch,
    /// The largest that it has been since the step of the lesson began.
    MostStretch,
    /// Largest shortening of a structural spring, as a share of its length.
    Compression,
    /// Height of the cloth from its lowest to its highest vertex [m].
    Height,
    /// How far the middle of the cloth has fallen since the step of the lesson began [m].
    Fall,
    /// How far it has moved sideways since then [m].
    Drift,
    /// Kinetic energy [J].
    Kinetic,
    /// The largest that it has been since the step of the lesson began [J].
    MostKinetic,
    /// Energy that the cloth has lost since then, as a share of the largest kinetic energy.
    EnergyLost,
    /// Numeric factorisations since then.
    Factorisations,
    /// Updates of a factor since then.
    Updates,
    /// Iterations of the solver since then.
    Iterations,
    /// Root mean square distance to the first lane [m].
    Distance,
    /// Vertices whose motion was truncated, so that the cloth does not pass through itself, summed
    /// over all steps since then.
    Truncated,
    /// Pinned vertices.
    Pins,
    /// How far the hand has moved its vertex since the step of the lesson began [m]; zero without
    /// a hand.
    Hand,
    /// Longest stable time step of symplectic Euler for the cloth as the step of the lesson
    /// arranges it [s].
    LongestStep,
}

/// Each with its name in files, its label and its unit.
const ALL: [(Quantity, &str, &str, &str); 19] = [
    (Quantity::Time, "time", "Simulated time", "s"),
    (Quantity::Steps, "steps", "Time steps", ""),
    (Quantity::Stretch, "stretch", "Largest stretch", "%"),
    (Quantity::MostStretch, "most_stretch", "Largest stretch so far", "%"),
    (Quantity::Compression, "compression", "Largest compression", "%"),
    (Quantity::Height, "height", "Height of the cloth", "m"),
    (Quantity::Fall, "fall", "Fall of the middle", "m"),
    (Quantity::Drift, "drift", "Sideways motion of the middle", "m"),
    (Quantity::Kinetic, "kinetic", "Kinetic energy", "J"),
    (Quantity::MostKinetic, "most_kinetic", "Largest kinetic energy so far", "J"),
    (Quantity::EnergyLost, "energy_lost", "Energy lost", "%"),
    (Quantity::Factorisations, "factorisations", "Factorisations", ""),
    (Quantity::Updates, "updates", "Updates of the factor", ""),
    (Quantity::Iterations, "iterations", "Iterations", ""),
    (Quantity::Distance, "distance", "Distance to lane A", "m"),
    (Quantity::Truncated, "truncated", "Truncated vertices", ""),
    (Quantity::Pins, "pins", "Pinned vertices", ""),
    (Quantity::Hand, "hand", "Moved by hand", "m"),
    (Quantity::LongestStep, "longest_step", "Longest stable step", "s"),
];

impl Quantity {
    /// Names of all in files.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        ALL.iter().map(|(_, name, ..)| *name)
    }

    /// The one with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        ALL.iter().find(|(_, known, ..)| *known == name).map(|(quantity, ..)| *quantity)
    }

    fn about(self) -> (&'static str, &'static str) {
        ALL.iter().find(|(quantity, ..)| *quantity == self).map_or(("", ""), |(.., label, unit)| (label, unit))
    }

    /// Its label.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.about().0
    }

    /// A value of it with its unit.
    #[must_use]
    pub fn text(self, value: Real) -> String {
        match self.about().1 {
            "" => units::significant(value),
            "%" => format!("{} %", units::significant(100.0 * value)),
            unit => units::quantity(value, unit),
        }
    }
}
