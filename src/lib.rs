//! Weft, the cloth laboratory.

pub mod cli;
pub mod scene;
pub mod sim;
