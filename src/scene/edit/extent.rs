//! Where the parts of a scene are.

use super::{GAP, Part};
use crate::scene::{InputError, Scene, bounds};
use crate::sim::contact::{Shape, Solid};
use crate::sim::{Real, Simulation, Vec3, World};

/// Boxes that overlap by less are beside each other [m].
const BESIDE: Real = 1e-9;

impl Scene {
    /// Bounding box of a part at the start, lower and upper corner [m]; infinite for a plane.
    ///
    /// # Errors
    /// [`InputError`] when the part does not exist or the scene cannot be built.
    pub fn bounds_of(&self, part: Part) -> Result<(Vec3, Vec3), InputError> {
        self.clone().part(part)?;
        Ok(bounds_in(&self.build()?, part))
    }

    /// How much lower a part stands when it is set down [m].
    pub(super) fn height_to_lose(&self, part: Part) -> Result<Real, InputError> {
        self.clone().part(part)?;
        if let Part::Collider(at) = part
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
        let bearing = if matches!(part, Part::Piece(_)) { 1 + self.pieces.len() as u32 } else { 0 };
        let pieces = (0..bearing).map(Part::Piece);
        let colliders = (0..self.colliders.len() as u32).map(Part::Collider);
        let others = pieces.chain(colliders).filter(|other| *other != part);
        let tops = others.map(|other| bounds_in(&simulation, other)).chain(furniture(&simulation));
        let top = tops.filter(is_below).map(|(_, high)| high.y).filter(|top| top.is_finite()).fold(None, highest);
        let Some(top) = top else {
            return Err(InputError::new("", "there is nothing below it to stand on; put a floor or a collider there"));
        };
        // a collider stands on things, a cloth keeps its distance from them
        let room = match part {
            Part::Piece(_) => simulation.parameters.contact.thickness + GAP,
            Part::Collider(_) => 0.0,
        };
        Ok(low.y - top - room)
    }
}

fn highest(most: Option<Real>, top: Real) -> Option<Real> {
    Some(most.map_or(top, |most: Real| most.max(top)))
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

fn bounds_in(simulation: &Simulation, part: Part) -> (Vec3, Vec3) {
    match part {
        Part::Piece(at) => {
            let (pattern, at) = (simulation.pattern(), at as usize);
            let first = pattern.pieces()[at] as usize;
            let end = pattern.pieces().get(at + 1).map_or(pattern.len(), |end| *end as usize);
            bounds(&simulation.state.cloth.positions[first..end])
        }
        Part::Collider(at) => {
            let collider = &simulation.state.world.colliders[at as usize];
            match collider.shape {
                Shape::Plane { .. } => (Vec3::NEG_INFINITY, Vec3::INFINITY),
                _ => Solid::new(collider, simulation.parameters.contact.thickness).corners(),
            }
        }
    }
}
