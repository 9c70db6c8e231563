//! The energy of a tetrahedron under strain and volume constraints, with its derivatives.
//!
//! ```text
//! ψ(F) = w/2 |F - p(F)|² = ψ(s_1, s_2, s_3)   over the signed singular values of F
//! ```
//!
//! So the eigenvectors of its Hessian are known (Smith, de Goes and Kim 2019): changes of the three
//! values, and for each two axes a rotation and a stretch between them.

use crate::sim::constraints::{Constraints, SignedSvd, TetrahedralStrain, Volume, clamp_volume};
use crate::sim::{Real, Vec3};

/// Two values are the same up to this share of the larger.
const SAME: Real = 1e-9;

/// A 3×3 matrix by columns.
pub(super) type Matrix = [Vec3; 3];

/// The energy density, per volume at rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Density {
    strain: Option<TetrahedralStrain>,
    volume: Option<Volume>,
}

/// What the density is at a deformation gradient.
pub(super) struct Expansion {
    /// Its value [J/m³].
    pub value: Real,
    /// `∂ψ/∂F` [J/m³].
    pub slope: Matrix,
    /// The eigenvalues of its Hessian [J/m³], each with its eigenvector.
    pub modes: [(Real, Matrix); 9],
}

impl Density {
    /// Of these constraints; `None` if there are others than strain and volume of tetrahedra, or
    /// none of them.
    pub fn of(constraints: &Constraints) -> Option<Self> {
        let Constraints { tetrahedral_strain: strain, volume, .. } = *constraints;
        let known = Constraints { tetrahedral_strain: strain, volume, ..Constraints::default() };
        (*constraints == known && !known.is_empty()).then_some(Self { strain, volume })
    }

    /// The density at `f` [J/m³].
    pub fn value(&self, f: Matrix) -> Real {
        self.of_values(SignedSvd::of(f).values)
    }

    /// The density over the signed values [J/m³].
    fn of_values(&self, s: [Real; 3]) -> Real {
        let mut sum = 0.0;
        if let Some(strain) = &self.strain {
            let beyond = s.map(|s| s - s.max(strain.range[0]).min(strain.range[1]));
            sum += 0.5 * strain.weight * beyond.iter().map(|d| d * d).sum::<Real>();
        }
        if let Some(volume) = &self.volume {
            let f = [0, 1, 2].map(|k| Vec3::AXES[k] * s[k]);
            let nearest = clamp_volume(f, volume.range[0], volume.range[1]);
            sum += 0.5 * volume.weight * (0..3).map(|k| f[k].distance_squared(nearest[k])).sum::<Real>();
        }
        sum
    }

    /// `∂ψ/∂s` and `∂²ψ/∂s∂s` of the energy density over the signed values.
    fn derivatives(&self, s: [Real; 3]) -> ([Real; 3], [[Real; 3]; 3]) {
        let (mut slope, mut curvature) = ([0.0; 3], [[0.0; 3]; 3]);
        if let Some(strain) = &self.strain {
            for k in 0..3 {
                let beyond = s[k] - s[k].max(strain.range[0]).min(strain.range[1]);
                slope[k] += strain.weight * beyond;
                curvature[k][k] += if beyond == 0.0 { 0.0 } else { strain.weight };
            }
        }
        if let Some(volume) = &self.volume {
            let product: Real = s.iter().product();
            if product < volume.range[0] || product > volume.range[1] {
                let along = [0, 1, 2].map(|k| Vec3::AXES[k] * s[k]);
                let nearest = clamp_volume(along, volume.range[0], volume.range[1]);
                let x = [nearest[0].x, nearest[1].y, nearest[2].z];
                // x_i (x_i - s_i) is the same for all, and the product stays
                let a = [0, 1, 2].map(|k| 2.0 * x[k] - s[k]);
                let sum: Real = (0..3).map(|k| 1.0 / (x[k] * a[k])).sum();
                for i in 0..3 {
                    slope[i] += volume.weight * (s[i] - x[i]);
                    for j in 0..3 {
                        let own = if i == j { x[i] } else { 0.0 };
                        let moved = (own - 1.0 / (a[j] * sum)) / a[i];
                        let change = if i == j { 1.0 } else { 0.0 } - moved;
                        curvature[i][j] += if change.is_finite() { volume.weight * change } else { 0.0 };
                    }
                }
            }
        }
        (slope, curvature)
    }

    /// Value, slope and modes at `f`.
    pub fn expand(&self, f: Matrix) -> Expansion {
        let svd = SignedSvd::of(f);
        let (slope, curvature) = self.derivatives(svd.values);
        let (values, vectors) = eigen(curvature);
        let s = svd.values;
        let entry = |i: usize, j: usize| -> Matrix { svd.right[j].to_array().map(|v| svd.left[i] * v) };
        let mix = |a: Matrix, b: Matrix, sign: Real| -> Matrix {
            [0, 1, 2].map(|k| (a[k] + b[k] * sign) * std::f64::consts::FRAC_1_SQRT_2)
        };
        let mut modes = [(0.0, [Vec3::ZERO; 3]); 9];
        for mode in 0..3 {
            let scaled = svd.with([0, 1, 2].map(|k| vectors[k][mode]));
            modes[mode] = (values[mode], scaled);
        }
        for (at, (i, j)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
            let size = s[i].abs().max(s[j].abs()).max(Real::MIN_POSITIVE);
            let (sum, gap) = (s[i] + s[j], s[i] - s[j]);
            let twist = if sum.abs() > SAME * size { (slope[i] + slope[j]) / sum } else { 0.0 };
            let flip =
                if gap.abs() > SAME * size { (slope[i] - slope[j]) / gap } else { curvature[i][i] - curvature[i][j] };
            modes[3 + 2 * at] = (twist, mix(entry(i, j), entry(j, i), -1.0));
            modes[4 + 2 * at] = (flip, mix(entry(i, j), entry(j, i), 1.0));
        }
        Expansion { value: self.of_values(s), slope: svd.with(slope), modes }
    }
}

/// Eigenvalues of a symmetric matrix, and its eigenvectors by columns: cyclic rotations (Jacobi).
fn eigen(mut a: [[Real; 3]; 3]) -> ([Real; 3], [[Real; 3]; 3]) {
    let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (s, c) = angle.sin_cos();
            let rotate = |m: &mut [[Real; 3]; 3]| {
                for row in m.iter_mut() {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
            };
            rotate(&mut a);
            let (of_p, of_q) = (a[p], a[q]);
            a[p] = std::array::from_fn(|k| c * of_p[k] - s * of_q[k]);
            a[q] = std::array::from_fn(|k| s * of_p[k] + c * of_q[k]);
            rotate(&mut vectors);
        }
    }
    ([a[0][0], a[1][1], a[2][2]], vectors)
}
