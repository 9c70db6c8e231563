//! Common part of the implicit methods: linearised springs, and their linear systems.

pub mod blocks;
pub mod conjugate_gradients;
mod couplings;
pub mod filtered;
pub mod frames;
pub mod friction;
pub mod laplacian;
pub mod linearised;
pub mod membrane_operator;
mod preconditioner;
mod reduction;
pub mod spring_operator;
pub mod structure;
