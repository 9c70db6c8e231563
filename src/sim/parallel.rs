//! Loops over large arrays on several threads, with the same bits as on one.
//!
//! Each entry of the result is written by exactly one call, from inputs that nobody writes meanwhile, so neither the
//! number of threads nor their timing can change a bit. Waking a sleeping thread costs 50 to 100 µs, so small arrays
//! stay on the calling thread.

use rayon::prelude::*;

/// Smallest number of entries worth a thread's waking.
const GRAIN: usize = 8192;

/// Whether a loop over so many entries is divided among threads.
#[must_use]
pub fn is_worth_it(entries: usize) -> bool {
    entries >= 2 * GRAIN
}

/// Sets `out[i] = value(i)` for every `i`.
pub fn fill<T: Send>(out: &mut [T], value: impl Fn(usize) -> T + Sync) {
    update(out, |i, entry| *entry = value(i));
}

/// Calls `change(i, &mut entries[i])` for every `i`.
pub fn update<T: Send>(entries: &mut [T], change: impl Fn(usize, &mut T) + Sync) {
    if !is_worth_it(entries.len()) {
        entries.iter_mut().enumerate().for_each(|(i, entry)| change(i, entry));
    } else {
        entries.par_iter_mut().with_min_len(GRAIN).enumerate().for_each(|(i, entry)| change(i, entry));
    }
}
