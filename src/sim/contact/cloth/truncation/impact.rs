//! Inelastic impact of pairs in conflict, before their motion is truncated (`physics.md` section
//! 11.5).
//!
//! The two parts of a pair are moved to the two sides of a plane that turns with the pair, at the
//! height at which no momentum is lost. All pairs are taken in a fixed order, several times,
//! alternating with edge length limits, so that neighbours share the push. Nothing is guaranteed: a
//! truncation follows.

use super::{Run, Truncator};
use crate::sim::contact::cloth::meshes::CollisionMeshes;
use crate::sim::contact::cloth::pair::{Pair, Verdict};
use crate::sim::contact::cloth::response::LEAST_LENGTH;
use crate::sim::contact::cloth::surface::Surface;
use crate::sim::{Real, Vec3};

/// Searches for pairs.
const IMPACTS: u32 = 4;
/// Sweeps over the pairs.
const SWEEPS: usize = 12;
/// Sweeps over the edges after them.
const FINISH: usize = 8;
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
        if self.inverse_masses.iter().filter(|inverse| **inverse > 0.0).take(2).count() < 2 {
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
            if self.approaches.is_empty() {
                self.edges.clear();
                self.edges.extend(EdgeLimit::of(&run.candidates.surface, &self.target));
                self.wish.clone_from(&self.target);
            }
            self.note_approaches(run.meshes, run.aim);
            run.done.impacts = self.approaches.len() as u32;
            self.before_impact.clone_from(&self.target);
            collide(&self.approaches, &self.edges, [&self.inverse_masses, &self.beside], &mut self.target);
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
    fn note_approaches(&mut self, meshes: &CollisionMeshes, aim: Real) {
        let known = self.approaches.len();
        for pair in &self.found {
            let ((x, aim), y) = (meshes.start(pair, &self.start, aim), pair.corners(&self.target));
            if let Verdict::Conflict { normal, gap } = pair.judge(&x, &y, aim) {
                let is_beside_mesh = meshes.carrier(pair).is_some();
                let approach = Approach { is_beside_mesh, ..Approach::new(*pair, &y, (normal, gap), aim) };
                match self.approaches[..known].binary_search_by_key(pair, |approach| approach.pair) {
                    Ok(at) => self.approaches[at] = approach,
                    Err(_) => self.approaches.push(approach),
                }
            }
        }
        self.approaches.sort_unstable_by_key(|approach| approach.pair);
    }
}

/// A pair in conflict with its plane at the end of the motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    pub pair: Pair,
    /// Unit normal from the second part to the first.
    pub normal: Vec3,
    /// Room along it at the end [m].
    pub gap: Real,
    /// Whether one part belongs to a collision mesh; then vertices in contact with colliders may
    /// move.
    pub is_beside_mesh: bool,
}

impl Approach {
    /// Of a pair with the unit `normal` and the `gap` [m] at the start that moves to `y` [m] and is
    /// to have the gap `aim` [m] at the end.
    fn new(pair: Pair, y: &[Vec3; 4], (normal, gap): (Vec3, Real), aim: Real) -> Self {
        // the normal of the start undoes no more than the approach
        let turned = pair.turned(y, normal);
        let normal = if pair.room(y, turned) > pair.room(y, normal) { turned } else { normal };
        Self { pair, normal, gap: SURPLUS * aim.min(GROWTH * gap), is_beside_mesh: false }
    }

    /// Parts the pair at the end of the motion. Returns the lack of room [m].
    fn part(&self, inverse_masses: &[Real], positions: &mut [Vec3]) -> Real {
        let n = self.normal;
        let x = self.pair.corners(positions);
        let first = usize::from(self.pair.first);
        // heights of the plane from which on each vertex has to move
        let limit: [Real; 4] = std::array::from_fn(|i| {
            let height = (x[i] - x[0]).dot(n);
            if i < first { height - 0.5 * self.gap } else { height + 0.5 * self.gap }
        });
        let lowest = limit[..first].iter().copied().fold(Real::INFINITY, Real::min);
        let highest = limit[first..].iter().copied().fold(Real::NEG_INFINITY, Real::max);
        let lack = highest - lowest;
        if lack <= 0.0 || !lack.is_finite() {
            return 0.0;
        }
        let inverse = self.pair.vertices.map(|vertex| inverse_masses[vertex as usize]);
        // a part with an immovable vertex stays
        let held = |part: std::ops::Range<usize>| part.into_iter().any(|i| inverse[i] == 0.0);
        let plane = match (held(0..first), held(first..4)) {
            (true, false) => lowest,
            (false, true) => highest,
            _ => balance(&limit, &inverse, first, [lowest, highest]),
        };
        for i in 0..4 {
            let beyond = if i < first { (plane - limit[i]).max(0.0) } else { (plane - limit[i]).min(0.0) };
            if inverse[i] > 0.0 {
                positions[self.pair.vertices[i] as usize] += n * beyond;
            }
        }
        lack
    }
}

/// Height of the plane between `low` and `high` [m] at which the sums of mass times displacement of
/// both parts cancel. The sum rises with the height, linearly from limit to limit.
fn balance(limit: &[Real; 4], inverse: &[Real; 4], first: usize, [low, high]: [Real; 2]) -> Real {
    let surplus = |plane: Real| -> Real {
        let way = |i: usize| if i < first { (plane - limit[i]).max(0.0) } else { (plane - limit[i]).min(0.0) };
        (0..4).map(|i| if inverse[i] > 0.0 { way(i) / inverse[i] } else { 0.0 }).sum()
    };
    let (mut below, mut above) = ((low, surplus(low)), (high, surplus(high)));
    for &at in limit {
        if at > below.0 && at < above.0 {
            let sum = surplus(at);
            if sum < 0.0 {
                below = (at, sum);
            } else {
                above = (at, sum);
            }
        }
    }
    let rise = above.1 - below.1;
    if rise > 0.0 { below.0 - below.1 * (above.0 - below.0) / rise } else { 0.5 * (low + high) }
}

/// An edge with its length limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeLimit {
    ends: [u32; 2],
    /// Least and largest length [m].
    lengths: [Real; 2],
}

impl EdgeLimit {
    /// The edges of a cloth and of bodies at `positions` [m]: present stretch and compression stay.
    fn of<'a>(surface: &'a Surface, positions: &'a [Vec3]) -> impl Iterator<Item = Self> + 'a {
        surface.all_edges().map(|([i, j], rest)| {
            let present = positions[i as usize].distance(positions[j as usize]);
            Self { ends: [i, j], lengths: [LEAST_LENGTH * rest.min(present), rest.max(present)] }
        })
    }

    /// Moves the ends to the limits; momentum is kept.
    fn keep(&self, inverse_masses: &[Real], positions: &mut [Vec3]) {
        let [i, j] = self.ends.map(|end| end as usize);
        let along = positions[j] - positions[i];
        let length = along.length();
        let [least, most] = self.lengths;
        let inverse = inverse_masses[i] + inverse_masses[j];
        let bound = length.max(least).min(most);
        if length > 0.0 && inverse > 0.0 && bound != length {
            let impulse = along * ((1.0 - bound / length) / inverse);
            positions[i] += impulse * inverse_masses[i];
            positions[j] -= impulse * inverse_masses[j];
        }
    }
}

/// Parts all pairs and limits the edge lengths, several times. The second `inverse_masses` [1/kg]
/// are for pairs with collision meshes.
fn collide(
    approaches: &[Approach],
    edges: &[EdgeLimit],
    [inverse_masses, beside]: [&[Real]; 2],
    positions: &mut [Vec3],
) {
    let keep = |sweep: usize, positions: &mut [Vec3]| {
        let keep = |edge: &EdgeLimit| edge.keep(inverse_masses, positions);
        if sweep.is_multiple_of(2) { edges.iter().for_each(keep) } else { edges.iter().rev().for_each(keep) }
    };
    for sweep in 0..SWEEPS {
        keep(sweep, positions);
        let mut largest: Real = 0.0;
        let mut part = |approach: &Approach| {
            let inverse_masses = if approach.is_beside_mesh { beside } else { inverse_masses };
            largest = largest.max(approach.part(inverse_masses, positions) / approach.gap);
        };
        if sweep.is_multiple_of(2) {
            approaches.iter().for_each(&mut part);
        } else {
            approaches.iter().rev().for_each(&mut part);
        }
        // within the surplus of the gap
        if largest < 0.5 * (1.0 - 1.0 / SURPLUS) {
            break;
        }
    }
    // the rest is truncated, which stretches less than the last impacts
    (0..FINISH).for_each(|sweep| keep(sweep, positions));
}
