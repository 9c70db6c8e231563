//! `--shape`: a scanned drape from a file.

use super::Up;
use crate::scene::{InputError, import_obj, read_text};
use crate::sim::Vec3;
use crate::sim::study::fit::Scan;

/// Largest distance of vertices that are joined, over the diagonal of the mesh.
const TOLERANCE: f64 = 1e-9;

/// The scan in a file.
///
/// # Errors
/// [`InputError`] with the file when it is no scan of a drape.
pub(super) fn read(file: &str, up: Up) -> Result<Scan, InputError> {
    let text = read_text(file, "the scan")?;
    let mesh = import_obj(&text, file, TOLERANCE)?;
    let turned = |x: &Vec3| match up {
        Up::Y => *x,
        Up::Z => Vec3::new(x.x, x.z, -x.y),
    };
    let positions: Vec<Vec3> = mesh.positions.iter().map(turned).collect();
    Scan::new(&positions, &mesh.triangles).map_err(|fault| InputError::new(file, fault.to_string()))
}
