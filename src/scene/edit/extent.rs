//! Where the parts of a scene are. Pieces that start through themselves are moved apart.

use super::{GAP, ScenePart};
use crate::scene::{InputError, Scene, bounds};
use crate::sim::contact::{Collider, Intersections, Shape, Solid};
use crate::sim::{Pattern, Real, Simulation, Vec3, World};

/// Room around a cloth that other things leave [m].
const AROUND: Real = 0.01;
/// Boxes that overlap by less are beside each other [m].
const BESIDE: Real = 1e-9;

impl Scene {
    /// Bounding box of a part at the start, lower and upper corner [m]; infinite for a plane.
    ///
    /// # Errors
    /// [`InputError`] when the part does not exist or the scene cannot be built.
    pub fn bounds_of(&self, part: ScenePart) -> Result<(Vec3, Vec3), InputError> {
        self.clone().part(part)?;
        Ok(bounds_in(&self.build()?, part))
    }

    /// Sets a part down, if there is anything below it.
    pub(super) fn set_down_if_possible(&mut self, part: ScenePart) -> Result<(), InputError> {
        // without a floor and a collider it floats where it is
        let by = self.height_to_lose(part)?.unwrap_or(0.0);
        self.shift(part, Vec3::NEG_Y * by)
    }

    /// Bounding boxes of all other parts and of the table, with room around cloths, to find a free
    /// place for a part.
    pub(super) fn boxes_beside(&self, part: ScenePart) -> Result<Vec<(Vec3, Vec3)>, InputError> {
        let simulation = self.build()?;
        let others = self.parts().into_iter().filter(|other| *other != part);
        let boxes = others.map(|other| roomy(&simulation, other)).chain(furniture(&simulation));
        Ok(boxes.filter(|(low, _)| low.is_finite()).collect())
    }

    /// How much lower a part stands when it is set down [m]; none if nothing is below it.
    pub(super) fn height_to_lose(&self, part: ScenePart) -> Result<Option<Real>, InputError> {
        let mut scene = self.clone();
        let found = scene.part(part)?;
        if !part.is_thing() {
            return Err(found.refusal());
        }
        if let ScenePart::Collider(at) = part
            && matches!(self.colliders[at as usize].shape, Shape::Plane { .. })
        {
            return Err(InputError::new("", "a plane stands on nothing; shift it"));
        }
        let simulation = self.build()?;
        let (low, high) = bounds_in(&simulation, part);
        let is_below = |(other_low, other_high): &(Vec3, Vec3)| {
            let overlap = other_high.min(high) - other_low.max(low);
            overlap.x > BESIDE && overlap.z > BESIDE && other_low.y <= low.y
        };
        // a cloth bears no collider, which nothing moves
        let bears = |other: &ScenePart| matches!(part, ScenePart::Piece(_)) || matches!(other, ScenePart::Collider(_));
        let others = self.parts().into_iter().filter(|other| *other != part && bears(other));
        let wide = |other: ScenePart| {
            let ((low, high), (room_low, room_high)) = (bounds_in(&simulation, other), roomy(&simulation, other));
            (room_low.with_y(low.y), room_high.with_y(high.y))
        };
        let tops = others.map(wide).chain(furniture(&simulation));
        let top = tops.filter(is_below).map(|(_, high)| high.y).filter(|top| top.is_finite()).reduce(Real::max);
        // a collider stands on things, a cloth keeps its distance from them
        let room = match part {
            ScenePart::Piece(_) => simulation.parameters.contact.thickness + GAP,
            _ => 0.0,
        };
        Ok(top.map(|top| low.y - top - room))
    }
}

/// Bounding box of a part; around a cloth, which may be flat, with some room.
fn roomy(simulation: &Simulation, part: ScenePart) -> (Vec3, Vec3) {
    let (low, high) = bounds_in(simulation, part);
    match part {
        ScenePart::Piece(_) => (low - Vec3::splat(AROUND), high + Vec3::splat(AROUND)),
        _ => (low, high),
    }
}

/// Whether two boxes have more in common than a side.
pub(super) fn do_meet(a: (Vec3, Vec3), b: (Vec3, Vec3)) -> bool {
    (a.1.min(b.1) - a.0.max(b.0)).cmpgt(Vec3::splat(BESIDE)).all()
}

/// Floor and table.
fn furniture(simulation: &Simulation) -> Vec<(Vec3, Vec3)> {
    let (contact, table) = (&simulation.parameters.contact, &simulation.parameters.table);
    let all = World::solids_of(contact, table, &[]);
    all.map(|collider| match collider.shape {
        Shape::Plane { .. } => (Vec3::NEG_INFINITY, Vec3::new(Real::INFINITY, collider.position.y, Real::INFINITY)),
        _ => Solid::new(&collider, contact.thickness).corners(),
    })
    .collect()
}

pub(super) fn bounds_in(simulation: &Simulation, part: ScenePart) -> (Vec3, Vec3) {
    let (state, thickness) = (&simulation.state, simulation.parameters.contact.thickness);
    part_bounds(part, simulation.pattern(), &state.cloth.positions, (&state.world.colliders, thickness))
        .unwrap_or((Vec3::NEG_INFINITY, Vec3::INFINITY))
}

/// Bounding box of a part of a cloth with this pattern at these positions, or of one of the
/// colliders with the common thickness: lower and upper corner [m]. None for a plane, and for a
/// part that does not exist.
#[must_use]
pub fn part_bounds(
    part: ScenePart,
    pattern: &Pattern,
    positions: &[Vec3],
    (colliders, thickness): (&[Collider], Real),
) -> Option<(Vec3, Vec3)> {
    match part {
        ScenePart::Piece(at) => {
            let first = *pattern.pieces().get(at as usize)? as usize;
            let end = pattern.pieces().get(at as usize + 1).map_or(pattern.len(), |end| *end as usize);
            positions.get(first..end).map(bounds)
        }
        ScenePart::Collider(at) => {
            let collider = colliders.get(at as usize)?;
            let is_plane = matches!(collider.shape, Shape::Plane { .. });
            (!is_plane).then(|| Solid::new(collider, thickness).corners())
        }
        ScenePart::Pins(_) | ScenePart::Handle { .. } => None,
    }
}

/// Most moves for each piece.
const MOVES: usize = 4;
/// By what a box is larger than a piece, which may be flat [m].
const ROOM: Vec3 = Vec3::splat(1e-3);

impl Scene {
    /// Moves the pieces that intersect something up until nothing does, the highest one of those
    /// that meet first.
    pub(super) fn move_apart(&mut self) -> Result<(), InputError> {
        for _ in 0..MOVES * (1 + self.pieces.len()) {
            let Some(part) = self.highest_in_another(&self.build()?)? else { return Ok(()) };
            let (low, high) = self.bounds_of(part)?;
            let tops = self.boxes_beside(part)?.into_iter().filter(|other| do_meet(*other, (low - ROOM, high + ROOM)));
            // of what it is in by its own surface alone it has no box, like a slope
            let top = tops.map(|(_, top)| top.y).fold(low.y, Real::max);
            let by = top - low.y + self.parameters.contact.thickness + GAP;
            self.shift(part, Vec3::Y * by)?;
        }
        Err(InputError::new("", "the things could not be moved apart; shift one of them by hand"))
    }

    /// Of the pieces that intersect something and are not locked, the one with the highest middle.
    fn highest_in_another(&self, simulation: &Simulation) -> Result<Option<ScenePart>, InputError> {
        let mut search = Intersections::default();
        let [pairs, in_colliders] = simulation.find_intersections(&mut search);
        let pattern = simulation.pattern();
        let pieces = pattern.piece_of_vertices();
        let piece_of = |triangle: u32| pieces[pattern.triangles()[triangle as usize][0] as usize];
        let apart = pairs.iter().map(|pair| pair.map(piece_of)).filter(|[a, b]| a != b);
        let of_pieces = apart.flatten().chain(in_colliders.iter().map(|[triangle, _]| piece_of(*triangle)));
        let height = |part: &ScenePart| {
            let (low, high) = bounds_in(simulation, *part);
            low.y + high.y
        };
        let (locked, free): (Vec<ScenePart>, Vec<ScenePart>) =
            of_pieces.map(ScenePart::Piece).partition(|part| self.is_locked(*part));
        if free.is_empty() && !locked.is_empty() {
            return Err(InputError::new(
                "",
                "the pieces that intersect something are locked; unlock one of them first",
            ));
        }
        Ok(free.into_iter().max_by(|a, b| height(a).total_cmp(&height(b))))
    }
}
