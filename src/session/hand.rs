//! The hand on vertices, colliders and handles.

use super::Session;
use super::moved_handle::MovedHandle;
use crate::scene::{InputError, ScenePart};
use crate::sim::contact::ColliderGrab;
use crate::sim::{Grab, Pin, Vec3};

impl Session {
    pub(super) fn grab(&mut self, grab: Grab) -> Result<(), InputError> {
        self.check_vertex(grab.vertex)?;
        self.log(&format!("grabbed vertex {}", grab.vertex));
        self.simulation.state.grab = Some(grab);
        self.hold();
        Ok(())
    }

    pub(super) fn move_hand(&mut self, target: Vec3) {
        if let Some(grab) = &mut self.simulation.state.grab {
            grab.target = target;
        }
        self.hold();
    }

    pub(super) fn release_collider(&mut self) {
        if let Some(grab) = self.simulation.state.world.grab.take() {
            self.log(&format!("released collider {}", grab.collider));
        }
    }

    pub(super) fn move_collider(&mut self, grab: ColliderGrab) -> Result<(), InputError> {
        let ColliderGrab { collider, position, rotation } = grab;
        let world = &mut self.simulation.state.world;
        let count = world.colliders.len();
        if collider as usize >= count {
            let message = format!("collider {collider} does not exist; the scene has {count} beside floor and table");
            return Err(InputError::new("", message));
        }
        let taken = world.grab.is_none_or(|held| held.collider != collider);
        world.grab = Some(grab);
        if self.state.paused {
            world.place((collider as usize, (position, rotation)));
        }
        if taken {
            self.log(&format!("grabbed collider {collider}"));
        }
        Ok(())
    }

    /// While time stands still, the held vertex is where the hand wants it, as far as colliders let
    /// it; otherwise it follows in the next step.
    fn hold(&mut self) {
        if let Some(Grab { vertex, target }) = self.simulation.state.grab.filter(|_| self.state.paused) {
            let target = self.simulation.reach(vertex, target);
            self.simulation.state.cloth.positions[vertex as usize] = target;
            self.last_step.previous[vertex as usize] = target;
        }
    }

    /// Moves the vertices of a handle to an offset from where they start; while time stands still
    /// they are there at once.
    pub(super) fn move_handle(&mut self, part: ScenePart, offset: Vec3) -> Result<(), InputError> {
        if self.moved_handle.as_ref().is_none_or(|moved| moved.part != part) {
            self.moved_handle = Some(MovedHandle::of(part, &self.state.scene, &self.simulation)?);
            self.log("moves a handle");
        }
        let time = self.simulation.time();
        let (Some(moved), cloth) = (&self.moved_handle, &mut self.simulation.state.cloth) else { return Ok(()) };
        for (vertex, start) in &moved.starts {
            let Some(pin) = cloth.pin_of(*vertex).cloned() else { continue };
            let pin = Pin { origin: *start + offset, ..pin };
            if self.state.paused {
                let position = pin.position(time);
                cloth.positions[*vertex as usize] = position;
                self.last_step.previous[*vertex as usize] = position;
            }
            cloth.pin(pin);
        }
        Ok(())
    }

    pub(super) fn release(&mut self) {
        self.moved_handle = None;
        let Some(Grab { vertex, target }) = self.simulation.state.grab.take() else { return };
        self.log(&format!("released vertex {vertex}"));
        let is_soft = self.simulation.solver().capabilities().pin_stiffness.is_some();
        // a softly held vertex sags below the hand
        let position = if is_soft { target } else { self.simulation.state.cloth.positions[vertex as usize] };
        let time = self.simulation.time();
        if let Some(pin) = self.simulation.state.cloth.pin_of(vertex).cloned() {
            // a moving pin continues its motion, from its new position
            let origin = pin.motion.as_ref().map_or(position, |motion| motion.origin_of(position, time));
            self.simulation.state.cloth.pin(Pin { origin, ..pin });
        }
    }
}
