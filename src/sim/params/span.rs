//! The part of a parameter's range that a slider spans, and values spread over it.

use super::{Kind, Setting};
use crate::sim::Real;

/// Share of the upper end below which a logarithmic scale that begins at zero, or below, goes there
/// at once.
const SMALLEST: Real = 1e-3;
/// Whole numbers are on a logarithmic scale where there are more than so many of them.
const FEW: u32 = 100;
/// Digits of a spread value, but for the present one.
const DIGITS: i32 = 3;

/// Range of a slider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Lower end, in the parameter's unit.
    pub low: Real,
    /// Upper end.
    pub high: Real,
    /// Whether equal ways are equal factors.
    pub logarithmic: bool,
}

impl Span {
    /// Range of the slider of a parameter with the value `now`; none if it has no slider.
    ///
    /// A logarithmic one spans the decade below and the one above: all nine could not be set.
    #[must_use]
    pub fn of(kind: Kind, now: Setting) -> Option<Self> {
        match (kind, now) {
            (Kind::Real { min, max, logarithmic: true }, Setting::Real(x)) if x > 0.0 => {
                Some(Self { low: (0.1 * x).max(min), high: (10.0 * x).min(max), logarithmic: true })
            }
            (Kind::Real { min: low, max: high, logarithmic }, Setting::Real(_)) => {
                Some(Self { low, high, logarithmic })
            }
            (Kind::Angle { min, max }, Setting::Real(_)) => {
                // whole degrees
                let [low, high] = [min.to_degrees().ceil(), max.to_degrees().floor()].map(Real::to_radians);
                Some(Self { low, high, logarithmic: false })
            }
            (Kind::Integer { min, max }, Setting::Integer(_)) => {
                Some(Self { low: min.into(), high: max.into(), logarithmic: max - min > FEW })
            }
            _ => None,
        }
    }

    /// The smallest value above zero on a logarithmic scale.
    #[must_use]
    pub fn smallest(&self) -> Real {
        SMALLEST * self.high
    }

    /// The value at a place of `last + 1` evenly spread ones, counted from zero.
    fn value_at(&self, place: Real, last: Real) -> Real {
        let Self { low, high, logarithmic } = *self;
        if !logarithmic {
            return low + (high - low) * place / last;
        }
        if low > 0.0 {
            return low * (high / low).powf(place / last);
        }
        let from = self.smallest();
        if place < 1.0 { low } else { from * (high / from).powf((place - 1.0) / (last - 1.0)) }
    }

    /// The place of a value, back from [`value_at`](Self::value_at).
    fn place_of(&self, value: Real, last: Real) -> Real {
        let Self { low, high, logarithmic } = *self;
        let place = if !logarithmic {
            last * (value - low) / (high - low)
        } else if low > 0.0 {
            last * (value / low).ln() / (high / low).ln()
        } else if value <= low {
            0.0
        } else {
            let from = self.smallest();
            1.0 + (last - 1.0) * ((value / from).ln() / (high / from).ln()).max(0.0)
        };
        if place.is_finite() { place.clamp(0.0, last) } else { 0.0 }
    }

    /// Values of a parameter of this kind spread evenly over the range of its slider, rising, as
    /// many as `count` or, of few whole numbers, all. The present value `now` is one of them, and
    /// the others have three digits.
    #[must_use]
    pub fn spread(&self, kind: Kind, now: Setting, count: usize) -> Vec<Setting> {
        let last = count.saturating_sub(1).max(2) as Real;
        let present = match now {
            Setting::Real(x) => x,
            Setting::Integer(n) => n.into(),
            _ => return vec![now],
        };
        let own = self.place_of(present, last).round() as usize;
        let value = |place: usize| {
            if place == own {
                return now;
            }
            let value = self.value_at(place as Real, last);
            match kind {
                Kind::Integer { .. } => Setting::Integer(value.round() as u32),
                Kind::Angle { .. } => Setting::Real(value.to_degrees().round().to_radians().clamp(self.low, self.high)),
                _ => Setting::Real(rounded(value).clamp(self.low, self.high)),
            }
        };
        let mut values: Vec<Setting> = (0..=last as usize).map(value).collect();
        values.dedup();
        values
    }
}

/// With three digits.
fn rounded(value: Real) -> Real {
    if value == 0.0 {
        return 0.0;
    }
    let exponent = value.abs().log10().floor() as i32 - (DIGITS - 1);
    // by a whole number, which is exact
    let power = (10.0 as Real).powi(exponent.abs());
    if exponent < 0 { (value * power).round() / power } else { (value / power).round() * power }
}
