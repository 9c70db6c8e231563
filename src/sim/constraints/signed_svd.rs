//! Singular values of a 3×3 matrix, the deformation gradient of a tetrahedron, with the sign that
//! an inverted one has.
//!
//! `F = Σ_k s_k u_k v_kᵀ` with rotations `U = (u_1 u_2 u_3)` and `V`, so that `s_1 ≥ s_2 ≥ |s_3|`,
//! and `s_3 < 0` exactly when `det F < 0` (`physics.md` section 9). Four matrices at a time, by
//! rotations of their columns (`columns.rs`).

use super::columns::{Three, cross, dot, left_vectors, make_perpendicular, scaled};
use crate::sim::exec::simd::{F64x4, RegF64x4, vectorised};
use crate::sim::{Real, Vec3};

/// Sweeps over the three pairs: five are enough for almost all matrices.
const MOST_SWEEPS: usize = 16;

/// The signed singular values of four matrices.
#[derive(Debug, Clone, Copy)]
pub(super) struct FourSignedSvds<const FMA: bool> {
    pub left: [Three<FMA>; 3],
    pub values: Three<FMA>,
    pub right: [Three<FMA>; 3],
}

impl<const FMA: bool> FourSignedSvds<FMA> {
    /// Of the matrices with these columns, which have to be finite.
    #[inline(always)]
    pub fn of(f: &[Three<FMA>; 3]) -> Self {
        let (zero, one) = (RegF64x4::ZERO, RegF64x4::splat(1.0));
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
        let ([u1, u2], [first, second]) = left_vectors(&b[0], &b[1]);
        let u3 = cross(&u1, &u2);
        let values = [first, second, dot(&u3, &b[2])];
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
    x: RegF64x4<FMA>,
    b: &Three<FMA>,
    y: RegF64x4<FMA>,
    c: &Three<FMA>,
    z: RegF64x4<FMA>,
) -> Three<FMA> {
    [
        (a[0] * x).plus(b[0], y).plus(c[0], z),
        (a[1] * x).plus(b[1], y).plus(c[1], z),
        (a[2] * x).plus(b[2], y).plus(c[2], z),
    ]
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
    /// Of the matrix with the columns `f`, which must be finite. Where two of the values have the
    /// same size there are many, and where the matrix has a rank below two `U` is partly free: one
    /// that depends on `f` only. The error is a few roundings of the largest value.
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
    let svd = FourSignedSvds::<FMA>::of(&f.map(|column| column.to_array().map(|entry| RegF64x4(F64x4::splat(entry)))));
    let vector = |of: &Three<FMA>| Vec3::new(of[0].0.0[0], of[1].0.0[0], of[2].0.0[0]);
    SignedSvd {
        left: [0, 1, 2].map(|k| vector(&svd.left[k])),
        values: vector(&svd.values).to_array(),
        right: [0, 1, 2].map(|k| vector(&svd.right[k])),
    }
}
