//! Scene files, mesh import and snapshots.

mod import;
mod pieces;
mod scenes;
mod snapshots;
