//! Building rows, four at a time: most pairs have their closest points inside a triangle or two
//! edges at both ends of a motion, and stay on one side. The others are built one by one
//! ([`LayerContact::new`]).
//!
//! With two sides of the triangle or the two edges `u`, `v`, the vector `w` between the parts and
//! `n = u × v`, both kinds have the same closest points: at `(v × w)·n / n²` and `(u × w)·n / n²`
//! along `u` and `v`, up to signs.

use std::ops::Range;

use super::batch::{Batch, dot, places, weighted};
use super::distance::PARALLEL;
use super::layer_contact::{Keeping, LONGEST_LEVER, LayerContact, RECOVERY, SETTLING};
use super::layer_force::LayerForce;
use super::nearness::{AT_REST, NEARLY_PARALLEL, distance_of};
use super::pair::Pair;
use crate::sim::exec::batches::{LANES, NONE};
use crate::sim::exec::simd::{F64x4, MaskF64x4, RegF64x4, vectorised};
use crate::sim::{Real, Vec3};

/// A pair for which a row is built.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub pair: Pair,
    /// Index of its contact force of the last step, or `NONE`.
    pub at: u32,
}

/// Forces that the solver was given for the rows of a batch, at the closest points of the start.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Acted {
    /// Weights of all vertices but the first.
    pub weights: [F64x4; 3],
    /// Impulses on the first parts, times the step [kg·m], and whether there is any.
    pub given: [F64x4; 3],
    pub any: bool,
}

impl Acted {
    /// Empties a lane.
    fn forget(&mut self, lane: usize) {
        self.weights.iter_mut().chain(&mut self.given).for_each(|numbers| numbers.0[lane] = 0.0);
    }
}

/// Input of rows.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    /// Cloth-cloth distance [m] and friction coefficient.
    pub distance: Real,
    pub friction: Real,
    /// First vertex of the component of each vertex.
    pub pieces: &'a [u32],
    /// Positions of the vertices at rest, at the start and at the proposed end [m].
    pub rest: &'a [Vec3],
    pub before: &'a [Vec3],
    pub proposed: &'a [Vec3],
    /// Largest change of distance by recovery in the step [m].
    pub recovery: Real,
    /// Contact forces of the last step, and the square of the step [s²].
    pub forces: &'a [LayerForce],
    pub squared: Real,
    /// Starts of the vertices, and proposed ends with inverse masses, each with the spare vertices.
    pub x: &'a [F64x4],
    pub q: &'a [F64x4],
    pub candidates: &'a [Candidate],
}

impl Making<'_> {
    /// Builds the rows of the candidates with these numbers.
    pub fn make(&self, numbers: &[[u32; LANES]], batches: &mut [Batch], acted: &mut [Acted]) {
        assert_eq!(self.x.len(), self.q.len(), "vertices have two places");
        make_all(self, numbers, batches, acted);
    }

    /// Impulse that the solver was given for a candidate, times the step [kg·m].
    #[inline(always)]
    fn lasts(&self, candidate: &Candidate) -> Vec3 {
        if candidate.at == NONE { Vec3::ZERO } else { self.forces[candidate.at as usize].lasting * self.squared }
    }

    /// Whether the rest distance of a pair is large enough for the whole cloth-cloth distance.
    #[inline(always)]
    fn is_free_at_rest(&self, candidate: &Candidate) -> bool {
        let [a, b, c, d] = candidate.pair.vertices.map(|vertex| vertex as usize);
        if self.pieces[a] != self.pieces[d] {
            return true;
        }
        let [a, b, c, d] = [self.rest[a], self.rest[b], self.rest[c], self.rest[d]];
        // lower bound of the rest distance
        let apart = if candidate.pair.first == 1 {
            a.distance(b) - b.distance(c).max(b.distance(d))
        } else {
            a.distance(c) - a.distance(b) - c.distance(d)
        };
        AT_REST * apart > self.distance
    }

    /// Builds the rows of a range of the candidates, one by one.
    pub fn contacts(&self, range: Range<usize>, contacts: &mut [LayerContact]) {
        make_contacts(self, &self.candidates[range], contacts);
    }

    /// The row of a candidate, with the weights of its closest points at the start.
    #[inline(always)]
    fn contact(&self, candidate: &Candidate) -> (LayerContact, [Real; 4]) {
        let pair = &candidate.pair;
        let motion = [pair.corners(self.before), pair.corners(self.proposed)];
        let distance = distance_of(pair, &motion[1], self.pieces, self.rest, self.distance);
        let keeping = Keeping { distance, friction: self.friction, recovery: self.recovery };
        LayerContact::new(pair, &keeping, self.lasts(candidate), self.q, &motion)
    }

    /// Builds the row of one lane.
    #[inline(never)]
    fn make_one(&self, candidate: &Candidate, lane: usize, batch: &mut Batch, acted: &mut Acted) {
        let (contact, weights) = self.contact(candidate);
        let lasts = self.lasts(candidate);
        batch.set(lane, &contact);
        for k in 0..3 {
            acted.weights[k].0[lane] = weights[k + 1];
            acted.given[k].0[lane] = if contact.is_idle() { 0.0 } else { lasts[k] };
        }
    }
}

vectorised! {
    /// Builds the rows of some candidates.
    fn make_contacts(making: &Making, candidates: &[Candidate], contacts: &mut [LayerContact]) = make_contacts_either
}

#[inline(always)]
fn make_contacts_either<const FMA: bool>(making: &Making, candidates: &[Candidate], contacts: &mut [LayerContact]) {
    let mut at = 0;
    while at < candidates.len() {
        contacts[at] = making.contact(&candidates[at]).0;
        at += 1;
    }
}

vectorised! {
    /// Builds the rows of some batches.
    fn make_all(making: &Making, numbers: &[[u32; LANES]], batches: &mut [Batch], acted: &mut [Acted]) = make_either
}

#[inline(always)]
fn make_either<const FMA: bool>(making: &Making, numbers: &[[u32; LANES]], batches: &mut [Batch], acted: &mut [Acted]) {
    let mut at = 0;
    while at < numbers.len() {
        make_batch::<FMA>(making, &numbers[at], &mut batches[at], &mut acted[at]);
        at += 1;
    }
}

/// Sides of four pairs and derived quantities.
struct Sides<const FMA: bool> {
    normal: [RegF64x4<FMA>; 3],
    /// Square of its length.
    square: RegF64x4<FMA>,
    /// `w·n`.
    height: RegF64x4<FMA>,
    /// Parameters of the closest points along `u` and `v`.
    along: [RegF64x4<FMA>; 2],
    /// Whether they are inside both parts.
    inside: MaskF64x4<FMA>,
    /// Squared sine of the angle between the edges.
    sine: RegF64x4<FMA>,
}

#[inline(always)]
fn difference<const FMA: bool>(a: &[RegF64x4<FMA>; 4], b: &[RegF64x4<FMA>; 4]) -> [RegF64x4<FMA>; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn choose<const FMA: bool>(
    mask: MaskF64x4<FMA>,
    yes: [RegF64x4<FMA>; 3],
    no: [RegF64x4<FMA>; 3],
) -> [RegF64x4<FMA>; 3] {
    [mask.choose(yes[0], no[0]), mask.choose(yes[1], no[1]), mask.choose(yes[2], no[2])]
}

#[inline(always)]
fn cross<const FMA: bool>(a: &[RegF64x4<FMA>; 3], b: &[RegF64x4<FMA>; 3]) -> [RegF64x4<FMA>; 3] {
    [(a[1] * b[2]).minus(a[2], b[1]), (a[2] * b[0]).minus(a[0], b[2]), (a[0] * b[1]).minus(a[1], b[0])]
}

#[inline(always)]
fn sides<const FMA: bool>(of_triangle: MaskF64x4<FMA>, [a, b, c, d]: &[[RegF64x4<FMA>; 4]; 4]) -> Sides<FMA> {
    let u = choose(of_triangle, difference(c, b), difference(b, a));
    let v = choose(of_triangle, difference(d, b), difference(d, c));
    let w = choose(of_triangle, difference(a, b), difference(a, c));
    let normal = cross(&u, &v);
    let square = dot(&normal, &normal);
    let lengths = dot(&u, &u) * dot(&v, &v);
    let inverse = square.inverse_or_zero();
    let first = dot(&cross(&v, &w), &normal) * inverse;
    let second = dot(&cross(&u, &w), &normal) * inverse;
    let (zero, one) = (RegF64x4::ZERO, RegF64x4::splat(1.0));
    let first = of_triangle.choose(zero - first, first);
    let left = of_triangle.choose(one - first - second, (one - first).min(one - second));
    let is_wide = square.above(RegF64x4::splat(PARALLEL) * lengths);
    let inside = first.above(zero).and(second.above(zero)).and(left.above(zero)).and(is_wide);
    let sine = square * lengths.inverse_or_zero();
    Sides { height: dot(&w, &normal), normal, square, along: [first, second], inside, sine }
}

/// The weights of all vertices but the first.
#[inline(always)]
fn weights<const FMA: bool>(of_triangle: MaskF64x4<FMA>, [first, second]: [RegF64x4<FMA>; 2]) -> [RegF64x4<FMA>; 3] {
    let (zero, one) = (RegF64x4::ZERO, RegF64x4::splat(1.0));
    [of_triangle.choose(first + second - one, first), of_triangle.choose(zero - first, second - one), zero - second]
}

#[inline(always)]
fn lanes_of<const FMA: bool>(of: &[RegF64x4<FMA>; 3]) -> [F64x4; 3] {
    [of[0].0, of[1].0, of[2].0]
}

#[inline(always)]
fn make_batch<const FMA: bool>(making: &Making, numbers: &[u32; LANES], batch: &mut Batch, acted: &mut Acted) {
    let spare = making.q.len() - 4;
    *batch = Batch::empty(spare as u32);
    *acted = Acted::default();
    let (mut kinds, mut special) = ([0.0; LANES], 0_u8);
    let mut given = [[0.0; LANES]; 3];
    let mut lane = 0;
    while lane < LANES {
        if numbers[lane] != NONE {
            let candidate = &making.candidates[numbers[lane] as usize];
            let [a, b, c, d] = candidate.pair.vertices;
            assert!((a.max(b).max(c).max(d) as usize) < spare, "contacts are of vertices that are there");
            batch.vertices[0][lane] = a;
            batch.vertices[1][lane] = b;
            batch.vertices[2][lane] = c;
            batch.vertices[3][lane] = d;
            kinds[lane] = if candidate.pair.first == 1 { 1.0 } else { 0.0 };
            special |= u8::from(!making.is_free_at_rest(candidate)) << lane;
            let lasts = making.lasts(candidate);
            acted.any |= lasts != Vec3::ZERO;
            given[0][lane] = lasts.x;
            given[1][lane] = lasts.y;
            given[2][lane] = lasts.z;
        }
        lane += 1;
    }
    let (zero, one) = (RegF64x4::<FMA>::ZERO, RegF64x4::splat(1.0));
    let of_triangle = RegF64x4::load(&kinds).above(zero);
    // SAFETY: all vertices are below or among the spare ones, which stand behind those of both
    // slices
    let (x, y) = unsafe {
        (places::<FMA>(making.x.as_ptr(), &batch.vertices), places::<FMA>(making.q.as_ptr(), &batch.vertices))
    };
    let (from, to) = (sides(of_triangle, &x), sides(of_triangle, &y));
    let weights_now = weights(of_triangle, to.along);
    let [u, v, w] = weights_now;
    let first = zero - (u + v + w);
    let inverse = [first * y[0][3], u * y[1][3], v * y[2][3], w * y[3][3]];
    let sum = (first * inverse[0]).plus(u, inverse[1]).plus(v, inverse[2]).plus(w, inverse[3]);
    let longest = inverse[0].abs().max(inverse[1].abs()).max(inverse[2].abs()).max(inverse[3].abs());
    let moves = sum.above(zero).and((sum * RegF64x4::splat(LONGEST_LEVER)).above(longest));
    let same_side = (from.height * to.height).above(zero);
    let turned = dot(&from.normal, &to.normal).above(zero);
    let made = from.inside.and(to.inside).and(same_side).and(turned).and(moves);

    let height = to.height;
    let scale = to.square.sqrt().inverse_or_zero().turned(height);
    let normal = [to.normal[0] * scale, to.normal[1] * scale, to.normal[2] * scale];
    let given = [RegF64x4::<FMA>::load(&given[0]), RegF64x4::load(&given[1]), RegF64x4::load(&given[2])];
    let lasts = dot(&given, &given).above(zero);
    let layers = RegF64x4::splat(making.distance);
    let nearly_parallel = (to.sine * RegF64x4::splat(1.0 / NEARLY_PARALLEL)).min(one);
    let distance = layers * of_triangle.choose(one, nearly_parallel);
    let apart = from.height.abs() * from.square.sqrt().inverse_or_zero();
    let kept = apart.min(lasts.choose(RegF64x4::splat(SETTLING) * distance, distance));
    let recovery = RegF64x4::splat(making.recovery);
    let recovered = (RegF64x4::splat(RECOVERY) * (distance - kept)).max(zero - recovery).min(recovery);
    let mass = sum.inverse_or_zero();

    let pressure = dot(&normal, &given).max(zero);
    let along = dot(&normal, &given);
    let mut shear =
        [given[0].minus(along, normal[0]), given[1].minus(along, normal[1]), given[2].minus(along, normal[2])];
    let limit = RegF64x4::splat(making.friction) * pressure;
    let square = dot(&shear, &shear);
    let held = square.above(limit * limit).choose(limit * square.sqrt().inverse_or_zero(), one);
    shear = [shear[0] * held * sum, shear[1] * held * sum, shear[2] * held * sum];

    batch.weights = lanes_of(&weights_now);
    batch.normal = lanes_of(&normal);
    batch.target = (kept + recovered).0;
    batch.start = lanes_of(&weighted(&weights_now, &x));
    batch.mass = mass.0;
    batch.pressure = (pressure * sum).0;
    batch.shear = lanes_of(&shear);
    batch.most = F64x4::splat(Real::INFINITY);
    acted.weights = lanes_of(&weights(of_triangle, from.along));
    acted.given = lanes_of(&given);

    let others = !made.bits() | special;
    lane = 0;
    while lane < LANES {
        if others & (1 << lane) != 0 {
            batch.forget(lane, spare as u32);
            acted.forget(lane);
            if numbers[lane] != NONE {
                making.make_one(&making.candidates[numbers[lane] as usize], lane, batch, acted);
            }
        }
        lane += 1;
    }
}
