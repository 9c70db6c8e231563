//! Solving with the factor, three right-hand sides in one pass: `L Lᵀ X = B`, or `L S Lᵀ X = B`.
//!
//! A column's three coordinates are one vector, so each number of the factor is read once, spread
//! over the lanes, and multiplied with the vector. Independent subtrees run on several threads;
//! what they contribute to the columns above is collected task by task and added in a fixed order.

use super::SupernodalCholesky;
use super::lists::Lists;
use super::passes::substitute;
use super::symbolic::{Supernode, Symbolic, WIDEST, strips};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::{F64x4, RegF64x4, vectorised};

impl SupernodalCholesky {
    /// Solves `A X = B` in place. `x` has an entry per column of the matrix, in its order.
    pub fn solve(&mut self, x: &mut [F64x4], pool: &ThreadPool) {
        self.refresh();
        debug_assert_eq!(x.len(), self.symbolic.len());
        let Self { symbolic, packed, signs, contributions, .. } = self;
        let work = Work { symbolic, packed };
        let forward = |task, own: &mut [F64x4], given: &mut [F64x4]| forward(&work, task, own, given);
        let backward = |task, own: &mut [F64x4], above: &[F64x4]| backward(&work, task, own, above);
        substitute((symbolic, signs), x, contributions, (forward, backward), pool);
    }
}

/// What all tasks read.
struct Work<'a> {
    symbolic: &'a Symbolic,
    packed: &'a Lists,
}

impl<'a> Work<'a> {
    /// Supernode `s`, its packed panel, and its rows inside and outside its task.
    #[inline(always)]
    fn parts(&self, s: usize) -> (&'a Supernode, &'a [f64], &'a [u32], &'a [u32]) {
        let (node, targets) = (&self.symbolic.supernodes[s], &self.symbolic.targets);
        (node, self.packed.list(s), &targets[node.near.clone()], &targets[node.far.clone()])
    }
}

/// `Σ_j l_rj y_j` for the `R` rows of a strip.
#[inline(always)]
fn times<const FMA: bool, const R: usize>(strip: &[f64], y: &[F64x4]) -> [RegF64x4<FMA>; R] {
    let mut sums = [RegF64x4::ZERO; R];
    for (column, y) in strip.as_chunks::<R>().0.iter().zip(y) {
        for r in 0..R {
            sums[r] = sums[r].plus(RegF64x4::splat(column[r]), RegF64x4(*y));
        }
    }
    sums
}

/// Adds `Σ_r l_rj v_r` to every `sums[j]` for the `R` rows of a strip.
#[inline(always)]
fn times_transposed<const FMA: bool, const R: usize>(strip: &[f64], v: &[RegF64x4<FMA>; R], sums: &mut [F64x4]) {
    for (column, sum) in strip.as_chunks::<R>().0.iter().zip(sums) {
        // two sums, so that one addition need not wait for the other
        let (mut even, mut odd) = (RegF64x4(*sum), RegF64x4::ZERO);
        for r in (0..R).step_by(2) {
            even = even.plus(RegF64x4::splat(column[r]), v[r]);
            odd = odd.plus(RegF64x4::splat(column[r + 1]), v[r + 1]);
        }
        *sum = (even + odd).0;
    }
}

/// Subtracts `Σ_j l_rj y_j` from the entries of `x` that the rows stand for.
#[inline(always)]
fn scatter<const FMA: bool>(packed: &mut &[f64], rows: &[u32], y: &[F64x4], x: &mut [F64x4]) {
    let (tall, rest) = rows.as_chunks::<8>();
    for rows in tall {
        let (strip, behind) = packed.split_at(8 * y.len());
        let sums = times::<FMA, 8>(strip, y);
        for (&row, sum) in rows.iter().zip(sums) {
            x[row as usize] = (RegF64x4(x[row as usize]) - sum).0;
        }
        *packed = behind;
    }
    if let Some(rows) = rest.first_chunk::<4>() {
        let (strip, behind) = packed.split_at(4 * y.len());
        let sums = times::<FMA, 4>(strip, y);
        for (&row, sum) in rows.iter().zip(sums) {
            x[row as usize] = (RegF64x4(x[row as usize]) - sum).0;
        }
        *packed = behind;
    }
}

/// Adds `Σ_r l_rj v(row_r)` to `sums[j]`.
#[inline(always)]
fn gather<const FMA: bool>(packed: &mut &[f64], rows: &[u32], v: impl Fn(u32) -> F64x4, sums: &mut [F64x4]) {
    let (tall, rest) = rows.as_chunks::<8>();
    for rows in tall {
        let (strip, behind) = packed.split_at(8 * sums.len());
        let v = std::array::from_fn(|r| RegF64x4(v(rows[r])));
        times_transposed::<FMA, 8>(strip, &v, sums);
        *packed = behind;
    }
    if let Some(rows) = rest.first_chunk::<4>() {
        let (strip, behind) = packed.split_at(4 * sums.len());
        let v = std::array::from_fn(|r| RegF64x4(v(rows[r])));
        times_transposed::<FMA, 4>(strip, &v, sums);
        *packed = behind;
    }
}

/// The vectors of a panel, filled up to whole strips.
const ROOM: usize = WIDEST + 8;

#[inline(always)]
fn forward_generic<const FMA: bool>(work: &Work, task: usize, own: &mut [F64x4], given: &mut [F64x4]) {
    let planned = &work.symbolic.tasks[task];
    let first = planned.columns.start;
    let (mut right, mut y) = ([F64x4::ZERO; WIDEST], [F64x4::ZERO; ROOM]);
    for s in planned.supernodes.clone() {
        let (node, mut packed, near, far) = work.parts(s);
        let width = node.width();
        let columns = node.columns.start - first..node.columns.end - first;
        let right = &mut right[..width];
        right.copy_from_slice(&own[columns.clone()]);
        for (start, height) in strips(width) {
            let reach = width.min(start + height);
            let (strip, behind) = packed.split_at(height * reach);
            if height == 8 {
                let sums = times::<FMA, 8>(strip, &right[..reach]);
                (0..8).for_each(|r| y[start + r] = sums[r].0);
            } else {
                let sums = times::<FMA, 4>(strip, &right[..reach]);
                (0..4).for_each(|r| y[start + r] = sums[r].0);
            }
            packed = behind;
        }
        let y = &y[..width];
        own[columns].copy_from_slice(y);
        scatter::<FMA>(&mut packed, near, y, own);
        scatter::<FMA>(&mut packed, far, y, given);
    }
}

#[inline(always)]
fn backward_generic<const FMA: bool>(work: &Work, task: usize, own: &mut [F64x4], above: &[F64x4]) {
    let planned = &work.symbolic.tasks[task];
    let first = planned.columns.start;
    let (mut sums, mut right) = ([F64x4::ZERO; WIDEST], [F64x4::ZERO; ROOM]);
    for s in planned.supernodes.clone().rev() {
        let (node, packed, near, far) = work.parts(s);
        let width = node.width();
        let sums = &mut sums[..width];
        sums.fill(F64x4::ZERO);
        let (mut block, mut below) = packed.split_at(packed.len() - (near.len() + far.len()) * width);
        gather::<FMA>(&mut below, near, |row| own[row as usize], sums);
        gather::<FMA>(&mut below, far, |row| above[row as usize], sums);
        let x = &mut own[node.columns.start - first..node.columns.end - first];
        for (right, (x, sum)) in right.iter_mut().zip(x.iter().zip(&*sums)) {
            *right = *x - *sum;
        }
        // rows that only fill up are zero in the strip, and have to be finite here
        right[width..].fill(F64x4::ZERO);
        x.fill(F64x4::ZERO);
        for (start, height) in strips(width) {
            let reach = width.min(start + height);
            let (strip, behind) = block.split_at(height * reach);
            if height == 8 {
                let v = std::array::from_fn(|r| RegF64x4(right[start + r]));
                times_transposed::<FMA, 8>(strip, &v, &mut x[..reach]);
            } else {
                let v = std::array::from_fn(|r| RegF64x4(right[start + r]));
                times_transposed::<FMA, 4>(strip, &v, &mut x[..reach]);
            }
            block = behind;
        }
    }
}

vectorised! {
    fn forward(work: &Work, task: usize, own: &mut [F64x4], given: &mut [F64x4]) = forward_generic
}
vectorised! {
    fn backward(work: &Work, task: usize, own: &mut [F64x4], above: &[F64x4]) = backward_generic
}
