//! Screens pairs, eight at a time and in single precision, before they are looked at one by one: what it passes over is certain.
//!
//! Every number comes with a bound of what rounding may have made of it. The coordinates are relative to one vertex of the cloth and off by
//! `δ`; a length of at most `ℓ` is off by less than `τ = 32 (ε ℓ + δ)`, a product of three such by less than `τ ℓ²`, and so on. Where
//! something is no number, nothing is passed over.

use glam::Vec3A;

use super::pair::Pair;
use crate::sim::exec::simd::{Eight, vectorised};

/// Pairs that are screened at a time.
pub(super) const LANES: usize = 8;
/// More than the tangent of the angle between the normal of a triangle and the line to a vertex at which their contact stops counting.
const SLOPE: f32 = 0.22;

/// Where vertices are at both ends of a motion, relative to one of them.
#[derive(Debug, Default)]
pub(super) struct Spots {
    /// [m]
    pub at: [Vec<Vec3A>; 2],
    /// What each coordinate may be off by [m].
    pub error: f32,
}

/// What pairs are screened for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Pairs are near that end closer than this and face each other, or that pass through each other [m].
    pub near: f32,
    /// Pairs are watched that no two parallel planes part by this at both ends [m].
    pub room: f32,
}

/// What may be the case with a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hint {
    /// Its parts end near each other and face each other.
    pub near: bool,
    /// The first may change sides, and they are near or may touch.
    pub turns: bool,
    /// No planes part them.
    pub watch: bool,
}

/// Pairs of one kind that wait to be screened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch {
    first: u8,
    count: usize,
    vertices: [[u32; LANES]; 4],
    /// A bit for each: those that may touch, and those that may be close.
    touch: u8,
    close: u8,
}

impl Batch {
    pub const VERTICES: Self = Self::of(1);
    pub const EDGES: Self = Self::of(2);

    const fn of(first: u8) -> Self {
        Self { first, count: 0, vertices: [[0; LANES]; 4], touch: 0, close: 0 }
    }

    /// Adds a pair, with whether its boxes touch and whether they are close. Returns whether the batch is full.
    #[inline(always)]
    pub fn push(&mut self, pair: &Pair, touch: bool, close: bool) -> bool {
        let lane = self.count;
        for (all, vertex) in self.vertices.iter_mut().zip(pair.vertices) {
            all[lane] = vertex;
        }
        self.touch |= u8::from(touch) << lane;
        self.close |= u8::from(close) << lane;
        self.count += 1;
        self.count == LANES
    }

    /// Takes all out and calls `take` for those that are near, but for rounding, may change sides or have to be watched.
    pub fn screen(&mut self, spots: &Spots, limits: &Limits, mut take: impl FnMut(Pair, Hint)) {
        if self.count == 0 {
            return;
        }
        let [near, turns, watch] =
            if self.first == 1 { screen_triangles(spots, self, limits) } else { screen_edges(spots, self, limits) };
        let mut left = (near | turns | watch) & (u16::MAX >> (16 - self.count)) as u8;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let vertices = [0, 1, 2, 3].map(|corner| self.vertices[corner][lane]);
            let is = |bits: u8| bits >> lane & 1 == 1;
            take(Pair { vertices, first: self.first }, Hint { near: is(near), turns: is(turns), watch: is(watch) });
        }
        (self.count, self.touch, self.close) = (0, 0, 0);
    }
}

vectorised! {
    /// Bits of the pairs of two edges that are near, whose first may change sides, and that have to be watched.
    fn screen_edges(spots: &Spots, batch: &Batch, limits: &Limits) -> [u8; 3] = edges
}

vectorised! {
    /// Bits of the pairs of a vertex and a triangle that are near, whose first may change sides, and that have to be watched.
    fn screen_triangles(spots: &Spots, batch: &Batch, limits: &Limits) -> [u8; 3] = triangles
}

/// Three differences of the corners of eight pairs at one end of the motion: of two edges `b - a`, `d - c` and `a - c`, of a vertex and a
/// triangle `c - b`, `d - b` and `b - a`.
type Sides<const FMA: bool> = [[Eight<FMA>; 3]; 3];

// No closures in what follows: they would not be compiled for AVX2.

#[inline(always)]
fn sides<const FMA: bool>(points: &[Vec3A], batch: &Batch) -> Sides<FMA> {
    let [a, b, c, d] = &batch.vertices;
    let (a, b) = (Eight::gather(points, a), Eight::gather(points, b));
    let (c, d) = (Eight::gather(points, c), Eight::gather(points, d));
    if batch.first == 2 {
        [Eight::difference(&b, &a), Eight::difference(&d, &c), Eight::difference(&a, &c)]
    } else {
        [Eight::difference(&c, &b), Eight::difference(&d, &b), Eight::difference(&b, &a)]
    }
}

/// What rounding may have made of a length, a product of three and one of four, all of at most `ℓ`.
struct Rounding<const FMA: bool> {
    length: Eight<FMA>,
    of_length: Eight<FMA>,
    of_volume: Eight<FMA>,
    of_square: Eight<FMA>,
}

impl<const FMA: bool> Rounding<FMA> {
    #[inline(always)]
    fn of(x: &Sides<FMA>, y: &Sides<FMA>, error: f32) -> Self {
        let [a, b, c] = x;
        let squared = Eight::dot(a, a) + Eight::dot(b, b) + Eight::dot(c, c);
        let [a, b, c] = y;
        let squared = squared + Eight::dot(a, a) + Eight::dot(b, b) + Eight::dot(c, c);
        let length = squared.sqrt();
        let of_length = Eight::splat(32.0 * error).plus(Eight::splat(32.0 * f32::EPSILON), length);
        let of_volume = of_length * squared;
        Self { length, of_length, of_volume, of_square: of_volume * length }
    }

    /// Bits of those that planes across `along` part by `room` [m], with the least heights at both ends in units of its length, which may
    /// be `off`.
    #[inline(always)]
    fn parted(&self, [x, y]: [Eight<FMA>; 2], along: &[Eight<FMA>; 3], off: Eight<FMA>, room: f32) -> u8 {
        let needed = (Eight::splat(1.00001 * room) + self.of_length) * Eight::dot(along, along).sqrt();
        (x.min(y) - off - off).above(needed)
    }

    /// Bits of those that certainly do not change sides, by the volumes at both ends.
    #[inline(always)]
    fn same_side(&self, x: Eight<FMA>, y: Eight<FMA>) -> u8 {
        let (off, minus) = (self.of_volume, Eight::ZERO - self.of_volume);
        (x.above(off) & y.above(off)) | (minus.above(x) & minus.above(y))
    }

    /// Bits of those that are farther apart than `near` [m] along a normal with the square `squared`, by their `height` along it.
    #[inline(always)]
    fn far(&self, height: Eight<FMA>, squared: Eight<FMA>, near: f32) -> u8 {
        let needed = (Eight::splat(near) + self.of_length) * (squared + self.of_square).sqrt();
        (height.abs() - self.of_volume).above(needed)
    }
}

#[inline(always)]
fn edges<const FMA: bool>(spots: &Spots, batch: &Batch, limits: &Limits) -> [u8; 3] {
    let (x, y): (Sides<FMA>, Sides<FMA>) = (sides(&spots.at[0], batch), sides(&spots.at[1], batch));
    let rounding = Rounding::of(&x, &y, spots.error);
    let off = rounding.of_square;
    // at the end: does the shortest line end inside both edges, and how long is it?
    let [u, v, w] = &y;
    let normal = Eight::cross(u, v);
    let (sine, height) = (Eight::dot(&normal, &normal), Eight::dot(w, &normal));
    let (s, t) = (Eight::dot(&Eight::cross(v, w), &normal), Eight::dot(&Eight::cross(u, w), &normal));
    let (low, high) = (Eight::ZERO - off, sine + off + off);
    let outside = low.above(s) | s.above(high) | low.above(t) | t.above(high);
    let near = !(outside | rounding.far(height, sine, limits.near));
    // at the start: on which side is the first?
    let [u, v, w] = &x;
    let across = Eight::cross(u, v);
    let start = Eight::dot(w, &across);
    let turns = (near | batch.touch) & !rounding.same_side(start, height);
    let mut watch = batch.close;
    if watch != 0 {
        let rooms = [start.abs(), above_edge(&y, &across, start)];
        watch &= !rounding.parted(rooms, &across, rounding.of_volume, limits.room);
    }
    if watch != 0 {
        let centers = Eight::sum(&Eight::sum(w, w), &Eight::difference(u, v));
        let rooms = [above_edge(&x, &centers, Eight::ZERO), above_edge(&y, &centers, Eight::ZERO)];
        let off = rounding.of_length * rounding.length * Eight::splat(4.0);
        watch &= !rounding.parted(rooms, &centers, off, limits.room);
    }
    [near, turns, watch]
}

/// How far one edge is above the other along a direction, which is turned where `sign` is negative.
#[inline(always)]
fn above_edge<const FMA: bool>(sides: &Sides<FMA>, along: &[Eight<FMA>; 3], sign: Eight<FMA>) -> Eight<FMA> {
    let [u, v, w] = sides;
    let (u, v) = (Eight::dot(u, along).turned(sign), Eight::dot(v, along).turned(sign));
    let w = Eight::dot(w, along).turned(sign);
    w + u.min(Eight::ZERO) + (Eight::ZERO - v).min(Eight::ZERO)
}

#[inline(always)]
fn triangles<const FMA: bool>(spots: &Spots, batch: &Batch, limits: &Limits) -> [u8; 3] {
    let (x, y): (Sides<FMA>, Sides<FMA>) = (sides(&spots.at[0], batch), sides(&spots.at[1], batch));
    let rounding = Rounding::of(&x, &y, spots.error);
    // at the end: is the vertex over the triangle or nearly so, and how high?
    let [ab, ac, a] = &y;
    let normal = Eight::cross(ab, ac);
    let (area, height) = (Eight::dot(&normal, &normal), Eight::dot(a, &normal));
    let beta = Eight::dot(&Eight::cross(ac, a), &normal);
    let gamma = Eight::dot(&Eight::cross(a, ab), &normal);
    let slope = (height.abs() + rounding.of_volume) * Eight::splat(SLOPE);
    let outside = beyond(area - beta - gamma, &Eight::difference(ac, ab), slope, &rounding)
        | beyond(beta, ac, slope, &rounding)
        | beyond(gamma, ab, slope, &rounding);
    let near = !(outside | rounding.far(height, area, limits.near));
    // at the start: on which side of it?
    let [ab, ac, a] = &x;
    let across = Eight::cross(ab, ac);
    let start = Eight::dot(a, &across);
    let turns = (near | batch.touch) & !rounding.same_side(start, height);
    let mut watch = batch.close;
    if watch != 0 {
        let rooms = [start.abs(), above_vertex(&y, &across, start)];
        watch &= !rounding.parted(rooms, &across, rounding.of_volume, limits.room);
    }
    if watch != 0 {
        let centers = Eight::sum(&Eight::sum(a, &Eight::sum(a, a)), &Eight::sum(ab, ac));
        let rooms = [above_vertex(&x, &centers, Eight::ZERO), above_vertex(&y, &centers, Eight::ZERO)];
        let off = rounding.of_length * rounding.length * Eight::splat(4.0);
        watch &= !rounding.parted(rooms, &centers, off, limits.room);
    }
    [near, turns, watch]
}

/// Bits of those whose foot is certainly so far beyond a side that they do not face each other.
#[inline(always)]
fn beyond<const FMA: bool>(
    weight: Eight<FMA>,
    side: &[Eight<FMA>; 3],
    slope: Eight<FMA>,
    rounding: &Rounding<FMA>,
) -> u8 {
    let length = Eight::dot(side, side).sqrt() + rounding.of_length;
    (Eight::ZERO - weight - Eight::splat(3.0) * rounding.of_square).above(slope * length)
}

/// How far the triangle is above the vertex along a direction, which is turned where `sign` is negative.
#[inline(always)]
fn above_vertex<const FMA: bool>(sides: &Sides<FMA>, along: &[Eight<FMA>; 3], sign: Eight<FMA>) -> Eight<FMA> {
    let [b, c, a] = sides;
    let (b, c) = (Eight::dot(b, along).turned(sign), Eight::dot(c, along).turned(sign));
    let a = Eight::dot(a, along).turned(sign);
    a + b.min(c).min(Eight::ZERO)
}
