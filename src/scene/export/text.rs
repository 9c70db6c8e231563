//! Meshes that hold one shape: OBJ and PLY.

use std::io::{self, Write};

use super::Surface;
use crate::sim::math::whole_kilometres;
use crate::sim::{Real, Vec3};

/// Writes an OBJ mesh with the vertices at `positions` [m] at `time` [s], each number so that it
/// reads back to the same bits, with normals, texture coordinates and groups. Those of a mesh file
/// come back as it has them.
///
/// # Errors
/// When the writer fails.
pub fn write_obj(surface: &Surface, time: Real, positions: &[Vec3], mut out: impl Write) -> io::Result<()> {
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
        for [u, v] in &surface.texture {
            writeln!(out, "vt {u} {v}")?;
        }
    }
    for [x, y, z] in surface.normals(positions) {
        writeln!(out, "vn {x} {y} {z}")?;
    }
    let mut group = String::new();
    for part in &surface.parts {
        let of_part = if surface.parts.len() > 1 { part.name.replace(' ', "-") } else { String::new() };
        for (&number, triangle) in part.numbers.iter().zip(&part.triangles) {
            let name = attributes.group_of(number).unwrap_or(&of_part);
            if name != group {
                // unnamed groups after named ones
                writeln!(out, "g {}", if name.is_empty() { "default" } else { name })?;
                name.clone_into(&mut group);
            }
            let texture = attributes.corners_of(number).unwrap_or_else(|| triangle.map(|vertex| own + vertex));
            let ([a, b, c], [p, q, r]) = (triangle.map(|vertex| vertex + 1), texture.map(|at| at + 1));
            writeln!(out, "f {a}/{p}/{a} {b}/{q}/{b} {c}/{r}/{c}")?;
        }
    }
    Ok(())
}

/// Writes a binary PLY mesh with the vertices at `positions` [m], with normals and texture
/// coordinates, in single precision; places far from the origin in double precision.
///
/// # Errors
/// When the writer fails.
pub fn write_ply(surface: &Surface, positions: &[Vec3], mut out: impl Write) -> io::Result<()> {
    let (vertices, triangles) = (positions.len(), surface.triangles());
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
    let normals = surface.normals(positions);
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
