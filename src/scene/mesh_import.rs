//! Triangle meshes from OBJ files, read by tobj: polygons become triangles, vertices that coincide (split along UV
//! seams, or doubled between objects) become one, vertices that no face uses are dropped, loose pieces stay.

use std::collections::{HashMap, HashSet};

use super::pinning::bounds;
use super::{InputError, files};
use crate::sim::quote::{quote, quote_within};
use crate::sim::{Real, Vec3};

/// A mesh that can become a cloth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportedMesh {
    /// Vertex positions, in the unit of the file.
    pub positions: Vec<Vec3>,
    /// Triangles of three different vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// Number of vertices that were joined to another at the same place.
    pub welded: usize,
    /// Number of faces that were left out: fewer than three different corners, or there already.
    pub dropped: usize,
}

/// Reads the text of an OBJ file. Vertices closer than `tolerance` times the diagonal of the mesh are joined.
///
/// # Errors
/// [`InputError`] with `file` and line when the text is broken or holds no face.
pub fn import_obj(text: &str, file: &str, tolerance: Real) -> Result<ImportedMesh, InputError> {
    let text = only_geometry(text, file)?;
    let options = tobj::LoadOptions { triangulate: true, single_index: false, ignore_points: true, ignore_lines: true };
    let no_materials = |_: &std::path::Path| tobj::MTLLoadResult::Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut text.as_bytes(), &options, no_materials).map_err(|error| {
        InputError::new(file, format!("cannot be read as OBJ: {}", quote_within(&error.to_string())))
    })?;
    let mut corners: Vec<Vec3> = Vec::new();
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for model in &models {
        let first = corners.len() as u32;
        corners.extend(model.mesh.positions.chunks_exact(3).map(Vec3::from_slice));
        faces
            .extend(model.mesh.indices.chunks_exact(3).map(|face| [first + face[0], first + face[1], first + face[2]]));
    }
    let mesh = weld(&corners, &faces, tolerance);
    if mesh.triangles.is_empty() {
        return Err(InputError::new(
            file,
            "holds no face to make a surface of; export the mesh with its faces (f lines)",
        ));
    }
    Ok(mesh)
}

/// Joins vertices at the same place, and leaves out what no face uses.
fn weld(corners: &[Vec3], faces: &[[u32; 3]], tolerance: Real) -> ImportedMesh {
    let (low, high) = bounds(corners);
    let reach = (tolerance * low.distance(high)).max(Real::MIN_POSITIVE);
    let cell_of = |x: Vec3| ((x - low) / reach).floor().to_array().map(|c| c as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut mesh = ImportedMesh::default();
    let mut joined: HashMap<u32, u32> = HashMap::new();
    let mut seen: HashSet<[u32; 3]> = HashSet::new();
    for face in faces {
        let triangle = face.map(|corner| {
            *joined.entry(corner).or_insert_with(|| {
                let x = corners[corner as usize];
                let [a, b, c] = cell_of(x);
                let around = (-1..=1).flat_map(|i| (-1..=1).flat_map(move |j| (-1..=1).map(move |k| [i, j, k])));
                let twin = around
                    .filter_map(|[i, j, k]| cells.get(&[a + i, b + j, c + k]))
                    .flatten()
                    .copied()
                    .find(|&vertex| mesh.positions[vertex as usize].distance(x) <= reach);
                if twin.is_some() {
                    mesh.welded += 1;
                }
                twin.unwrap_or_else(|| {
                    let vertex = mesh.positions.len() as u32;
                    mesh.positions.push(x);
                    cells.entry([a, b, c]).or_default().push(vertex);
                    vertex
                })
            })
        });
        let mut sorted = triangle;
        sorted.sort_unstable();
        if sorted[0] == sorted[1] || sorted[1] == sorted[2] || !seen.insert(sorted) {
            mesh.dropped += 1;
        } else {
            mesh.triangles.push(triangle);
        }
    }
    drop_unused(mesh)
}

/// Renumbers the vertices that triangles use, in their order, and drops the others.
fn drop_unused(mesh: ImportedMesh) -> ImportedMesh {
    let mut number = vec![None; mesh.positions.len()];
    let mut positions = Vec::new();
    let triangles = mesh
        .triangles
        .iter()
        .map(|triangle| {
            triangle.map(|vertex| {
                *number[vertex as usize].get_or_insert_with(|| {
                    positions.push(mesh.positions[vertex as usize]);
                    positions.len() as u32 - 1
                })
            })
        })
        .collect();
    ImportedMesh { positions, triangles, ..mesh }
}

/// The lines of `text` with their numbers, those that end in a backslash joined with the next.
fn logical_lines(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut lines = (1..).zip(text.lines());
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let mut line = first.to_owned();
        while let Some(open) = line.trim_end().strip_suffix('\\') {
            let next = lines.next().map_or("", |(_, next)| next);
            line = format!("{open} {next}");
        }
        Some((number, line))
    })
}

/// The vertices and then the faces of an OBJ file, with nothing but positions: texture coordinates, normals and groups do not
/// matter to a cloth. Finds what is wrong with a line, which tobj's errors do not name.
fn only_geometry(text: &str, file: &str) -> Result<String, InputError> {
    let is_vertex = |line: &str| line.split_whitespace().next() == Some("v");
    let total = logical_lines(text).filter(|(_, line)| is_vertex(line)).count() as i64;
    let (mut vertices, mut faces) = (String::new(), String::new());
    let mut so_far = 0;
    for (number, line) in logical_lines(text) {
        let fault = |message: String| InputError::new(format!("{file}, line {number}"), message);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                so_far += 1;
                let coordinates: Vec<&str> = words.take(3).collect();
                let finite = |word: &&str| word.parse::<Real>().is_ok_and(Real::is_finite);
                if coordinates.len() < 3 || !coordinates.iter().all(finite) {
                    return Err(fault(format!("a vertex needs three finite numbers, not \"{}\"", quote(line.trim()))));
                }
                vertices.extend(["v ", &coordinates.join(" "), "\n"]);
            }
            Some("f") => {
                let corners: Vec<&str> = words.collect();
                if corners.len() < 3 {
                    return Err(fault(format!("a face needs at least three corners, not \"{}\"", quote(line.trim()))));
                }
                faces.push('f');
                for corner in corners {
                    let index: Option<i64> = corner.split('/').next().and_then(|index| index.parse().ok());
                    let vertex = match index {
                        Some(index) if index < 0 => so_far + index + 1,
                        Some(index) => index,
                        None => return Err(fault(format!("\"{}\" is no corner of a face", quote(corner)))),
                    };
                    if !(1..=total).contains(&vertex) {
                        let corner = quote(corner);
                        return Err(fault(format!("the face uses vertex {corner}, but there are {total} vertices")));
                    }
                    faces.extend([" ", &vertex.to_string()]);
                }
                faces.push('\n');
            }
            _ => {}
        }
    }
    Ok(vertices + &faces)
}

/// Reads a mesh, with the vertices joined that are closer than `weld` times its diagonal.
pub(super) fn read_mesh(file: &str, weld: Real) -> Result<ImportedMesh, InputError> {
    let text = match std::fs::read(file) {
        // positions and faces are ASCII; names and comments in other encodings do not matter
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        Err(error) => {
            files::embedded(file).ok_or_else(|| InputError::new(file, format!("the mesh cannot be read: {error}")))?
        }
    };
    import_obj(&text, file, weld)
}
