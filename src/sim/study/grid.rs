//! Grids of parameters: every value of each axis with every value of the others.
//!
//! The values of an axis are a list, `0.001,0.002`, or a range, `from:to:count` with equal
//! differences, or `from:to:log:count` with equal ratios. Both ends belong to a range; values
//! between them are rounded to twelve digits, and to whole numbers for a parameter that takes
//! these, where equal ones are one value. Numbers may have units; they are kept without.

use crate::sim::Real;
use crate::sim::params::quote::{number, quote};
use crate::sim::params::units;

/// Most runs of a grid, and most values of an axis.
pub const MOST_RUNS: usize = 1_000_000;

/// Kind of the values of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Real numbers with this SI unit.
    Real(&'static str),
    /// Whole numbers.
    Whole,
    /// Names, of which there are no ranges.
    Names,
}

/// A parameter and the values that it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The parameter, as `--set` names it.
    pub key: String,
    /// Its values, as `--set` takes them.
    pub values: Vec<String>,
}

/// Why a text describes no grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// There is no value where one should be.
    #[error("a value is missing; give a list like 1,2,5 or a range, from:to:count or from:to:log:count")]
    NoValue,
    /// It has colons and is no range.
    #[error("\"{0}\" is no range; ranges are from:to:count or from:to:log:count, like 10:1e5:log:20")]
    NoRange(String),
    /// An end of a range cannot be read.
    #[error("\"{text}\" is no number{unit}")]
    NoNumber {
        /// The given text, as [`quote()`] shows it.
        text: String,
        /// The unit that it may have, after a space and "in", or nothing.
        unit: String,
    },
    /// The number of values cannot be read or is none.
    #[error("\"{0}\" is no number of values; a range has a whole number of them, at least 1 and at most {MOST_RUNS}")]
    NoCount(String),
    /// Ratios to zero, or from one sign to the other.
    #[error("a log range has ends of one sign, neither of them zero; take a small number, or a range without log")]
    Logarithm,
    /// A value comes more than once.
    #[error("the value {0} comes twice; leave one out")]
    Twice(String),
    /// A parameter is varied twice.
    #[error("{0} is varied twice; give all its values at once")]
    SameAxis(String),
    /// There is nothing to vary.
    #[error("nothing is varied")]
    NoAxis,
    /// The product of the numbers of values is too large.
    #[error("more than {MOST_RUNS} runs; take fewer values")]
    TooManyRuns,
}

impl Axis {
    /// Reads the values of the parameter `key`, which takes such `values`.
    ///
    /// # Errors
    /// [`GridError`].
    pub fn parse(key: &str, text: &str, values: Values) -> Result<Self, GridError> {
        let parts: Vec<&str> = text.split(':').map(str::trim).collect();
        let values = match (values, &parts[..]) {
            (Values::Names, _) | (_, [_]) => list(values, text)?,
            (_, [from, to, count]) => range(values, [from, to], count, false)?,
            (_, [from, to, "log", count]) => range(values, [from, to], count, true)?,
            _ => return Err(GridError::NoRange(quote(text))),
        };
        let mut sorted: Vec<&String> = values.iter().collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(GridError::Twice(quote(pair[0]))),
            None => Ok(Self { key: key.to_owned(), values }),
        }
    }
}

fn list(values: Values, text: &str) -> Result<Vec<String>, GridError> {
    let value = |value: &str| match (value.trim(), values) {
        ("", _) => Err(GridError::NoValue),
        // as typed, but in the unit of all others; the parameter itself refuses text that is no
        // number
        (value, Values::Real(unit)) if value.parse::<Real>().is_err() => {
            Ok(units::read(value, unit).map_or_else(|| value.to_owned(), number))
        }
        (value, _) => Ok(value.to_owned()),
    };
    text.split(',').map(value).collect()
}

fn range(values: Values, ends: [&str; 2], count: &str, by_factors: bool) -> Result<Vec<String>, GridError> {
    let unit = if let Values::Real(unit) = values { unit } else { "" };
    let read = |text: &str| {
        let in_unit = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
        let error = || GridError::NoNumber { text: quote(text), unit: in_unit };
        units::read(text, unit).filter(|x| x.is_finite()).ok_or_else(error)
    };
    let (from, to) = (read(ends[0])?, read(ends[1])?);
    let known = count.parse::<usize>().ok().filter(|count| (1..=MOST_RUNS).contains(count));
    let count = known.ok_or_else(|| GridError::NoCount(quote(count)))?;
    if by_factors && (from == 0.0 || to == 0.0 || from.signum() != to.signum()) {
        return Err(GridError::Logarithm);
    }
    let last = count - 1;
    let at = |number: usize| match number {
        0 => from,
        _ if number == last => to,
        _ => {
            let share = number as Real / last as Real;
            // by parts, so that no difference and no quotient is out of range
            rounded(match by_factors {
                true => from.signum() * ((1.0 - share) * from.abs().ln() + share * to.abs().ln()).exp(),
                false => (1.0 - share) * from + share * to,
            })
        }
    };
    let mut numbers: Vec<Real> = (0..count).map(at).collect();
    if values == Values::Whole {
        numbers.iter_mut().for_each(|x| *x = x.round());
        numbers.dedup();
        return Ok(numbers.into_iter().map(|x| format!("{x}")).collect());
    }
    Ok(numbers.into_iter().map(number).collect())
}

/// `x` to twelve digits.
fn rounded(x: Real) -> Real {
    format!("{x:.11e}").parse().expect("a number that was written reads back")
}

/// Every value of each axis with every value of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    axes: Vec<Axis>,
    runs: usize,
}

impl Grid {
    /// The grid of these axes; each has a value.
    ///
    /// # Errors
    /// [`GridError`] when a parameter is varied twice, none is, or there are too many runs.
    pub fn new(axes: Vec<Axis>) -> Result<Self, GridError> {
        if axes.is_empty() {
            return Err(GridError::NoAxis);
        }
        for (number, axis) in axes.iter().enumerate() {
            if axes[..number].iter().any(|other| other.key == axis.key) {
                return Err(GridError::SameAxis(quote(&axis.key)));
            }
        }
        let product = axes.iter().try_fold(1_usize, |product, axis| product.checked_mul(axis.values.len()));
        let runs = product.filter(|runs| *runs <= MOST_RUNS).ok_or(GridError::TooManyRuns)?;
        Ok(Self { axes, runs })
    }

    /// The axes, of which the last changes from run to run.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Number of runs.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// The values of `run`, counted from zero, in the order of the axes.
    #[must_use]
    pub fn values(&self, run: usize) -> Vec<&str> {
        let mut rest = run;
        let mut values: Vec<&str> = (self.axes.iter().rev())
            .map(|axis| {
                let value = &axis.values[rest % axis.values.len()];
                rest /= axis.values.len();
                value.as_str()
            })
            .collect();
        values.reverse();
        values
    }
}

/// A share of the runs: one of so many, which together have every run once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from zero.
    number: usize,
    count: usize,
}

impl Shard {
    /// All runs.
    pub const ALL: Self = Self { number: 0, count: 1 };

    /// Reads `3/64`: of 64 shards the third. `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (number, count) = text.split_once('/')?;
        let (number, count): (usize, usize) = (number.trim().parse().ok()?, count.trim().parse().ok()?);
        Self::of(number.checked_sub(1)?, count)
    }

    /// Of so many shards the one with this number, from zero; `None` if there is none.
    #[must_use]
    pub fn of(number: usize, count: usize) -> Option<Self> {
        (number < count).then_some(Self { number, count })
    }

    /// Its runs of so many, counted from zero: every 64th of 64 shards, so that slow corners of a
    /// grid are shared out.
    pub fn runs(self, of: usize) -> impl Iterator<Item = usize> {
        (self.number..of).step_by(self.count)
    }
}
