//! Colliders in the hand: the pointer drags them, and turns them with Shift held.

use bevy::prelude::*;

use crate::app::picking::Surroundings;
use crate::app::session::SessionHandle;
use crate::session::Command;

/// Turn for each pixel that the pointer moves [rad].
const TURN: f32 = 0.008;

/// A collider of the scene in the hand.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct ColliderHand {
    collider: u32,
    /// Distance along the camera's view at which it was taken [m].
    depth: f32,
    /// Where the pointer was last [logical pixels].
    cursor: Vec2,
    /// Where it belongs, as it is drawn [m].
    position: Vec3,
    rotation: Quat,
}

impl ColliderHand {
    /// Takes the collider at `cursor`, if there is one that can be moved.
    pub fn take(cursor: Vec2, session: &SessionHandle, around: &mut Surroundings) -> Option<Self> {
        let (collider, at) = around.collider_at(cursor)?;
        let taken = session.frame().colliders.get(collider as usize)?;
        let position = (taken.position - session.frame().pattern.origin()).as_vec3();
        let (position, rotation) = (position, Quat::from_scaled_axis(taken.rotation.as_vec3()));
        Some(Self { collider, depth: around.depth_of(at), cursor, position, rotation })
    }

    /// Its number among the scene's colliders.
    pub fn collider(&self) -> u32 {
        self.collider
    }

    /// Whether the scene still has it.
    pub fn is_there(&self, session: &SessionHandle) -> bool {
        (self.collider as usize) < session.frame().colliders.len()
    }

    /// Moves it along with the pointer, or turns it: about the upright axis, and about that from
    /// left to right on the screen.
    pub fn drag(&mut self, cursor: Vec2, session: &mut SessionHandle, around: &Surroundings) {
        let from = std::mem::replace(&mut self.cursor, cursor);
        if around.wants_turn() {
            let by = (cursor - from) * TURN;
            self.rotation = Quat::from_rotation_y(by.x) * Quat::from_axis_angle(around.right(), by.y) * self.rotation;
        } else if let (Some(from), Some(to)) = (around.point_at(from, self.depth), around.point_at(cursor, self.depth))
        {
            self.position += to - from;
        }
        self.order(session);
    }

    /// Moves it away from the camera, so that it covers the same place on the screen: `factor`
    /// times as far.
    pub fn push(&mut self, factor: f32, session: &mut SessionHandle, around: &Surroundings) {
        let depth = around.viewpoint.moved_away(self.depth, factor);
        if let (Some(from), Some(to)) = (around.point_at(self.cursor, self.depth), around.point_at(self.cursor, depth))
        {
            self.depth = depth;
            self.position += to - from;
            self.order(session);
        }
    }

    fn order(&self, session: &mut SessionHandle) {
        let Self { collider, position, rotation, .. } = *self;
        let position = position.as_dvec3() + session.frame().pattern.origin();
        let (position, rotation) = (position, rotation.normalize().to_scaled_axis().as_dvec3());
        session.send(Command::MoveCollider { collider, position, rotation });
    }
}
