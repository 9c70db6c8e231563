//! glTF 2.0 in one binary file (`.glb`): a mesh, and its motion by morph targets.
//!
//! The mesh is the first moment. Each further moment is a morph target, which holds the differences
//! of positions and normals from the first, and the animation turns one target's weight from 0 to 1
//! and back: between two moments vertices move straight, as they are seen in the window. In single
//! precision the sum of place and difference is that of the moment but for rounding: it is off by
//! less than 2⁻²³ of the largest coordinate.
//!
//! Source: Khronos, glTF 2.0 specification, sections 3.7.2.2 (morph targets), 3.11 (animations),
//! 4.4 (binary layout).

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{ClothSurface, Moment, Tell, go_on};
use crate::sim::Vec3;

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Writes the cloth with its places at `moments`, which rise in time: the motion if there are
/// several.
///
/// # Errors
/// When the writer fails, when it was called off, or when the file would be larger than 4 GiB, the
/// most that the format holds.
pub fn write_glb(surface: &ClothSurface, moments: &[&Moment], mut out: impl Write, tell: Tell) -> io::Result<()> {
    let Some((first, targets)) = moments.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no shape to write"));
    };
    let mesh = Shape::of(surface, first, first.origin);
    let mut file = File::default();
    let parts = surface.parts.iter().map(|part| {
        let count = 3 * part.triangles.len();
        file.add(
            4 * count,
            Some(ELEMENT_ARRAY_BUFFER),
            json!({ "componentType": UNSIGNED_INT, "count": count, "type": "SCALAR" }),
        )
    });
    let indices: Vec<usize> = parts.collect();
    let position = file.add_vectors(&mesh.positions, true);
    let normal = file.add_vectors(&mesh.normals, false);
    let count = surface.texture.len();
    let texture =
        file.add(8 * count, Some(ARRAY_BUFFER), json!({ "componentType": FLOAT, "count": count, "type": "VEC2" }));
    let mut morphs = Vec::with_capacity(targets.len());
    for (number, moment) in targets.iter().enumerate() {
        let difference = Shape::of(surface, moment, first.origin).less(&mesh);
        let position = file.add_vectors(&difference.positions, true);
        let normal = file.add_vectors(&difference.normals, false);
        morphs.push(json!({ "POSITION": position, "NORMAL": normal }));
        go_on(tell, 0.4 * (number + 1) as f64 / moments.len() as f64)?;
    }
    let animation = (!targets.is_empty()).then(|| {
        let scalars = |count: usize| json!({ "componentType": FLOAT, "count": count, "type": "SCALAR" });
        let mut times = scalars(moments.len());
        let last = (targets[targets.len() - 1].time - first.time) as f32;
        (times["min"], times["max"]) = (json!([0.0]), json!([last]));
        (file.add(4 * moments.len(), None, times), file.add_scalars(moments.len() * targets.len()))
    });
    let json = file.describe(surface, (first.origin, &indices), [position, normal, texture], &morphs, animation);
    write_head(&json, file.length, &mut out)?;
    for part in &surface.parts {
        write_numbers(&mut out, part.numbers.iter().flat_map(|&triangle| surface.corners[triangle]))?;
    }
    mesh.write(&mut out)?;
    // in glTF the second coordinate points downward
    write_floats(&mut out, surface.texture.iter().flat_map(|[u, v]| [*u, 1.0 - v]))?;
    for (number, moment) in targets.iter().enumerate() {
        Shape::of(surface, moment, first.origin).less(&mesh).write(&mut out)?;
        go_on(tell, 0.4 + 0.6 * (number + 1) as f64 / moments.len() as f64)?;
    }
    if !targets.is_empty() {
        write_floats(&mut out, moments.iter().map(|moment| (moment.time - first.time) as f32))?;
        for key in 0..moments.len() {
            write_floats(&mut out, (1..moments.len()).map(|target| f32::from(u8::from(target == key))))?;
        }
    }
    Ok(())
}

/// Writes all that stands before so many bytes of `binary` data.
fn write_head(json: &Value, binary: u64, out: &mut impl Write) -> io::Result<()> {
    let text = padded(json.to_string().into_bytes());
    let whole = 12 + 8 + text.len() as u64 + 8 + binary;
    let Ok(length) = u32::try_from(whole) else {
        let message = "the motion would take more than 4 GiB, the most that a .glb holds; take a shorter range";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    out.write_all(b"glTF")?;
    write_numbers(out, [2, length, text.len() as u32])?;
    out.write_all(b"JSON")?;
    out.write_all(&text)?;
    write_numbers(out, [binary as u32])?;
    out.write_all(b"BIN\0")
}

/// Places and normals.
struct Shape {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
}

impl Shape {
    /// Relative to `origin` [m].
    fn of(surface: &ClothSurface, moment: &Moment, origin: Vec3) -> Self {
        let shift = (moment.origin - origin).as_vec3().to_array();
        let mut positions = surface.extended(&moment.positions).into_owned();
        positions.iter_mut().for_each(|x| x.iter_mut().zip(shift).for_each(|(x, shift)| *x += shift));
        let places: Vec<Vec3> = positions.iter().map(|x| Vec3::from_array(x.map(f64::from))).collect();
        Self { normals: surface.with_copies(&surface.normals(&places)), positions: surface.with_copies(&positions) }
    }

    fn less(mut self, other: &Self) -> Self {
        for (own, other) in [(&mut self.positions, &other.positions), (&mut self.normals, &other.normals)] {
            for (own, other) in own.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
                *own -= other;
            }
        }
        self
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_floats(out, self.positions.as_flattened().iter().copied())?;
        write_floats(out, self.normals.as_flattened().iter().copied())
    }
}

/// The binary part of a file, in the order of writing.
#[derive(Default)]
struct File {
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// Length of the binary part [bytes]; every entry is a multiple of four.
    length: u64,
}

impl File {
    /// Adds `bytes` that are described by `accessor`; returns its number.
    fn add(&mut self, bytes: usize, target: Option<u32>, mut accessor: Value) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.length, "byteLength": bytes });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        accessor["bufferView"] = self.views.len().into();
        self.views.push(view);
        self.accessors.push(accessor);
        self.length += bytes as u64;
        self.accessors.len() - 1
    }

    fn add_scalars(&mut self, count: usize) -> usize {
        self.add(4 * count, None, json!({ "componentType": FLOAT, "count": count, "type": "SCALAR" }))
    }

    /// Vectors, with their bounds if those of positions are asked for.
    fn add_vectors(&mut self, vectors: &[[f32; 3]], bounded: bool) -> usize {
        let mut accessor = json!({ "componentType": FLOAT, "count": vectors.len(), "type": "VEC3" });
        if bounded {
            let first = vectors.first().copied().unwrap_or_default();
            let bound = |choose: fn(f32, f32) -> f32| {
                vectors.iter().fold(first, |bound, x| std::array::from_fn(|k| choose(bound[k], x[k])))
            };
            (accessor["min"], accessor["max"]) = (json!(bound(f32::min)), json!(bound(f32::max)));
        }
        self.add(12 * vectors.len(), Some(ARRAY_BUFFER), accessor)
    }

    fn describe(
        &self,
        surface: &ClothSurface,
        (origin, indices): (Vec3, &[usize]),
        [position, normal, texture]: [usize; 3],
        morphs: &[Value],
        animation: Option<(usize, usize)>,
    ) -> Value {
        let primitive = |(material, indices): (usize, &usize)| {
            let attributes = json!({ "POSITION": position, "NORMAL": normal, "TEXCOORD_0": texture });
            let mut primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
            if !morphs.is_empty() {
                primitive["targets"] = morphs.into();
            }
            primitive
        };
        let material = |part: &super::surface::ColouredTriangles| {
            let [red, green, blue] = part.colour.map(linear);
            json!({
                "name": part.name,
                "doubleSided": true,
                "pbrMetallicRoughness":
                    { "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.85 },
            })
        };
        let mut mesh = json!({
            "name": "cloth",
            "primitives": indices.iter().enumerate().map(primitive).collect::<Vec<_>>(),
        });
        let mut node = json!({ "name": "cloth", "mesh": 0 });
        if origin != Vec3::ZERO {
            node["translation"] = json!(origin.to_array());
        }
        let mut file = json!({
            "asset": { "version": "2.0", "generator": concat!("Weft ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [node],
            "materials": surface.parts.iter().map(material).collect::<Vec<_>>(),
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.length }],
        });
        if let Some((times, weights)) = animation {
            mesh["weights"] = vec![0.0; morphs.len()].into();
            file["animations"] = json!([{
                "name": "motion",
                "samplers": [{ "input": times, "output": weights, "interpolation": "LINEAR" }],
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
            }]);
        }
        file["meshes"] = json!([mesh]);
        file
    }
}

/// The linear value of a part of an sRGB colour (IEC 61966-2-1).
fn linear(part: f32) -> f32 {
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// `text` with spaces up to a multiple of four.
fn padded(mut text: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    text
}

fn write_numbers(out: &mut impl Write, numbers: impl IntoIterator<Item = u32>) -> io::Result<()> {
    numbers.into_iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

fn write_floats(out: &mut impl Write, numbers: impl IntoIterator<Item = f32>) -> io::Result<()> {
    numbers.into_iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}
