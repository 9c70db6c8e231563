//! Limits and marks of axes.
//!
//! The limits of the values follow their bulk: the values between two quantiles, and within a few
//! of their spreads. A spike of a blow-up lies beyond them, and the other values keep their room.
//! Limits are round numbers, and stay while the values fill half of the range.

/// Share of the values below, and above, their bulk.
const TAIL: f64 = 0.05;
/// By how many spreads of the bulk a value may lie beside it and still be within the limits.
const REACH: f64 = 2.0;
/// Share of their size by which values have to differ to be no constant.
const VARIATION: f64 = 1e-4;
/// Share of the span that is left free at each end.
const ROOM: f64 = 0.04;
/// Share of the span that values have to fill for the limits to stay.
const FILLED: f64 = 0.5;
/// Sizes beyond which numbers are cut off, and below which they are zero.
const LARGEST: f64 = 1e200;
const SMALLEST: f64 = 1e-200;

/// Range of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The lower end.
    pub low: f64,
    /// The upper end, above the lower one.
    pub high: f64,
}

impl Limits {
    /// Limits of some values, of which those that are no numbers or infinite do not count. Zero is
    /// within them if it has to be, if it is near, or if the values do not differ.
    #[must_use]
    pub fn of(values: impl Iterator<Item = f64>, with_zero: bool) -> Self {
        let Some([mut low, mut high]) = extent(values) else { return Self { low: 0.0, high: 1.0 } };
        let size = low.abs().max(high.abs());
        if size < SMALLEST {
            return Self { low: 0.0, high: 1.0 };
        }
        let is_constant = high - low <= VARIATION * size;
        let gap = low.max(-high);
        if with_zero || is_constant || gap <= high - low {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        let room = ROOM * (high - low);
        // zero itself needs no room
        let (low, high) = (if low == 0.0 { 0.0 } else { low - room }, if high == 0.0 { 0.0 } else { high + room });
        let step = round_step((high - low) / 5.0);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step }
    }

    /// Limits of some logarithms to base ten: whole decades.
    #[must_use]
    pub fn of_decades(values: impl Iterator<Item = f64>) -> Self {
        let Some([low, high]) = extent(values) else { return Self { low: 0.0, high: 1.0 } };
        let low = low.floor();
        Self { low, high: high.ceil().max(low + 1.0) }
    }

    /// The limits that were there `before`, if these lie within them and fill half of them;
    /// otherwise these.
    #[must_use]
    pub fn settled(self, before: Option<Self>) -> Self {
        let fits = |before: &Self| {
            before.low <= self.low
                && self.high <= before.high
                && self.high - self.low >= FILLED * (before.high - before.low)
        };
        before.filter(fits).unwrap_or(self)
    }

    /// Where a value lies, from 0 at the lower end to 1 at the upper one; beyond them without a
    /// limit.
    #[must_use]
    pub fn share(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// The least and the greatest of the values that lie within a few spreads of their bulk; none where
/// none is a finite number.
fn extent(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let mut values: Vec<f64> =
        values.filter(|value| value.is_finite()).map(|value| value.clamp(-LARGEST, LARGEST)).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let bulk = |tail: f64| {
        let cut = ((tail * values.len() as f64) as usize).max(usize::from(values.len() > 3)).min(last / 2);
        [values[cut], values[last - cut]]
    };
    // where nearly all are the same, the few that differ are the bulk
    let [mut low, mut high] = bulk(TAIL);
    if high - low <= VARIATION * low.abs().max(high.abs()) {
        [low, high] = bulk(TAIL / 5.0);
    }
    let reach = REACH * (high - low);
    let within = |value: &&f64| **value >= low - reach && **value <= high + reach;
    Some([*values.iter().find(within)?, *values.iter().rfind(within)?])
}

/// The round number (1, 2 or 5 times a power of ten) that is no less than `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= rough).unwrap_or(rough)
}

/// At most about `count` round numbers from `low` to `high`.
#[must_use]
pub fn even_steps(low: f64, high: f64, count: f64) -> Vec<f64> {
    let rough = (high - low) / count.max(1.0);
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let step = round_step(rough);
    // an end that is a multiple itself, but for rounding, counts
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let steps = (0..50).map(|k| first + f64::from(k)).take_while(|k| *k <= last);
    steps.map(|k| if k == 0.0 { 0.0 } else { k * step }).collect()
}

/// At most about `count` whole numbers from `low` to `high`, the exponents of powers of ten.
#[must_use]
pub fn decades(low: f64, high: f64, count: f64) -> Vec<f64> {
    let (low, high) = (low.ceil() as i64, high.floor() as i64);
    let every = 1 + (high - low).max(0) as usize / count.max(1.0) as usize;
    (low..=high).step_by(every).take(50).map(|k| k as f64).collect()
}

/// A number at an axis with marks every `step`: as many digits as tell neighbours apart.
#[must_use]
pub fn tick_label(value: f64, step: f64) -> String {
    if value.abs() < 1e-6 * step.abs() || value == 0.0 {
        return "0".to_owned();
    }
    let (size, fine) = (value.abs().log10().floor() as i32, (step.abs().log10() + 1e-9).floor() as i32);
    let text = if fine >= 4 || size >= 7 || fine < -6 {
        let digits = usize::try_from(size - fine).unwrap_or(0).min(12);
        format!("{value:.digits$e}")
    } else {
        let digits = usize::try_from(-fine).unwrap_or(0);
        format!("{value:.digits$}")
    };
    text.replace('-', "−")
}
