//! The two passes of a solve over the tasks of a factor, whatever the precision of its numbers.

use super::symbolic::Symbolic;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;

/// An entry of a right-hand side.
pub(super) trait Entry: Copy + Default + Send + Sync {
    /// The sum with another one.
    fn added(self, other: Self) -> Self;
    /// Its product with a sign.
    fn signed(self, sign: f64) -> Self;
}

impl Entry for F64x4 {
    fn added(self, other: Self) -> Self {
        self + other
    }

    fn signed(self, sign: f64) -> Self {
        self * Self::splat(sign)
    }
}

/// Runs the tasks of a factor with this shape, and `signs` by columns or none: `forward` level by
/// level, and `backward` from the last one on. Both get the number of the task and its own entries
/// of `x`; `forward` adds to `contributions` of the task to the columns above, all zero between
/// solves, and `backward` reads these columns.
pub(super) fn substitute<X: Entry>(
    (symbolic, signs): (&Symbolic, &[f64]),
    x: &mut [X],
    contributions: &mut [X],
    (forward, backward): (impl Fn(usize, &mut [X], &mut [X]) + Sync, impl Fn(usize, &mut [X], &[X]) + Sync),
    pool: &ThreadPool,
) {
    let above = symbolic.len() - symbolic.top;
    let (x, contributions) = (Shared::new(x), Shared::new(contributions));
    for level in &symbolic.levels {
        pool.for_each(level.len(), |at| {
            let task = level.start + at;
            let Some(planned) = symbolic.tasks.get(task) else { return };
            let columns = planned.columns.clone();
            // SAFETY: a task has its own columns and its own contributions; those that it takes in
            // are of earlier levels, and its part of them is nobody else's.
            let (own, given) =
                unsafe { (x.part(columns.clone()), contributions.part(task * above..(task + 1) * above)) };
            for &below in &planned.below {
                let start = below * above + columns.start - symbolic.top;
                // SAFETY: as above.
                let taken = unsafe { contributions.part(start..start + columns.len()) };
                for (sum, part) in own.iter_mut().zip(taken) {
                    *sum = sum.added(std::mem::take(part));
                }
            }
            forward(task, own, given);
        });
    }
    for level in symbolic.levels.iter().rev() {
        pool.for_each(level.len(), |at| {
            let task = level.start + at;
            let columns = symbolic.tasks[task].columns.clone();
            // SAFETY: a task has its own columns; of those from `top` on it reads only those of
            // later levels, which are done.
            let (own, above) = unsafe { (x.part(columns.clone()), x.read(symbolic.top..symbolic.len())) };
            if let Some(signs) = signs.get(columns) {
                own.iter_mut().zip(signs).for_each(|(x, sign)| *x = x.signed(*sign));
            }
            backward(task, own, above);
        });
    }
}
