//! Takes the approach out of a wished motion pair by pair, as an inelastic impact does, before what is left of it is cut.
//!
//! The two parts of a pair are moved to the two sides of a plane, which turns with the pair. It stands where what the one part is
//! moved by and what the other is cancel out, weighted by mass: so no momentum is lost, whoever meets. All pairs are taken one after
//! the other, several times, in a fixed order; in between, the cloth takes part: an edge is not stretched by it and little compressed, so that its neighbours
//! share in what pushes a vertex. Nothing is promised: a truncation comes after it.

use super::pair::Pair;
use super::tethers::Tether;
use crate::sim::{Real, Vec3};

/// Sweeps over the pairs in one go.
const SWEEPS: usize = 12;
/// Sweeps over the edges alone after them.
const FINISH: usize = 8;
/// The gap that is to be left, as a share of the one that counts as one.
const SURPLUS: Real = 1.05;
/// How much a smaller gap is to grow at most.
const GROWTH: Real = 4.0;

/// A pair with the plane that is to part it at the end of the motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    pub pair: Pair,
    /// From the second part to the first.
    pub normal: Vec3,
    /// Room to be left along it [m].
    pub gap: Real,
    /// Whether one of its parts is of the surface of a collider. What colliders have pushed may then move.
    pub is_barrier: bool,
}

impl Approach {
    /// For a pair that has the unit `normal` and `gap` [m] at the start and moves to `y` [m], and is to have the gap `aim` [m] in the
    /// end.
    pub fn new(pair: Pair, y: &[Vec3; 4], (normal, gap): (Vec3, Real), aim: Real) -> Self {
        // with that of the start no more than the approach is taken back
        let turned = pair.turned(y, normal);
        let normal = if pair.room(y, turned) > pair.room(y, normal) { turned } else { normal };
        Self { pair, normal, gap: SURPLUS * aim.min(GROWTH * gap), is_barrier: false }
    }

    /// Parts the pair at the end of the motion. Returns how far it had to be moved [m].
    fn part(&self, inverse_masses: &[Real], positions: &mut [Vec3]) -> Real {
        let n = self.normal;
        let x = self.pair.corners(positions);
        let first = usize::from(self.pair.first);
        // heights of the plane at which each vertex begins to be in the way
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
        // where the one part cannot move, the other does
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

/// The height of the plane between `low` and `high` [m] where the sums of mass times way of both parts are equal. The sum grows
/// with the height, in straight pieces from limit to limit.
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

/// Parts all pairs and takes away the stretch that this makes, several times. The second `inverse_masses` [1/kg] are for pairs with surfaces of
/// colliders.
pub(super) fn relax(
    approaches: &[Approach],
    tethers: &[Tether],
    [inverse_masses, beside]: [&[Real]; 2],
    positions: &mut [Vec3],
) {
    for sweep in 0..SWEEPS {
        let forth = sweep % 2 == 0;
        let cut = |tether: &Tether| tether.cut(inverse_masses, positions);
        if forth {
            tethers.iter().for_each(cut);
        } else {
            tethers.iter().rev().for_each(cut);
        }
        let mut largest: Real = 0.0;
        let mut part = |approach: &Approach| {
            let inverse_masses = if approach.is_barrier { beside } else { inverse_masses };
            let lack = approach.part(inverse_masses, positions) / approach.gap;
            largest = largest.max(lack);
        };
        if forth {
            approaches.iter().for_each(&mut part);
        } else {
            approaches.iter().rev().for_each(&mut part);
        }
        // less than what is aimed at beyond what has to be
        if largest < 0.5 * (1.0 - 1.0 / SURPLUS) {
            break;
        }
    }
    // what is left is cut, which stretches less than what the last pairs have done
    for sweep in 0..FINISH {
        let cut = |tether: &Tether| tether.cut(inverse_masses, positions);
        if sweep % 2 == 0 {
            tethers.iter().for_each(cut);
        } else {
            tethers.iter().rev().for_each(cut);
        }
    }
}
