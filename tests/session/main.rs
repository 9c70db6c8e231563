//! Commands in, frames out: a running simulation with all that happens to it, and the thread that steps it.

mod pause;
mod session;
mod worker;
