//! Triangle meshes from OBJ files: polygons become triangles, coincident vertices (split along UV
//! seams, or doubled between objects) are merged, faces that are there twice count once, faces that
//! hang together wind alike, unused vertices are dropped, loose pieces stay. Everything else keeps
//! the order of the file.

mod doubled;
mod obj;
mod polygon;
mod size;
mod winding;

use std::collections::{HashMap, HashSet};

use super::pinning::bounds;
use super::{InputError, text};
use crate::sim::pattern::FaceAttributes;
use crate::sim::{Real, Vec3};
use obj::{Corner, Obj};
pub(super) use size::note_of_size;
pub use size::other_unit;

/// Height over length below which a triangle has no area.
const FLAT: Real = 1e-12;

/// A mesh that can become a cloth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportedMesh {
    /// Vertex positions, in the unit of the file and in its order.
    pub positions: Vec<Vec3>,
    /// Triangles of three different vertices each, in the order of the faces that they are parts
    /// of.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates and groups of the triangles.
    pub attributes: FaceAttributes,
    /// Number of vertices that were joined to an earlier one at the same place.
    pub welded: usize,
    /// Number of vertices that were left out, since no face uses them.
    pub unused: usize,
    /// Number of triangles that were left out for want of three different corners.
    pub dropped: usize,
    /// Number of faces, and triangles of faces, that were left out since they are there already, in
    /// whatever order of their corners.
    pub doubled: usize,
    /// Number of triangles that were turned over, so that those that hang together wind alike.
    pub turned: usize,
    /// Number of parts with one side, like a Moebius strip: their triangles cannot wind alike.
    pub one_sided: usize,
    /// Number of triangles between three vertices in a line. They stay, since the cloth would be
    /// open there without them.
    pub flat: usize,
    /// Number of texture coordinates that are no numbers.
    pub unreadable: usize,
    /// Number of polygons whose outline crosses itself or has no area: their triangles may overlap.
    pub crossed: usize,
}

/// Reads the text of an OBJ file. Vertices closer than `tolerance` times the diagonal of the mesh
/// are joined.
///
/// # Errors
/// [`InputError`] with `file` and line when the text is broken or holds no face.
pub fn import_obj(text: &str, file: &str, tolerance: Real) -> Result<ImportedMesh, InputError> {
    let obj = obj::parse(text, file)?;
    let unreadable = obj.texture.iter().filter(|at| at.is_none()).count();
    let mut mesh = ImportedMesh { unreadable, ..ImportedMesh::default() };
    let joined = weld(&obj, tolerance, &mut mesh);
    divide(&obj, &joined, &mut mesh);
    mesh.drop_doubled(&doubled::other_diagonals(&mesh.positions, &mesh.triangles));
    let wound = winding::wind_alike(&mut mesh.triangles, &mut mesh.attributes.corners);
    (mesh.turned, mesh.one_sided) = (wound.turned, wound.one_sided);
    mesh.unused += drop_unused(&mut mesh.positions, mesh.triangles.as_flattened_mut());
    if mesh.triangles.is_empty() {
        return Err(InputError::new(
            file,
            "holds no face to make a surface of; export the mesh with its faces (f lines)",
        ));
    }
    Ok(mesh)
}

/// Takes the vertices that faces use over into `mesh`, those within the `tolerance` of each other as
/// one, and none with a tolerance of zero. Returns the vertex that each one of the file has become.
fn weld(obj: &Obj, tolerance: Real, mesh: &mut ImportedMesh) -> Vec<Option<u32>> {
    let mut is_used = vec![false; obj.positions.len()];
    obj.faces().flat_map(|(corners, _)| corners).for_each(|corner| is_used[corner.vertex as usize] = true);
    let used: Vec<Vec3> = obj.positions.iter().zip(&is_used).filter(|(_, used)| **used).map(|(x, _)| *x).collect();
    let (low, high) = bounds(&used);
    let reach = (tolerance * low.distance(high)).max(Real::MIN_POSITIVE);
    let is_wanted = tolerance > 0.0;
    let cell_of = |x: Vec3| ((x - low) / reach).floor().to_array().map(|c| c as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut join = |x: Vec3| {
        let add = |positions: &mut Vec<Vec3>| {
            positions.push(x);
            positions.len() as u32 - 1
        };
        if !is_wanted {
            return add(&mut mesh.positions);
        }
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
            let vertex = add(&mut mesh.positions);
            cells.entry([a, b, c]).or_default().push(vertex);
            vertex
        })
    };
    let joined: Vec<_> = obj.positions.iter().zip(is_used).map(|(&x, used)| used.then(|| join(x))).collect();
    mesh.unused = joined.iter().filter(|vertex| vertex.is_none()).count();
    joined
}

/// Divides the faces into triangles between the vertices that those of the file have become.
fn divide(obj: &Obj, joined: &[Option<u32>], mesh: &mut ImportedMesh) {
    let mut seen: HashSet<[u32; 3]> = HashSet::new();
    let mut outlines: HashSet<Vec<u32>> = HashSet::new();
    for ((corners, [group, material]), face) in obj.faces().zip(0..) {
        let corner = |corner: &Corner| Some((joined[corner.vertex as usize]?, corner.texture));
        let mut corners: Vec<(u32, Option<u32>)> = corners.iter().filter_map(corner).collect();
        corners.dedup_by_key(|(vertex, _)| *vertex);
        while corners.len() > 1 && corners.first().map(|corner| corner.0) == corners.last().map(|corner| corner.0) {
            corners.pop();
        }
        if corners.len() < 3 {
            mesh.dropped += 1;
            continue;
        }
        let outline: Vec<u32> = corners.iter().map(|(vertex, _)| *vertex).collect();
        if outline.len() > 3 && !outlines.insert(doubled::canonical(&outline)) {
            mesh.doubled += 1;
            continue;
        }
        let positions: Vec<Vec3> = outline.iter().map(|&vertex| mesh.positions[vertex as usize]).collect();
        let division = polygon::triangulate(&outline, &positions);
        mesh.crossed += usize::from(division.is_fan);
        for places in division.triangles {
            let triangle = places.map(|place| outline[place]);
            let mut sorted = triangle;
            sorted.sort_unstable();
            if sorted[0] == sorted[1] || sorted[1] == sorted[2] {
                mesh.dropped += 1;
            } else if !seen.insert(sorted) {
                mesh.doubled += 1;
            } else {
                mesh.flat += usize::from(is_flat(places.map(|place| positions[place])));
                mesh.triangles.push(triangle);
                let attributes = &mut mesh.attributes;
                attributes.corners.push(places.map(|place| corners[place].1.unwrap_or(FaceAttributes::NONE)));
                attributes.group.push(group);
                attributes.material.push(material);
                attributes.face.push(face);
            }
        }
    }
    name_attributes(obj, &mut mesh.attributes);
}

/// Whether these three points lie in a line, up to rounding.
fn is_flat([a, b, c]: [Vec3; 3]) -> bool {
    let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    (b - a).cross(c - a).length() <= FLAT * longest
}

/// Completes the attributes of triangles with the data that they name; empty ones are left out.
fn name_attributes(obj: &Obj, attributes: &mut FaceAttributes) {
    for at in attributes.corners.as_flattened_mut() {
        let is_known = obj.texture.get(*at as usize).is_some_and(Option::is_some);
        *at = if is_known { *at } else { FaceAttributes::NONE };
    }
    match attributes.corners.as_flattened().iter().all(|at| *at == FaceAttributes::NONE) {
        true => attributes.corners.clear(),
        false => attributes.texture = obj.texture.iter().map(|at| at.unwrap_or_default()).collect(),
    }
    match obj.groups.iter().all(String::is_empty) {
        true => attributes.group.clear(),
        false => attributes.groups.clone_from(&obj.groups),
    }
    match obj.materials.iter().all(String::is_empty) {
        true => attributes.material.clear(),
        false => attributes.materials.clone_from(&obj.materials),
    }
    if attributes.face.is_sorted_by(|a, b| a < b) {
        attributes.face.clear();
    }
}

/// Drops the vertices that none of these `corners` uses; the others keep their order. Returns how
/// many were dropped.
pub(super) fn drop_unused(positions: &mut Vec<Vec3>, corners: &mut [u32]) -> usize {
    let before = positions.len();
    let mut is_used = vec![false; before];
    corners.iter().for_each(|&vertex| is_used[vertex as usize] = true);
    let mut count = 0;
    let number: Vec<u32> = is_used
        .iter()
        .map(|used| {
            count += u32::from(*used);
            count.saturating_sub(1)
        })
        .collect();
    let mut used = is_used.iter();
    positions.retain(|_| used.next().copied().unwrap_or_default());
    corners.iter_mut().for_each(|vertex| *vertex = number[*vertex as usize]);
    before - positions.len()
}

impl ImportedMesh {
    /// Leaves the triangles out for which `is_doubled` has true.
    fn drop_doubled(&mut self, is_doubled: &[bool]) {
        let is_kept: Vec<bool> = is_doubled.iter().map(|doubled| !doubled).collect();
        let before = self.triangles.len();
        let mut kept = is_kept.iter();
        self.triangles.retain(|_| kept.next().copied().unwrap_or(true));
        self.attributes.retain(&is_kept);
        self.doubled += before - self.triangles.len();
    }

    /// A message for the user about the reading of `file`, if there is one.
    #[must_use]
    pub fn note(&self, file: &str) -> Option<String> {
        let parts = [
            (self.welded, "vertex joined to another at the same place", "vertices joined to others at the same place"),
            (self.unused, "vertex left out that no face uses", "vertices left out that no face uses"),
            (self.dropped, "face left out without area", "faces left out without area"),
            (self.doubled, "face there twice counted once", "faces there twice counted once"),
            (self.turned, "triangle turned over, to wind like those beside it", "triangles turned over, to wind alike"),
            (self.one_sided, "part has one side alone, its front is not defined", "parts have one side alone"),
            (self.flat, "triangle has no area", "triangles have no area"),
            (self.unreadable, "texture coordinate is no number", "texture coordinates are no numbers"),
            (self.crossed, "polygon crosses itself or has no area", "polygons cross themselves or have no area"),
        ];
        note(file, &parts, self.welded + self.unused > 0)
    }
}

/// A sentence of the counts that are not zero, each with its words for one and for several.
pub(super) fn note(file: &str, parts: &[(usize, &str, &str)], is_renumbered: bool) -> Option<String> {
    let count = |&(count, one, several): &(usize, &str, &str)| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {several}")),
    };
    let parts: Vec<String> = parts.iter().filter_map(count).collect();
    let renumbered = if is_renumbered { "; vertices after them have lower numbers than in the file" } else { "" };
    (!parts.is_empty()).then(|| format!("{}: {}{renumbered}", crate::sim::params::quote::quote(file), parts.join(", ")))
}

/// Reads a mesh, with the vertices joined that are closer than `weld` times its diagonal.
pub(super) fn read_mesh(file: &str, weld: Real) -> Result<ImportedMesh, InputError> {
    // positions and faces are ASCII; names and comments in other encodings do not matter
    import_obj(&text::read_numbers(file, "the mesh")?, file, weld)
}
