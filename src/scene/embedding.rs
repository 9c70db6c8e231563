//! A piece that is a body, with the surface embedded in it if it has one.

use super::mesh_import::{note_of_size, read_mesh};
use super::pinning::bounds;
use super::{Body, ImportedMesh, InputError, MeshImport, Piece};
use crate::sim::params::quote::number;
use crate::sim::pattern::{EmbeddedSurface, Tetrahedron};
use crate::sim::{Pattern, Vec3};

/// Most pairs of a vertex of the surface and a tetrahedron, all of which are looked at.
const MOST_PAIRS: usize = 500_000_000;

impl Piece {
    /// The pattern of `body` in its place, with the surface that it carries. `place` is for
    /// messages; messages for the user about the files are added to `notes`.
    pub(super) fn cut_body(&self, body: &Body, place: &str, notes: &mut Vec<String>) -> Result<Pattern, InputError> {
        let (mut positions, tetrahedra) = body.make(self.import.weld, place, notes)?;
        // before the body is placed: rigid motions leave barycentric coordinates as they are
        let embedded = self.embedded(body, (&positions, &tetrahedra), notes)?;
        self.place(&mut positions, place)?;
        let is_flat = |corners: &&[u32; 4]| Tetrahedron::of_rest(corners.map(|at| positions[at as usize])).is_none();
        if let Some(corners) = tetrahedra.iter().find(is_flat) {
            let message = format!("the tetrahedron {corners:?} of the body is too flat; make its sides more alike");
            return Err(InputError::new(place, message));
        }
        Ok(Pattern::body(positions, tetrahedra).with_embedded(embedded))
    }

    /// The surface carried by the tetrahedra of `body` between vertices [m], which are not placed
    /// yet.
    fn embedded(
        &self,
        body: &Body,
        (positions, tetrahedra): (&[Vec3], &[[u32; 4]]),
        notes: &mut Vec<String>,
    ) -> Result<EmbeddedSurface, InputError> {
        let Some(file) = self.surface.as_ref().map(|surface| &surface.file) else {
            return Ok(EmbeddedSurface::default());
        };
        let mesh = read_mesh(file, self.import.weld)?;
        notes.extend(mesh.note(file));
        let ImportedMesh { positions: mut points, triangles, .. } = mesh;
        let scale = self.import.mesh_scale;
        points.iter_mut().for_each(|x| *x *= scale);
        notes.extend(note_of_size(file, &points, (MeshImport::mesh_scale, scale)));
        if points.len().saturating_mul(tetrahedra.len()) > MOST_PAIRS {
            let message = format!(
                "the surface has {} vertices and the body {} tetrahedra; make the body coarser",
                number(points.len() as f64),
                number(tetrahedra.len() as f64)
            );
            return Err(InputError::new(file, message));
        }
        if !body.is_from_file() {
            let middle = |points: &[Vec3]| {
                let (low, high) = bounds(points);
                low.midpoint(high)
            };
            let shift = middle(positions) - middle(&points);
            points.iter_mut().for_each(|x| *x += shift);
        }
        Ok(EmbeddedSurface::bind(&points, triangles, positions, tetrahedra))
    }
}
