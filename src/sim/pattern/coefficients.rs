//! Stiffness and damping of springs: by kind, and by the law that relates them to rest lengths.

use super::{ByKind, Family, Kind, Pattern};
use crate::sim::Real;

/// Length by which a spring is stretched at a strain of one [m]: its rest length, or a metre for a
/// spring without one, which has no strain.
#[inline]
#[must_use]
pub fn strain_length(rest_length: Real) -> Real {
    if rest_length > 0.0 { rest_length } else { 1.0 }
}

/// A coefficient of springs by kind. With a law per strain those of a spring are divided by its
/// [`strain_length`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coefficients {
    by_kind: ByKind<Real>,
    per_strain: bool,
}

impl Coefficients {
    /// The coefficients of springs of any length, or `per_strain`, of springs of a strain length
    /// of a metre.
    #[must_use]
    pub fn new(by_kind: ByKind<Real>, per_strain: bool) -> Self {
        Self { by_kind, per_strain }
    }

    /// That of a spring of this kind and rest length [m].
    #[inline]
    #[must_use]
    pub fn of(&self, kind: Kind, rest_length: Real) -> Real {
        let value = self.by_kind[kind];
        if self.per_strain { value / strain_length(rest_length) } else { value }
    }

    /// Those of the springs of `pattern`.
    #[must_use]
    pub fn on(self, pattern: &Pattern) -> SpringCoefficients<'_> {
        let rest_lengths = self.per_strain.then_some(&*pattern.springs().rest_lengths);
        SpringCoefficients { by_kind: self.by_kind, kinds: pattern.kinds(), rest_lengths }
    }

    /// That of a spring of this family and rest length [m] without a material override.
    #[must_use]
    pub fn of_plain(&self, family: Family, rest_length: Real) -> Real {
        self.of(Kind::plain(family), rest_length)
    }

    /// The table with every entry changed, in proportion to it.
    #[must_use]
    pub fn map(self, change: impl FnMut(Real) -> Real) -> Self {
        Self { by_kind: self.by_kind.map(change), ..self }
    }

    /// The table of `combine(own, other)`, entry by entry, in proportion to both. Both are of one
    /// law.
    #[must_use]
    pub fn with(self, other: Self, combine: impl Fn(Real, Real) -> Real) -> Self {
        Self { by_kind: self.by_kind.with(other.by_kind, combine), ..self }
    }

    /// Whether springs without a material override have any, by family in the order of
    /// [`Family::ALL`].
    #[must_use]
    pub fn families(&self) -> [bool; 3] {
        self.by_kind.by_family().map(|value| value > 0.0)
    }

    /// Whether springs have any.
    #[must_use]
    pub fn are_some(&self) -> bool {
        self.by_kind.iter().any(|value| *value > 0.0)
    }
}

/// Coefficients of the springs of a pattern, whose tables are looked up once and not for each
/// spring.
#[derive(Debug, Clone, Copy)]
pub struct SpringCoefficients<'a> {
    by_kind: ByKind<Real>,
    kinds: &'a [Kind],
    /// With a law per strain [m].
    rest_lengths: Option<&'a [Real]>,
}

impl SpringCoefficients<'_> {
    /// That of spring `e`.
    #[inline]
    #[must_use]
    pub fn at(&self, e: usize) -> Real {
        let value = self.by_kind[self.kinds[e]];
        match self.rest_lengths {
            Some(rest_lengths) => value / strain_length(rest_lengths[e]),
            None => value,
        }
    }
}
