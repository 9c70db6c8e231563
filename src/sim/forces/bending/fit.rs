//! How much of a triangle's area each of the hinges around it stands for.
//!
//! A hinge sees, of a cylinder of curvature 1 whose axis is turned by φ against the mesh,
//! `j(φ) = a + b cos 2φ + d sin 2φ`. The triangle should cost the same whatever φ is, so shares `α`
//! of its hinges are wanted for which `Σ α j²` is 1 for every φ: five numbers of a Fourier series.
//! On grids whose diagonals alternate and on equilateral triangles, and on many others, there is an
//! exact solution; otherwise the nearest one is taken whose mean over φ is exact.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::sim::Real;

/// A point in the plane of a triangle [m].
pub type Plane = glam::DVec2;

/// What is left free between equally good solutions goes to the smallest one.
const RIDGE: Real = 1e-4;
/// Least share of a hinge of the triangle itself, so that no edge can be folded for nothing.
const LEAST: Real = 0.1;
/// Where the fit ends.
const EXACT: Real = 1e-5;
const ROUNDS: u32 = 100;

/// A hinge near a triangle.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// Its number.
    pub hinge: u32,
    /// `j²` as a Fourier series in φ, in an orthonormal basis: 1, cos 2φ, sin 2φ, cos 4φ, sin 4φ.
    seen: [Real; 5],
    /// Least share.
    least: Real,
}

impl Near {
    /// The hinge with coefficients `k` at the places `x` in the plane of the triangle [m], whose
    /// own two triangles have together `area` [m²].
    pub fn new(hinge: u32, x: [Plane; 4], k: [Real; 4], area: Real, own: bool) -> Self {
        let value = |f: &dyn Fn(Plane) -> Real| x.iter().zip(k).map(|(x, k)| k * f(*x)).sum::<Real>() / area;
        let (p, q) = (value(&|x| 0.5 * x.x * x.x), value(&|x| 0.5 * x.y * x.y));
        let (a, b, d) = (0.5 * (p + q), 0.5 * (p - q), 0.5 * value(&|x| x.x * x.y));
        let mean = a * a + 0.5 * (b * b + d * d);
        let others = [2.0 * a * b, 2.0 * a * d, 0.5 * (b * b - d * d), b * d].map(|term| FRAC_1_SQRT_2 * term);
        let seen = [mean, others[0], others[1], others[2], others[3]];
        Self { hinge, seen, least: if own { LEAST } else { 0.0 } }
    }
}

/// Writes the share of each of the hinges to `shares`, one each; all zero if none of them sees
/// anything.
pub fn fit(near: &[Near], shares: &mut Vec<Real>) {
    shares.clear();
    shares.resize(near.len(), 0.0);
    let scale = near.iter().map(|near| near.seen[0]).fold(0.0, Real::max);
    if scale <= 0.0 || !scale.is_finite() {
        return;
    }
    let ridge = RIDGE * scale * scale;
    if solve(near, ridge, shares) {
        normalise(near, shares);
        return;
    }
    // with bounds: one share after the other
    shares.fill(0.0);
    let mut left = [1.0, 0.0, 0.0, 0.0, 0.0];
    for _ in 0..ROUNDS {
        let mut moved: Real = 0.0;
        for (near, share) in near.iter().zip(&mut *shares) {
            let change = (dot(&near.seen, &left) - ridge * *share) / (dot(&near.seen, &near.seen) + ridge);
            let next = (*share + change).max(near.least);
            let change = next - *share;
            *share = next;
            left.iter_mut().zip(near.seen).for_each(|(left, seen)| *left -= change * seen);
            moved = moved.max(change.abs() * near.seen[0]);
        }
        if moved < EXACT {
            break;
        }
    }
    normalise(near, shares);
}

fn dot(a: &[Real; 5], b: &[Real; 5]) -> Real {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Scales the shares so that the mean over φ is exact.
fn normalise(near: &[Near], shares: &mut [Real]) {
    let mean: Real = near.iter().zip(&*shares).map(|(near, share)| near.seen[0] * share).sum();
    let factor = if mean > 0.0 { 1.0 / mean } else { 0.0 };
    shares.iter_mut().for_each(|share| *share *= factor);
}

/// Most hinges that are solved for at once: three of the triangle itself, or two and two each of
/// the triangles beside it.
const MOST: usize = 9;

/// Least squares without bounds, by elimination: `(S Sᵀ + ridge) α = S (1, 0, 0, 0, 0)`. Returns
/// whether the bounds are kept nevertheless.
fn solve(near: &[Near], ridge: Real, shares: &mut [Real]) -> bool {
    let n = near.len();
    if n > MOST {
        return false;
    }
    let mut rows = [[0.0; MOST + 1]; MOST];
    for (i, row) in rows.iter_mut().enumerate().take(n) {
        for (j, entry) in row.iter_mut().enumerate().take(n) {
            *entry = dot(&near[i].seen, &near[j].seen) + if i == j { ridge } else { 0.0 };
        }
        row[MOST] = near[i].seen[0];
    }
    for pivot in 0..n {
        let of_pivot = rows[pivot];
        for row in &mut rows[pivot + 1..n] {
            let factor = row[pivot] / of_pivot[pivot];
            row.iter_mut().zip(of_pivot).for_each(|(entry, other)| *entry -= factor * other);
        }
    }
    for i in (0..n).rev() {
        let known: Real = (i + 1..n).map(|j| rows[i][j] * shares[j]).sum();
        shares[i] = (rows[i][MOST] - known) / rows[i][i];
    }
    near.iter().zip(shares).all(|(near, share)| *share >= near.least)
}
