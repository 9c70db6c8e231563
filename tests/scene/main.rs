//! Scene files, mesh import and snapshots.

mod import;
mod scenes;
mod snapshots;
