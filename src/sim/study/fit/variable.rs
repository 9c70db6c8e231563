//! A parameter that is fitted: its range and start.

use crate::sim::params::{Kind, Param, Setting};
use crate::sim::{Parameters, Real};

/// Largest factor between a parameter and its start.
const FACTOR: Real = 100.0;

/// A parameter that is fitted.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// Its declaration.
    pub param: Param,
    /// Its value at the start.
    pub start: Real,
    /// Smallest and largest value that is tried.
    pub range: [Real; 2],
}

/// Why a parameter cannot be fitted.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum VariableFault {
    /// There is none of that name.
    #[error("there is no such parameter")]
    Unknown,
    /// It is a switch, a choice or a whole number.
    #[error("it is no real number, and only these can be fitted")]
    NotReal,
    /// It is zero or negative, and has no logarithm.
    #[error("it is {0}, and only positive parameters can be fitted; set it to a positive number first")]
    NotPositive(Real),
}

impl Variable {
    /// The parameter called `key` of a fabric.
    ///
    /// # Errors
    /// [`VariableFault`] when it cannot be fitted.
    pub fn of(fabric: &Parameters, key: &str) -> Result<Self, VariableFault> {
        let (group, index) = fabric.find(key).ok_or(VariableFault::Unknown)?;
        let param = group.param(index);
        let (Kind::Real { min, max, .. }, Setting::Real(start)) = (param.kind, group.get(index)) else {
            return Err(VariableFault::NotReal);
        };
        if start <= 0.0 {
            return Err(VariableFault::NotPositive(start));
        }
        let range = [min.max(start / FACTOR), max.min(start * FACTOR)];
        Ok(Self { param, start, range })
    }

    /// Makes `value` that of a fabric.
    pub(super) fn put(&self, fabric: &mut Parameters, value: Real) {
        if let Some((group, index)) = fabric.find_mut(self.param.key) {
            group.assign(index, Setting::Real(value));
        }
    }

    /// Logarithms of the ends of its range.
    pub(super) fn ends(&self) -> [Real; 2] {
        self.range.map(Real::ln)
    }
}
