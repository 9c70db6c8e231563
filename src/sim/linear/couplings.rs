//! Where the rows of a system go in its matrix.

use std::ops::Range;

use super::{LowerTriangle, Rows};
use crate::sim::Real;
use crate::sim::exec::simd::{F64x4, RegF64x4, vectorised};
use crate::sim::math::csr::Csr;

/// The sparsity of `Σ w a aᵀ`, and the entry of each coupling.
#[derive(Debug, Clone)]
pub(super) struct Couplings {
    /// Entry of each coupling of two vertices by a row, row by row: of the first vertex with the
    /// others, then of the second, ...
    slots: Vec<u32>,
    /// For each place the entries of its row beside the diagonal, with their columns.
    before: Csr<(u32, u32)>,
}

impl Couplings {
    /// Couples what `rows` name, at the places `place_of` that the vertices have in the matrix,
    /// which is zero yet.
    pub fn of(rows: &Rows, place_of: &[u32]) -> (Self, LowerTriangle) {
        let n = place_of.len();
        // counting sort by column: row and number of each coupling
        let mut pairs: Vec<(u32, (u32, u32))> = Vec::with_capacity(rows.couplings());
        for r in 0..rows.len() {
            let (vertices, _) = rows.row(r);
            for (at, &i) in vertices.iter().enumerate() {
                let i = place_of[i as usize];
                for &j in &vertices[at + 1..] {
                    let j = place_of[j as usize];
                    pairs.push((i.min(j), (i.max(j), pairs.len() as u32)));
                }
            }
        }
        let by_column = Csr::from_pairs(n, pairs.iter().copied());
        let mut matrix = LowerTriangle::default();
        matrix.starts.reserve(n + 1);
        matrix.rows.reserve(n + pairs.len() / 2);
        let mut slots = vec![0; pairs.len()];
        // the last entry of each row so far; that of a column comes behind its diagonal
        let mut last = vec![0_usize; n];
        for column in 0..n {
            let diagonal = matrix.rows.len();
            matrix.starts.push(diagonal);
            matrix.rows.push(column);
            let of_column = by_column.row(column);
            for &(row, _) in of_column {
                let row = row as usize;
                if last[row] <= diagonal {
                    last[row] = diagonal + 1;
                    matrix.rows.push(row);
                }
            }
            let below = &mut matrix.rows[diagonal + 1..];
            below.sort_unstable();
            for (at, &row) in (diagonal + 1..).zip(&*below) {
                last[row] = at;
            }
            for &(row, coupling) in of_column {
                slots[coupling as usize] = last[row as usize] as u32;
            }
        }
        matrix.starts.push(matrix.rows.len());
        matrix.values = vec![0.0; matrix.rows.len()];
        let mut beside = Vec::with_capacity(matrix.rows.len() - n);
        for column in 0..n {
            let entries = matrix.starts[column] + 1..matrix.starts[column + 1];
            beside.extend(entries.map(|at| (matrix.rows[at] as u32, (column as u32, at as u32))));
        }
        let before = Csr::from_pairs(n, beside.iter().copied());
        (Self { slots, before }, matrix)
    }

    /// Adds `w a aᵀ` of each of `rows`, which are those that this was made for, to the matrix.
    pub fn add(&self, rows: &Rows, place_of: &[u32], matrix: &mut LowerTriangle) {
        let LowerTriangle { starts, values, .. } = matrix;
        let mut slots = self.slots.iter();
        for r in 0..rows.len() {
            let (vertices, coefficients) = rows.row(r);
            for (at, (&vertex, a)) in vertices.iter().zip(coefficients).enumerate() {
                // the diagonal comes first in its column
                values[starts[place_of[vertex as usize] as usize]] += rows.weights[r] * a * a;
                for (b, &slot) in coefficients[at + 1..].iter().zip(&mut slots) {
                    values[slot as usize] += rows.weights[r] * a * b;
                }
            }
        }
    }

    /// The places that the one at `place` is coupled with, and the entries of that.
    pub fn of_place<'a>(&'a self, matrix: &'a LowerTriangle, place: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
        let before = self.before.row(place).iter().map(|&(column, at)| (column as usize, matrix.values[at as usize]));
        let after = matrix.starts[place] + 1..matrix.starts[place + 1];
        before.chain(after.map(|at| (matrix.rows[at], matrix.values[at])))
    }
}

/// The matrix with its constraints.
pub(super) struct ConstrainedMatrix<'a> {
    pub couplings: &'a Couplings,
    pub matrix: &'a LowerTriangle,
    /// Whether the vertex at a place is prescribed, and the weight on the diagonal.
    pub prescribed: &'a [bool],
    pub added: &'a [Real],
}

impl ConstrainedMatrix<'_> {
    /// The row of a free place times `x`.
    #[inline(always)]
    fn row<const FMA: bool>(&self, place: usize, x: &[F64x4]) -> F64x4 {
        let LowerTriangle { starts, rows, values } = self.matrix;
        let mut sum = RegF64x4::<FMA>(x[place]) * RegF64x4::splat(values[starts[place]] + self.added[place]);
        for &(column, at) in self.couplings.before.row(place) {
            if !self.prescribed[column as usize] {
                sum = sum.plus(RegF64x4(x[column as usize]), RegF64x4::splat(values[at as usize]));
            }
        }
        for at in starts[place] + 1..starts[place + 1] {
            if !self.prescribed[rows[at]] {
                sum = sum.plus(RegF64x4(x[rows[at]]), RegF64x4::splat(values[at]));
            }
        }
        sum.0
    }
}

vectorised! {
    /// Writes the rows of some places times `x`; those of prescribed ones are zero.
    pub(super) fn products(matrix: &ConstrainedMatrix, places: Range<usize>, x: &[F64x4], out: &mut [F64x4]) = products_either
}

#[inline(always)]
fn products_either<const FMA: bool>(matrix: &ConstrainedMatrix, places: Range<usize>, x: &[F64x4], out: &mut [F64x4]) {
    for (place, out) in places.zip(out) {
        *out = if matrix.prescribed[place] { F64x4::ZERO } else { matrix.row::<FMA>(place, x) };
    }
}

vectorised! {
    /// Subtracts the rows of some places times `x` from `out`; those of prescribed ones are of the
    /// identity.
    pub(super) fn subtract_products(matrix: &ConstrainedMatrix, places: Range<usize>, x: &[F64x4], out: &mut [F64x4]) = subtract_either
}

#[inline(always)]
fn subtract_either<const FMA: bool>(matrix: &ConstrainedMatrix, places: Range<usize>, x: &[F64x4], out: &mut [F64x4]) {
    for (place, out) in places.zip(out) {
        *out = *out - if matrix.prescribed[place] { x[place] } else { matrix.row::<FMA>(place, x) };
    }
}
