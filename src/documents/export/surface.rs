//! The surface of a cloth for export: triangles, texture coordinates and colours, which do not
//! change while it moves.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::scene::{Fabric, Scene, bounds};
use crate::sim::forces::air::vertex_normals;
use crate::sim::pattern::FaceAttributes;
use crate::sim::{Pattern, Quat, Vec3};
use std::sync::Arc;

/// A cloth without its place.
#[derive(Debug, Clone)]
pub struct ClothSurface {
    pattern: Arc<Pattern>,
    /// Texture coordinates of each vertex, and after them of each copy in [`copies`](Self::copies):
    /// those of a mesh file, where it has them, otherwise from 0 to 1 along the longer side of its
    /// piece. The second rises with the cloth.
    pub(super) texture: Vec<[f32; 2]>,
    /// Vertices on a seam of the texture, once more for every further pair of coordinates: most
    /// formats have one pair per vertex.
    copies: Vec<u32>,
    /// The corners of each triangle among the vertices and their copies.
    pub(super) corners: Vec<[u32; 3]>,
    /// Parts of one colour: name, colour (sRGB, 0 to 1) and triangles.
    pub(super) parts: Vec<ColouredTriangles>,
}

/// Triangles of one colour.
#[derive(Debug, Clone)]
pub(super) struct ColouredTriangles {
    pub name: String,
    pub colour: [f32; 3],
    pub triangles: Vec<[u32; 3]>,
    /// The number of each triangle in the cloth.
    pub numbers: Vec<usize>,
}

impl ClothSurface {
    /// The cloth of `scene` with this pattern, torn or not.
    #[must_use]
    pub fn new(pattern: Arc<Pattern>, scene: &Scene) -> Self {
        let pieces = pattern.piece_of_vertices();
        let mut texture = unit_coordinates(&texture_coordinates(&pattern, scene), &pieces, pattern.pieces().len());
        take_over(&pattern, &mut texture);
        let (copies, corners) = split_seams(&pattern, &mut texture);
        let front = Fabric::find(&scene.fabric).map_or([0.7; 3], |fabric| fabric.look.front);
        let own: Vec<_> = scene.all_pieces().map(|piece| piece.colour).collect();
        let colour = |piece: u32| own.get(piece as usize).copied().flatten().unwrap_or(front);
        let mut parts: Vec<ColouredTriangles> = Vec::new();
        for (number, triangle) in pattern.triangles().iter().enumerate() {
            let colour = colour(pieces[triangle[0] as usize]);
            match parts.iter_mut().find(|part| part.colour == colour) {
                Some(part) => {
                    part.triangles.push(*triangle);
                    part.numbers.push(number);
                }
                None => {
                    let name = match parts.len() {
                        0 => scene.fabric.clone(),
                        number => format!("{} {}", scene.fabric, number + 1),
                    };
                    parts.push(ColouredTriangles { name, colour, triangles: vec![*triangle], numbers: vec![number] });
                }
            }
        }
        Self { pattern, texture, copies, corners, parts }
    }

    /// Texture coordinates and groups of the triangles, as a mesh file has them.
    pub(super) fn attributes(&self) -> &FaceAttributes {
        self.pattern.attributes()
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pattern.len()
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pattern.len() == 0
    }

    /// The triangles, in the order of the cloth.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.pattern.triangles()
    }

    /// `positions` of the cloth before it was torn as far as this: vertices torn off later are at
    /// the vertices that they were torn off.
    #[must_use]
    pub fn extended<'a, T: Copy>(&self, positions: &'a [T]) -> Cow<'a, [T]> {
        extended(&self.pattern, positions)
    }

    /// What `of_vertices` has for each vertex, and after them for each copy of a vertex on a seam.
    pub(super) fn with_copies<T: Copy>(&self, of_vertices: &[T]) -> Vec<T> {
        let copies = self.copies.iter().map(|&vertex| of_vertices[vertex as usize]);
        of_vertices.iter().copied().chain(copies).collect()
    }

    /// The unit normal of each vertex; up where a vertex has none.
    #[must_use]
    pub fn normals(&self, positions: &[Vec3]) -> Vec<[f32; 3]> {
        let mut normals = Vec::new();
        vertex_normals(&self.pattern, positions, &mut normals);
        let unit = |normal: &Vec3| if *normal == Vec3::ZERO { Vec3::Y } else { *normal };
        normals.iter().map(|normal| unit(normal).as_vec3().to_array()).collect()
    }
}

/// `positions` of the vertices before the cloth was torn as far as `pattern`: vertices torn off
/// later are at the vertices that they were torn off.
pub fn extended<'a, T: Copy>(pattern: &Pattern, positions: &'a [T]) -> Cow<'a, [T]> {
    let whole = pattern.whole_len();
    if positions.len() >= pattern.len() || positions.len() < whole {
        return Cow::Borrowed(positions);
    }
    let mut all = positions.to_vec();
    for &parent in &pattern.parents()[positions.len() - whole..] {
        all.push(all[parent as usize]);
    }
    Cow::Owned(all)
}

/// Gives vertices the texture coordinates that a mesh file has for a corner at them.
fn take_over(pattern: &Pattern, texture: &mut [[f32; 2]]) {
    let attributes = pattern.attributes();
    // the first corner at a vertex counts
    for (triangle, corners) in pattern.triangles().iter().enumerate().rev() {
        let Some(at) = attributes.corners_of(triangle) else { continue };
        for (vertex, at) in corners.iter().zip(at) {
            texture[*vertex as usize] = attributes.texture[at as usize].map(|side| side as f32);
        }
    }
}

/// Copies of vertices for the corners that have other texture coordinates in a mesh file than their
/// vertex; the coordinates are added to `texture`. Returns the vertices that were copied, and the
/// corners of all triangles.
fn split_seams(pattern: &Pattern, texture: &mut Vec<[f32; 2]>) -> (Vec<u32>, Vec<[u32; 3]>) {
    let attributes = pattern.attributes();
    let (mut copies, mut corners) = (Vec::new(), pattern.triangles().to_vec());
    let mut known: HashMap<(u32, [u32; 2]), u32> = HashMap::new();
    for (triangle, vertices) in corners.iter_mut().enumerate() {
        let Some(at) = attributes.corners_of(triangle) else { continue };
        for (vertex, at) in vertices.iter_mut().zip(at) {
            let own = attributes.texture[at as usize].map(|side| side as f32);
            if texture[*vertex as usize] != own {
                *vertex = *known.entry((*vertex, own.map(f32::to_bits))).or_insert_with_key(|(vertex, _)| {
                    texture.push(own);
                    copies.push(*vertex);
                    texture.len() as u32 - 1
                });
            }
        }
    }
    (copies, corners)
}

/// Texture coordinates [m]: the rest positions, of each piece turned back and seen along the axis
/// in which it then extends least.
#[must_use]
pub fn texture_coordinates(pattern: &Pattern, scene: &Scene) -> Vec<[f32; 2]> {
    let rotations = scene.all_pieces().map(|piece| piece.rotation);
    let back: Vec<_> = rotations.map(|rotation| Quat::from_scaled_axis(-rotation)).collect();
    let pieces = pattern.piece_of_vertices();
    let turned_back = |(&x, &piece): (&Vec3, &u32)| back.get(piece as usize).map_or(x, |back| *back * x);
    let rest: Vec<Vec3> = pattern.rest_positions().iter().zip(&pieces).map(turned_back).collect();
    let frames: Vec<_> = (0..pattern.pieces().len() as u32)
        .map(|number| {
            let of_piece = rest.iter().zip(&pieces).filter(|(_, piece)| **piece == number);
            let (low, high) = bounds(&of_piece.map(|(x, _)| *x).collect::<Vec<_>>());
            (low, high - low)
        })
        .collect();
    let coordinates = |(&x, &piece): (&Vec3, &u32)| {
        let (low, size) = frames[piece as usize];
        let [a, b, c] = (x - low).as_vec3().to_array();
        match size.min_position() {
            0 => [c, b],
            // of a cloth that lies the far edge is the upper one
            1 => [a, size.z as f32 - c],
            _ => [a, b],
        }
    };
    rest.iter().zip(&pieces).map(coordinates).collect()
}

/// The same from 0 to 1 along the longer side of each piece, and not distorted.
fn unit_coordinates(metres: &[[f32; 2]], pieces: &[u32], count: usize) -> Vec<[f32; 2]> {
    let mut longest = vec![f32::MIN_POSITIVE; count];
    for ([u, v], piece) in metres.iter().zip(pieces) {
        let longest = &mut longest[*piece as usize];
        *longest = longest.max(*u).max(*v);
    }
    metres.iter().zip(pieces).map(|(at, piece)| at.map(|side| side / longest[*piece as usize])).collect()
}
