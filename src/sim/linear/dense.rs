//! Dense kernels on the panels of a factor: rows of numbers, each row filled up with zeros to whole
//! vectors.

use crate::sim::exec::simd::{F64x4, RegF64x4, vectorised};

/// A row cut into vectors.
#[inline(always)]
fn vectors(row: &[f64]) -> impl Iterator<Item = F64x4> + '_ {
    row.as_chunks::<4>().0.iter().map(|chunk| F64x4(*chunk))
}

#[inline(always)]
fn dot<const FMA: bool>(a: &[f64], b: &[f64]) -> f64 {
    vectors(a).zip(vectors(b)).fold(F64x4::ZERO, |sum, (a, b)| sum.plus::<FMA>(a, b)).sum()
}

/// `R × C` products of rows of `a` with rows of `b`.
#[inline(always)]
fn block<const FMA: bool, const R: usize, const C: usize>(a: &[f64], b: &[f64], stride: usize) -> [[f64; C]; R] {
    let length = stride / 4;
    let rows: [&[[f64; 4]]; R] = std::array::from_fn(|r| &a[r * stride..(r + 1) * stride].as_chunks::<4>().0[..length]);
    let columns: [&[[f64; 4]]; C] =
        std::array::from_fn(|c| &b[c * stride..(c + 1) * stride].as_chunks::<4>().0[..length]);
    let mut sums = [[RegF64x4::<FMA>::ZERO; C]; R];
    for k in 0..length {
        let right: [RegF64x4<FMA>; C] = std::array::from_fn(|c| RegF64x4::load(&columns[c][k]));
        for r in 0..R {
            let left = RegF64x4::load(&rows[r][k]);
            for c in 0..C {
                sums[r][c] = sums[r][c].plus(left, right[c]);
            }
        }
    }
    std::array::from_fn(|r| std::array::from_fn(|c| sums[r][c].0.sum()))
}

#[inline(always)]
fn product_rows<const FMA: bool, const R: usize>(a: &[f64], b: &[f64], stride: usize, columns: usize, out: &mut [f64]) {
    let mut c = 0;
    while c + 2 <= columns {
        let values = block::<FMA, R, 2>(a, &b[c * stride..], stride);
        for r in 0..R {
            out[r * columns + c..r * columns + c + 2].copy_from_slice(&values[r]);
        }
        c += 2;
    }
    if c < columns {
        let values = block::<FMA, R, 1>(a, &b[c * stride..], stride);
        for r in 0..R {
            out[r * columns + c] = values[r][0];
        }
    }
}

#[inline(always)]
fn product_generic<const FMA: bool>(a: &[f64], b: &[f64], stride: usize, out: &mut [f64]) {
    let (rows, columns) = (a.len() / stride, b.len() / stride);
    let mut r = 0;
    while r + 4 <= rows {
        product_rows::<FMA, 4>(&a[r * stride..], b, stride, columns, &mut out[r * columns..]);
        r += 4;
    }
    while r < rows {
        product_rows::<FMA, 1>(&a[r * stride..], b, stride, columns, &mut out[r * columns..]);
        r += 1;
    }
}

vectorised! {
    /// `out = A Bᵀ` for matrices with rows of `stride` numbers; `out` has rows as long as `B` has
    /// rows.
    pub(super) fn product(a: &[f64], b: &[f64], stride: usize, out: &mut [f64]) = product_generic
}

#[inline(always)]
fn cholesky_generic<const FMA: bool>(block: &mut [f64], stride: usize, width: usize) -> bool {
    for i in 0..width {
        let (done, rest) = block.split_at_mut(i * stride);
        let row = &mut rest[..stride];
        // what lies beyond the diagonal does not belong to the factor
        row[i + 1..].fill(0.0);
        for j in 0..i {
            let other = &done[j * stride..(j + 1) * stride];
            // entry j of `row` still holds the matrix, so whole vectors would count it twice: cut
            // at j
            let sum: f64 = if j < 4 {
                row[..j].iter().zip(&other[..j]).map(|(a, b)| a * b).sum()
            } else {
                let whole = j & !3;
                let tail: f64 = row[whole..j].iter().zip(&other[whole..j]).map(|(a, b)| a * b).sum();
                dot::<FMA>(&row[..whole], &other[..whole]) + tail
            };
            row[j] = (row[j] - sum) / other[j];
        }
        let left = row[i] - row[..i].iter().map(|l| l * l).sum::<f64>();
        // also catches what is not a number
        if !(left > 0.0 && left.is_finite()) {
            return false;
        }
        row[i] = left.sqrt();
    }
    true
}

vectorised! {
    /// Factors a symmetric block of `width` rows in place, from its lower triangle. Returns whether
    /// it is positive definite.
    pub(super) fn cholesky(block: &mut [f64], stride: usize, width: usize) -> bool = cholesky_generic
}

/// Factors a symmetric block in place, from its lower triangle, as `L S Lᵀ`, and writes the `signs`
/// of its columns. Returns whether it is regular. Not vectorised: the rows below a block cost far
/// more.
pub(super) fn cholesky_signed(block: &mut [f64], stride: usize, signs: &mut [f64]) -> bool {
    for i in 0..signs.len() {
        let (done, rest) = block.split_at_mut(i * stride);
        let row = &mut rest[..stride];
        row[i + 1..].fill(0.0);
        for j in 0..i {
            let other = &done[j * stride..];
            let sum: f64 = (0..j).map(|k| row[k] * signs[k] * other[k]).sum();
            row[j] = (row[j] - sum) / (signs[j] * other[j]);
        }
        let left = row[i] - (0..i).map(|k| row[k] * signs[k] * row[k]).sum::<f64>();
        if left == 0.0 || !left.is_finite() {
            return false;
        }
        (row[i], signs[i]) = (left.abs().sqrt(), left.signum());
    }
    true
}

#[inline(always)]
fn invert_generic<const FMA: bool>(block: &[f64], stride: usize, inverse: &mut [f64]) {
    let width = inverse.len() / stride;
    for i in 0..width {
        let (done, rest) = inverse.split_at_mut(i * stride);
        let row = &mut rest[..stride];
        row.fill(0.0);
        let scale = 1.0 / block[i * stride + i];
        for k in 0..i {
            let factor = F64x4::splat(block[i * stride + k]);
            let other = done[k * stride..(k + 1) * stride].as_chunks::<4>().0;
            let reach = k / 4 + 1;
            for (sum, value) in row.as_chunks_mut::<4>().0[..reach].iter_mut().zip(&other[..reach]) {
                *sum = F64x4(*sum).minus::<FMA>(factor, F64x4(*value)).0;
            }
        }
        row.iter_mut().for_each(|value| *value *= scale);
        row[i] = scale;
    }
}

vectorised! {
    /// `inverse = L⁻¹` for a lower triangular block.
    pub(super) fn invert(block: &[f64], stride: usize, inverse: &mut [f64]) = invert_generic
}
