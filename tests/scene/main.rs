//! Scene files, mesh import and snapshots.

mod bodies;
mod examples;
mod export;
mod first;
mod import;
mod lanes;
mod large;
mod makeups;
mod moving;
#[path = "../shared/pairing.rs"]
mod pairing;
mod papers;
mod pieces;
mod pressed;
mod resting;
mod saving;
mod scenes;
mod snapshots;
mod sweep_map;
