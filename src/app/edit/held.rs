//! The vertices that pins or a handle hold, and the bounding boxes of parts.

use std::sync::Arc;

use crate::scene::{Scene, ScenePart, bounds, part_bounds};
use crate::session::Frame;
use crate::sim::{Pattern, Vec3};

/// The vertices that a part holds, by their number in the whole cloth.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) vertices: Vec<u32>,
    /// The part, the scene and the pattern that they are of.
    of: Option<(ScenePart, Arc<Scene>, Arc<Pattern>)>,
}

impl Held {
    /// Finds them again if the part, the scene or the pattern is another one.
    pub(super) fn follow(&mut self, chosen: Option<ScenePart>, frame: &Frame) {
        let is_same = |(part, scene, pattern): &(ScenePart, Arc<Scene>, Arc<Pattern>)| {
            Some(*part) == chosen && Arc::ptr_eq(scene, &frame.scene) && Arc::ptr_eq(pattern, &frame.pattern)
        };
        if self.of.as_ref().is_some_and(is_same) {
            return;
        }
        self.vertices = chosen.map_or(Vec::new(), |part| frame.scene.held_by(part, &frame.pattern));
        self.of = chosen.map(|part| (part, Arc::clone(&frame.scene), Arc::clone(&frame.pattern)));
    }

    /// Bounding box of a part as it is [m].
    pub(super) fn bounds(&self, frame: &Frame, part: ScenePart) -> Option<(Vec3, Vec3)> {
        if part.is_thing() {
            return bounds_of(frame, part);
        }
        let places = self.vertices.iter().filter_map(|vertex| frame.positions.get(*vertex as usize));
        let places: Vec<Vec3> = places.copied().collect();
        (!places.is_empty()).then(|| bounds(&places))
    }
}

/// Bounding box of a thing as it is [m].
pub(super) fn bounds_of(frame: &Frame, thing: ScenePart) -> Option<(Vec3, Vec3)> {
    let thickness = frame.parameters.contact.thickness;
    part_bounds(thing, &frame.pattern, &frame.positions, (&frame.colliders, thickness))
}
