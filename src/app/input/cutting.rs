//! Cutting with the pointer: the stroke over the cloth, in points so dense that it leaves out no
//! triangle.

use std::collections::VecDeque;

use bevy::prelude::*;

use crate::app::picking::Surroundings;
use crate::app::session::SessionHandle;
use crate::session::{Command, CutHit};

/// Distance of the rays along a stroke [logical pixels], and most of them for one movement of the
/// pointer.
const SPACING: f32 = 3.0;
const MOST: f32 = 200.0;
/// Number of pieces of the line that stay visible: the cloth swings away from under it.
const LINE: usize = 80;

/// A cut that is being drawn.
pub struct Stroke {
    /// Where the pointer was last [logical pixels].
    cursor: Vec2,
    /// Where it met the cloth last [m].
    met: Option<Vec3>,
    line: VecDeque<[Vec3; 2]>,
}

impl Stroke {
    /// Begins the cut at `cursor`.
    pub(super) fn begin(cursor: Vec2, session: &mut SessionHandle, around: &mut Surroundings) -> Self {
        let mut stroke = Self { cursor, met: None, line: VecDeque::new() };
        stroke.draw(cursor, true, session, around);
        stroke
    }

    /// Extends the cut to `cursor`, through the cloth on the way.
    pub(super) fn draw_to(&mut self, cursor: Vec2, session: &mut SessionHandle, around: &mut Surroundings) {
        self.draw(cursor, false, session, around);
    }

    fn draw(&mut self, cursor: Vec2, begin: bool, session: &mut SessionHandle, around: &mut Surroundings) {
        let from = std::mem::replace(&mut self.cursor, cursor);
        let count = (from.distance(cursor) / SPACING).ceil().clamp(1.0, MOST) as u32;
        let mut hits: Vec<Option<CutHit>> = Vec::new();
        for at in 1..=count {
            let hit = around.hit_at(from.lerp(cursor, at as f32 / count as f32), session.frame());
            let met = hit.as_ref().map(|(_, point)| point.as_vec3());
            if let (Some(from), Some(to)) = (self.met, met) {
                self.line.push_back([from, to]);
            }
            self.met = met;
            hits.push(hit.map(|(hit, _)| hit));
        }
        self.line.drain(..self.line.len().saturating_sub(LINE));
        session.send(Command::Cut { begin, hits });
    }

    /// The line along which the cut was drawn, in pieces [m].
    pub(super) fn line(&self) -> &VecDeque<[Vec3; 2]> {
        &self.line
    }
}
