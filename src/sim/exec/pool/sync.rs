//! Atomics and locks of the work queue. `tests/loom` replaces them by those of `loom`, and tries
//! every order in which they can act.

pub use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
pub use std::sync::{Arc, Condvar, Mutex};

/// Rounds of waiting before a thread gives up its processor: some 50 to 100 µs.
pub const PATIENCE: u32 = 4096;

/// Waits for a moment; `idle` counts how often in a row.
pub fn pause(idle: &mut u32) {
    *idle = idle.saturating_add(1);
    if *idle > PATIENCE {
        std::thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}
