//! Things to put into a scene, at a sensible size and in a free place.

use super::extent::do_meet;
use super::{Edit, ScenePart, rounded};
use crate::scene::{Body, Grid, GridPlane, InputError, MeshFile, Piece, PinChoice, Scene, bounds};
use crate::sim::contact::{Collider, Points, Shape, TriangleMesh};
use crate::sim::{Real, Vec3};

/// A thing to put into a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// A square cloth.
    Cloth,
    /// A round cloth.
    Disc,
    /// A long, narrow cloth.
    Strip,
    /// A tube of cloth.
    Tube,
    /// A ball of tetrahedra.
    SoftBall,
    /// A ball.
    Ball,
    /// A box.
    Box,
    /// A cylinder.
    Cylinder,
    /// A cylinder with round ends.
    Capsule,
    /// A cone.
    Cone,
}

/// Least and largest size of what is put into a scene [m].
const SIZES: [Real; 2] = [0.2, 5.0];
/// Distance of the vertices of a new cloth, as a share of its size.
const SPACING: Real = 1.0 / 30.0;
/// Most places beside each other that are tried for a collider.
const PLACES: u32 = 400;
/// Distance of these places, as a share of its width.
const STEP: Real = 0.2;
/// Height above the others from which a place for the mesh of a file is looked for [m].
const FAR: Real = 5.0;
/// Room at its sides [m].
const ROOM: Vec3 = Vec3::new(0.01, 0.0, 0.01);

impl Template {
    /// All of them: cloths, bodies, colliders.
    pub const ALL: [Self; 10] = [
        Self::Cloth,
        Self::Disc,
        Self::Strip,
        Self::Tube,
        Self::SoftBall,
        Self::Ball,
        Self::Box,
        Self::Cylinder,
        Self::Capsule,
        Self::Cone,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cloth => "Cloth",
            Self::Disc => "Disc",
            Self::Strip => "Strip",
            Self::Tube => "Tube",
            Self::SoftBall => "Soft ball",
            Self::Ball => "Ball",
            Self::Box => "Box",
            Self::Cylinder => "Cylinder",
            Self::Capsule => "Capsule",
            Self::Cone => "Cone",
        }
    }

    /// What it is.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Cloth => "A square cloth, lying flat",
            Self::Disc => "A round cloth, lying flat",
            Self::Strip => "A ribbon, held at its upper end",
            Self::Tube => "A tube of cloth with open ends, upright",
            Self::SoftBall => "An elastic ball of tetrahedra",
            Self::Ball => "A rigid ball; cloth lies on it and slides off it",
            Self::Box => "A rigid box",
            Self::Cylinder => "A rigid cylinder, upright",
            Self::Capsule => "A rigid cylinder with round ends, upright",
            Self::Cone => "A rigid cone with its tip above",
        }
    }

    /// Whether nothing but its motion moves it.
    #[must_use]
    pub const fn is_collider(self) -> bool {
        matches!(self, Self::Ball | Self::Box | Self::Cylinder | Self::Capsule | Self::Cone)
    }

    /// The piece or the shape at a size [m].
    fn make(self, size: Real) -> Made {
        let grid = |columns, rows, width, height, plane| Piece {
            grid: Grid { columns, rows, width, height, plane, ..Grid::default() },
            ..Piece::default()
        };
        let mesh = |file: &str| {
            let mut piece = Piece { mesh: Some(MeshFile { file: file.to_owned() }), ..Piece::default() };
            piece.import.mesh_scale = size;
            piece
        };
        let count = (1.0 / SPACING) as u32;
        match self {
            Self::Cloth => Made::Piece(Box::new(grid(count, count, size, size, GridPlane::Flat))),
            Self::Disc => Made::Piece(Box::new(mesh("assets/meshes/disc.obj"))),
            Self::Strip => {
                let width = hundredths(0.1 * size);
                Made::Piece(Box::new(Piece {
                    pins: PinChoice::TopEdge,
                    ..grid(4, count, width, size, GridPlane::Front)
                }))
            }
            Self::Tube => Made::Piece(Box::new(mesh("assets/meshes/tube.obj"))),
            Self::SoftBall => {
                let (radius, cell) = (hundredths(0.2 * size), hundredths(0.06 * size));
                Made::Piece(Box::new(Piece { body: Some(Body::Ball { radius, cell }), ..Piece::default() }))
            }
            Self::Ball => Made::Shape(Shape::Sphere { radius: hundredths(0.2 * size) }),
            Self::Box => Made::Shape(Shape::Box { half_extents: Vec3::splat(hundredths(0.15 * size)) }),
            Self::Cylinder => {
                let (half_height, radius) = (hundredths(0.2 * size), hundredths(0.15 * size));
                Made::Shape(Shape::Cylinder { half_height, radius })
            }
            Self::Capsule => {
                let (half_height, radius) = (hundredths(0.15 * size), hundredths(0.1 * size));
                Made::Shape(Shape::Capsule { half_height, radius })
            }
            Self::Cone => {
                let file = "assets/meshes/cone.obj".to_owned();
                Made::Shape(Shape::Hull { file, scale: hundredths(0.4 * size), points: Points::default() })
            }
        }
    }
}

/// What a template makes.
enum Made {
    Piece(Box<Piece>),
    Shape(Shape),
}

/// A length in whole hundredths of a metre, at least one [m].
fn hundredths(length: Real) -> Real {
    (100.0 * length).round().max(1.0) / 100.0
}

impl Scene {
    /// The edit that adds a thing where there is room: a cloth or a body on what is below the
    /// middle of the scene, a collider on the floor, beside what stands there.
    ///
    /// # Errors
    /// [`InputError`] when the scene cannot be built or there is no room.
    pub fn addition(&self, template: Template) -> Result<Edit, InputError> {
        let simulation = self.build()?;
        let (low, high) = bounds(&simulation.state.cloth.positions);
        let size = hundredths((high - low).max_element().clamp(SIZES[0], SIZES[1]));
        self.place_made(template.make(size), (low, high), size)
    }

    /// The edit that adds the mesh of a file where there is room, in its own size: as a collider,
    /// or else as a cloth (`.obj`) or a body (`.mesh`, `.msh`).
    ///
    /// # Errors
    /// [`InputError`] when the file is none of these or cannot be read, or there is no room.
    pub fn addition_of_file(&self, file: &str, is_collider: bool) -> Result<Edit, InputError> {
        let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let made = match (ending.as_str(), is_collider) {
            ("obj", true) => {
                Made::Shape(Shape::Mesh { file: file.to_owned(), scale: 1.0, mesh: TriangleMesh::default() })
            }
            ("obj", false) => {
                let mesh = Some(MeshFile { file: file.to_owned() });
                Made::Piece(Box::new(Piece { mesh, ..Piece::default() }))
            }
            ("mesh" | "msh", false) => {
                let body = Some(Body::File { file: file.to_owned(), scale: 1.0 });
                Made::Piece(Box::new(Piece { body, ..Piece::default() }))
            }
            _ => {
                let known = if is_collider { "a mesh (.obj)" } else { "a mesh (.obj) or a body (.mesh, .msh)" };
                return Err(InputError::new(file, format!("cannot be added; take {known}")));
            }
        };
        let simulation = self.build()?;
        let (low, high) = bounds(&simulation.state.cloth.positions);
        self.place_made(made, (low, high), FAR)
    }

    /// The edit that adds a thing to cloths between `low` and `high` [m]; `room` is the height
    /// above them from which a place is looked for [m].
    fn place_made(&self, made: Made, (low, high): (Vec3, Vec3), room: Real) -> Result<Edit, InputError> {
        let middle = (0.5 * (low + high)).map(|x| (100.0 * x).round() / 100.0);
        let mut scene = self.clone();
        match made {
            Made::Piece(piece) => {
                // from above everything, down to the highest thing below
                let position = middle.with_y(high.y + room);
                scene.pieces.push(Piece { position: Some(position), ..*piece });
                let part = ScenePart::Piece(scene.pieces.len() as u32);
                scene.set_down_if_possible(part)?;
                Ok(Edit::AddPiece { piece: Box::new(scene.pieces.pop().unwrap_or_default()) })
            }
            Made::Shape(shape) => {
                let start = middle.with_y(high.y + room);
                scene.colliders.push(Collider::new(shape, start));
                let at = scene.colliders.len() - 1;
                let part = ScenePart::Collider(at as u32);
                let (low, high) = scene.bounds_of(part)?;
                if scene.parameters.contact.ground {
                    scene.colliders[at].position.y -= low.y;
                } else {
                    scene.set_down_if_possible(part)?;
                }
                let first = scene.colliders[at].position;
                let fallen = first - start;
                let step = hundredths(STEP * (high - low).x);
                let boxes = scene.boxes_beside(part)?;
                for place in 0..PLACES {
                    // to the left and to the right in turn
                    let side = if place % 2 == 0 { 1.0 } else { -1.0 };
                    let by = Vec3::X * (side * Real::from(place.div_ceil(2)) * step);
                    let own = (low + fallen + by - ROOM, high + fallen + by + ROOM);
                    if !boxes.iter().any(|other| do_meet(*other, own)) {
                        scene.colliders[at].position = (first + by).map(rounded);
                        return Ok(Edit::AddCollider { collider: Box::new(scene.colliders.swap_remove(at)) });
                    }
                }
                Err(InputError::new("", "there is no room for it beside the other things; shift them apart"))
            }
        }
    }
}
