//! Scene files, mesh import and snapshots.

mod import;
mod makeups;
mod moving;
mod papers;
mod pieces;
mod pressed;
mod scenes;
mod snapshots;
