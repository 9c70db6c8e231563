//! Execution: vector registers, a thread pool, a work budget.

pub mod batches;
pub mod budget;
pub mod clock;
pub mod colouring;
pub mod pool;
pub mod simd;
