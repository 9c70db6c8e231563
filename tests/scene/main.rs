//! Scene files, mesh import and snapshots.

mod import;
mod makeups;
mod pieces;
mod scenes;
mod snapshots;
