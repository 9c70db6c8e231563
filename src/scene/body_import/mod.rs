//! Bodies of tetrahedra from files: Medit `.mesh`, and Gmsh `.msh` of versions 2 and 4, as text.
//!
//! Own readers: the formats are short, faults of a file are reported with their line, and the one
//! crate for Gmsh files reads version 4.1 alone, without the place of a fault. Data of surfaces
//! alone (triangles, edges, tags) are skipped, and of elements with nodes on their edges the
//! corners are used. Hexahedra, prisms and pyramids are divided into tetrahedra.

mod elements;
mod gmsh;
mod lines;
mod medit;

use std::collections::{BTreeMap, HashMap};

use super::InputError;
use super::mesh_import::{drop_unused, note};
use crate::sim::pattern::{Tetrahedron, signed_volume, surface};
use crate::sim::{Real, Vec3};

/// Vertices and tetrahedra that can become a body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportedBody {
    /// Vertex positions, in the unit of the file and in its order; each is one of a tetrahedron.
    pub positions: Vec<Vec3>,
    /// Tetrahedra of positive volume.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Number of elements that were numbered the other way round, with a negative volume.
    pub turned: usize,
    /// Number of hexahedra, prisms and pyramids that were divided into tetrahedra.
    pub divided: usize,
    /// Number of vertices that were left out, since no tetrahedron uses them.
    pub unused: usize,
}

/// Content of a file, with the lines of the tetrahedra.
#[derive(Debug, Default)]
struct Read {
    positions: Vec<Vec3>,
    /// The number that the file has for each vertex.
    numbers: Vec<u64>,
    tetrahedra: Vec<[u32; 4]>,
    lines: Vec<usize>,
    /// Number of elements of other kinds that were divided, and of those among them that were
    /// numbered the other way round.
    divided: usize,
    turned: usize,
}

/// Reads the text of a file that ends in `.mesh` or `.msh`, by that ending. Tetrahedra that are
/// numbered the other way round are turned.
///
/// # Errors
/// [`InputError`] with `file` and line when the text is broken or ends early, when a tetrahedron
/// has no volume or is there twice, or when the surface is not one: where more than two of its
/// triangles, or two of its parts, meet at an edge or vertex.
pub fn import_body(text: &str, file: &str) -> Result<ImportedBody, InputError> {
    let read =
        if file.to_ascii_lowercase().ends_with(".msh") { gmsh::read(text, file) } else { medit::read(text, file) }?;
    read.check(file)
}

impl ImportedBody {
    /// A message for the user about the reading of `file`, if there is one.
    #[must_use]
    pub fn note(&self, file: &str) -> Option<String> {
        let parts = [
            (self.divided, "element divided into tetrahedra", "elements divided into tetrahedra"),
            (self.turned, "element turned over", "elements turned over"),
            (self.unused, "vertex left out that no element uses", "vertices left out that no element uses"),
        ];
        note(file, &parts, self.unused > 0)
    }
}

impl Read {
    fn check(mut self, file: &str) -> Result<ImportedBody, InputError> {
        if self.tetrahedra.is_empty() {
            let message =
                "holds no tetrahedra; save it with its volume, or fill a surface with body: Filled(file: \"….obj\")";
            return Err(InputError::new(file, message));
        }
        let mut turned = self.turned;
        let mut seen: HashMap<[u32; 4], usize> = HashMap::new();
        for (corners, &line) in self.tetrahedra.iter_mut().zip(&self.lines) {
            let fault = |message: String| Err(InputError::new(format!("{file}, line {line}"), message));
            let place = |vertex: u32| self.positions[vertex as usize];
            if signed_volume(corners.map(place)) < 0.0 {
                corners.swap(2, 3);
                turned += 1;
            }
            let names = corners.map(|vertex| self.numbers[vertex as usize]);
            let [a, b, c, d] = names;
            let mut sorted = *corners;
            sorted.sort_unstable();
            let twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
            if twice || Tetrahedron::of_rest(corners.map(place)).is_none() {
                return fault(format!("the tetrahedron {a} {b} {c} {d} has no volume; take it out or move a vertex"));
            }
            if let Some(before) = seen.insert(sorted, line) {
                return fault(format!(
                    "the tetrahedron {a} {b} {c} {d} is in line {before} already; take one of them out"
                ));
            }
        }
        self.check_surface(file)?;
        let Self { mut positions, mut tetrahedra, divided, .. } = self;
        let unused = drop_unused(&mut positions, tetrahedra.as_flattened_mut());
        Ok(ImportedBody { positions, tetrahedra, turned, divided, unused })
    }

    /// Whether the surface has two sides everywhere.
    fn check_surface(&self, file: &str) -> Result<(), InputError> {
        let mut faces: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        for (corners, &line) in self.tetrahedra.iter().zip(&self.lines) {
            for left_out in 0..4 {
                let mut face = [corners[(left_out + 1) % 4], corners[(left_out + 2) % 4], corners[(left_out + 3) % 4]];
                face.sort_unstable();
                let of_face = faces.entry(face).or_default();
                of_face.push(line);
                if let [first, second, third, ..] = of_face[..] {
                    let [a, b, c] = face.map(|vertex| self.numbers[vertex as usize]);
                    let message = format!(
                        "the face {a} {b} {c} is one of three tetrahedra, with those of lines {first} and {second}; two can share a face"
                    );
                    return Err(InputError::new(format!("{file}, line {third}"), message));
                }
            }
        }
        let Some(&crossing) = crossings(&surface(&self.tetrahedra)).first() else { return Ok(()) };
        let at = |vertices: &[u32]| {
            let mut with = self.tetrahedra.iter().zip(&self.lines);
            with.find(|(corners, _)| vertices.iter().all(|vertex| corners.contains(vertex)))
                .map_or(1, |(_, line)| *line)
        };
        let name = |vertex: u32| self.numbers[vertex as usize];
        let (line, message) = match crossing {
            Crossing::Edge([i, j]) => (
                at(&[i, j]),
                format!(
                    "more than two triangles of the surface meet at the edge {} {}; fill it up or cut it free",
                    name(i),
                    name(j)
                ),
            ),
            Crossing::Vertex(i) => (
                at(&[i]),
                format!("parts of the surface touch at the vertex {} alone; give each a vertex of its own", name(i)),
            ),
        };
        Err(InputError::new(format!("{file}, line {line}"), message))
    }
}

/// Where a closed surface is no surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crossing {
    /// More than two triangles at an edge.
    Edge([u32; 2]),
    /// More than one fan of triangles at a vertex.
    Vertex(u32),
}

/// The edges and vertices, by rising numbers, edges first, at which these triangles, every side of
/// which is passed both ways, are no surface.
pub(super) fn crossings(triangles: &[[u32; 3]]) -> Vec<Crossing> {
    let mut edges: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let mut rings: BTreeMap<u32, HashMap<u32, u32>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [i, j, k] in [[a, b, c], [b, c, a], [c, a, b]] {
            *edges.entry([i.min(j), i.max(j)]).or_default() += 1;
            rings.entry(i).or_default().insert(j, k);
        }
    }
    let mut found: Vec<Crossing> =
        edges.iter().filter(|(_, count)| **count > 2).map(|(edge, _)| Crossing::Edge(*edge)).collect();
    for (vertex, ring) in rings {
        let Some(start) = ring.keys().min().copied() else { continue };
        let (mut here, mut length) = (start, 0);
        while let Some(next) = ring.get(&here).filter(|_| length < ring.len()) {
            (here, length) = (*next, length + 1);
            if here == start {
                break;
            }
        }
        let at_edge = |crossing: &Crossing| matches!(crossing, Crossing::Edge(edge) if edge.contains(&vertex));
        if length < ring.len() && !found.iter().any(at_edge) {
            found.push(Crossing::Vertex(vertex));
        }
    }
    found
}

/// Farthest coordinate of a vertex that is read, in the unit of the file.
const FARTHEST: Real = 1e12;

/// The vertex with these coordinates, if they are numbers that can be computed with.
fn vertex(coordinates: [Real; 3]) -> Option<Vec3> {
    let vertex = Vec3::from(coordinates);
    (vertex.abs().max_element() <= FARTHEST).then_some(vertex)
}
