//! Rounding of the conservative filter: error bounds of products of coordinates that are integers,
//! and what is certain within them. Eight pairs at a time; one bit each.

use crate::sim::exec::simd::F32x8;

/// Three vectors of each of eight pairs.
pub(super) type Sides<const FMA: bool> = [[F32x8<FMA>; 3]; 3];

// No closures below: they would not be compiled for AVX2.

/// Error bounds of a side, and of products of two, three and four.
pub(super) struct Rounding<const FMA: bool> {
    pub longest: F32x8<FMA>,
    pub side: F32x8<FMA>,
    pub cross: F32x8<FMA>,
    pub volume: F32x8<FMA>,
    pub square: F32x8<FMA>,
}

impl<const FMA: bool> Rounding<FMA> {
    #[inline(always)]
    pub fn of([a, b, c]: &Sides<FMA>) -> Self {
        let squared = F32x8::dot(a, a).max(F32x8::dot(b, b)).max(F32x8::dot(c, c));
        let longest = F32x8::splat(8.0).plus(F32x8::splat(1.0001), squared.sqrt());
        let side = F32x8::splat(2.5).plus(F32x8::splat(2.0 * f32::EPSILON), longest);
        let cross = F32x8::splat(5.0) * side * longest;
        let volume = F32x8::splat(2.0) * cross * longest;
        let square = F32x8::splat(2.0) * volume * longest;
        Self { longest, side, cross, volume, square }
    }
}

/// Bits of the pairs that are certainly on one side of the second part at both ends, by their
/// signed volumes.
#[inline(always)]
pub(super) fn same_side<const FMA: bool>([x, y]: [F32x8<FMA>; 2], [at_x, at_y]: [&Rounding<FMA>; 2]) -> u8 {
    let (minus_x, minus_y) = (F32x8::ZERO - at_x.volume, F32x8::ZERO - at_y.volume);
    (x.above(at_x.volume) & y.above(at_y.volume)) | (minus_x.above(x) & minus_y.above(y))
}

/// Bits of the pairs that planes across `along`, as long as two sides or their product, part by
/// `room`, given the least heights at both ends in units of its length, with errors up to `off`.
#[inline(always)]
pub(super) fn parted<const FMA: bool>(
    [x, y]: [F32x8<FMA>; 2],
    along: &[F32x8<FMA>; 3],
    off: F32x8<FMA>,
    room: f32,
    rounding: [&Rounding<FMA>; 2],
) -> u8 {
    let slack = rounding[0].side.max(rounding[1].side) * F32x8::splat(4.0);
    let needed = (F32x8::splat(room) + slack) * F32x8::dot(along, along).sqrt();
    (x.min(y) - off - off).above(needed)
}

/// Error bound of the heights along the line between centres, which is no longer than six sides.
#[inline(always)]
pub(super) fn off_centers<const FMA: bool>(x: &Rounding<FMA>, y: &Rounding<FMA>) -> F32x8<FMA> {
    (x.longest + y.longest) * (x.side + y.side) * F32x8::splat(32.0)
}

/// Bits of the pairs whose foot is certainly too far beyond a side for them to face each other.
#[inline(always)]
pub(super) fn beyond<const FMA: bool>(
    weight: F32x8<FMA>,
    side: &[F32x8<FMA>; 3],
    slope: F32x8<FMA>,
    off: F32x8<FMA>,
    rounding: &Rounding<FMA>,
) -> u8 {
    let length = F32x8::dot(side, side).sqrt() * F32x8::splat(1.00001) + rounding.side;
    (F32x8::ZERO - weight - off).above(slope * length)
}
