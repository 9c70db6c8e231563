//! A scanned drape from a file.

use super::{InputError, import_obj, read_text};
use crate::sim::Vec3;
use crate::sim::study::fit::Scan;

/// Largest distance of vertices that are joined, over the diagonal of the mesh.
const TOLERANCE: f64 = 1e-9;

/// The scan in an OBJ file, with y or z up.
///
/// # Errors
/// [`InputError`] with the file when it is no scan of a drape.
pub fn read_scan(file: &str, is_z_up: bool) -> Result<Scan, InputError> {
    let text = read_text(file, "the scan")?;
    let mesh = import_obj(&text, file, TOLERANCE)?;
    let turned = |x: &Vec3| if is_z_up { Vec3::new(x.x, x.z, -x.y) } else { *x };
    let positions: Vec<Vec3> = mesh.positions.iter().map(turned).collect();
    Scan::new(&positions, &mesh.triangles).map_err(|fault| InputError::new(file, fault.to_string()))
}
