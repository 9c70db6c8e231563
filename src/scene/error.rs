//! Errors in the user's input: one sentence with place and remedy.

use std::fmt;

use crate::sim::params::quote::quote;

/// Something in a file or argument that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    place: String,
    message: String,
}

/// Most names that are offered for a part of one.
const MOST: usize = 8;
/// Most names that are listed when none is near.
const LISTED: usize = 80;

impl InputError {
    /// A fault (with a remedy, if there is one) at `place`: a file, a file and line, or an
    /// argument.
    #[must_use]
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: quote(&place.into()), message: message.into() }
    }

    /// The fault, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The name among `known` that `unknown` was probably meant to be, as the end of a sentence.
    #[must_use]
    pub fn suggestion<'a>(unknown: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
        let unknown = quote(unknown);
        // the typed word may be a part of the right one
        let typed = unknown.to_lowercase();
        let around: Vec<&str> = known.clone().filter(|name| typed.len() > 2 && name.contains(&typed)).collect();
        match around[..] {
            [] => {}
            [name] => return format!("did you mean \"{name}\"?"),
            [..] if around.len() <= MOST => return format!("did you mean one of {}?", around.join(", ")),
            _ => {}
        }
        let close = |name: &&str| strsim::jaro_winkler(&unknown, name);
        let nearest = known.clone().max_by(|a, b| close(a).total_cmp(&close(b)));
        match nearest {
            Some(name) if close(&name) > 0.75 => format!("did you mean \"{name}\"?"),
            _ => list(known.collect()),
        }
    }
}

/// All that are known, as the end of a sentence, or the first of them and the number of the others.
fn list(known: Vec<&str>) -> String {
    match known.len().checked_sub(LISTED) {
        None | Some(0) => format!("known are {}", known.join(", ")),
        Some(others) => format!("known are {} and {others} others", known[..LISTED].join(", ")),
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            write!(f, "{}", self.message)
        } else {
            write!(f, "{}: {}", self.place, self.message)
        }
    }
}

impl std::error::Error for InputError {}
