//! The handle that is in the hand.

use crate::scene::{InputError, Scene, ScenePart};
use crate::sim::{Simulation, Vec3};

/// A handle in the hand.
pub(super) struct MovedHandle {
    /// The handle, as a part of the scene.
    pub part: ScenePart,
    /// Its vertices, and where each of them starts [m].
    pub starts: Vec<(u32, Vec3)>,
}

impl MovedHandle {
    /// A handle of `scene`, which `simulation` was made of.
    ///
    /// # Errors
    /// [`InputError`] without a place when the scene does not have it.
    pub fn of(part: ScenePart, scene: &Scene, simulation: &Simulation) -> Result<Self, InputError> {
        let pattern = simulation.pattern();
        let rest = pattern.rest_positions();
        let vertices = scene.held_by(part, pattern);
        if vertices.is_empty() {
            return Err(InputError::new("", format!("{part:?} does not exist in the scene")));
        }
        Ok(Self { part, starts: vertices.into_iter().map(|vertex| (vertex, rest[vertex as usize])).collect() })
    }
}
