//! Singular values of a 3×2 matrix, the deformation gradient of a triangle.

use crate::sim::{Real, Vec3};

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
    /// Of the matrix with the columns `f`, which must be finite. One rotation of the two columns that makes them perpendicular
    /// (one-sided Jacobi; Golub and Van Loan, section 8.6.3), which for two columns is the whole method. The error is a few
    /// roundings of the larger singular value; `FᵀF` would leave the smaller one with half the digits.
    ///
    /// A second singular value that is lost in rounding is 0, and its `u_2` a perpendicular that depends on `u_1` only.
    #[must_use]
    pub fn of(f: [Vec3; 2]) -> Self {
        let scale = f[0].abs().max(f[1].abs()).max_element();
        if scale <= 0.0 {
            return Self { left: [Vec3::X, Vec3::Y], values: [0.0; 2], right: [[1.0, 0.0], [0.0, 1.0]] };
        }
        // so that squares neither overflow nor vanish
        let [f1, f2] = f.map(|column| column / scale);
        let dot = f1.dot(f2);
        let tangent = if dot == 0.0 {
            0.0
        } else {
            let zeta = (f2 - f1).dot(f2 + f1) / (2.0 * dot);
            zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt())
        };
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        let sine = cosine * tangent;
        let mut columns = [f1 * cosine - f2 * sine, f1 * sine + f2 * cosine];
        let mut right = [[cosine, -sine], [sine, cosine]];
        if columns[0].length_squared() < columns[1].length_squared() {
            columns.swap(0, 1);
            right.swap(0, 1);
        }
        let first = columns[0].length();
        let u1 = columns[0] / first;
        // what rounding left along u1 may be all there is of a small second column; once more for the rounding of this
        let rest = columns[1].reject_from_normalized(u1);
        let rest = rest.reject_from_normalized(u1);
        let second = rest.length();
        let (u2, second) = if second > 4.0 * Real::EPSILON * first {
            (rest / second, second)
        } else {
            (u1.any_orthonormal_vector(), 0.0)
        };
        Self { left: [u1, u2], values: [first * scale, second * scale], right }
    }

    /// The columns of the matrix with the same `u` and `v` and these singular values.
    #[must_use]
    pub fn with(&self, values: [Real; 2]) -> [Vec3; 2] {
        let [u1, u2] = self.left;
        [0, 1].map(|column| u1 * (values[0] * self.right[0][column]) + u2 * (values[1] * self.right[1][column]))
    }
}
