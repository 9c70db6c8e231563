//! Inelastic impact of pairs in conflict, before their motion is truncated (`physics.md` section
//! 11.5): rows of the contact solver push the pairs apart at the end of the motion. Nothing is
//! guaranteed: a truncation follows.

use super::{Run, Truncator};
use crate::sim::contact::cloth::pair::{Pair, Verdict};
use crate::sim::contact::cloth::response::{Impact, Plane};
use crate::sim::{Real, Vec3};

/// Searches for pairs.
const IMPACTS: u32 = 4;
/// Gap of an impact as a multiple of the gap aimed at.
const SURPLUS: Real = 1.05;
/// Largest growth of a smaller gap.
const GROWTH: Real = 4.0;

impl Truncator {
    /// Removes the approach of pairs in conflict from the motion. Returns whether conflicts may be
    /// left.
    pub(super) fn collide(&mut self, run: &mut Run) -> bool {
        self.approaches.clear();
        // a single movable vertex has no partner
        if self.movable.iter().filter(|movable| **movable).take(2).count() < 2 {
            return true;
        }
        for _ in 0..IMPACTS {
            self.find(run, run.aim);
            if run.done.too_many {
                // no impact at all, since it would take too long
                if !self.approaches.is_empty() {
                    self.target.copy_from_slice(&self.wish);
                }
                return true;
            }
            if self.found.is_empty() {
                return false;
            }
            let own = ..self.vertices;
            if self.approaches.is_empty() {
                run.solver.tie(&self.target[own], run.step.pool);
                self.wish.clone_from(&self.target);
            }
            self.note_approaches(run);
            run.done.impacts = self.approaches.len() as u32;
            self.before_impact.clone_from(&self.target);
            let movable = |vertex: u32| self.movable[vertex as usize];
            let impacts =
                self.approaches.iter().flat_map(|approach| approach.impacts(&self.before_impact, self.vertices));
            run.solver.part(impacts, run.walls, (&mut self.target[own], run.masses, movable), run.step);
            for ((changed, target), last) in self.changed.iter_mut().zip(&self.target).zip(&self.before_impact) {
                // vertices in conflict that cannot be moved are judged again as well
                *changed = target != last;
            }
            let vertices = self.approaches.iter().flat_map(|approach| approach.pair.vertices);
            for vertex in vertices.filter(|&vertex| (vertex as usize) < self.vertices) {
                self.changed[vertex as usize] = true;
            }
        }
        true
    }

    /// Adds the pairs found to those of the impact, or renews them there.
    fn note_approaches(&mut self, run: &Run) {
        let known = self.approaches.len();
        for pair in &self.found {
            let ((x, aim), y) = (run.meshes.start(pair, &self.start, run.aim), pair.corners(&self.target));
            if let Verdict::Conflict { normal, gap } = pair.judge(&x, &y, aim) {
                let approach = Approach::new(*pair, &y, (normal, gap), aim);
                match self.approaches[..known].binary_search_by_key(pair, |approach| approach.pair) {
                    Ok(at) => self.approaches[at] = approach,
                    Err(_) => self.approaches.push(approach),
                }
            }
        }
        self.approaches.sort_unstable_by_key(|approach| approach.pair);
    }
}

/// A pair in conflict that is to have the gap `least` [m] along a unit normal at the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    pair: Pair,
    normal: Vec3,
    least: Real,
}

impl Approach {
    /// Of a pair with the unit `normal` and the `gap` [m] at the start that moves to `y` [m], where
    /// the gap `aim` [m] is aimed at.
    fn new(pair: Pair, y: &[Vec3; 4], (normal, gap): (Vec3, Real), aim: Real) -> Self {
        // the normal of the start undoes no more than the approach
        let turned = pair.turned(y, normal);
        let normal = if pair.room(y, turned) > pair.room(y, normal) { turned } else { normal };
        Self { pair, normal, least: SURPLUS * aim.min(GROWTH * gap) }
    }

    /// An impact for each vertex of the first part and each of the second. Points of colliders,
    /// numbered from `vertices` on, stand still at their `positions` [m].
    fn impacts(&self, positions: &[Vec3], vertices: usize) -> impl Iterator<Item = Impact> {
        let Self { pair, normal, least } = *self;
        let first = usize::from(pair.first);
        let between = (0..first).flat_map(move |i| (first..4).map(move |j| [(i, 1.0), (j, -1.0)]));
        between.map(move |ends| {
            let mut height = least;
            let mut ends = ends.map(|(k, sign)| (pair.vertices[k], sign));
            for k in [0, 1] {
                let (vertex, sign) = ends[k];
                if vertex as usize >= vertices {
                    height -= sign * normal.dot(positions[vertex as usize]);
                    ends[k] = (ends[1 - k].0, 0.0);
                }
            }
            Impact { ends, plane: Plane { normal, height, start: Vec3::ZERO, friction: 0.0 } }
        })
    }
}
