//! Columns of four matrices at a time: the common part of the singular values of 3×2 and 3×3
//! matrices ([`super::svd`], [`super::signed_svd`]).
//!
//! Pairs of columns are rotated until they are perpendicular (one-sided Jacobi; Golub and Van Loan,
//! section 8.6.3), the longer column first (de Rijk 1989). A matrix with perpendicular columns
//! stays as it is, so its neighbours change none of its bits. No closures and no `map` in computing
//! functions: they are not always compiled for the processor at hand.

use crate::sim::Real;
use crate::sim::exec::simd::{F64x4, FourVertices, MaskF64x4, RegF64x4};

/// Three columns or components, of four matrices or vectors.
pub(super) type Three<const FMA: bool> = [RegF64x4<FMA>; 3];

/// Two columns whose product is below this share of the square of the longer are perpendicular: a
/// few roundings.
const PERPENDICULAR: Real = 1e-15;
/// A column is shorter than the one behind it beyond rounding.
const LONGER: Real = 1.0 + 1e-15;
#[inline(always)]
pub(super) fn dot<const FMA: bool>(a: &Three<FMA>, b: &Three<FMA>) -> RegF64x4<FMA> {
    (a[0] * b[0]).plus(a[1], b[1]).plus(a[2], b[2])
}

#[inline(always)]
pub(super) fn cross<const FMA: bool>(a: &Three<FMA>, b: &Three<FMA>) -> Three<FMA> {
    [(a[1] * b[2]).minus(a[2], b[1]), (a[2] * b[0]).minus(a[0], b[2]), (a[0] * b[1]).minus(a[1], b[0])]
}

/// `a` without its part along the unit vector `along`.
#[inline(always)]
fn reject<const FMA: bool>(a: &Three<FMA>, along: &Three<FMA>) -> Three<FMA> {
    let part = dot(a, along);
    [a[0].minus(part, along[0]), a[1].minus(part, along[1]), a[2].minus(part, along[2])]
}

#[inline(always)]
pub(super) fn scaled<const FMA: bool>(a: &Three<FMA>, by: RegF64x4<FMA>) -> Three<FMA> {
    [a[0] * by, a[1] * by, a[2] * by]
}

#[inline(always)]
pub(super) fn choose<const FMA: bool>(mask: MaskF64x4<FMA>, yes: &Three<FMA>, no: &Three<FMA>) -> Three<FMA> {
    [mask.choose(yes[0], no[0]), mask.choose(yes[1], no[1]), mask.choose(yes[2], no[2])]
}

/// The first two left singular vectors of four matrices, and their singular values, from the two
/// longest of their perpendicular columns, the longer one first.
#[inline(always)]
pub(super) fn left_vectors<const FMA: bool>(
    longest: &Three<FMA>,
    next: &Three<FMA>,
) -> ([Three<FMA>; 2], [RegF64x4<FMA>; 2]) {
    let (zero, one) = (RegF64x4::ZERO, RegF64x4::splat(1.0));
    let first = dot(longest, longest).sqrt();
    let u1 = scaled(longest, first.inverse_or_zero());
    let u1 = choose(first.above(zero), &u1, &[one, zero, zero]);
    // what rounding left along u1 may be all there is of a short second column; once more for the
    // rounding of this
    let rest = reject(&reject(next, &u1), &u1);
    let second = dot(&rest, &rest).sqrt();
    let seen = second.above(RegF64x4::splat(4.0 * Real::EPSILON) * first);
    let u2 = choose(seen, &scaled(&rest, second.inverse_or_zero()), &perpendicular(&u1));
    ([u1, u2], [first, seen.choose(second, zero)])
}

/// `(c p + s q, c q - s p)`.
#[inline(always)]
fn turn<const FMA: bool, const R: usize>(
    columns: &mut [[RegF64x4<FMA>; R]],
    p: usize,
    q: usize,
    c: RegF64x4<FMA>,
    s: RegF64x4<FMA>,
) {
    let (mut first, mut second) = (columns[p], columns[q]);
    for (first, second) in first.iter_mut().zip(&mut second) {
        let (a, b) = (*first, *second);
        *first = (c * a).plus(s, b);
        *second = (c * b).minus(s, a);
    }
    (columns[p], columns[q]) = (first, second);
}

/// Turns two columns so that they are perpendicular and the first is the longer. Returns whether
/// any had to be turned.
#[inline(always)]
pub(super) fn make_perpendicular<const FMA: bool, const C: usize>(
    b: &mut [Three<FMA>; C],
    right: &mut [[RegF64x4<FMA>; C]; C],
    p: usize,
    q: usize,
) -> bool {
    let (zero, one) = (RegF64x4::ZERO, RegF64x4::splat(1.0));
    let (pp, qq, pq) = (dot(&b[p], &b[p]), dot(&b[q], &b[q]), dot(&b[p], &b[q]));
    let oblique = pq.abs().above(RegF64x4::splat(PERPENDICULAR) * pp.max(qq));
    let active = oblique.or(qq.above(RegF64x4::splat(LONGER) * pp));
    if !active.any() {
        return false;
    }
    // tan 2θ = 2 pq/(pp - qq), with θ such that the first column becomes the longer
    let half = (pp - qq) * RegF64x4::splat(0.5);
    let hypotenuse = (half * half).plus(pq, pq).sqrt();
    let wide = half.abs() + hypotenuse;
    let inverse = (wide * wide).plus(pq, pq).sqrt().inverse_or_zero();
    let (large, small) = (wide * inverse, pq * inverse);
    // where the second was the longer, the angle is beyond 45°
    let swapped = zero.above(half);
    let c = swapped.choose(small.abs(), large);
    let s = swapped.choose(large.turned(pq), small);
    let (c, s) = (active.choose(c, one), active.choose(s, zero));
    turn(&mut b[..], p, q, c, s);
    turn(&mut right[..], p, q, c, s);
    true
}

/// A unit vector perpendicular to each of the unit vectors `u`.
#[inline(always)]
pub(super) fn perpendicular<const FMA: bool>(u: &Three<FMA>) -> Three<FMA> {
    let (zero, one) = (RegF64x4::ZERO, RegF64x4::splat(1.0));
    // with the axis to which it is less inclined
    let flat = u[0].abs().above(RegF64x4::splat(0.8));
    let axis = choose(flat, &[zero, one, zero], &[one, zero, zero]);
    let across = cross(u, &axis);
    scaled(&across, dot(&across, &across).sqrt().inverse_or_zero())
}

/// An operation on four matrices of `C` columns at a time.
pub(super) trait OnFours<const C: usize> {
    /// Replaces the matrices with the columns `f`. Those without a mark stay to the bit.
    fn replace<const FMA: bool>(&self, f: &[Three<FMA>; C]) -> Option<(MaskF64x4<FMA>, [Three<FMA>; C])>;
}

/// Applies `what` to all matrices, the columns of one after those of the other; the last four are
/// filled up with unit matrices.
#[inline(always)]
pub(super) fn on_fours<const FMA: bool, const C: usize>(columns: &mut [F64x4], what: &impl OnFours<C>) {
    let (matrices, _) = columns.as_chunks_mut::<C>();
    let (fours, rest) = matrices.as_chunks_mut::<4>();
    for four in fours {
        on_four::<FMA, C>(four, what);
    }
    if !rest.is_empty() {
        let mut four = [[F64x4::ZERO; C]; 4];
        for matrix in &mut four {
            for (at, column) in matrix.iter_mut().enumerate() {
                column.0[at] = 1.0;
            }
        }
        four[..rest.len()].copy_from_slice(rest);
        on_four::<FMA, C>(&mut four, what);
        rest.copy_from_slice(&four[..rest.len()]);
    }
}

#[inline(always)]
fn on_four<const FMA: bool, const C: usize>(four: &mut [[F64x4; C]; 4], what: &impl OnFours<C>) {
    let start = four.as_flattened_mut().as_mut_ptr();
    let mut f = [[RegF64x4::<FMA>::ZERO; 3]; C];
    for (at, column) in f.iter_mut().enumerate() {
        // SAFETY: the places are below four times the columns.
        let [x, y, z, _] = unsafe { FourVertices::<FMA>::gather(start, &places::<C>(at)) }.columns();
        *column = [x, y, z];
    }
    let Some((changed, new)) = what.replace(&f) else { return };
    for at in 0..C {
        let [x, y, z] = choose(changed, &new[at], &f[at]);
        let column = FourVertices::<FMA>::from_columns([x, y, z, RegF64x4::ZERO]);
        // SAFETY: likewise.
        unsafe { column.scatter(start, &places::<C>(at)) };
    }
}

/// Where column `at` of each of four matrices is.
#[inline(always)]
const fn places<const C: usize>(at: usize) -> [u32; 4] {
    [at as u32, (C + at) as u32, (2 * C + at) as u32, (3 * C + at) as u32]
}

/// Replaces the values of those matrices whose product is out of range by the `nearest` ones with
/// the product at the end of it.
pub(super) fn move_into_range<const FMA: bool, const N: usize>(
    values: &mut [RegF64x4<FMA>; N],
    product: RegF64x4<FMA>,
    [low, high]: [Real; 2],
    nearest: impl Fn([Real; N], Real) -> [Real; N],
) {
    for lane in 0..4 {
        let product = product.0.0[lane];
        if product < low || product > high {
            let mut own = [0.0; N];
            own.iter_mut().zip(&*values).for_each(|(own, value)| *own = value.0.0[lane]);
            let moved = nearest(own, product.max(low).min(high));
            values.iter_mut().zip(moved).for_each(|(value, moved)| value.0.0[lane] = moved);
        }
    }
}
