//! Numbers as people type them: "2 mm", "1e4", "150 g/m²", "5 kN/m", and parameters as people read
//! them, for controls, captions and lists of differences.

use std::f64::consts::PI;

use super::{Kind, Param, Setting};
use crate::sim::Real;

/// The digits of an exponent.
const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Reads a number, with or without a unit, as a multiple of `unit`: SI prefixes may precede each
/// part, an angle in rad may be given in degrees, a pure number in %, a speed in km/h. `None` for
/// text that is no number, or has another unit.
#[must_use]
pub fn read(text: &str, unit: &str) -> Option<Real> {
    let text = plain(text.trim());
    // the longest beginning that is a number: "1e4" is one, of "2e" only "2"
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    let (number, rest) =
        ends.filter_map(|end| Some((text[..end].trim_end().parse::<Real>().ok()?, &text[end..]))).next()?;
    let rest = rest.trim();
    let factor = if rest.is_empty() { 1.0 } else { factor(&spell(rest), &spell(unit))? };
    Some(number * factor)
}

/// The prefixed unit in which `x`, a multiple of `unit`, is read most easily, and how much of
/// `unit` one of it is: 2e-5 N·m are 20 µN·m, 0.0167 s are 16.7 ms. The unit itself where the
/// number is short.
#[must_use]
pub fn prefixed(x: Real, unit: &str) -> (Real, String) {
    let same = (1.0, unit.to_owned());
    let first = unit.split(['·', '/']).next().unwrap_or_default();
    // a prefix before a power means another factor, and grams have theirs already
    let has_prefixes = ["s", "m", "N", "J", "Pa", "W"].contains(&first);
    let size = x.abs();
    // parts of a second are told in milliseconds
    let is_short = if first == "s" { (1.0..1e3).contains(&size) } else { (1e-3..1e5).contains(&size) };
    if !has_prefixes || is_short || size == 0.0 || !size.is_finite() {
        return same;
    }
    let known = ["G", "M", "k", "m", "µ", "n"].map(|text| (prefix(text).unwrap_or(1.0), text));
    let fits = |(factor, _): &(Real, &str)| (0.9995..999.5).contains(&(size / factor));
    let best = known.into_iter().filter(|(factor, _)| first != "s" || *factor < 1.0).find(fits);
    best.map_or(same, |(factor, text)| (factor, format!("{text}{unit}")))
}

/// A number with its unit, in three significant digits and with a prefix where that is shorter.
#[must_use]
pub fn quantity(x: Real, unit: &str) -> String {
    let (factor, unit) = prefixed(x, unit);
    format!("{} {unit}", significant(x / factor)).trim_end().to_owned()
}

/// A number with the unit of a measured quantity: a share with `%` in per cent.
#[must_use]
pub fn with_unit(x: Real, unit: &str) -> String {
    match unit {
        "" => significant(x),
        "%" => format!("{} %", significant(100.0 * x)),
        "ms" => quantity(1e-3 * x, "s"),
        unit => quantity(x, unit),
    }
}

/// A number with three significant digits, without a tail of zeros.
#[must_use]
pub fn significant(x: Real) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let magnitude = x.abs().log10().floor() as i32;
    let trimmed = |text: &str| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
    };
    if !(-3..=5).contains(&magnitude) {
        return scientific(x, 2);
    }
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0);
    trimmed(&format!("{x:.decimals$}"))
}

/// A power of ten as people write it: `10⁻³`.
#[must_use]
pub fn power_of_ten(exponent: i32) -> String {
    let digits = exponent.unsigned_abs().to_string();
    let raised = digits.bytes().map(|digit| DIGITS[usize::from(digit - b'0')]);
    let sign = if exponent < 0 { "⁻" } else { "" };
    format!("10{sign}{}", raised.collect::<String>())
}

/// `x` with a power of ten and so many decimals, without a tail of zeros: `1.25·10⁻⁷`.
#[must_use]
pub fn scientific(x: Real, decimals: usize) -> String {
    let text = format!("{x:.decimals$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let is_fraction = mantissa.contains('.');
    let mantissa = if is_fraction { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    let power = exponent.parse().map_or_else(|_| exponent.to_owned(), power_of_ten);
    match mantissa {
        "1" => power,
        "-1" => format!("-{power}"),
        _ => format!("{mantissa}·{power}"),
    }
}

/// `text` with the power of ten of [`scientific`] spelt as programs do: `1.25e-7`.
fn plain(text: &str) -> String {
    let text = text.replace('−', "-");
    let is_raised = |c: char| c == '⁻' || DIGITS.contains(&c);
    let Some(at) = text.find("10").filter(|at| text[at + 2..].starts_with(is_raised)) else { return text };
    let (mantissa, rest) = (text[..at].trim_end_matches(['·', '×', ' ']), &text[at + 2..]);
    let end = rest.find(|c| !is_raised(c)).unwrap_or(rest.len());
    let digit = |c: char| match DIGITS.iter().position(|digit| *digit == c) {
        Some(digit) => digit.to_string(),
        None => "-".to_owned(),
    };
    let exponent: String = rest[..end].chars().map(digit).collect();
    let mantissa = if matches!(mantissa, "" | "-") { format!("{mantissa}1") } else { mantissa.to_owned() };
    format!("{mantissa}e{exponent}{}", &rest[end..])
}

/// One spelling for all: `·` between factors, raised digits.
fn spell(unit: &str) -> String {
    unit.replace('*', "·").replace("^2", "²").replace("^3", "³").replace(['u', 'μ'], "µ").replace(' ', "")
}

/// How much of `unit` is in one of `typed`.
fn factor(typed: &str, unit: &str) -> Option<Real> {
    if typed == unit {
        return Some(1.0);
    }
    match (typed, unit) {
        ("°" | "deg", "rad") => return Some(PI / 180.0),
        ("%", "" | "m/m") => return Some(0.01),
        ("km/h", "m/s") => return Some(1.0 / 3.6),
        _ => {}
    }
    let (above, below) = (part(typed, unit, 0)?, part(typed, unit, 1));
    match (below, typed.contains('/') == unit.contains('/')) {
        (Some(below), true) => Some(above / below),
        (None, true) if !unit.contains('/') => Some(above),
        _ => None,
    }
}

/// The factor of the part above, or below, the stroke.
fn part(typed: &str, unit: &str, which: usize) -> Option<Real> {
    let [typed, unit] = [typed, unit].map(|text| text.split('/').nth(which));
    let [typed, unit] = [typed?, unit?].map(|text| text.split('·').collect::<Vec<_>>());
    if typed.len() != unit.len() {
        return None;
    }
    typed.iter().zip(unit).try_fold(1.0, |product, (typed, unit)| Some(product * symbol(typed, unit)?))
}

/// The factor of one symbol, like `cm²` for `m²`.
fn symbol(typed: &str, unit: &str) -> Option<Real> {
    let power = |text: &str| {
        if text.ends_with('²') {
            2
        } else if text.ends_with('³') {
            3
        } else {
            1
        }
    };
    let bare = |text: &str| text.trim_end_matches(['²', '³']).to_owned();
    if power(typed) != power(unit) {
        return None;
    }
    let (typed_symbol, unit_symbol) = (bare(typed), bare(unit));
    let prefixed = |base: &str| prefix(typed_symbol.strip_suffix(base)?);
    let factor = if typed_symbol == unit_symbol {
        1.0
    } else if unit_symbol == "kg" {
        1e-3 * prefixed("g")?
    } else {
        prefixed(&unit_symbol)?
    };
    Some(factor.powi(power(typed)))
}

fn prefix(text: &str) -> Option<Real> {
    Some(match text {
        "" => 1.0,
        "n" => 1e-9,
        "µ" => 1e-6,
        "m" => 1e-3,
        "c" => 1e-2,
        "d" => 1e-1,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return None,
    })
}

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

    /// Label and value with unit, like `Stretch 65 N/m`.
    #[must_use]
    pub fn caption(&self, value: Setting) -> String {
        format!("{} {}", self.label, self.value_text(value))
    }
}
