//! Sums over all vertices, part by part, so that they do not depend on the number of threads.

use std::ops::Range;

use super::spring_operator::PLACES;
use crate::sim::Real;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;

/// Scalar product of two vectors of three numbers.
#[inline(always)]
pub(super) fn dot(a: F64x4, b: F64x4) -> Real {
    (a * b).sum()
}

/// Changes every entry and sums the returned values, part by part, so that the sum does not depend
/// on the number of threads.
pub(super) fn reduce(
    partial: &mut [[Real; 2]],
    entries: &mut [F64x4],
    pool: &ThreadPool,
    change: impl Fn(usize, &mut F64x4) -> [Real; 2] + Sync,
) -> [Real; 2] {
    let shared = Shared::new(entries);
    parts(partial, shared.len(), pool, |range| {
        // SAFETY: the parts do not overlap.
        let part = unsafe { shared.part(range.clone()) };
        part.iter_mut().zip(range).fold([0.0; 2], |sum, (entry, place)| {
            let [a, b] = change(place, entry);
            [sum[0] + a, sum[1] + b]
        })
    })
}

/// Sums the values of `run` over the parts of `0..length`.
pub(super) fn parts(
    partial: &mut [[Real; 2]],
    length: usize,
    pool: &ThreadPool,
    run: impl Fn(Range<usize>) -> [Real; 2] + Sync,
) -> [Real; 2] {
    let shared = Shared::new(partial);
    pool.for_parts(length, PLACES, |range| {
        let part = range.start / PLACES;
        let sum = run(range);
        // SAFETY: every part has a sum of its own.
        unsafe { shared.part(part..part + 1)[0] = sum };
    });
    partial.iter().fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
}
