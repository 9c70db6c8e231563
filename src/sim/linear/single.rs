//! The factor in single precision: half the memory to read and half the instructions, for
//! corrections of a solution whose residual is known in double precision.
//!
//! Large factors do not fit into the cache, and a solve reads them twice. The answer is good to
//! some 1e-4 of itself, so that each correction leaves that much of the error.
//!
//! The form of the panels is that of [`substitution`](super::substitution): rows of a strip lie
//! beside each other, so that two of them are loaded as one and multiply two vectors at once, which
//! are kept lane by lane in turn.

use super::lists::Lists;
use super::passes::{Entry, substitute};
use super::symbolic::{Supernode, Symbolic, WIDEST, strips};
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::{F32x4, F32x8, F64x4, prefetch, vectorised};

/// Entries of vectors, and panels, that a thread converts at a time.
const ENTRIES: usize = 2048;
const PANELS: usize = 64;

/// Numbers of the next panel that are asked for ahead of time, when panels are read backwards.
const AHEAD: usize = 3072;

/// The copy of a factor, and what a solve works in.
#[derive(Debug, Clone, Default)]
pub(super) struct SingleFactor {
    packed: Vec<f32>,
    /// Where each panel starts.
    starts: Vec<usize>,
    /// Whether it is a copy of a factor but for the panels in `stale`.
    is_made: bool,
    stale: Vec<usize>,
    x: Vec<F32x4>,
    /// Contributions of each task to the columns above it, all zero between solves.
    contributions: Vec<F32x4>,
}

impl SingleFactor {
    /// The factor has been computed anew.
    pub fn forget(&mut self) {
        self.is_made = false;
    }

    /// Panel `s` of the factor has changed.
    pub fn note(&mut self, s: usize) {
        self.stale.push(s);
    }

    /// Becomes a copy of a factor with this shape, whose panels are `packed` for solves.
    fn follow(&mut self, symbolic: &Symbolic, packed: &Lists, pool: &ThreadPool) {
        let Self { packed: own, starts, is_made, stale, x, contributions } = self;
        if starts.is_empty() {
            starts.push(0);
            starts.extend(symbolic.supernodes.iter().scan(0, |end, node| {
                *end += node.packed;
                Some(*end)
            }));
            own.resize(starts[starts.len() - 1], 0.0);
            x.resize(symbolic.len(), F32x4::ZERO);
            contributions.resize(symbolic.tasks.len() * (symbolic.len() - symbolic.top), F32x4::ZERO);
        }
        let starts = &starts[..];
        let copy =
            |s: usize, to: &mut [f32]| to.iter_mut().zip(packed.list(s)).for_each(|(to, from)| *to = *from as f32);
        if *is_made {
            stale.drain(..).for_each(|s| copy(s, &mut own[starts[s]..starts[s + 1]]));
            return;
        }
        stale.clear();
        *is_made = true;
        let own = Shared::new(own);
        pool.for_parts(starts.len() - 1, PANELS, |panels| {
            for s in panels {
                // SAFETY: panels do not overlap, and each is copied once
                copy(s, unsafe { own.part(starts[s]..starts[s + 1]) });
            }
        });
    }

    /// Solves in place with the factor that has this shape, panels `packed` for solves, and `signs`
    /// by columns, or none. `x` has an entry per column.
    pub fn solve(
        &mut self,
        (symbolic, packed, signs): (&Symbolic, &Lists, &[f64]),
        x: &mut [F64x4],
        pool: &ThreadPool,
    ) {
        debug_assert_eq!(x.len(), symbolic.len());
        self.follow(symbolic, packed, pool);
        let Self { packed, starts, x: own, contributions, .. } = self;
        let given = &*x;
        pool.fill(own, ENTRIES, |i| F32x4::of(given[i]));
        let work = Work { symbolic, packed, starts };
        let forward = |task, own: &mut [F32x4], given: &mut [F32x4]| forward(&work, task, own, given);
        let backward = |task, own: &mut [F32x4], above: &[F32x4]| backward(&work, task, own, above);
        substitute((symbolic, signs), own, contributions, (forward, backward), pool);
        pool.fill(x, ENTRIES, |i| own[i].widen());
    }
}

impl Entry for F32x4 {
    fn added(self, other: Self) -> Self {
        self.sum(other)
    }

    fn signed(self, sign: f64) -> Self {
        Self(self.0.map(|x| x * sign as f32))
    }
}

/// What all tasks read.
struct Work<'a> {
    symbolic: &'a Symbolic,
    packed: &'a [f32],
    starts: &'a [usize],
}

impl<'a> Work<'a> {
    /// Supernode `s`, its packed panel, and its rows inside and outside its task.
    #[inline(always)]
    fn parts(&self, s: usize) -> (&'a Supernode, &'a [f32], &'a [u32], &'a [u32]) {
        let (node, targets) = (&self.symbolic.supernodes[s], &self.symbolic.targets);
        let packed = &self.packed[self.starts[s]..self.starts[s + 1]];
        (node, packed, &targets[node.near.clone()], &targets[node.far.clone()])
    }
}

/// `Σ_j l_rj y_j` for the `R` rows of a strip, two rows in turn each; `y_j` is there twice in turn.
#[inline(always)]
fn times<const FMA: bool, const R: usize>(strip: &[f32], y: &[F32x8<FMA>]) -> [F32x8<FMA>; 4] {
    // two sums, so that one addition need not wait for the other
    let mut sums = [[F32x8::ZERO; 4]; 2];
    let columns = strip.as_chunks::<R>().0;
    let (twos, last) = columns.as_chunks::<2>();
    for (two, y) in twos.iter().zip(y.as_chunks::<2>().0) {
        for k in 0..2 {
            for (p, pair) in two[k].as_chunks::<2>().0.iter().enumerate() {
                sums[k][p] = sums[k][p].plus(F32x8::alternate(pair), y[k]);
            }
        }
    }
    if let Some(column) = last.first() {
        for (p, pair) in column.as_chunks::<2>().0.iter().enumerate() {
            sums[0][p] = sums[0][p].plus(F32x8::alternate(pair), y[columns.len() - 1]);
        }
    }
    let [even, odd] = sums;
    [even[0] + odd[0], even[1] + odd[1], even[2] + odd[2], even[3] + odd[3]]
}

/// Adds `Σ_r l_rj v_r` to every `sums[j]` for the `R` rows of a strip; two `v_r` are there in turn,
/// and so are the parts of the sum.
#[inline(always)]
fn times_transposed<const FMA: bool, const R: usize>(strip: &[f32], v: &[F32x8<FMA>; 4], sums: &mut [F32x8<FMA>]) {
    for (column, sum) in strip.as_chunks::<R>().0.iter().zip(sums) {
        // two sums, so that one addition need not wait for the other
        let mut parts = [*sum, F32x8::ZERO];
        for (p, pair) in column.as_chunks::<2>().0.iter().enumerate() {
            parts[p % 2] = parts[p % 2].plus(F32x8::alternate(pair), v[p]);
        }
        *sum = parts[0] + parts[1];
    }
}

/// Subtracts `Σ_j l_rj y_j` from the entries of `x` that the `R` rows of a strip stand for.
#[inline(always)]
fn scatter_strip<const FMA: bool, const R: usize>(strip: &[f32], rows: &[u32; R], y: &[F32x8<FMA>], x: &mut [F32x4]) {
    let sums = times::<FMA, R>(strip, y);
    for (rows, sum) in rows.as_chunks::<2>().0.iter().zip(sums) {
        let [first, second] = sum.split();
        x[rows[0] as usize] = x[rows[0] as usize].minus(first);
        x[rows[1] as usize] = x[rows[1] as usize].minus(second);
    }
}

/// Subtracts `Σ_j l_rj y_j` from the entries of `x` that the rows stand for.
#[inline(always)]
fn scatter<const FMA: bool>(packed: &mut &[f32], rows: &[u32], y: &[F32x8<FMA>], x: &mut [F32x4]) {
    let (tall, rest) = rows.as_chunks::<8>();
    for rows in tall {
        let (strip, behind) = packed.split_at(8 * y.len());
        scatter_strip::<FMA, 8>(strip, rows, y, x);
        *packed = behind;
    }
    if let Some(rows) = rest.first_chunk::<4>() {
        let (strip, behind) = packed.split_at(4 * y.len());
        scatter_strip::<FMA, 4>(strip, rows, y, x);
        *packed = behind;
    }
}

/// Two vectors in turn for each two of the `R` rows.
#[inline(always)]
fn pairs<const FMA: bool, const R: usize>(rows: &[u32; R], v: &[F32x4]) -> [F32x8<FMA>; 4] {
    let mut pairs = [F32x8::ZERO; 4];
    for (pair, rows) in pairs.iter_mut().zip(rows.as_chunks::<2>().0) {
        *pair = F32x8::interleave(v[rows[0] as usize], v[rows[1] as usize]);
    }
    pairs
}

/// Adds `Σ_r l_rj v(row_r)` to `sums[j]`.
#[inline(always)]
fn gather<const FMA: bool>(packed: &mut &[f32], rows: &[u32], v: &[F32x4], sums: &mut [F32x8<FMA>]) {
    let (tall, rest) = rows.as_chunks::<8>();
    for rows in tall {
        let (strip, behind) = packed.split_at(8 * sums.len());
        times_transposed::<FMA, 8>(strip, &pairs(rows, v), sums);
        *packed = behind;
    }
    if let Some(rows) = rest.first_chunk::<4>() {
        let (strip, behind) = packed.split_at(4 * sums.len());
        times_transposed::<FMA, 4>(strip, &pairs(rows, v), sums);
        *packed = behind;
    }
}

/// The vectors of a panel, filled up to whole strips.
const ROOM: usize = WIDEST + 8;

#[inline(always)]
fn forward_generic<const FMA: bool>(work: &Work, task: usize, own: &mut [F32x4], given: &mut [F32x4]) {
    let planned = &work.symbolic.tasks[task];
    let first = planned.columns.start;
    let (mut twice, mut y) = ([F32x8::ZERO; WIDEST], [F32x4::ZERO; ROOM]);
    for s in planned.supernodes.clone() {
        let (node, mut packed, near, far) = work.parts(s);
        let width = node.width();
        let columns = node.columns.start - first..node.columns.end - first;
        let twice = &mut twice[..width];
        for (twice, x) in twice.iter_mut().zip(&own[columns.clone()]) {
            *twice = F32x8::interleave(*x, *x);
        }
        for (start, height) in strips(width) {
            let reach = width.min(start + height);
            let (strip, behind) = packed.split_at(height * reach);
            let sums = if height == 8 {
                times::<FMA, 8>(strip, &twice[..reach])
            } else {
                times::<FMA, 4>(strip, &twice[..reach])
            };
            for (p, sum) in sums.into_iter().enumerate().take(height / 2) {
                [y[start + 2 * p], y[start + 2 * p + 1]] = sum.split();
            }
            packed = behind;
        }
        own[columns].copy_from_slice(&y[..width]);
        for (twice, y) in twice.iter_mut().zip(&y) {
            *twice = F32x8::interleave(*y, *y);
        }
        scatter::<FMA>(&mut packed, near, twice, own);
        scatter::<FMA>(&mut packed, far, twice, given);
    }
}

#[inline(always)]
fn backward_generic<const FMA: bool>(work: &Work, task: usize, own: &mut [F32x4], above: &[F32x4]) {
    let planned = &work.symbolic.tasks[task];
    let first = planned.columns.start;
    let (mut sums, mut right) = ([F32x8::ZERO; WIDEST], [F32x4::ZERO; ROOM]);
    for s in planned.supernodes.clone().rev() {
        if s > planned.supernodes.start {
            prefetch(&work.packed[work.starts[s - 1]..work.starts[s]], AHEAD);
        }
        let (node, packed, near, far) = work.parts(s);
        let width = node.width();
        let sums = &mut sums[..width];
        sums.fill(F32x8::ZERO);
        let (mut block, mut below) = packed.split_at(packed.len() - (near.len() + far.len()) * width);
        gather::<FMA>(&mut below, near, own, sums);
        gather::<FMA>(&mut below, far, above, sums);
        let x = &mut own[node.columns.start - first..node.columns.end - first];
        for (right, (x, sum)) in right.iter_mut().zip(x.iter().zip(&*sums)) {
            let [a, b] = sum.split();
            *right = x.minus(a.sum(b));
        }
        // rows that only fill up are zero in the strip, and have to be finite here
        right[width..].fill(F32x4::ZERO);
        sums.fill(F32x8::ZERO);
        for (start, height) in strips(width) {
            let reach = width.min(start + height);
            let (strip, behind) = block.split_at(height * reach);
            let own = &right[start..];
            if height == 8 {
                times_transposed::<FMA, 8>(strip, &pairs(&[0, 1, 2, 3, 4, 5, 6, 7], own), &mut sums[..reach]);
            } else {
                times_transposed::<FMA, 4>(strip, &pairs(&[0, 1, 2, 3], own), &mut sums[..reach]);
            }
            block = behind;
        }
        for (x, sum) in x.iter_mut().zip(&*sums) {
            let [a, b] = sum.split();
            *x = a.sum(b);
        }
    }
}

vectorised! {
    fn forward(work: &Work, task: usize, own: &mut [F32x4], given: &mut [F32x4]) = forward_generic
}
vectorised! {
    fn backward(work: &Work, task: usize, own: &mut [F32x4], above: &[F32x4]) = backward_generic
}
