//! Scenes that start through themselves: their pieces are moved apart.

use super::extent::{bounds_in, do_meet};
use super::{GAP, ScenePart};
use crate::scene::{InputError, Scene};
use crate::sim::contact::Intersections;
use crate::sim::{Real, Simulation, Vec3};

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
