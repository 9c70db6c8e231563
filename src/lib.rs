//! Weft, the cloth laboratory.

#[cfg(feature = "app")]
pub mod app;
pub mod cli;
pub mod scene;
pub mod sim;
