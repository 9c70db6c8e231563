//! Quantities that a lesson measures: the measures of a run, and some of a lesson alone.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::{Deserializer, EnumAccess, Error, VariantAccess, Visitor};

use crate::sim::Real;
use crate::sim::params::units;
use crate::sim::quantities::{MEASURES, Measure, Over, Quantity};

/// A measured quantity of a lane.
#[derive(Debug, Clone, Copy)]
pub enum LessonMeasure {
    /// A measure of the run since the step of the lesson began.
    Run(&'static Measure),
    /// One of a lesson alone.
    Lesson(LessonQuantity),
}

/// A quantity of a lesson alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LessonQuantity {
    /// How far the middle of the cloth has moved sideways since the step of the lesson began [m].
    Drift,
    /// Energy that the cloth has lost since then, as a share of the largest kinetic energy.
    EnergyLost,
    /// Root mean square distance to the first lane [m].
    Distance,
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
const OF_LESSONS: [(LessonQuantity, &str, &str, &str); 6] = [
    (LessonQuantity::Drift, "drift", "Sideways motion of the middle", "m"),
    (LessonQuantity::EnergyLost, "energy_lost", "Energy lost", "%"),
    (LessonQuantity::Distance, "distance", "Distance to lane A", "m"),
    (LessonQuantity::Pins, "pins", "Pinned vertices", ""),
    (LessonQuantity::Hand, "hand", "Moved by hand", "m"),
    (LessonQuantity::LongestStep, "longest_step", "Longest stable step", "s"),
];

static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let of_runs = MEASURES.iter().flat_map(|measure| [measure.key, measure.alias]).filter(|name| !name.is_empty());
    of_runs.chain(OF_LESSONS.iter().map(|(_, name, ..)| *name)).collect()
});

impl LessonQuantity {
    fn about(self) -> &'static (Self, &'static str, &'static str, &'static str) {
        &OF_LESSONS[self as usize]
    }
}

impl LessonMeasure {
    /// Names of all in files.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        NAMES.iter().copied()
    }

    /// The one with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let own = || OF_LESSONS.iter().find(|(_, known, ..)| *known == name).map(|(own, ..)| Self::Lesson(*own));
        Measure::find(name).map(Self::Run).or_else(own)
    }

    /// Whether it is the simulated time since the start.
    #[must_use]
    pub fn is_time(self) -> bool {
        matches!(self, Self::Run(measure) if measure.of == (Quantity::Time, Over::Rise))
    }

    /// Its label.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Run(measure) => measure.label,
            Self::Lesson(own) => own.about().2,
        }
    }

    /// A value of it with its unit.
    #[must_use]
    pub fn text(self, value: Real) -> String {
        match self {
            Self::Run(measure) => measure.text(value),
            Self::Lesson(own) => units::with_unit(value, own.about().3),
        }
    }
}

impl PartialEq for LessonMeasure {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Run(a), Self::Run(b)) => a.key == b.key,
            (Self::Lesson(a), Self::Lesson(b)) => a == b,
            _ => false,
        }
    }
}

impl<'de> Deserialize<'de> for LessonMeasure {
    /// Of its name, written as a variant.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name(String);

        impl<'de> Deserialize<'de> for Name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_identifier(Variant).map(Self)
            }
        }

        struct Variant;

        impl Visitor<'_> for Variant {
            type Value = String;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a quantity")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<String, E> {
                Ok(name.to_owned())
            }
        }

        struct Named;

        impl<'de> Visitor<'de> for Named {
            type Value = LessonMeasure;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a quantity")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<LessonMeasure, A::Error> {
                let (Name(name), access) = data.variant()?;
                access.unit_variant()?;
                LessonMeasure::find(&name).ok_or_else(|| Error::unknown_variant(&name, &NAMES))
            }
        }

        deserializer.deserialize_enum("Quantity", &NAMES, Named)
    }
}
