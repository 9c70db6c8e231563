//! Parameters as people read them, for controls, captions and lists of differences.

use super::units::{quantity, significant};
use super::{Kind, Param, Setting};

impl Param {
    /// A value with its unit, in three significant digits.
    #[must_use]
    pub fn value_text(&self, value: Setting) -> String {
        match (self.kind, value) {
            (Kind::Angle { .. }, Setting::Real(x)) => format!("{}°", significant(x.to_degrees())),
            (_, Setting::Real(x)) => quantity(x, self.unit),
            (_, Setting::Integer(n)) => format!("{n} {}", self.unit).trim_end().to_owned(),
            (_, Setting::Toggle(on)) => if on { "on" } else { "off" }.to_owned(),
            (_, Setting::Choice(_)) => self.show(value).replace('_', " "),
        }
    }

    /// Label and value with unit, like `Structural 65 N/m`.
    #[must_use]
    pub fn caption(&self, value: Setting) -> String {
        format!("{} {}", self.label, self.value_text(value))
    }
}
