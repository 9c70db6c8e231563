//! Declared parameters by name, for `--set key=value`, scene files and snapshots.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::InputError;
use crate::sim::params::quote::quote;
use crate::sim::params::{Kind, Param, ParamError, Setting, Tunable};
use crate::sim::{Simulation, solvers};

/// The value of a solver's parameter in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// On or off.
    Toggle(bool),
    /// A whole number.
    Integer(u32),
    /// A real number.
    Real(f64),
    /// A choice, by its key.
    Text(String),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Toggle(on) => write!(f, "{on}"),
            Self::Integer(n) => write!(f, "{n}"),
            Self::Real(x) => write!(f, "{x}"),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}

/// A solver's parameters in a file, by key.
pub type SolverSettings = BTreeMap<String, Scalar>;

/// All parameters of `group` by key.
#[must_use]
pub fn collect(group: &dyn Tunable) -> SolverSettings {
    let value = |(index, param): (usize, &Param)| (param.key.to_owned(), Scalar::of(param, group.get(index)));
    group.params().iter().enumerate().map(value).collect()
}

impl Scalar {
    /// The value of a parameter.
    #[must_use]
    pub fn of(param: &Param, setting: Setting) -> Self {
        match (param.kind, setting) {
            (_, Setting::Toggle(on)) => Self::Toggle(on),
            (_, Setting::Integer(n)) => Self::Integer(n),
            (_, Setting::Real(x)) => Self::Real(x),
            (Kind::Choice(choices), Setting::Choice(i)) => Self::Text(choices[i].key.to_owned()),
            (_, Setting::Choice(i)) => Self::Integer(i as u32),
        }
    }

    /// The value as one of a parameter. Text is read as in `--set key=value`.
    ///
    /// # Errors
    /// [`ParamError`] when the parameter has no such value.
    pub fn setting(&self, param: &Param) -> Result<Setting, ParamError> {
        let setting = match (param.kind, self) {
            (Kind::Toggle, Self::Toggle(on)) => Setting::Toggle(*on),
            (Kind::Integer { .. }, Self::Integer(n)) => Setting::Integer(*n),
            (Kind::Real { .. } | Kind::Angle { .. }, Self::Real(x)) => Setting::Real(*x),
            _ => return param.parse(&self.to_string()),
        };
        param.check(setting).map(|()| setting)
    }

    /// Makes it the value of the parameter called `key`.
    ///
    /// # Errors
    /// [`ParamError`] when there is no such parameter or the parameter has no such value.
    pub fn put(&self, key: &str, group: &mut dyn Tunable) -> Result<(), ParamError> {
        let index = group.index_of(key).ok_or_else(|| ParamError::Unknown { key: quote(key) })?;
        let setting = self.setting(&group.params()[index])?;
        group.assign(index, setting);
        Ok(())
    }
}

/// Makes `value` that of the parameter called `key`: of a common parameter, or of a setting of the
/// solver at work. Returns false if there is none of that name.
///
/// # Errors
/// [`ParamError`] when the parameter has no such value.
pub fn set_parameter(simulation: &mut Simulation, key: &str, value: &Scalar) -> Result<bool, ParamError> {
    if let Some((group, _)) = simulation.parameters.find_mut(key) {
        return value.put(key, group).map(|()| true);
    }
    let settings = simulation.solver_mut().settings_mut();
    let is_there = settings.index_of(key).is_some();
    if is_there { value.put(key, settings).map(|()| true) } else { Ok(false) }
}

/// Puts `settings` into a solver's parameters.
///
/// # Errors
/// [`InputError`] at `place` for an unknown key or a value out of range.
pub fn apply(settings: &SolverSettings, group: &mut dyn Tunable, place: &str) -> Result<(), InputError> {
    for (key, value) in settings {
        let Err(error) = value.put(key, group) else { continue };
        if matches!(error, ParamError::Unknown { .. }) {
            let known = group.params().iter().map(|param| param.key);
            let mend = if group.params().is_empty() {
                "this solver has no settings".to_owned()
            } else {
                InputError::suggestion(key, known)
            };
            return Err(InputError::new(place, format!("unknown solver setting \"{}\"; {mend}", quote(key))));
        }
        return Err(InputError::new(place, error.to_string()));
    }
    Ok(())
}

/// The solver called `id` with `settings`.
///
/// # Errors
/// [`InputError`] at `place` for an unknown solver or setting.
pub fn build_solver(
    id: &str,
    settings: &SolverSettings,
    place: &str,
) -> Result<Box<dyn crate::sim::Solver>, InputError> {
    let mut solver = solvers::build(id).ok_or_else(|| {
        let known = solvers::REGISTRY.iter().map(|entry| entry.info.id);
        InputError::new(place, format!("there is no solver \"{}\"; {}", quote(id), InputError::suggestion(id, known)))
    })?;
    apply(settings, solver.settings_mut(), place)?;
    Ok(solver)
}
