//! Vertices inside closed colliders and bodies: contact pushes them out of a collider, and keeps
//! them in a body.

use super::{Pattern, Real, Simulation, State, Vec3};
use crate::sim::contact::{Collider, Shape, Solid};

/// Depth up to which a vertex is on the surface, as a share of its coordinates.
const ROUNDING: Real = 1e-9;

/// A thing that encloses vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enclosure {
    /// The floor.
    Floor,
    /// The table.
    Table,
    /// A collider of the scene, by its number from 0.
    Collider(usize),
    /// A body of tetrahedra, by the number of its piece from 0.
    Body(usize),
}

impl Simulation {
    /// The things that vertices are inside of, each with their number. Vertices that are pinned, on
    /// the surface, or of a body itself do not count.
    #[must_use]
    pub fn find_enclosed(&self) -> Vec<(Enclosure, usize)> {
        let Self { state: State { cloth, world, time, .. }, pattern, parameters, .. } = self;
        let pieces = pattern.piece_of_vertices();
        let is_free = |vertex: u32| cloth.pin_of(vertex).is_none();
        let points: Vec<(usize, Vec3)> = (0..)
            .zip(pieces.iter().zip(&cloth.positions))
            .filter(|(vertex, _)| is_free(*vertex))
            .map(|(_, (piece, position))| (*piece as usize, *position))
            .collect();
        let solids: Vec<_> = world.solids(&parameters.contact, &parameters.table).collect();
        let own = solids.len() - world.colliders.len();
        let ground = usize::from(parameters.contact.ground);
        let mut found: Vec<(Enclosure, usize)> = Vec::new();
        for (number, collider) in solids.iter().enumerate() {
            let enclosure = match number.checked_sub(own) {
                Some(collider) => Enclosure::Collider(collider),
                None if number < ground => Enclosure::Floor,
                None => Enclosure::Table,
            };
            let (position, rotation) = collider.place(*time);
            let resting = Collider { position, rotation, path: None, turn: None, ..(**collider).clone() };
            let inside = count(&resting, points.iter().map(|(_, point)| *point));
            match found.last_mut().filter(|(last, _)| *last == enclosure) {
                Some((_, sum)) => *sum += inside,
                None => found.push((enclosure, inside)),
            }
        }
        for piece in 0..pattern.pieces().len() {
            let Some(body) = surface_of_body(pattern, &pieces, piece, &cloth.positions) else { continue };
            let others = points.iter().filter(|(of, _)| *of != piece).map(|(_, point)| *point);
            found.push((Enclosure::Body(piece), count(&body, others)));
        }
        found.retain(|(_, vertices)| *vertices > 0);
        found
    }
}

/// Number of points [m] inside a collider at rest.
fn count(collider: &Collider, points: impl Iterator<Item = Vec3>) -> usize {
    let solid = Solid::new(collider, 0.0);
    let is_inside = |point: &Vec3| {
        let depth = ROUNDING * (1.0 + point.abs().max_element());
        solid.nearest(*point).is_some_and(|surface| surface.distance < -depth)
    };
    points.filter(is_inside).count()
}

/// The surface of a piece with vertices at `positions` [m], if it is a body that is not turned
/// inside out; `pieces` has that of each vertex.
fn surface_of_body(pattern: &Pattern, pieces: &[u32], piece: usize, positions: &[Vec3]) -> Option<Collider> {
    let first = *pattern.pieces().get(piece)?;
    if !pattern.is_in_body(first) {
        return None;
    }
    let of_piece = |corners: &&[u32; 3]| pieces[corners[0] as usize] as usize == piece;
    let triangles = pattern.triangles().iter().filter(of_piece);
    let triangles: Vec<[u32; 3]> = triangles.map(|corners| corners.map(|corner| corner - first)).collect();
    let end = pattern.pieces().get(piece + 1).map_or(pattern.whole_len(), |next| *next as usize);
    let own = &positions[first as usize..end];
    let volume = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| own[corner as usize] - own[0]);
        a.dot(b.cross(c))
    };
    if triangles.iter().map(volume).sum::<Real>() <= 0.0 {
        return None;
    }
    Some(Collider::new(Shape::of_triangles(own.to_vec(), triangles), Vec3::ZERO))
}
