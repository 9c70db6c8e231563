//! Solving with the factor, three right-hand sides in one pass: `L Lᵀ X = B`.
//!
//! A column's three coordinates are one vector, so each number of the factor is read once, spread over the lanes, and
//! multiplied with the vector. Independent subtrees run on several threads; what they contribute to the columns above is
//! collected task by task and added in a fixed order.

use super::Factor;
use super::symbolic::{Supernode, Symbolic, WIDEST};
use crate::sim::lanes::{Lanes, vectorised};
use crate::sim::team::{Shared, Team};

impl Factor {
    /// Solves `A X = B` in place. `x` has an entry per column of the matrix, in its order.
    pub fn solve(&mut self, x: &mut [Lanes], team: &Team) {
        self.refresh();
        debug_assert_eq!(x.len(), self.symbolic.len());
        let Self { symbolic, panels, inverses, contributions, .. } = self;
        let (symbolic, panels, inverses) = (&*symbolic, &panels[..], &inverses[..]);
        let above = symbolic.len() - symbolic.top;
        let (x, contributions) = (Shared::new(x), Shared::new(contributions));
        let work = Work { symbolic, panels, inverses };
        for level in &symbolic.levels {
            team.for_each(level.len(), |at| {
                let task = level.start + at;
                let Some(planned) = symbolic.tasks.get(task) else { return };
                let columns = planned.columns.clone();
                // SAFETY: a task has its own columns and its own contributions; those that it takes in are of earlier
                // levels, and its part of them is nobody else's.
                let (own, given) =
                    unsafe { (x.part(columns.clone()), contributions.part(task * above..(task + 1) * above)) };
                for &below in &planned.below {
                    let start = below * above + columns.start - symbolic.top;
                    // SAFETY: as above.
                    let taken = unsafe { contributions.part(start..start + columns.len()) };
                    for (sum, part) in own.iter_mut().zip(taken) {
                        *sum = *sum + std::mem::take(part);
                    }
                }
                forward(&work, task, own, given);
            });
        }
        for level in symbolic.levels.iter().rev() {
            team.for_each(level.len(), |at| {
                let task = level.start + at;
                let columns = symbolic.tasks[task].columns.clone();
                // SAFETY: a task has its own columns; of those behind it, it reads only those of later levels, which are
                // done. Other tasks of its level lie before `top`, or between, and are not read.
                let own = unsafe { x.part(columns) };
                backward(&work, task, own, &x);
            });
        }
    }
}

/// What all tasks read.
struct Work<'a> {
    symbolic: &'a Symbolic,
    panels: &'a [f64],
    inverses: &'a [f64],
}

impl<'a> Work<'a> {
    /// The inverse of the diagonal block of a supernode, and its rows below.
    #[inline(always)]
    fn parts(&self, node: &Supernode) -> (&'a [f64], &'a [f64], &'a [u32]) {
        let (width, stride, rows) = (node.width(), node.stride(), &self.symbolic.rows[node.rows.clone()]);
        let inverse = &self.inverses[node.inverse..node.inverse + width * stride];
        let first = node.panel + width * stride;
        (inverse, &self.panels[first..first + rows.len() * stride], rows)
    }
}

/// `Σ_j l_rj y_j` for `R` rows of `stride` numbers.
#[inline(always)]
fn times<const FMA: bool, const R: usize>(rows: &[f64], stride: usize, y: &[Lanes]) -> [Lanes; R] {
    let rows: [&[f64]; R] = std::array::from_fn(|r| &rows[r * stride..][..y.len()]);
    let mut sums = [Lanes::ZERO; R];
    for (j, y) in y.iter().enumerate() {
        for r in 0..R {
            sums[r] = sums[r].plus::<FMA>(Lanes::splat(rows[r][j]), *y);
        }
    }
    sums
}

/// Calls `take(row, Σ_j l_rj y_j)` for all rows.
#[inline(always)]
fn multiply<const FMA: bool>(rows: &[f64], stride: usize, y: &[Lanes], mut take: impl FnMut(usize, Lanes)) {
    let count = rows.len() / stride;
    let mut r = 0;
    while r + 8 <= count {
        let sums = times::<FMA, 8>(&rows[r * stride..], stride, y);
        (0..8).for_each(|i| take(r + i, sums[i]));
        r += 8;
    }
    while r + 2 <= count {
        let sums = times::<FMA, 2>(&rows[r * stride..], stride, y);
        (0..2).for_each(|i| take(r + i, sums[i]));
        r += 2;
    }
    if r < count {
        take(r, times::<FMA, 1>(&rows[r * stride..], stride, y)[0]);
    }
}

/// Adds `Σ_r l_rj v_r` to `sums[j]` for `C` columns from `first` on.
#[inline(always)]
fn transposed<const FMA: bool, const C: usize>(
    rows: &[f64],
    stride: usize,
    first: usize,
    v: &[Lanes],
    sums: &mut [Lanes],
) {
    let mut block: [Lanes; C] = std::array::from_fn(|c| sums[first + c]);
    for (row, v) in rows.chunks_exact(stride).zip(v) {
        let row: &[f64; C] = row[first..first + C].try_into().expect("C numbers");
        for c in 0..C {
            block[c] = block[c].plus::<FMA>(Lanes::splat(row[c]), *v);
        }
    }
    sums[first..first + C].copy_from_slice(&block);
}

/// Adds `Σ_r l_rj v_r` to `sums[j]` for all columns.
#[inline(always)]
fn multiply_transposed<const FMA: bool>(rows: &[f64], stride: usize, v: &[Lanes], sums: &mut [Lanes]) {
    let mut c = 0;
    while c + 8 <= sums.len() {
        transposed::<FMA, 8>(rows, stride, c, v, sums);
        c += 8;
    }
    while c + 4 <= sums.len() {
        transposed::<FMA, 4>(rows, stride, c, v, sums);
        c += 4;
    }
    while c < sums.len() {
        transposed::<FMA, 1>(rows, stride, c, v, sums);
        c += 1;
    }
}

#[inline(always)]
fn forward_generic<const FMA: bool>(work: &Work, task: usize, own: &mut [Lanes], given: &mut [Lanes]) {
    let symbolic = work.symbolic;
    let planned = &symbolic.tasks[task];
    let first = planned.columns.start;
    let mut y = [Lanes::ZERO; WIDEST];
    for node in &symbolic.supernodes[planned.supernodes.clone()] {
        let (inverse, panel, rows) = work.parts(node);
        let (width, stride) = (node.width(), node.stride());
        let columns = node.columns.start - first..node.columns.end - first;
        let y = &mut y[..width];
        y.copy_from_slice(&own[columns.clone()]);
        {
            let x = &mut own[columns];
            multiply::<FMA>(inverse, stride, y, |row, sum| x[row] = sum);
            y.copy_from_slice(x);
        }
        let (inside, outside) = panel.split_at(node.inside * stride);
        let (near, far) = rows.split_at(node.inside);
        multiply::<FMA>(inside, stride, y, |row, sum| {
            let target = &mut own[near[row] as usize - first];
            *target = *target - sum;
        });
        multiply::<FMA>(outside, stride, y, |row, sum| {
            let target = &mut given[far[row] as usize - symbolic.top];
            *target = *target - sum;
        });
    }
}

#[inline(always)]
fn backward_generic<const FMA: bool>(work: &Work, task: usize, own: &mut [Lanes], all: &Shared<Lanes>) {
    const BATCH: usize = 128;
    let symbolic = work.symbolic;
    let planned = &symbolic.tasks[task];
    let first = planned.columns.start;
    let mut sums = [Lanes::ZERO; WIDEST];
    let mut gathered = [Lanes::ZERO; BATCH];
    for node in symbolic.supernodes[planned.supernodes.clone()].iter().rev() {
        let (inverse, panel, rows) = work.parts(node);
        let (width, stride) = (node.width(), node.stride());
        let sums = &mut sums[..width];
        sums.fill(Lanes::ZERO);
        for (batch, (rows, panel)) in rows.chunks(BATCH).zip(panel.chunks(BATCH * stride)).enumerate() {
            for (at, (&row, value)) in rows.iter().zip(&mut gathered).enumerate() {
                *value = if batch * BATCH + at < node.inside {
                    own[row as usize - first]
                } else {
                    // SAFETY: the column belongs to a task of a later level, which is done.
                    unsafe { all.read(row as usize..row as usize + 1)[0] }
                };
            }
            multiply_transposed::<FMA>(panel, stride, &gathered[..rows.len()], sums);
        }
        let x = &mut own[node.columns.start - first..node.columns.end - first];
        let mut right = [Lanes::ZERO; WIDEST];
        for (right, (x, sum)) in right.iter_mut().zip(x.iter().zip(&*sums)) {
            *right = *x - *sum;
        }
        x.fill(Lanes::ZERO);
        multiply_transposed::<FMA>(inverse, stride, &right[..width], x);
    }
}

vectorised! {
    fn forward(work: &Work, task: usize, own: &mut [Lanes], given: &mut [Lanes]) = forward_generic
}
vectorised! {
    fn backward(work: &Work, task: usize, own: &mut [Lanes], all: &Shared<Lanes>) = backward_generic
}
