//! A vertex of the cloth in the hand, dragged in a plane that faces the camera.

use bevy::prelude::*;

use crate::app::picking::Surroundings;
use crate::app::session::SessionHandle;
use crate::session::Command;

/// A vertex in the hand.
#[derive(Clone, Copy, PartialEq)]
pub struct ClothHand {
    vertex: u32,
    /// Distance of the plane along the camera's view [m].
    depth: f32,
    /// From where the cursor's ray meets the plane to where the vertex belongs [m].
    offset: Vec3,
    /// Number of the order that took it.
    order: u64,
}

impl ClothHand {
    /// Takes a vertex that was pressed at `cursor`, if the cloth has it and the cursor is before
    /// the camera.
    pub fn take(vertex: u32, cursor: Vec2, session: &mut SessionHandle, around: &Surroundings) -> Option<Self> {
        let position = *session.frame().positions.get(vertex as usize)?;
        let drawn = (position - session.frame().pattern.origin()).as_vec3();
        let depth = around.depth_of(drawn);
        let at = around.point_at(cursor, depth)?;
        let order = session.send(Command::Grab { vertex, target: position });
        Some(Self { vertex, depth, offset: drawn - at, order })
    }

    /// Whether the cloth has it: a new one may not.
    pub fn is_there(&self, session: &SessionHandle) -> bool {
        let frame = session.frame();
        frame.seen < self.order || frame.grab.is_some_and(|held| held.vertex == self.vertex)
    }

    /// Moves it away from the camera by a factor.
    pub fn push(&mut self, factor: f32, around: &Surroundings) {
        self.depth = around.viewpoint.moved_away(self.depth, factor);
    }

    /// Moves it to where the cursor is.
    pub fn drag(&self, cursor: Vec2, session: &mut SessionHandle, around: &Surroundings) {
        if let Some(at) = around.point_at(cursor, self.depth) {
            let origin = session.frame().pattern.origin();
            session.send(Command::Move { target: (at + self.offset).as_dvec3() + origin });
        }
    }
}
