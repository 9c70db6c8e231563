//! The steps remembered by an acceleration, and their scalar products.
//!
//! Of every step `s` there are two vectors: `s`, and the change `Δf` of the local/global step along
//! it. If an acceleration uses `s + Δf` alone, that sum is stored instead of `s`, which halves the
//! memory to be read. Of the newest steps there are also the image `A s` under the constant matrix,
//! and the change `ΔR` of the residual `R = -∇E`. All are by places. Sums are added up part by
//! part, so that they do not depend on the number of threads.

use std::ops::Range;

use super::products::{MOST, Products, Weighting};
use crate::sim::Real;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::{F64x4, RegF64x4, vectorised};

/// Places per task.
const PLACES: usize = 512;
/// Sums of a part: four for each step, `sᵀ ΔR` of the newest, and `fᵀ R`.
const SUMS: usize = 4 * MOST + 2;

/// Scalar products of a step before it is taken.
#[derive(Debug, Clone, Copy, Default)]
pub struct Proposal {
    /// `sᵀ (A q - c)`, the slope of the quadratic part of the energy [J].
    pub slope: Real,
    /// `sᵀ A s` [J].
    pub curvature: Real,
    /// `sᵀ R`: minus the slope of the energy [J].
    pub descent: Real,
}

/// Where an iteration stands, by places.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Positions [m].
    pub q: &'a [F64x4],
    /// `A q` [N].
    pub image: &'a [F64x4],
    /// `c`: the constant part of the right-hand side [N].
    pub constant: &'a [F64x4],
    /// `R` [N].
    pub residual: &'a [F64x4],
    /// `f` [m].
    pub way: &'a [F64x4],
}

/// See the module.
#[derive(Debug, Default)]
pub struct History {
    n: usize,
    room: usize,
    /// Whether steps are joined with their changes.
    joined: bool,
    /// The vectors `s` and `Δf` of every slot, one slot more than there is room for.
    steps: Vec<F64x4>,
    changes: Vec<F64x4>,
    /// `A s` and `ΔR` of the newest step.
    image: Vec<F64x4>,
    difference: Vec<F64x4>,
    /// The slots of the steps, the newest first, then that of the next step.
    order: Vec<usize>,
    /// Whether the newest step has been taken and its changes are not known yet.
    pending: bool,
    /// Scalar products.
    pub products: Products,
    partial: Vec<[Real; SUMS]>,
}

impl History {
    /// Forgets all steps, and makes room for so many of `n` places, `joined` with their changes or
    /// not.
    pub fn clear(&mut self, n: usize, room: usize, joined: bool) {
        self.joined = joined;
        if (self.n, self.room) != (n, room) {
            (self.n, self.room) = (n, room);
            let slots = n * (room + 1);
            let arrays = [(&mut self.steps, slots), (&mut self.changes, slots)];
            for (array, length) in arrays.into_iter().chain([(&mut self.image, n), (&mut self.difference, n)]) {
                array.clear();
                array.resize(length, F64x4::ZERO);
            }
            self.order.clear();
            self.order.extend(0..=room);
            self.partial.resize(n.div_ceil(PLACES), [0.0; SUMS]);
        }
        (self.products, self.pending) = (Products::default(), false);
    }

    fn slot(&self, at: usize) -> Range<usize> {
        let slot = self.order[at];
        slot * self.n..(slot + 1) * self.n
    }

    /// The last step that was proposed or taken, and its image.
    pub fn last(&self) -> (&[F64x4], &[F64x4]) {
        let at = if self.pending { 0 } else { self.products.count };
        (&self.steps[self.slot(at)], &self.image)
    }

    /// Whether a step has been taken, and its image is to be added to that of the positions.
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// Hears the residual and the local/global step after the last step, and finds the scalar
    /// products.
    pub fn absorb(&mut self, residual: &[F64x4], way: &[F64x4], pool: &ThreadPool) {
        let Self { n, joined, steps, changes, difference, order, pending, products, partial, .. } = self;
        let (n, joined, count, known) = (*n, *joined, products.count, *pending);
        let shared = [steps, changes].map(|array| Shared::new(&mut array[..]));
        let (difference, sums, order) = (Shared::new(difference), Shared::new(partial), &*order);
        pool.for_parts(n, PLACES, |range| {
            // SAFETY: the parts do not overlap, in any slot, and each has sums of its own. No two
            // parts that are in use at a time are of the same array and slot.
            let part =
                |array: usize, slot: usize| unsafe { shared[array].part(slot * n + range.start..slot * n + range.end) };
            // SAFETY: as above.
            let (difference, sums) = unsafe { (difference.part(range.clone()), sums.entry(range.start / PLACES)) };
            let (residual, way) = (&residual[range.clone()], &way[range.clone()]);
            let newest = order[0];
            if known {
                add(part(1, newest), way);
                add(difference, residual);
                sums[SUMS - 2] = dots(part(0, newest), difference, residual)[0];
                if joined {
                    add(part(0, newest), part(1, newest));
                }
            }
            sums[SUMS - 1] = dots(way, residual, residual)[0];
            let difference = &*difference;
            for (at, &slot) in order[..count].iter().enumerate() {
                let [a, b] = if joined { [0.0; 2] } else { dots(part(0, slot), residual, difference) };
                let [c, d] = dots(part(1, slot), residual, difference);
                sums[4 * at..4 * at + 4].copy_from_slice(&[a, b, c, d]);
            }
        });
        let mut sums = [0.0; SUMS];
        for part in &*partial {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        products.gradient = sums[SUMS - 1];
        for (at, sums) in sums.chunks_exact(4).take(count).enumerate() {
            products.step_residual[at] = sums[0];
            products.change_residual[at] = sums[2];
            if known {
                products.step_change[at][0] = sums[1];
                products.change_change[at][0] = sums[3];
                products.change_change[0][at] = sums[3];
            }
        }
        if known {
            products.step_change[0][0] = sums[SUMS - 2];
        }
        *pending = false;
    }

    /// Writes the step with these weights, writes its end to `trial`, and returns its scalar
    /// products. `multiply` writes the product of the constant matrix with a vector.
    pub fn propose(
        &mut self,
        weighting: &Weighting,
        at: Place,
        multiply: impl FnOnce(&[F64x4], &mut [F64x4]),
        trial: &mut [F64x4],
        pool: &ThreadPool,
    ) -> Proposal {
        let Self { n, steps, changes, difference, order, products, .. } = self;
        let (n, count) = (*n, products.count);
        let shared = [steps, changes].map(|array| Shared::new(&mut array[..]));
        let (differences, order) = (Shared::new(difference), &*order);
        pool.for_parts(n, PLACES, |range| {
            // SAFETY: the parts do not overlap, in any slot. The slot of the next step is none of
            // those that are read.
            let part =
                |array: usize, slot: usize| unsafe { shared[array].part(slot * n + range.start..slot * n + range.end) };
            let [step, change] = [0, 1].map(|array| part(array, order[count]));
            start(weighting.first, &at.way[range.clone()], step, change);
            // SAFETY: the parts do not overlap.
            negate(&at.residual[range.clone()], unsafe { differences.part(range.clone()) });
            for (j, &slot) in order[..count].iter().enumerate() {
                let (of_step, of_change) = (weighting.steps[j], weighting.changes[j]);
                if of_change == 0.0 && of_step != 0.0 {
                    add_times(of_step, part(0, slot), step);
                } else if of_change != 0.0 {
                    combine(of_step, part(0, slot), of_change, part(1, slot), step);
                }
            }
        });
        self.arrive(at, multiply, trial, pool)
    }

    /// Makes the step that was proposed last a combination of itself and of further `vectors`, with
    /// these shares.
    pub fn extend(
        &mut self,
        shares: &[Real],
        vectors: &[Vec<F64x4>],
        at: Place,
        multiply: impl FnOnce(&[F64x4], &mut [F64x4]),
        trial: &mut [F64x4],
        pool: &ThreadPool,
    ) -> Proposal {
        let slot = self.slot(self.products.count);
        pool.change(Shared::new(&mut self.steps[slot]), PLACES, |range, step| {
            step.iter_mut().for_each(|step| *step = *step * F64x4::splat(shares[0]));
            for (share, vector) in shares[1..].iter().zip(vectors) {
                add_times(*share, &vector[range.clone()], step);
            }
        });
        self.arrive(at, multiply, trial, pool)
    }

    /// Finds the image of the step that was proposed last, writes its end to `trial`, and returns
    /// its scalar products.
    fn arrive(
        &mut self,
        at: Place,
        multiply: impl FnOnce(&[F64x4], &mut [F64x4]),
        trial: &mut [F64x4],
        pool: &ThreadPool,
    ) -> Proposal {
        let slot = self.slot(self.products.count);
        let Self { n, steps, image, partial, .. } = self;
        let (n, step) = (*n, &steps[slot]);
        multiply(step, image);
        let (trial, sums, image) = (Shared::new(trial), Shared::new(partial), &image[..]);
        pool.for_parts(n, PLACES, |range| {
            // SAFETY: the parts do not overlap, and each has a sum of its own.
            let (trial, sum) = unsafe { (trial.part(range.clone()), sums.entry(range.start / PLACES)) };
            let (step, image) = (&step[range.clone()], &image[range.clone()]);
            let known = [at.q, at.image, at.constant, at.residual].map(|array| &array[range.clone()]);
            sum[..3].copy_from_slice(&arrive(step, image, known, trial));
        });
        let sum = |at: usize| partial.iter().map(|part| part[at]).sum::<Real>();
        Proposal { slope: sum(0), curvature: sum(1), descent: sum(2) }
    }

    /// Scalar products of a step that is no combination, with its image; `at` are `A q` and `c`.
    pub fn look(&mut self, step: &[F64x4], image: &[F64x4], at: [&[F64x4]; 2], pool: &ThreadPool) -> Proposal {
        let sums = Shared::new(&mut self.partial);
        let [of_q, constant] = at;
        pool.for_parts(step.len(), PLACES, |range| {
            let (step, image) = (&step[range.clone()], &image[range.clone()]);
            let [curvature, by_image] = dots(step, image, &of_q[range.clone()]);
            let [by_constant, _] = dots(step, &constant[range.clone()], image);
            // SAFETY: every part has sums of its own.
            let sum = unsafe { sums.entry(range.start / PLACES) };
            sum[..2].copy_from_slice(&[by_image - by_constant, curvature]);
        });
        let sum = |at: usize| self.partial.iter().map(|part| part[at]).sum::<Real>();
        Proposal { slope: sum(0), curvature: sum(1), descent: 0.0 }
    }

    /// Makes the step that was proposed last the share `t` of itself where that is not 1, and
    /// remembers it.
    pub fn take(&mut self, proposal: &Proposal, t: Real, pool: &ThreadPool) {
        let count = self.products.count;
        if t != 1.0 {
            let slot = self.slot(count);
            for array in [&mut self.steps[slot], &mut self.image[..]] {
                pool.update(array, PLACES, |_, entry| *entry = *entry * F64x4::splat(t));
            }
        }
        self.products.shift(self.room);
        self.products.step_step[0] = t * t * proposal.curvature;
        // the slot of the new step comes first; where there was no more room, that of the oldest is
        // free now
        self.order[..=count].rotate_right(1);
        self.pending = true;
    }
}

vectorised! {
    /// `vᵀ a` and `vᵀ b`.
    fn dots(v: &[F64x4], a: &[F64x4], b: &[F64x4]) -> [Real; 2] = dots_generic
}

#[inline(always)]
fn dots_generic<const FMA: bool>(v: &[F64x4], a: &[F64x4], b: &[F64x4]) -> [Real; 2] {
    let mut sums = [[RegF64x4::<FMA>::ZERO; 2]; 2];
    let (pairs, rest) = v.as_chunks::<2>();
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<2>(), b.as_chunks::<2>());
    for ((v, a), b) in pairs.iter().zip(a).zip(b) {
        for lane in 0..2 {
            sums[lane][0] = sums[lane][0].plus(RegF64x4(v[lane]), RegF64x4(a[lane]));
            sums[lane][1] = sums[lane][1].plus(RegF64x4(v[lane]), RegF64x4(b[lane]));
        }
    }
    for ((v, a), b) in rest.iter().zip(a_rest).zip(b_rest) {
        sums[0][0] = sums[0][0].plus(RegF64x4(*v), RegF64x4(*a));
        sums[0][1] = sums[0][1].plus(RegF64x4(*v), RegF64x4(*b));
    }
    [(sums[0][0] + sums[1][0]).0.sum(), (sums[0][1] + sums[1][1]).0.sum()]
}

vectorised! {
    /// `out += v`.
    fn add(out: &mut [F64x4], v: &[F64x4]) = add_generic
}

#[inline(always)]
fn add_generic<const FMA: bool>(out: &mut [F64x4], v: &[F64x4]) {
    for (out, v) in out.iter_mut().zip(v) {
        *out = (RegF64x4::<FMA>(*out) + RegF64x4(*v)).0;
    }
}

vectorised! {
    /// `out += a v`.
    fn add_times(a: Real, v: &[F64x4], out: &mut [F64x4]) = add_times_generic
}

#[inline(always)]
fn add_times_generic<const FMA: bool>(a: Real, v: &[F64x4], out: &mut [F64x4]) {
    let a = RegF64x4::<FMA>::splat(a);
    for (v, out) in v.iter().zip(out) {
        *out = RegF64x4(*out).plus(a, RegF64x4(*v)).0;
    }
}

vectorised! {
    /// `out = weight v`, and `negative = -v`.
    fn start(weight: Real, v: &[F64x4], out: &mut [F64x4], negative: &mut [F64x4]) = start_generic
}

#[inline(always)]
fn start_generic<const FMA: bool>(weight: Real, v: &[F64x4], out: &mut [F64x4], negative: &mut [F64x4]) {
    for ((v, out), negative) in v.iter().zip(out).zip(negative) {
        *out = (RegF64x4::<FMA>(*v) * RegF64x4::splat(weight)).0;
        *negative = (RegF64x4::<FMA>::ZERO - RegF64x4(*v)).0;
    }
}

vectorised! {
    /// `out = -v`.
    fn negate(v: &[F64x4], out: &mut [F64x4]) = negate_generic
}

#[inline(always)]
fn negate_generic<const FMA: bool>(v: &[F64x4], out: &mut [F64x4]) {
    for (v, out) in v.iter().zip(out) {
        *out = (RegF64x4::<FMA>::ZERO - RegF64x4(*v)).0;
    }
}

vectorised! {
    /// `out += a v + b w`.
    fn combine(a: Real, v: &[F64x4], b: Real, w: &[F64x4], out: &mut [F64x4]) = combine_generic
}

#[inline(always)]
fn combine_generic<const FMA: bool>(a: Real, v: &[F64x4], b: Real, w: &[F64x4], out: &mut [F64x4]) {
    let (a, b) = (RegF64x4::<FMA>::splat(a), RegF64x4::splat(b));
    for ((v, w), out) in v.iter().zip(w).zip(out) {
        *out = RegF64x4(*out).plus(a, RegF64x4(*v)).plus(b, RegF64x4(*w)).0;
    }
}

vectorised! {
    /// `trial = q + s`; `sᵀ (A q - c)`, `sᵀ A s` and `sᵀ R`. `at` are `q`, `A q`, `c` and `R`.
    fn arrive(step: &[F64x4], image: &[F64x4], at: [&[F64x4]; 4], trial: &mut [F64x4]) -> [Real; 3] = arrive_generic
}

#[inline(always)]
fn arrive_generic<const FMA: bool>(
    step: &[F64x4],
    image: &[F64x4],
    at: [&[F64x4]; 4],
    trial: &mut [F64x4],
) -> [Real; 3] {
    let [q, of_q, constant, residual] = at;
    let mut sums = [RegF64x4::<FMA>::ZERO; 3];
    let places = step.iter().zip(image).zip(q.iter().zip(of_q)).zip(constant.iter().zip(residual)).zip(trial);
    for ((((s, image), (q, of_q)), (c, r)), trial) in places {
        let s = RegF64x4(*s);
        trial.0 = (RegF64x4(*q) + s).0.0;
        sums[0] = sums[0].plus(s, RegF64x4(*of_q) - RegF64x4(*c));
        sums[1] = sums[1].plus(s, RegF64x4(*image));
        sums[2] = sums[2].plus(s, RegF64x4(*r));
    }
    sums.map(|sum| sum.0.sum())
}
