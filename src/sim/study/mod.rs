//! Studies: measurements over many runs or iterates.

pub mod advice;
pub mod blow_up;
pub mod compass;
pub mod contact_laws;
pub mod convergence;
pub mod correspondence;
pub mod equal_cost;
pub mod film;
pub mod fit;
pub mod grid;
pub mod jitter;
pub mod minimum;
pub mod run;
pub mod stability;
pub mod sweep;
pub mod textile;
pub mod windows;
