//! Contact of the cloth with itself.

pub mod distance;
