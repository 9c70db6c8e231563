//! Parameters as people read them, for captions and lists of differences.

use super::{Kind, Param, Setting};
use crate::sim::Real;
use crate::sim::params::quote::number;

impl Param {
    /// Label and value with unit, like `Structural 65 N/m`, to four digits.
    #[must_use]
    pub fn caption(&self, value: Setting) -> String {
        let text = match (self.kind, value) {
            (Kind::Angle { .. }, Setting::Real(x)) => format!("{}°", number(rounded(x.to_degrees()))),
            (_, Setting::Real(x)) => self.with_unit(&number(rounded(x))),
            (_, Setting::Integer(n)) => self.with_unit(&n.to_string()),
            (_, Setting::Toggle(on)) => if on { "on" } else { "off" }.to_owned(),
            (_, Setting::Choice(_)) => self.show(value).replace('_', " "),
        };
        format!("{} {text}", self.label)
    }

    fn with_unit(&self, number: &str) -> String {
        if self.unit.is_empty() { number.to_owned() } else { format!("{number} {}", self.unit) }
    }
}

/// `x` to four digits.
fn rounded(x: Real) -> Real {
    format!("{x:.3e}").parse().unwrap_or(x)
}
