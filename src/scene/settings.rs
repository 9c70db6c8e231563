//! Declared parameters by name: what `--set key=value`, scene files and snapshots share.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::InputError;
use crate::sim::params::quote::quote;
use crate::sim::params::{Kind, Param, ParamError, Setting, Tunable};
use crate::sim::solvers;

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
    let value = |(index, param): (usize, &Param)| (param.key.to_owned(), scalar(param.kind, group.get(index)));
    group.params().iter().enumerate().map(value).collect()
}

/// The value of a parameter of this kind.
pub(super) fn scalar(kind: Kind, setting: Setting) -> Scalar {
    match (kind, setting) {
        (_, Setting::Toggle(on)) => Scalar::Toggle(on),
        (_, Setting::Integer(n)) => Scalar::Integer(n),
        (_, Setting::Real(x)) => Scalar::Real(x),
        (Kind::Choice(choices), Setting::Choice(i)) => Scalar::Text(choices[i].key.to_owned()),
        (_, Setting::Choice(i)) => Scalar::Integer(i as u32),
    }
}

/// Puts `settings` into a solver's parameters.
///
/// # Errors
/// [`InputError`] at `place` for an unknown key or a value out of range.
pub fn apply(settings: &SolverSettings, group: &mut dyn Tunable, place: &str) -> Result<(), InputError> {
    for (key, value) in settings {
        let Err(error) = group.set_text(key, &value.to_string()) else { continue };
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
