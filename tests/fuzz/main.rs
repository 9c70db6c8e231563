//! Random input of every kind: settings, scenes, meshes, snapshots, recordings and command lines.
//!
//! The rules: no panic, no hang, no number in a file that is not finite, exit status and one sentence as documented, and bad
//! input leaves nothing behind. What is found becomes a case in `cases.rs`.
//!
//! `WEFT_FUZZ_COUNT` says how many inputs of each kind are tried, `WEFT_FUZZ_SEED` where they begin. A failure names the seed
//! of its input, which alone is tried again with `WEFT_FUZZ_SEED=<seed> WEFT_FUZZ_COUNT=1`.

mod bodies;
mod cases;
mod contact;
mod meshes;
mod mutation;
mod program;
mod random;
mod recordings;
mod scenes;
mod settings;
mod snapshots;
mod trial;
