//! Conservative filter of pairs, eight at a time and in single precision, before they are tested
//! one by one; its certain results are exact.
//!
//! Coordinates are integers in a unit that is a small part of the size of the cloth, so that
//! differences are exact but for the rounding of each by half a unit. With `L` above the longest
//! side of a pair, a side is off by less than `η = 2.5 + 2 ε L` units, and by the rules for
//! products a cross product of two by less than `5 η L`, a triple product by `10 η L²`, and the
//! products of two cross products by `20 η L³`, rounding included. NaN makes every result
//! uncertain.

use super::rounding::{Rounding, Sides, beyond, off_centers, parted, same_side};
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::{F32x8, I32x4, I32x8, vectorised};
use crate::sim::{Real, Vec3};

/// Pairs per batch.
const LANES: usize = 8;
/// Upper bound of the tangent of the angle between the normal of a triangle and the vector to a
/// vertex in contact with it.
const SLOPE: f32 = 0.21;
/// Units per size of a cloth.
const UNITS: Real = (1_u32 << 28) as Real;
/// Vertices per task.
const VERTICES: usize = 1024;

/// Fixed-point positions at both ends of a motion, relative to one vertex.
#[derive(Debug, Default)]
pub(super) struct Spots {
    at: [Vec<I32x4>; 2],
    /// Units per metre.
    per_metre: Real,
}

impl Spots {
    /// Takes the positions [m].
    pub fn update(&mut self, motion: [&[Vec3]; 2], pool: &ThreadPool) {
        let farthest = |x: &[Vec3]| {
            let from = x[0];
            x.iter().fold(Vec3::ZERO, |sum, x| sum.max((*x - from).abs())).max_element()
        };
        let size = motion.map(farthest).into_iter().fold(Real::MIN_POSITIVE, Real::max);
        self.per_metre = (UNITS / size).min(Real::MAX);
        let per_metre = self.per_metre;
        for (spots, x) in self.at.iter_mut().zip(motion) {
            spots.resize(x.len(), I32x4::default());
            let from = x[0];
            pool.fill(spots, VERTICES, |i| I32x4::from_vec3((x[i] - from) * per_metre));
        }
    }
}

/// Distances of the filter [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// A pair is near if it ends closer than this and its parts face each other.
    pub near: Real,
    /// A pair is watched if no two fixed parallel planes part it by this at both ends.
    pub room: Real,
}

impl Limits {
    /// The largest of them.
    pub fn widest(&self) -> Real {
        self.near.max(self.room)
    }

    /// Whether both are at least as large as those of another search.
    pub fn contain(&self, other: &Self) -> bool {
        self.near >= other.near && self.room >= other.room
    }
}

/// Class of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hint {
    /// Certain: its parts end near and face each other, and stay on one side.
    pub near: bool,
    /// Uncertain: it may be near or pass through itself, and has to be tested.
    pub ask: bool,
    /// No fixed planes are known to part it.
    pub watch: bool,
}

/// A pair with a class, by its place in a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub at: u32,
    pub hint: Hint,
}

/// A pair of parts of two leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub vertices: [u32; 4],
    pub leaves: [u32; 2],
}

impl Candidate {
    /// The pair, with so many vertices in its first part.
    pub const fn pair(&self, first: u8) -> Pair {
        Pair { vertices: self.vertices, first }
    }
}

/// Adds the hits among pairs with so many vertices in the first part.
pub(super) fn screen(spots: &Spots, pairs: &[Candidate], first: u8, limits: &Limits, hits: &mut Vec<Hit>) {
    // rounded towards uncertainty
    let units = |length: Real| (length * spots.per_metre) as f32;
    let whole = (limits.room * spots.per_metre + 2.0).min(Real::from(i32::MAX)) as i32;
    let limits = Units { near: units(limits.near), room: 1.00001 * units(limits.room), whole };
    screen_all(spots, pairs, first == 2, &limits, hits);
}

/// [`Limits`] in units, and the second rounded up to an integer.
struct Units {
    near: f32,
    room: f32,
    whole: i32,
}

vectorised! {
    /// Adds the hits among pairs of edges, or among pairs of a vertex and a triangle.
    fn screen_all(
        spots: &Spots,
        pairs: &[Candidate],
        are_edges: bool,
        limits: &Units,
        hits: &mut Vec<Hit>,
    ) = screen_either
}

// No closures below: they would not be compiled for AVX2.

#[inline(always)]
fn screen_either<const FMA: bool>(
    spots: &Spots,
    pairs: &[Candidate],
    are_edges: bool,
    limits: &Units,
    hits: &mut Vec<Hit>,
) {
    let mut start = 0;
    while start < pairs.len() {
        let eight = &pairs[start..pairs.len().min(start + LANES)];
        let classes = if are_edges {
            classify::<FMA, true>(spots, eight, limits)
        } else {
            classify::<FMA, false>(spots, eight, limits)
        };
        note(classes, start, eight.len(), hits);
        start += LANES;
    }
}

#[inline(always)]
fn note([near, ask, watch]: [u8; 3], start: usize, count: usize, hits: &mut Vec<Hit>) {
    let mut left = (near | ask | watch) & (u16::MAX >> (16 - count)) as u8;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let bit = 1 << lane;
        let hint = Hint { near: near & bit != 0, ask: ask & bit != 0, watch: watch & bit != 0 };
        hits.push(Hit { at: (start + lane) as u32, hint });
    }
}

type Corners<const FMA: bool> = [[I32x8<FMA>; 3]; 4];

/// Vertices of up to eight pairs; the last pair fills the remaining lanes.
#[inline(always)]
fn numbers(pairs: &[Candidate]) -> [[u32; LANES]; 4] {
    let mut all = [[0; LANES]; 4];
    let mut lane = 0;
    while lane < LANES {
        let pair = &pairs[if lane < pairs.len() { lane } else { pairs.len() - 1 }];
        all[0][lane] = pair.vertices[0];
        all[1][lane] = pair.vertices[1];
        all[2][lane] = pair.vertices[2];
        all[3][lane] = pair.vertices[3];
        lane += 1;
    }
    all
}

#[inline(always)]
fn corners<const FMA: bool>(spots: &[I32x4], at: &[[u32; LANES]; 4]) -> Corners<FMA> {
    [
        I32x8::gather(spots, &at[0]),
        I32x8::gather(spots, &at[1]),
        I32x8::gather(spots, &at[2]),
        I32x8::gather(spots, &at[3]),
    ]
}

/// `a - b` of eight points.
#[inline(always)]
fn side<const FMA: bool>(a: &[I32x8<FMA>; 3], b: &[I32x8<FMA>; 3]) -> [F32x8<FMA>; 3] {
    [a[0].minus(b[0]).to_floats(), a[1].minus(b[1]).to_floats(), a[2].minus(b[2]).to_floats()]
}

/// Largest distance of the boxes of both parts along an axis, on the same side at both ends.
#[inline(always)]
fn gap<const FMA: bool>(x: &Corners<FMA>, y: &Corners<FMA>, is_edge: bool) -> I32x8<FMA> {
    let mut gap = I32x8::splat(i32::MIN);
    let mut axis = 0;
    while axis < 3 {
        let ([a, b, c, d], [e, f, g, h]) =
            ([x[0][axis], x[1][axis], x[2][axis], x[3][axis]], [y[0][axis], y[1][axis], y[2][axis], y[3][axis]]);
        let [above, below] = if is_edge {
            [
                a.min(b).minus(c.max(d)).min(e.min(f).minus(g.max(h))),
                c.min(d).minus(a.max(b)).min(g.min(h).minus(e.max(f))),
            ]
        } else {
            [
                a.minus(b.max(c.max(d))).min(e.minus(f.max(g.max(h)))),
                b.min(c.min(d)).minus(a).min(f.min(g.min(h)).minus(e)),
            ]
        };
        gap = gap.max(above.max(below));
        axis += 1;
    }
    gap
}

/// Three vectors that a pair is classified by: two sides across each other, of both edges or of the
/// triangle, and the way from the second edge to the first, or from the vertex to the triangle.
#[inline(always)]
fn sides<const FMA: bool, const EDGES: bool>([a, b, c, d]: &Corners<FMA>) -> Sides<FMA> {
    if EDGES { [side(b, a), side(d, c), side(a, c)] } else { [side(c, b), side(d, b), side(b, a)] }
}

/// Bits of the pairs that certainly are near, that have to be tested, and that no fixed planes are
/// known to part.
#[inline(always)]
fn classify<const FMA: bool, const EDGES: bool>(spots: &Spots, pairs: &[Candidate], limits: &Units) -> [u8; 3] {
    let at = numbers(pairs);
    let (x, y): (Corners<FMA>, Corners<FMA>) = (corners(&spots.at[0], &at), corners(&spots.at[1], &at));
    let gap = gap(&x, &y, EDGES);
    let (touch, close) = (!gap.above(I32x8::splat(2)), !gap.above(I32x8::splat(limits.whole)));
    let (x, y) = (sides::<FMA, EDGES>(&x), sides::<FMA, EDGES>(&y));
    // at the end: does the shortest line belong to the pair, and how long is it?
    let at_y = Rounding::of(&y);
    let normal = F32x8::cross(&y[0], &y[1]);
    let (area, height) = (F32x8::dot(&normal, &normal), F32x8::dot(&y[2], &normal));
    let [outside, inside] = if EDGES {
        feet_on_edges(&y, &normal, area, &at_y)
    } else {
        foot_on_triangle(&y, &normal, [area, height], &at_y)
    };
    let (length, slack) = (area.sqrt(), at_y.cross + at_y.cross);
    let far = (height.abs() - at_y.volume).above(F32x8::splat(1.00001 * limits.near) * (length + slack));
    let close_enough = (F32x8::splat(0.99999 * limits.near) * (length - slack)).above(height.abs() + at_y.volume);
    let maybe = !(outside | far);
    // at the start: on which side is the first part?
    let at_x = Rounding::of(&x);
    let across = F32x8::cross(&x[0], &x[1]);
    let start = F32x8::dot(&x[2], &across);
    let turns = (maybe | touch) & !same_side([start, height], [&at_x, &at_y]);
    let near = inside & close_enough & !turns;
    let ask = (maybe & !near) | turns;
    let mut watch = close;
    if watch != 0 {
        let rooms = [start.abs(), above::<FMA, EDGES>(&y, &across, start)];
        watch &= !parted(rooms, &across, at_x.volume.max(at_y.volume), limits.room, [&at_x, &at_y]);
    }
    if watch != 0 {
        let [u, v, w] = &x;
        let centers = if EDGES {
            F32x8::sum(&F32x8::sum(w, w), &F32x8::difference(u, v))
        } else {
            F32x8::sum(&F32x8::sum(w, &F32x8::sum(w, w)), &F32x8::sum(u, v))
        };
        let zero = F32x8::ZERO;
        let rooms = [above::<FMA, EDGES>(&x, &centers, zero), above::<FMA, EDGES>(&y, &centers, zero)];
        watch &= !parted(rooms, &centers, off_centers(&at_x, &at_y), limits.room, [&at_x, &at_y]);
    }
    [near, ask, watch]
}

/// Bits of the pairs of edges whose shortest line certainly ends outside of one, and of those where
/// it certainly ends inside both.
#[inline(always)]
fn feet_on_edges<const FMA: bool>(
    [u, v, w]: &Sides<FMA>,
    normal: &[F32x8<FMA>; 3],
    sine: F32x8<FMA>,
    rounding: &Rounding<FMA>,
) -> [u8; 2] {
    let (s, t) = (F32x8::dot(&F32x8::cross(v, w), normal), F32x8::dot(&F32x8::cross(u, w), normal));
    let off = rounding.square;
    let (low, high, off_high) = (F32x8::ZERO - off, sine + off + off, sine - off - off);
    let outside = low.above(s) | s.above(high) | low.above(t) | t.above(high);
    let inside = s.above(off) & off_high.above(s) & t.above(off) & off_high.above(t);
    [outside, inside]
}

/// Bits of the vertices whose foot certainly lies too far beyond the triangle, and of those where
/// it certainly lies inside.
#[inline(always)]
fn foot_on_triangle<const FMA: bool>(
    [ab, ac, a]: &Sides<FMA>,
    normal: &[F32x8<FMA>; 3],
    [area, height]: [F32x8<FMA>; 2],
    rounding: &Rounding<FMA>,
) -> [u8; 2] {
    let beta = F32x8::dot(&F32x8::cross(ac, a), normal);
    let gamma = F32x8::dot(&F32x8::cross(a, ab), normal);
    let alpha = area - beta - gamma;
    let off = rounding.square * F32x8::splat(4.0);
    let slope = (height.abs() + rounding.volume) * F32x8::splat(SLOPE);
    let outside = beyond(alpha, &F32x8::difference(ac, ab), slope, off, rounding)
        | beyond(beta, ac, slope, off, rounding)
        | beyond(gamma, ab, slope, off, rounding);
    let inside = alpha.above(off) & beta.above(off) & gamma.above(off);
    [outside, inside]
}

/// Height of one part above the other along a direction, reversed if `sign` is negative: of the
/// first edge, or of the triangle.
#[inline(always)]
fn above<const FMA: bool, const EDGES: bool>(
    sides: &Sides<FMA>,
    along: &[F32x8<FMA>; 3],
    sign: F32x8<FMA>,
) -> F32x8<FMA> {
    let [u, v, w] = sides;
    let (u, v) = (F32x8::dot(u, along).turned(sign), F32x8::dot(v, along).turned(sign));
    let w = F32x8::dot(w, along).turned(sign);
    if EDGES { w + u.min(F32x8::ZERO) + (F32x8::ZERO - v).min(F32x8::ZERO) } else { w + u.min(v).min(F32x8::ZERO) }
}
