//! Cutting with the pointer.

use std::collections::VecDeque;

use bevy::prelude::*;

use super::lab::Lab;
use super::pointer::Surroundings;
use crate::sim::knife::{Knife, Met};
use crate::sim::pattern::Fans;

/// Distance of the rays along a stroke [logical pixels], and most of them for one movement of the pointer.
const SPACING: f32 = 3.0;
const MOST: f32 = 200.0;
/// Number of pieces of the line that stay visible: the cloth swings away from under it.
const LINE: usize = 80;

/// A cut that is being drawn.
pub struct Stroke {
    knife: Knife,
    /// Where the pointer was last [logical pixels].
    cursor: Vec2,
    /// The cloth that is being cut, and how many vertices it had last: tips of another cloth mean nothing.
    cloth: (u64, usize),
    met: Option<Met>,
    line: VecDeque<[Vec3; 2]>,
}

impl Stroke {
    /// Puts the knife down at `cursor`.
    pub(super) fn begin(cursor: Vec2, lab: &mut Lab, around: &mut Surroundings) -> Self {
        let cloth = (lab.generation, lab.simulation.pattern().len());
        let mut stroke = Self { knife: Knife::default(), cursor, cloth, met: None, line: VecDeque::new() };
        stroke.draw_to(cursor, lab, around);
        stroke
    }

    /// Draws the knife to `cursor`, and cuts what it meets on the way.
    pub(super) fn draw_to(&mut self, cursor: Vec2, lab: &mut Lab, around: &mut Surroundings) {
        let vertices = lab.simulation.pattern().len();
        if self.cloth.0 != lab.generation || self.cloth.1 > vertices {
            (self.knife, self.met) = (Knife::default(), None);
        }
        let from = std::mem::replace(&mut self.cursor, cursor);
        let count = (from.distance(cursor) / SPACING).ceil().clamp(1.0, MOST) as u32;
        let points: Vec<Option<Met>> =
            (1..=count).map(|at| around.met_at(from.lerp(cursor, at as f32 / count as f32), lab)).collect();
        for &met in &points {
            if let (Some(from), Some(to)) = (self.met, met) {
                self.line.push_back([from.point.as_vec3(), to.point.as_vec3()]);
            }
            self.met = met;
        }
        self.line.drain(..self.line.len().saturating_sub(LINE));
        // of another cloth nothing is on the screen yet
        if around.displayed.is_of(lab) {
            let fans = Fans::of(lab.simulation.pattern());
            let edges = self.knife.follow(&fans, &around.displayed.places(lab), &points);
            lab.cut(&edges);
        }
        self.cloth = (lab.generation, lab.simulation.pattern().len());
    }

    /// The line along which the cut was drawn, in pieces [m].
    pub(super) fn line(&self) -> &VecDeque<[Vec3; 2]> {
        &self.line
    }
}
