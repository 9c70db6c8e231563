//! Measured conditions of a lesson.

use serde::Deserialize;

use super::{LessonMeasure, Measured, Seen};
use crate::scene::{Scalar, label_of, value_name};
use crate::session::Frame;
use crate::sim::Real;

/// Time by which a sum of steps may differ from what they add up to [s].
const SAME_TIME: Real = 1e-6;

const fn once() -> Real {
    1.0
}

/// A condition on measured quantities, lanes being counted from 0.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// A quantity of a lane is larger than a value, in SI units.
    Above {
        /// The quantity.
        of: LessonMeasure,
        /// The lane.
        #[serde(default)]
        lane: usize,
        /// The value.
        value: Real,
    },
    /// It is smaller.
    Below {
        /// The quantity.
        of: LessonMeasure,
        /// The lane.
        #[serde(default)]
        lane: usize,
        /// The value.
        value: Real,
    },
    /// A quantity of a lane is larger than so many times that of another one.
    More {
        /// The quantity.
        of: LessonMeasure,
        /// The lane.
        #[serde(default)]
        lane: usize,
        /// The other lane.
        than: usize,
        /// The factor.
        #[serde(default = "once")]
        times: Real,
    },
    /// The last step of a lane failed.
    BlownUp {
        /// The lane.
        #[serde(default)]
        lane: usize,
    },
    /// The first lane has this solver.
    Solver {
        /// Its id.
        id: String,
    },
    /// A number among the parameters of the first lane is at least, or at most, a value.
    Parameter {
        /// Its key.
        key: String,
        /// Its least value, if any.
        least: Option<Real>,
        /// Its largest value, if any.
        most: Option<Real>,
    },
    /// A switch or choice among the parameters of the first lane has a value.
    Setting {
        /// Its key.
        key: String,
        /// Its value.
        value: Scalar,
    },
    /// All of them.
    All(Vec<Condition>),
    /// One of them.
    Any(Vec<Condition>),
    /// It is not met.
    Not(Box<Condition>),
}

/// A part of a condition with the present value.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Label of the quantity.
    pub label: String,
    /// Its value with its unit.
    pub value: String,
    /// The wanted value, such as `> 2 s`.
    pub wanted: String,
    /// Whether it is reached.
    pub is_met: bool,
}

/// Letter of a lane.
fn letter(lane: usize) -> char {
    char::from(b'A' + lane as u8)
}

/// The value of a parameter or setting of the solver, by its key.
fn value_of(key: &str, frame: &Frame) -> Option<Scalar> {
    let mut parameters = frame.parameters;
    if let Some((group, index)) = parameters.find_mut(key) {
        return Some(Scalar::of(&group.params()[index], group.get(index)));
    }
    let solver = crate::sim::solvers::build(frame.solver.id)?;
    let index = solver.settings().index_of(key)?;
    Some(Scalar::of(&solver.settings().params()[index], *frame.settings.get(index)?))
}

fn number(scalar: &Scalar) -> Option<Real> {
    match scalar {
        Scalar::Integer(n) => Some(Real::from(*n)),
        Scalar::Real(x) => Some(*x),
        Scalar::Toggle(_) | Scalar::Text(_) => None,
    }
}

impl Condition {
    /// Whether it is met; a quantity that is not known meets nothing.
    #[must_use]
    pub fn is_met(&self, measured: &Measured, seen: &Seen) -> bool {
        let value = |of: &LessonMeasure, lane: &usize| measured.value(*of, *lane, seen);
        match self {
            // times are sums of steps
            Self::Above { of, lane, value: limit } if of.is_time() => {
                value(of, lane).is_some_and(|value| value > *limit - SAME_TIME)
            }
            Self::Above { of, lane, value: limit } => value(of, lane).is_some_and(|value| value > *limit),
            Self::Below { of, lane, value: limit } => value(of, lane).is_some_and(|value| value < *limit),
            Self::More { of, lane, than, times } => {
                value(of, lane).zip(value(of, than)).is_some_and(|(value, other)| value > times * other)
            }
            Self::BlownUp { lane } => seen.frames.get(*lane).is_some_and(|frame| frame.failure.is_some()),
            Self::Solver { id } => seen.frames.first().is_some_and(|frame| frame.solver.id == id),
            Self::Parameter { key, least, most } => {
                let value = seen.frames.first().and_then(|frame| number(&value_of(key, frame)?));
                let is_in = |value: Real| least.is_none_or(|x| value >= x) && most.is_none_or(|x| value <= x);
                value.is_some_and(is_in)
            }
            Self::Setting { key, value } => {
                let is = seen.frames.first().and_then(|frame| value_of(key, frame));
                is.is_some_and(|is| is == *value)
            }
            Self::All(parts) => parts.iter().all(|part| part.is_met(measured, seen)),
            Self::Any(parts) => parts.iter().any(|part| part.is_met(measured, seen)),
            Self::Not(part) => !part.is_met(measured, seen),
        }
    }

    /// Simulated time until it can be met, as far as that is a matter of time [s]; none otherwise.
    #[must_use]
    pub fn time_left(&self, measured: &Measured, seen: &Seen) -> Option<Real> {
        let left = |part: &Self| part.time_left(measured, seen);
        match self {
            Self::Above { of, lane, value } if of.is_time() => {
                Some((value - measured.value(*of, *lane, seen)?).max(0.0))
            }
            Self::All(parts) => parts.iter().filter_map(left).reduce(Real::max),
            Self::Any(parts) => parts.iter().filter_map(left).reduce(Real::min),
            _ => None,
        }
    }

    /// Its parts with their present values.
    #[must_use]
    pub fn readings(&self, measured: &Measured, seen: &Seen) -> Vec<Reading> {
        let of_lane = |label: String, lane: usize| {
            if seen.frames.len() > 1 { format!("{}: {label}", letter(lane)) } else { label }
        };
        let text =
            |of: LessonMeasure, lane| measured.value(of, lane, seen).map_or("unknown".to_owned(), |x| of.text(x));
        let row = |label, value, wanted| Reading { label, value, wanted, is_met: self.is_met(measured, seen) };
        let parameter = |key: &str| seen.frames.first().and_then(|frame| value_of(key, frame));
        let row = match self {
            Self::Above { of, lane, value } => {
                row(of_lane(of.label().to_owned(), *lane), text(*of, *lane), format!("> {}", of.text(*value)))
            }
            Self::Below { of, lane, value } => {
                row(of_lane(of.label().to_owned(), *lane), text(*of, *lane), format!("< {}", of.text(*value)))
            }
            Self::More { of, lane, than, times } => {
                let limit = measured.value(*of, *than, seen).map_or(String::new(), |x| of.text(times * x));
                row(of_lane(of.label().to_owned(), *lane), text(*of, *lane), format!("> {limit}"))
            }
            Self::BlownUp { lane } => {
                let state = if self.is_met(measured, seen) { "unstable" } else { "stable so far" };
                row(of_lane("The cloth".to_owned(), *lane), state.to_owned(), "unstable".to_owned())
            }
            Self::Solver { id } => {
                let name = seen.frames.first().map_or(String::new(), |frame| frame.solver.name.to_owned());
                row("Solver".to_owned(), name, value_name("solver", id))
            }
            Self::Parameter { key, least, most } => {
                let limit = least.map(|x| format!("≥ {}", with_unit(key, x)));
                let limit = limit.or_else(|| most.map(|x| format!("≤ {}", with_unit(key, x))));
                let value = parameter(key).and_then(|value| number(&value)).map(|x| with_unit(key, x));
                row(label_of(key), value.unwrap_or_default(), limit.unwrap_or_default())
            }
            Self::Setting { key, value } => {
                let words = |value: &Scalar| match value {
                    Scalar::Toggle(on) => if *on { "on" } else { "off" }.to_owned(),
                    other => other.to_string().replace('_', " "),
                };
                row(label_of(key), parameter(key).as_ref().map(words).unwrap_or_default(), words(value))
            }
            Self::All(parts) => return parts.iter().flat_map(|part| part.readings(measured, seen)).collect(),
            Self::Any(parts) => {
                // that it may fail is left to the prediction
                let told = parts.iter().filter(|part| !matches!(part, Self::BlownUp { .. }));
                return told.flat_map(|part| part.readings(measured, seen)).collect();
            }
            Self::Not(part) if matches!(**part, Self::BlownUp { .. }) => {
                let mut parts = part.readings(measured, seen);
                parts.iter_mut().for_each(|part| (part.wanted, part.is_met) = ("stable".to_owned(), !part.is_met));
                return parts;
            }
            Self::Not(part) => {
                let mut parts = part.readings(measured, seen);
                for part in &mut parts {
                    (part.wanted, part.is_met) = (format!("not {}", part.wanted), !part.is_met);
                }
                return parts;
            }
        };
        vec![row]
    }

    /// A fault of it where there are so many lanes, if any: a lane, solver or parameter that does
    /// not exist.
    pub(super) fn fault(&self, lanes: usize) -> Option<String> {
        let no_lane = |lane: &usize| {
            (*lane >= lanes).then(|| format!("lane {lane} does not exist; there are {lanes}, counted from 0"))
        };
        let no_key = |key: &String| {
            let known = crate::scene::param_of(key).is_some();
            (!known).then(|| format!("there is no parameter \"{key}\"; weft scenes --scene NAME lists them"))
        };
        match self {
            Self::Above { lane, .. } | Self::Below { lane, .. } | Self::BlownUp { lane } => no_lane(lane),
            Self::More { lane, than, .. } => no_lane(lane).or_else(|| no_lane(than)),
            Self::Solver { id } => {
                let known = crate::sim::solvers::REGISTRY.iter().map(|entry| entry.info.id);
                let is_known = known.clone().any(|known| known == id);
                let mend = || crate::scene::InputError::suggestion(id, known);
                (!is_known).then(|| format!("there is no solver \"{id}\"; {}", mend()))
            }
            Self::Parameter { key, .. } | Self::Setting { key, .. } => no_key(key),
            Self::All(parts) | Self::Any(parts) if parts.is_empty() => Some("a list of conditions is empty".to_owned()),
            Self::All(parts) | Self::Any(parts) => parts.iter().find_map(|part| part.fault(lanes)),
            Self::Not(part) => part.fault(lanes),
        }
    }
}

/// A value of a parameter with its unit.
fn with_unit(key: &str, value: Real) -> String {
    let unit = crate::scene::param_of(key).map_or("", |param| param.unit);
    crate::sim::params::units::quantity(value, unit)
}
