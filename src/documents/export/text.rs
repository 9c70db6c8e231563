//! Meshes that hold one shape: OBJ and PLY.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::ClothSurface;
use crate::sim::math::whole_kilometres;
use crate::sim::{Real, Vec3};

/// Writes an OBJ mesh with the vertices at `positions` [m] at `time` [s], each number so that it
/// reads back to the same bits, with normals, texture coordinates, groups and materials. Those of a
/// mesh file come back as it has them, and so do its faces where they are not torn.
///
/// # Errors
/// When the writer fails.
pub fn write_obj(surface: &ClothSurface, time: Real, positions: &[Vec3], mut out: impl Write) -> io::Result<()> {
    writeln!(out, "# Weft, t = {time} s, in metres, y up")?;
    for x in positions {
        writeln!(out, "v {} {} {}", x.x, x.y, x.z)?;
    }
    let attributes = surface.attributes();
    for [u, v] in &attributes.texture {
        writeln!(out, "vt {u} {v}")?;
    }
    // a triangle without texture coordinates of its own has those of its vertices
    let own = attributes.texture.len() as u32;
    if (0..surface.triangles().len()).any(|triangle| attributes.corners_of(triangle).is_none()) {
        for [u, v] in &surface.texture[..surface.len()] {
            writeln!(out, "vt {u} {v}")?;
        }
    }
    for [x, y, z] in surface.normals(positions) {
        writeln!(out, "vn {x} {y} {z}")?;
    }
    let mut names = [String::new(), String::new()];
    for part in &surface.parts {
        let of_part = if surface.parts.len() > 1 { part.name.replace(' ', "-") } else { String::new() };
        for numbers in part.numbers.chunk_by(|a, b| attributes.is_of_one_face(*a, *b)) {
            let wanted = [
                attributes.group_of(numbers[0]).unwrap_or(&of_part),
                attributes.material_of(numbers[0]).unwrap_or_default(),
            ];
            for ((name, wanted), keyword) in names.iter_mut().zip(wanted).zip(["g", "usemtl"]) {
                if name != wanted {
                    // unnamed ones after named ones
                    writeln!(out, "{keyword} {}", if wanted.is_empty() { "default" } else { wanted })?;
                    wanted.clone_into(name);
                }
            }
            let corners: Vec<_> = numbers.iter().map(|&number| corners_of(surface, own, number)).collect();
            match outline(&corners) {
                Some(outline) => write_face(&outline, &mut out)?,
                None => corners.iter().try_for_each(|corners| write_face(corners, &mut out))?,
            }
        }
    }
    Ok(())
}

/// The vertices of a triangle, each with its texture coordinates; `own` is the number of those of a
/// mesh file.
fn corners_of(surface: &ClothSurface, own: u32, triangle: usize) -> [[u32; 2]; 3] {
    let vertices = surface.triangles()[triangle];
    let texture = surface.attributes().corners_of(triangle).unwrap_or_else(|| vertices.map(|vertex| own + vertex));
    std::array::from_fn(|corner| [vertices[corner], texture[corner]])
}

/// The outline of triangles that are all of a face; none if they are torn apart or are no simple
/// polygon.
fn outline(triangles: &[[[u32; 2]; 3]]) -> Option<Vec<[u32; 2]>> {
    let mut next: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
    let sides = || triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let inner: BTreeSet<[u32; 2]> = sides().map(|(from, to)| [to[0], from[0]]).collect();
    for (from, to) in sides().filter(|(from, to)| !inner.contains(&[from[0], to[0]])) {
        if next.insert(from[0], to).is_some() {
            return None;
        }
    }
    let start = triangles.first()?[0];
    let mut outline = vec![start];
    while let Some(&corner) = next.get(&outline.last()?[0]).filter(|corner| corner[0] != start[0]) {
        if outline.len() > next.len() {
            return None;
        }
        outline.push(corner);
    }
    (outline.len() == next.len() && outline.len() == triangles.len() + 2).then_some(outline)
}

fn write_face(corners: &[[u32; 2]], out: &mut impl Write) -> io::Result<()> {
    write!(out, "f")?;
    for [vertex, texture] in corners.iter().map(|corner| corner.map(|at| at + 1)) {
        write!(out, " {vertex}/{texture}/{vertex}")?;
    }
    writeln!(out)
}

/// Writes a binary PLY mesh with the vertices at `positions` [m], with normals and texture
/// coordinates, in single precision; places far from the origin in double precision.
///
/// # Errors
/// When the writer fails.
pub fn write_ply(surface: &ClothSurface, positions: &[Vec3], mut out: impl Write) -> io::Result<()> {
    let (positions, normals) = (surface.with_copies(positions), surface.with_copies(&surface.normals(positions)));
    let (vertices, triangles) = (positions.len(), &surface.corners);
    writeln!(out, "ply\nformat binary_little_endian 1.0\ncomment Weft, metres, y up")?;
    writeln!(out, "element vertex {vertices}")?;
    let is_far = positions.first().is_some_and(|x| whole_kilometres(*x) != Vec3::ZERO);
    let place = if is_far { "double" } else { "float" };
    for property in ["x", "y", "z"] {
        writeln!(out, "property {place} {property}")?;
    }
    for property in ["nx", "ny", "nz", "s", "t"] {
        writeln!(out, "property float {property}")?;
    }
    writeln!(out, "element face {}\nproperty list uchar uint vertex_indices\nend_header", triangles.len())?;
    for ((x, normal), texture) in positions.iter().zip(&normals).zip(&surface.texture) {
        if is_far {
            x.to_array().iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        } else {
            x.as_vec3().to_array().iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        }
        for number in normal.iter().chain(texture) {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    for triangle in triangles {
        out.write_all(&[3])?;
        for vertex in triangle {
            out.write_all(&vertex.to_le_bytes())?;
        }
    }
    Ok(())
}
