//! A parameter that is fitted: its range and start.

use crate::sim::contact::ContactSettings;
use crate::sim::forces::Air;
use crate::sim::params::{Kind, Param, Setting};
use crate::sim::study::textile::TextileTest;
use crate::sim::{Mass, Material, Parameters, Real};

/// Digits behind the first of a parameter that is told or set.
const DIGITS: usize = 5;
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

    /// Keys of the parameters that are fitted to a test unless others are named.
    #[must_use]
    pub const fn usual(test: TextileTest) -> &'static [&'static str] {
        match test {
            TextileTest::TensionWarp | TextileTest::TensionWeft => &[Material::structural_stiffness],
            TextileTest::TensionBias | TextileTest::Shear => &[Material::shear_stiffness],
            TextileTest::BendingWarp | TextileTest::BendingWeft => &[Material::bending_stiffness],
            TextileTest::Drape | TextileTest::Drape24 | TextileTest::Drape36 | TextileTest::DrapeJis => {
                &[Material::shear_stiffness, Material::bending_stiffness]
            }
            TextileTest::Friction => &[ContactSettings::friction],
            TextileTest::Decay => &[Material::damping],
            TextileTest::Fall => &[Air::drag_coefficient],
        }
    }

    /// Keys of other parameters that its figure depends on.
    #[must_use]
    pub const fn others(test: TextileTest) -> &'static [&'static str] {
        match test {
            TextileTest::TensionWarp | TextileTest::Shear | TextileTest::BendingWarp | TextileTest::Friction => &[],
            TextileTest::TensionWeft => &[Material::weft_ratio],
            TextileTest::TensionBias => &[Material::structural_stiffness],
            TextileTest::BendingWeft => &[Material::bending_weft],
            TextileTest::Drape | TextileTest::Drape24 | TextileTest::Drape36 | TextileTest::DrapeJis => {
                &[Material::bending_weft, Material::structural_stiffness, Mass::area_density]
            }
            TextileTest::Decay => &[Air::drag_coefficient, Mass::area_density],
            TextileTest::Fall => &[Mass::area_density],
        }
    }

    /// Its label within a sentence.
    #[must_use]
    pub fn name(&self) -> String {
        self.param.label.to_lowercase()
    }

    /// A value with so few digits as can be read, which gives the same figure.
    #[must_use]
    pub fn shortened(value: Real) -> Real {
        format!("{value:.DIGITS$e}").parse().unwrap_or(value)
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
