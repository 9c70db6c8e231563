//! How loops are run: several numbers at once, several threads, a bounded effort.

pub mod batches;
pub mod clock;
pub mod colouring;
pub mod effort;
pub mod simd;
pub mod team;
