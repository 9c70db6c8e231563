//! The size of a mesh that is probably in another unit than metres.

use crate::sim::params::quote::{number, quote};
use crate::sim::params::units::significant;
use crate::sim::{Real, Vec3};

/// Sizes of a garment [m].
const GARMENTS: std::ops::Range<Real> = 0.05..10.0;
/// Size that a garment in the right unit has at least [m].
const USUAL: Real = 0.3;
/// Units of files, the larger ones first, with what they are in metres.
const UNITS: [(&str, Real); 3] = [("inches", 0.0254), ("centimetres", 0.01), ("millimetres", 0.001)];

/// The unit in which a mesh of this size [m] would be a garment, with the factor to metres. One that
/// is too small was scaled down before.
fn unit(size: Real) -> (&'static str, Real) {
    if size < GARMENTS.start {
        let factor = [10.0, 100.0, 1000.0].into_iter().find(|factor| size * factor >= USUAL);
        return ("a larger unit", factor.unwrap_or(1000.0));
    }
    // a hundred metres are a metre in centimetres, rather than two and a half in inches
    let fits = |(_, factor): &&(&str, Real)| (USUAL..3.0).contains(&(size * factor));
    let [inches, centimetres, millimetres] = &UNITS;
    let found = [centimetres, millimetres, inches].into_iter().find(fits);
    *found.unwrap_or(if size < 100.0 { inches } else { millimetres })
}

/// The unit that a mesh with vertices at `positions` [m] was probably made in, if it is too large or
/// too small for a garment: its size [m], the unit and the factor to metres.
#[must_use]
pub fn other_unit(positions: &[Vec3]) -> Option<(Real, &'static str, Real)> {
    let (low, high) = crate::scene::bounds(positions);
    let size = (high - low).max_element();
    let (unit, factor) = unit(size);
    (!GARMENTS.contains(&size) && size > 0.0 && size.is_finite()).then_some((size, unit, factor))
}

/// A sentence about the unit of the mesh in `file`, which was scaled by `scale` to `positions` [m];
/// `key` is the name of the factor.
pub(in crate::scene) fn note_of_size(file: &str, positions: &[Vec3], (key, scale): (&str, Real)) -> Option<String> {
    let (size, unit, factor) = other_unit(positions)?;
    let factor = number(((scale * factor) * 1e9).round() / 1e9);
    let size = significant(size);
    Some(format!("{}: the mesh is {size} m across; if its file is in {unit}, take {key}={factor}", quote(file)))
}
