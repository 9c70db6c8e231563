//! Names of the parts of a scene.

use std::path::Path;

use super::Part;
use crate::scene::{Body, Piece, Scene};
use crate::sim::contact::Shape;

impl Scene {
    /// All of its parts, pieces first.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let pieces = (0..1 + self.pieces.len() as u32).map(Part::Piece);
        pieces.chain((0..self.colliders.len() as u32).map(Part::Collider)).collect()
    }

    /// All of its parts with their names: what they are, and a number from the second one of a kind
    /// on.
    #[must_use]
    pub fn named_parts(&self) -> Vec<(Part, String)> {
        let mut kinds: Vec<String> = Vec::new();
        let mut named = Vec::new();
        for part in self.parts() {
            let Some(kind) = self.kind_of(part) else { continue };
            kinds.push(kind.clone());
            let count = kinds.iter().filter(|other| **other == kind).count();
            named.push((part, if count == 1 { kind } else { format!("{kind} {count}") }));
        }
        named
    }

    fn kind_of(&self, part: Part) -> Option<String> {
        match part {
            Part::Piece(at) => self.all_pieces().nth(at as usize).map(kind_of_piece),
            Part::Collider(at) => self.colliders.get(at as usize).map(|collider| kind_of_shape(&collider.shape)),
        }
    }
}

fn kind_of_piece(piece: &Piece) -> String {
    let kind = match &piece.body {
        Some(Body::Bar { .. }) => "Bar",
        Some(Body::Ball { .. }) => "Soft ball",
        Some(Body::Letters { .. }) => "Letters",
        Some(_) => "Body",
        None => match &piece.mesh {
            Some(mesh) => return stem(&mesh.file, "Mesh"),
            None => "Cloth",
        },
    };
    kind.to_owned()
}

/// The name of a file without its folder and ending, with a capital.
fn stem(file: &str, without: &str) -> String {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(without);
    let mut letters = stem.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

fn kind_of_shape(shape: &Shape) -> String {
    let kind = match shape {
        Shape::Hull { file, .. } | Shape::Mesh { file, .. } if !file.is_empty() => return stem(file, "Mesh"),
        Shape::Plane { .. } => "Plane",
        Shape::Sphere { .. } => "Ball",
        Shape::Box { .. } => "Box",
        Shape::Capsule { .. } => "Capsule",
        Shape::Cylinder { .. } => "Cylinder",
        Shape::Hull { .. } => "Hull",
        Shape::Mesh { .. } => "Mesh",
    };
    kind.to_owned()
}
