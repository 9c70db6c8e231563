//! Parameters, declared once: a field, its default, label, unit, range and help text stand together
//! in [`parameters!`](crate::parameters), and slider, `--set key=value`, scene-file field, snapshot
//! entry and range test all follow from that declaration.
//!
//! A declared struct is a plain struct of plain fields, so hot loops read `material.damping` and
//! nothing else. The generic access by index ([`Tunable`]) serves panels, files and tests.

mod declare;
pub mod quote;
mod span;
pub mod units;

pub use span::Span;

use super::Real;
use quote::{number, quote};

/// The declaration of one parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Name of the field, of the `--set` key and of the entry in scene files and snapshots. Unique
    /// in the program.
    pub key: &'static str,
    /// Its label in panels.
    pub label: &'static str,
    /// SI unit; empty for a pure number.
    pub unit: &'static str,
    /// Its effect on the cloth; the field's documentation, as written.
    pub documentation: &'static str,
    /// Type, range and scale.
    pub kind: Kind,
    /// Key of the switch of the same group without which it means nothing: a toggle, or a choice of
    /// which the first is none. Panels show it only while that is on.
    pub switch: Option<&'static str>,
    /// Requirement for an effect.
    pub need: Option<Need>,
}

/// Requirement of a parameter. If the solver at work, the cloth or the kind of step lacks it, the
/// parameter has no effect; [`Simulation::ignored`](crate::sim::Simulation::ignored) gives the
/// reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A solver that takes the stiffness of the cloth.
    Stiffness,
    /// That, and springs along the diagonals of the cells, or a membrane of triangles.
    ShearSprings,
    /// A solver that takes a membrane of triangles, and a mesh.
    MembraneChoice,
    /// That, and the membrane being chosen.
    Membrane,
    /// A solver that takes the stiffness of the cloth, and bending by springs.
    BendSprings,
    /// A solver that takes isometric bending.
    BendingChoice,
    /// That, and isometric bending being chosen.
    IsometricBending,
    /// A solver that takes the damping of the cloth.
    Damping,
    /// A solver that can damp by more than one law.
    DampingChoice,
    /// A solver whose step is a minimum, which other schemes than implicit Euler can be made of.
    Schemes,
    /// A solver whose step may adapt.
    Adaptivity,
    /// A step that is divided into equal parts.
    EqualSubsteps,
    /// Cloth, not bodies of tetrahedra alone.
    Cloth,
    /// A body of tetrahedra.
    Bodies,
    /// Example shapes.
    Examples,
}

/// Values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A real number in `min..=max`.
    Real {
        /// Smallest value.
        min: Real,
        /// Largest value.
        max: Real,
        /// Whether a slider should move by factors instead of differences.
        logarithmic: bool,
    },
    /// An angle [rad] in `min..=max`; panels show degrees.
    Angle {
        /// Smallest value.
        min: Real,
        /// Largest value.
        max: Real,
    },
    /// A whole number in `min..=max`.
    Integer {
        /// Smallest value.
        min: u32,
        /// Largest value.
        max: u32,
    },
    /// On or off.
    Toggle,
    /// One of a list.
    Choice(&'static [Choice]),
}

/// One entry of a [`Kind::Choice`].
#[derive(Debug, PartialEq)]
pub struct Choice {
    /// Name in files and on the command line.
    pub key: &'static str,
    /// Its meaning.
    pub help: &'static str,
}

/// The value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// Of [`Kind::Real`] and [`Kind::Angle`].
    Real(Real),
    /// Of [`Kind::Integer`].
    Integer(u32),
    /// Of [`Kind::Toggle`].
    Toggle(bool),
    /// Of [`Kind::Choice`]: position in the list.
    Choice(usize),
}

/// Why a value was not taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// The value lies outside the declared range.
    #[error("{key} = {value} is outside {range}")]
    OutOfRange {
        /// The parameter.
        key: &'static str,
        /// The value as given.
        value: String,
        /// The declared range, with unit.
        range: String,
    },
    /// There is no such parameter.
    #[error("there is no parameter \"{key}\"")]
    Unknown {
        /// The unknown key, as [`quote()`] shows it.
        key: String,
    },
    /// The text is no value of this kind.
    #[error("{key} takes {expected}, not \"{text}\"")]
    NotAValue {
        /// The parameter.
        key: &'static str,
        /// The expected kind of value.
        expected: String,
        /// The given value, as [`quote()`] shows it.
        text: String,
    },
}

/// A group of declared parameters. Implemented by [`parameters!`](crate::parameters).
pub trait Tunable {
    /// The declarations, in the order in which a panel shows them.
    fn params(&self) -> &'static [Param];
    /// The value of parameter `index`.
    fn get(&self, index: usize) -> Setting;
    /// Default value of parameter `index`.
    fn default_of(&self, index: usize) -> Setting;
    /// Stores a value without asking whether it is in range; [`Tunable::set`] asks.
    fn assign(&mut self, index: usize, value: Setting);
    /// SI unit of parameter `index` with the present values of the others.
    fn unit(&self, index: usize) -> &'static str;
    /// Why parameter `index` has no effect at the moment, if it has none.
    fn idle(&self, index: usize) -> Option<&'static str>;

    /// Stores a value if it is in range.
    ///
    /// # Errors
    /// [`ParamError`] when the value is out of range or of another kind; the old value stays.
    fn set(&mut self, index: usize, value: Setting) -> Result<(), ParamError> {
        let param = &self.params()[index];
        param.check(value)?;
        self.assign(index, value);
        Ok(())
    }

    /// Reads a value from `text`, as in `--set key=value`, and stores it as the parameter called
    /// `key`. Choices are named.
    ///
    /// # Errors
    /// [`ParamError`] when there is no such parameter, or the text is no value that it takes; the
    /// old value stays.
    fn set_text(&mut self, key: &str, text: &str) -> Result<(), ParamError> {
        let index = self.index_of(key).ok_or_else(|| ParamError::Unknown { key: quote(key) })?;
        let value = self.param(index).parse(text)?;
        self.set(index, value)
    }

    /// The declaration of parameter `index`, with its unit with the present values of the others.
    fn param(&self, index: usize) -> Param {
        Param { unit: self.unit(index), ..self.params()[index] }
    }

    /// The position of the parameter called `key`.
    fn index_of(&self, key: &str) -> Option<usize> {
        self.params().iter().position(|param| param.key == key)
    }

    /// The position of the switch that parameter `index` belongs to.
    fn switch_of(&self, index: usize) -> Option<usize> {
        self.params()[index].switch.and_then(|key| self.index_of(key))
    }

    /// Whether the switch that parameter `index` belongs to is on, and the one that this belongs to
    /// in turn. True of a parameter of its own.
    fn is_switched_on(&self, index: usize) -> bool {
        let is_on = |switch| matches!(self.get(switch), Setting::Toggle(true) | Setting::Choice(1..));
        let on = |switch| is_on(switch) && self.is_switched_on(switch);
        self.switch_of(index).is_none_or(on)
    }

    /// The first parameter that is out of range, if any.
    ///
    /// # Errors
    /// [`ParamError::OutOfRange`].
    fn check(&self) -> Result<(), ParamError> {
        self.params().iter().enumerate().try_for_each(|(index, param)| param.check(self.get(index)))
    }
}

impl Param {
    /// Its effect on the cloth.
    #[must_use]
    pub fn help(&self) -> &'static str {
        self.documentation.trim()
    }

    /// Whether `value` is of this kind and in range.
    ///
    /// # Errors
    /// [`ParamError::OutOfRange`].
    pub fn check(&self, value: Setting) -> Result<(), ParamError> {
        let fits = match (self.kind, value) {
            (Kind::Real { min, max, .. } | Kind::Angle { min, max }, Setting::Real(x)) => (min..=max).contains(&x),
            (Kind::Integer { min, max }, Setting::Integer(n)) => (min..=max).contains(&n),
            (Kind::Toggle, Setting::Toggle(_)) => true,
            (Kind::Choice(choices), Setting::Choice(i)) => i < choices.len(),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(ParamError::OutOfRange { key: self.key, value: self.show(value), range: self.range() })
    }

    /// Reads a value from text, as in `--set key=value`; a number may have a unit, as in `2 mm`.
    ///
    /// # Errors
    /// [`ParamError`] when the text is no value of this kind or out of range.
    pub fn parse(&self, text: &str) -> Result<Setting, ParamError> {
        let text = text.trim();
        let value = match self.kind {
            Kind::Real { .. } | Kind::Angle { .. } => units::read(text, self.unit).map(Setting::Real),
            Kind::Integer { .. } => text.parse::<i64>().ok().map(|n| {
                // a negative number is a number out of range, not a text that is no number
                u32::try_from(n).map_or(Setting::Real(n as Real), Setting::Integer)
            }),
            Kind::Toggle => match text {
                "true" | "on" | "yes" | "1" => Some(Setting::Toggle(true)),
                "false" | "off" | "no" | "0" => Some(Setting::Toggle(false)),
                _ => None,
            },
            Kind::Choice(choices) => {
                let wanted = text.to_ascii_lowercase().replace('-', "_");
                choices.iter().position(|choice| choice.key == wanted).map(Setting::Choice)
            }
        };
        let value =
            value.ok_or_else(|| ParamError::NotAValue { key: self.key, expected: self.range(), text: quote(text) })?;
        self.check(value)?;
        Ok(value)
    }

    /// The range in words, with unit.
    #[must_use]
    pub fn range(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        match self.kind {
            Kind::Real { min, max, .. } => {
                format!("{} to {}{unit}", self.show(Setting::Real(min)), self.show(Setting::Real(max)))
            }
            Kind::Angle { min, max } => format!("{min:.4} to {max:.4}{unit}"),
            Kind::Integer { min, max } => format!("the whole numbers {min} to {max}{unit}"),
            Kind::Toggle => "true or false".to_owned(),
            Kind::Choice(choices) => choices.iter().map(|choice| choice.key).collect::<Vec<_>>().join(", "),
        }
    }

    /// The value as text that [`Param::parse`] reads back.
    #[must_use]
    pub fn show(&self, value: Setting) -> String {
        match (self.kind, value) {
            (_, Setting::Real(x)) => number(x),
            (_, Setting::Integer(n)) => format!("{n}"),
            (_, Setting::Toggle(on)) => format!("{on}"),
            (Kind::Choice(choices), Setting::Choice(i)) if i < choices.len() => choices[i].key.to_owned(),
            (_, Setting::Choice(i)) => format!("#{i}"),
        }
    }
}

/// A type that a declared parameter can have.
pub trait Field: Copy {
    /// The value in generic form.
    fn to_setting(self) -> Setting;
    /// Back from the generic form; a setting of another kind leaves the field alone.
    fn assign(&mut self, setting: Setting);
}

macro_rules! plain_field {
    ($type:ty, $variant:ident) => {
        impl Field for $type {
            fn to_setting(self) -> Setting {
                Setting::$variant(self)
            }
            fn assign(&mut self, setting: Setting) {
                if let Setting::$variant(value) = setting {
                    *self = value;
                }
            }
        }
    };
}
plain_field!(Real, Real);
plain_field!(u32, Integer);
plain_field!(bool, Toggle);

/// A real number on a linear slider.
#[must_use]
pub const fn linear(min: Real, max: Real) -> Kind {
    Kind::Real { min, max, logarithmic: false }
}

/// A real number on a logarithmic slider.
#[must_use]
pub const fn logarithmic(min: Real, max: Real) -> Kind {
    Kind::Real { min, max, logarithmic: true }
}

/// A whole number.
#[must_use]
pub const fn count(min: u32, max: u32) -> Kind {
    Kind::Integer { min, max }
}

/// The parameters of something that has none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSettings;

impl Tunable for NoSettings {
    fn params(&self) -> &'static [Param] {
        &[]
    }
    fn get(&self, _: usize) -> Setting {
        unreachable!("there is no parameter to get")
    }
    fn default_of(&self, _: usize) -> Setting {
        unreachable!("there is no parameter to get")
    }
    fn assign(&mut self, _: usize, _: Setting) {}
    fn unit(&self, _: usize) -> &'static str {
        ""
    }
    fn idle(&self, _: usize) -> Option<&'static str> {
        None
    }
}
