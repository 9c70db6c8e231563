//! Singular values of a 3×3 matrix, the deformation gradient of a tetrahedron, with the sign that an inverted one has.
//!
//! `F = Σ_k s_k u_k v_kᵀ` with rotations `U = (u_1 u_2 u_3)` and `V`, so that `s_1 ≥ s_2 ≥ |s_3|`, and `s_3 < 0` exactly when
//! `det F < 0` (`physics.md` section 9). Four matrices at a time, by rotations of pairs of columns of `F` that make these perpendicular
//! (one-sided Jacobi; Golub and Van Loan, section 8.6.3), each so that the longer column comes first (de Rijk 1989). A matrix whose
//! columns are perpendicular stays as it is, so what its neighbours are changes none of its bits. No closures and no `map` in what
//! computes: they are not always compiled for the processor at hand.

use crate::sim::exec::simd::{F64x4, Mask, Wide, vectorised};
use crate::sim::{Real, Vec3};

/// Three columns or components, of four matrices or vectors.
pub(super) type Three<const FMA: bool> = [Wide<FMA>; 3];

/// Two columns whose product is below this share of the square of the longer are perpendicular: a few roundings.
const PERPENDICULAR: Real = 1e-15;
/// A column is shorter than the one behind it beyond rounding.
const LONGER: Real = 1.0 + 1e-15;
/// Sweeps over the three pairs: five are enough for almost all matrices.
const MOST_SWEEPS: usize = 16;

/// The signed singular values of four matrices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Four<const FMA: bool> {
    pub left: [Three<FMA>; 3],
    pub values: Three<FMA>,
    pub right: [Three<FMA>; 3],
}

#[inline(always)]
fn dot<const FMA: bool>(a: &Three<FMA>, b: &Three<FMA>) -> Wide<FMA> {
    (a[0] * b[0]).plus(a[1], b[1]).plus(a[2], b[2])
}

#[inline(always)]
fn cross<const FMA: bool>(a: &Three<FMA>, b: &Three<FMA>) -> Three<FMA> {
    [(a[1] * b[2]).minus(a[2], b[1]), (a[2] * b[0]).minus(a[0], b[2]), (a[0] * b[1]).minus(a[1], b[0])]
}

/// `a` without its part along the unit vector `along`.
#[inline(always)]
fn reject<const FMA: bool>(a: &Three<FMA>, along: &Three<FMA>) -> Three<FMA> {
    let part = dot(a, along);
    [a[0].minus(part, along[0]), a[1].minus(part, along[1]), a[2].minus(part, along[2])]
}

#[inline(always)]
fn scaled<const FMA: bool>(a: &Three<FMA>, by: Wide<FMA>) -> Three<FMA> {
    [a[0] * by, a[1] * by, a[2] * by]
}

#[inline(always)]
fn choose<const FMA: bool>(mask: Mask<FMA>, yes: &Three<FMA>, no: &Three<FMA>) -> Three<FMA> {
    [mask.choose(yes[0], no[0]), mask.choose(yes[1], no[1]), mask.choose(yes[2], no[2])]
}

/// `(c p + s q, c q - s p)`.
#[inline(always)]
fn turn<const FMA: bool>(columns: &mut [Three<FMA>; 3], p: usize, q: usize, c: Wide<FMA>, s: Wide<FMA>) {
    let (a, b) = (columns[p], columns[q]);
    columns[p] = [(c * a[0]).plus(s, b[0]), (c * a[1]).plus(s, b[1]), (c * a[2]).plus(s, b[2])];
    columns[q] = [(c * b[0]).minus(s, a[0]), (c * b[1]).minus(s, a[1]), (c * b[2]).minus(s, a[2])];
}

/// Turns two columns so that they are perpendicular and the first is the longer. Returns whether any had to be turned.
#[inline(always)]
fn make_perpendicular<const FMA: bool>(
    b: &mut [Three<FMA>; 3],
    right: &mut [Three<FMA>; 3],
    p: usize,
    q: usize,
) -> bool {
    let (zero, one) = (Wide::ZERO, Wide::splat(1.0));
    let (pp, qq, pq) = (dot(&b[p], &b[p]), dot(&b[q], &b[q]), dot(&b[p], &b[q]));
    let oblique = pq.abs().above(Wide::splat(PERPENDICULAR) * pp.max(qq));
    let active = oblique.or(qq.above(Wide::splat(LONGER) * pp));
    if !active.any() {
        return false;
    }
    // tan 2θ = 2 pq/(pp - qq), with θ such that the first column becomes the longer
    let half = (pp - qq) * Wide::splat(0.5);
    let hypotenuse = (half * half).plus(pq, pq).sqrt();
    let wide = half.abs() + hypotenuse;
    let inverse = (wide * wide).plus(pq, pq).sqrt().inverse_or_zero();
    let (large, small) = (wide * inverse, pq * inverse);
    // where the second was the longer, the angle is beyond 45°
    let swapped = zero.above(half);
    let c = swapped.choose(small.abs(), large);
    let s = swapped.choose(large.turned(pq), small);
    let (c, s) = (active.choose(c, one), active.choose(s, zero));
    turn(b, p, q, c, s);
    turn(right, p, q, c, s);
    true
}

impl<const FMA: bool> Four<FMA> {
    /// Of the matrices with these columns, which have to be finite.
    #[inline(always)]
    pub fn of(f: &[Three<FMA>; 3]) -> Self {
        let (zero, one) = (Wide::ZERO, Wide::splat(1.0));
        let mut b = *f;
        let mut right = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        for _ in 0..MOST_SWEEPS {
            // one after the other, whatever the first comes to
            let first = make_perpendicular(&mut b, &mut right, 0, 1);
            let second = make_perpendicular(&mut b, &mut right, 0, 2);
            let third = make_perpendicular(&mut b, &mut right, 1, 2);
            if !(first || second || third) {
                break;
            }
        }
        let first = dot(&b[0], &b[0]).sqrt();
        let u1 = scaled(&b[0], first.inverse_or_zero());
        let u1 = choose(first.above(zero), &u1, &[one, zero, zero]);
        // what rounding left along u1 may be all there is of a short second column
        let rest = reject(&reject(&b[1], &u1), &u1);
        let second = dot(&rest, &rest).sqrt();
        let seen = second.above(Wide::splat(4.0 * Real::EPSILON) * first);
        let u2 = choose(seen, &scaled(&rest, second.inverse_or_zero()), &perpendicular(&u1));
        let u3 = cross(&u1, &u2);
        let values = [first, seen.choose(second, zero), dot(&u3, &b[2])];
        Self { left: [u1, u2, u3], values, right }
    }

    /// The columns of the matrices with the same `U` and `V` and these values.
    #[inline(always)]
    pub fn with(&self, values: &Three<FMA>) -> [Three<FMA>; 3] {
        let (u1, u2) = (scaled(&self.left[0], values[0]), scaled(&self.left[1], values[1]));
        let u3 = scaled(&self.left[2], values[2]);
        let [v1, v2, v3] = &self.right;
        [
            mixed(&u1, v1[0], &u2, v2[0], &u3, v3[0]),
            mixed(&u1, v1[1], &u2, v2[1], &u3, v3[1]),
            mixed(&u1, v1[2], &u2, v2[2], &u3, v3[2]),
        ]
    }
}

/// `a x + b y + c z`.
#[inline(always)]
fn mixed<const FMA: bool>(
    a: &Three<FMA>,
    x: Wide<FMA>,
    b: &Three<FMA>,
    y: Wide<FMA>,
    c: &Three<FMA>,
    z: Wide<FMA>,
) -> Three<FMA> {
    [
        (a[0] * x).plus(b[0], y).plus(c[0], z),
        (a[1] * x).plus(b[1], y).plus(c[1], z),
        (a[2] * x).plus(b[2], y).plus(c[2], z),
    ]
}

/// A unit vector perpendicular to each of the unit vectors `u`.
#[inline(always)]
fn perpendicular<const FMA: bool>(u: &Three<FMA>) -> Three<FMA> {
    let (zero, one) = (Wide::ZERO, Wide::splat(1.0));
    // with the axis to which it is less inclined
    let flat = u[0].abs().above(Wide::splat(0.8));
    let axis = choose(flat, &[zero, one, zero], &[one, zero, zero]);
    let across = cross(u, &axis);
    scaled(&across, dot(&across, &across).sqrt().inverse_or_zero())
}

/// `F = Σ_k s_k u_k v_kᵀ` of a 3×3 matrix `F`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedSvd {
    /// `u_1`, `u_2` and `u_3`, right-handed.
    pub left: [Vec3; 3],
    /// `s_1 ≥ s_2 ≥ |s_3|`; the last is negative where the determinant of `F` is.
    pub values: [Real; 3],
    /// `v_1`, `v_2` and `v_3`, right-handed.
    pub right: [Vec3; 3],
}

impl SignedSvd {
    /// Of the matrix with the columns `f`, which must be finite. Where two of the values have the same size there are many, and where the
    /// matrix has a rank below two `U` is partly free: one that depends on `f` only. The error is a few roundings of the largest value.
    #[must_use]
    pub fn of(f: [Vec3; 3]) -> Self {
        decompose(&f)
    }

    /// The columns of the matrix with the same `U` and `V` and these values.
    #[must_use]
    pub fn with(&self, values: [Real; 3]) -> [Vec3; 3] {
        let column = |j: usize| (0..3).map(|k| self.left[k] * (values[k] * self.right[k][j])).sum();
        [column(0), column(1), column(2)]
    }
}

vectorised! {
    fn decompose(f: &[Vec3; 3]) -> SignedSvd = decompose_one
}

#[inline(always)]
fn decompose_one<const FMA: bool>(f: &[Vec3; 3]) -> SignedSvd {
    let svd = Four::<FMA>::of(&f.map(|column| column.to_array().map(|entry| Wide(F64x4::splat(entry)))));
    let vector = |of: &Three<FMA>| Vec3::new(of[0].0.0[0], of[1].0.0[0], of[2].0.0[0]);
    SignedSvd {
        left: [0, 1, 2].map(|k| vector(&svd.left[k])),
        values: vector(&svd.values).to_array(),
        right: [0, 1, 2].map(|k| vector(&svd.right[k])),
    }
}
