//! Names of the parts of a scene.

use std::path::Path;

use super::ScenePart;
use crate::scene::{Body, Piece, PinChoice, Scene};
use crate::sim::contact::Shape;

impl Scene {
    /// All things that stand in it, pieces first.
    #[must_use]
    pub fn parts(&self) -> Vec<ScenePart> {
        let pieces = (0..1 + self.pieces.len() as u32).map(ScenePart::Piece);
        pieces.chain((0..self.colliders.len() as u32).map(ScenePart::Collider)).collect()
    }

    /// Everything that stands in it or holds a piece, as a list shows it: pieces, each with its pins
    /// and handles behind it, and colliders. A thing without a name of its own is called what it
    /// is, with a number from the second one of a kind on.
    #[must_use]
    pub fn rows(&self) -> Vec<OutlinerRow> {
        let mut kinds: Vec<String> = Vec::new();
        let mut counted = |own: &str, kind: String| {
            if !own.is_empty() {
                return own.to_owned();
            }
            kinds.push(kind.clone());
            let count = kinds.iter().filter(|other| **other == kind).count();
            if count == 1 { kind } else { format!("{kind} {count}") }
        };
        let mut rows = Vec::new();
        for (number, piece) in (0..).zip(self.all_pieces()) {
            let name = counted(&piece.name, kind_of_piece(piece));
            rows.push(OutlinerRow { part: ScenePart::Piece(number), name, hidden: piece.hidden, locked: piece.locked });
            let held =
                |part, name: &str| OutlinerRow { part, name: name.to_owned(), hidden: false, locked: piece.locked };
            if piece.pins != PinChoice::None || !piece.pinned.is_empty() {
                rows.push(held(ScenePart::Pins(number), "Pins"));
            }
            for (at, handle) in (0..).zip(&piece.handles) {
                let kind = if at == 0 { "Handle".to_owned() } else { format!("Handle {}", at + 1) };
                let name = if handle.name.is_empty() { &kind } else { &handle.name };
                rows.push(held(ScenePart::Handle { piece: number, at }, name));
            }
        }
        for (number, collider) in (0..).zip(&self.colliders) {
            let name = counted(&collider.name, kind_of_shape(&collider.shape));
            rows.push(OutlinerRow {
                part: ScenePart::Collider(number),
                name,
                hidden: collider.hidden,
                locked: collider.locked,
            });
        }
        rows
    }

    /// The name of a part in [`rows`](Self::rows); its number if the scene does not have it.
    #[must_use]
    pub fn name_of(&self, part: ScenePart) -> String {
        let row = self.rows().into_iter().find(|row| row.part == part);
        row.map_or_else(|| format!("{part:?}"), |row| row.name)
    }

    /// Whether a thing is protected against edits.
    #[must_use]
    pub fn is_locked(&self, part: ScenePart) -> bool {
        self.marks_of(part)[1]
    }

    /// Whether a thing is left out of pictures.
    #[must_use]
    pub fn is_hidden(&self, part: ScenePart) -> bool {
        self.marks_of(part)[0]
    }

    fn marks_of(&self, part: ScenePart) -> [bool; 2] {
        match part.thing() {
            ScenePart::Piece(at) => self.all_pieces().nth(at as usize).map(|piece| [piece.hidden, piece.locked]),
            ScenePart::Collider(at) => {
                self.colliders.get(at as usize).map(|collider| [collider.hidden, collider.locked])
            }
            ScenePart::Pins(_) | ScenePart::Handle { .. } => None,
        }
        .unwrap_or_default()
    }
}

/// A row in the list of what is in a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlinerRow {
    /// What it is.
    pub part: ScenePart,
    /// Its name.
    pub name: String,
    /// Whether it is left out of pictures.
    pub hidden: bool,
    /// Whether it is protected against edits.
    pub locked: bool,
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
