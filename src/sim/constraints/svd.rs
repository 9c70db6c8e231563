//! Singular values of a 3×2 matrix, the deformation gradient of a triangle.
//!
//! `F = Σ_k σ_k u_k v_kᵀ`, four matrices at a time: a rotation of the two columns that makes them
//! perpendicular (`columns.rs`) is the whole method, but for rounding.

use super::columns::{Three, left_vectors, make_perpendicular, scaled};
use crate::sim::exec::simd::{F64x4, RegF64x4, vectorised};
use crate::sim::{Real, Vec3};

/// Rotations of the two columns: one, and others for its rounding.
const MOST_ROTATIONS: usize = 4;
/// Largest entry of a matrix that counts as zero: the inverse of a smaller one is not finite.
const NOTHING: Real = 1e-300;

/// The singular values of four matrices.
#[derive(Debug, Clone, Copy)]
pub(super) struct FourSvds<const FMA: bool> {
    pub left: [Three<FMA>; 2],
    pub values: [RegF64x4<FMA>; 2],
    pub right: [[RegF64x4<FMA>; 2]; 2],
}

impl<const FMA: bool> FourSvds<FMA> {
    /// Of the matrices with these columns, which have to be finite.
    #[inline(always)]
    pub fn of(f: &[Three<FMA>; 2]) -> Self {
        let (zero, one) = (RegF64x4::ZERO, RegF64x4::splat(1.0));
        let mut scale = RegF64x4::splat(NOTHING);
        for column in f {
            for entry in column {
                scale = scale.max(entry.abs());
            }
        }
        // so that squares neither overflow nor vanish
        let inverse = scale.inverse_or_zero();
        let mut b = [scaled(&f[0], inverse), scaled(&f[1], inverse)];
        let mut right = [[one, zero], [zero, one]];
        for _ in 0..MOST_ROTATIONS {
            if !make_perpendicular(&mut b, &mut right, 0, 1) {
                break;
            }
        }
        let (left, [first, second]) = left_vectors(&b[0], &b[1]);
        Self { left, values: [first * scale, second * scale], right }
    }

    /// The columns of the matrices with the same `u` and `v` and these values.
    #[inline(always)]
    pub fn with(&self, values: &[RegF64x4<FMA>; 2]) -> [Three<FMA>; 2] {
        let (a, b) = (scaled(&self.left[0], values[0]), scaled(&self.left[1], values[1]));
        let [v1, v2] = &self.right;
        [mixed(&a, v1[0], &b, v2[0]), mixed(&a, v1[1], &b, v2[1])]
    }
}

/// `a x + b y`.
#[inline(always)]
fn mixed<const FMA: bool>(a: &Three<FMA>, x: RegF64x4<FMA>, b: &Three<FMA>, y: RegF64x4<FMA>) -> Three<FMA> {
    [(a[0] * x).plus(b[0], y), (a[1] * x).plus(b[1], y), (a[2] * x).plus(b[2], y)]
}

/// `F = Σ_k σ_k u_k v_kᵀ` of a 3×2 matrix `F`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Svd {
    /// `u_1` and `u_2`, orthonormal also where a singular value is zero.
    pub left: [Vec3; 2],
    /// `σ_1 ≥ σ_2 ≥ 0`.
    pub values: [Real; 2],
    /// `v_1` and `v_2`, orthonormal.
    pub right: [[Real; 2]; 2],
}

impl Svd {
    /// Of the matrix with the columns `f`, which must be finite. The error is a few roundings of
    /// the larger singular value; `FᵀF` would leave the smaller one with half the digits.
    ///
    /// A second singular value that is lost in rounding is 0, and its `u_2` a perpendicular that
    /// depends on `u_1` only.
    #[must_use]
    pub fn of(f: [Vec3; 2]) -> Self {
        decompose(&f)
    }

    /// The columns of the matrix with the same `u` and `v` and these singular values.
    #[must_use]
    pub fn with(&self, values: [Real; 2]) -> [Vec3; 2] {
        let [u1, u2] = self.left;
        [0, 1].map(|column| u1 * (values[0] * self.right[0][column]) + u2 * (values[1] * self.right[1][column]))
    }
}

vectorised! {
    fn decompose(f: &[Vec3; 2]) -> Svd = decompose_one
}

#[inline(always)]
fn decompose_one<const FMA: bool>(f: &[Vec3; 2]) -> Svd {
    let svd = FourSvds::<FMA>::of(&f.map(|column| column.to_array().map(|entry| RegF64x4(F64x4::splat(entry)))));
    let number = |of: RegF64x4<FMA>| of.0.0[0];
    let vector = |of: &Three<FMA>| Vec3::new(number(of[0]), number(of[1]), number(of[2]));
    Svd {
        left: [0, 1].map(|k| vector(&svd.left[k])),
        values: svd.values.map(number),
        right: svd.right.map(|column| column.map(number)),
    }
}
