//! Opening of gaps within rounding: parts of a cloth that start a step nearer to each other than
//! the rounding of their coordinates are moved apart by a share of it that sums keep (`physics.md`
//! section 12).
//!
//! Such parts are T-junctions, pieces laid edge to edge, corners on edges. A vertex before the
//! inside of a triangle, and an edge across another, move to the side on which the exact predicate
//! has them. Where a boundary touches, every side outside the other part is free, and the boundary
//! shrinks into its own cloth.

use super::{Run, Truncator};
use crate::sim::contact::cloth::pair::{Pair, TOUCHING};
use crate::sim::contact::exact;
use crate::sim::math::union_find::UnionFind;
use crate::sim::{Real, Vec3};

/// Gap that is opened, as a share of the coordinates: more than thousands of steps lose to rounding.
const GAP: Real = 1e-11;
/// Largest displacement of a vertex, and half the reach of pairs looked at, as multiples of the gap.
const REACH: Real = 8.0;
/// Sweeps over the pairs.
const SWEEPS: usize = 60;
/// Least weight of each corner where the closest point counts as inside.
const INSIDE: Real = 1e-6;
/// Least sine of the angle between a triangle and the cloth that stands on it.
const STEEP: Real = 1e-3;

/// A pair near touching vertices.
struct Close {
    pair: Pair,
    /// Unit normal from the second part to the first; none where a boundary touches.
    normal: Option<Vec3>,
}

impl Close {
    /// Of a pair at `x` [m] with coordinates up to `size` [m] and, at each vertex, the direction into
    /// its own cloth; none if it overlaps in one plane, or by more than rounding.
    fn new(pair: Pair, x: &[Vec3; 4], inward: &[Vec3], size: Real) -> Option<Self> {
        let Some((widest, room)) = pair.widest(x) else { return Some(Self { pair, normal: None }) };
        let within = TOUCHING * size;
        if room > within {
            return Some(Self { pair, normal: Some(widest) });
        }
        if room < -within {
            return None;
        }
        let is_inside = pair.closest(x).weights.iter().all(|weight| weight.abs() > INSIDE);
        if !is_inside {
            return Some(Self { pair, normal: None });
        }
        let normal = pair.across(x).try_normalize()?;
        // the cloth around a vertex is on the side of the vertex, more surely than the vertex itself
        let along = if pair.first == 1 { inward[pair.vertices[0] as usize].dot(normal) } else { 0.0 };
        let [a, b, c, d] = *x;
        let side = if along.abs() > STEEP {
            along.signum()
        } else {
            -Real::from(if pair.first == 1 { exact::side(b, c, d, a) } else { exact::side(a, b, c, d) })
        };
        (side != 0.0).then_some(Self { pair, normal: Some(normal * side) })
    }

    /// Normal and missing room [m] of a pair that lacks the `gap` [m] with vertices at `x` [m].
    fn lack(&self, x: &[Vec3; 4], gap: Real) -> Option<(Vec3, Real)> {
        let normal = match self.normal {
            Some(normal) => normal,
            None => self.pair.widest(x).map(|(normal, _)| normal)?,
        };
        let lack = gap - self.pair.room(x, normal);
        (lack > 0.0).then_some((normal, lack))
    }
}

impl Truncator {
    /// Opens the gaps of the touching pairs at the start of the motion, as far as they are free or
    /// overlap by no more than rounding. Returns whether the start has changed.
    pub(super) fn open_gaps(&mut self, run: &mut Run) -> bool {
        let own = self.vertices;
        let is_own = |pair: &&Pair| pair.vertices.iter().all(|&vertex| (vertex as usize) < own);
        let size = self.start[..own].iter().fold(0.0, |size: Real, x| size.max(x.abs().max_element()));
        let mut is_touching = vec![false; own];
        for pair in self.touching.iter().filter(is_own) {
            let x = pair.corners(&self.start);
            if pair.widest(&x).is_none_or(|(_, room)| room >= -TOUCHING * size) {
                pair.vertices.iter().for_each(|&vertex| is_touching[vertex as usize] = true);
            }
        }
        if !is_touching.contains(&true) {
            return false;
        }
        let gap = GAP * size;
        let mut pairs = Vec::new();
        if !run.candidates.find_close(&self.start[..own], &is_touching, 2.0 * REACH * gap, &mut pairs, run.step.pool) {
            return false;
        }
        let inward = self.inward(run, &is_touching);
        let close = pairs.iter().filter_map(|pair| Close::new(*pair, &pair.corners(&self.start), &inward, size));
        let close: Vec<Close> = close.collect();
        let mut opened: Vec<Vec3> =
            self.start.iter().zip(&inward).map(|(x, inward)| *x + *inward * (2.0 * gap)).collect();
        self.part(&close, &mut opened, gap);
        self.accept(&close, &opened, gap)
    }

    /// The direction into its own cloth for each touching vertex, at most of length 1: zero inside of
    /// a regular mesh; zero for the other vertices.
    fn inward(&self, run: &Run, is_touching: &[bool]) -> Vec<Vec3> {
        let mut sums = vec![(Vec3::ZERO, 0.0); self.vertices];
        for corners in &run.candidates.surface.triangles {
            let [a, b, c] = corners.map(|vertex| self.start[vertex as usize]);
            for (vertex, x) in corners.iter().zip([a, b, c]).filter(|(vertex, _)| is_touching[**vertex as usize]) {
                let across = (a + b + c) / 3.0 - x;
                let sum = &mut sums[*vertex as usize];
                *sum = (sum.0 + across, sum.1 + across.length());
            }
        }
        sums.into_iter().map(|(sum, length)| if length > 0.0 { sum / length } else { Vec3::ZERO }).collect()
    }

    /// Moves the parts of the `close` pairs apart to the `gap` [m], in their order, several times.
    fn part(&self, close: &[Close], opened: &mut [Vec3], gap: Real) {
        for _ in 0..SWEEPS {
            let mut is_done = true;
            for close in close {
                let x = close.pair.corners(opened);
                let Some((normal, lack)) = close.lack(&x, gap) else { continue };
                is_done = false;
                let vertices = close.pair.vertices.map(|vertex| vertex as usize);
                let (first, second) = vertices.split_at(usize::from(close.pair.first));
                // a part with an immovable vertex stays, unless both have one
                let stands = [first, second].map(|part| part.iter().any(|&i| self.inverse_masses[i] == 0.0));
                let shares =
                    if stands[0] == stands[1] { [0.5, 0.5] } else { stands.map(|stands| 1.0 - f64::from(stands)) };
                // a little more, so that rounding does not ask for another sweep
                for (part, share) in [(first, 1.01 * shares[0]), (second, -1.01 * shares[1])] {
                    part.iter().for_each(|&i| opened[i] += normal * (share * lack));
                }
            }
            if is_done {
                break;
            }
        }
    }

    /// Takes over the `opened` start [m] where all connected `close` pairs have half the `gap` [m]
    /// and no vertex has moved farther than it may. Returns whether a vertex has moved.
    fn accept(&mut self, close: &[Close], opened: &[Vec3], gap: Real) -> bool {
        let mut sets = UnionFind::new(self.vertices);
        for close in close {
            close.pair.vertices.iter().for_each(|&vertex| {
                sets.join(close.pair.vertices[0], vertex);
            });
        }
        let mut fails = vec![false; self.vertices];
        for close in close {
            let is_far = |&vertex: &u32| {
                let i = vertex as usize;
                opened[i].distance(self.start[i]) > REACH * gap
            };
            if close.lack(&close.pair.corners(opened), 0.5 * gap).is_some() || close.pair.vertices.iter().any(is_far) {
                fails[sets.root(close.pair.vertices[0]) as usize] = true;
            }
        }
        let mut has_moved = false;
        for (vertex, to) in (0..self.vertices as u32).zip(opened) {
            let start = &mut self.start[vertex as usize];
            if start != to && !fails[sets.root(vertex) as usize] {
                *start = *to;
                has_moved = true;
            }
        }
        has_moved
    }
}
