//! Random input of every kind: settings, scenes, meshes, snapshots, recordings and command lines.
//!
//! The rules: no panic, no hang, no number in a file that is not finite, exit status and one
//! sentence as documented, and bad input leaves nothing behind. What is found becomes a case in
//! `cases.rs`.
//!
//! The fast tier tries a fifth of the inputs of each kind, the full tier the others.
//! `WEFT_FUZZ_COUNT` says how many are tried, `WEFT_FUZZ_SEED` where they begin. A failure names
//! the seed of its input, which alone is tried again with `WEFT_FUZZ_SEED=<seed>
//! WEFT_FUZZ_COUNT=1`.

mod bodies;
mod cases;
mod commands;
mod contact;
mod meshes;
mod mutation;
#[cfg(feature = "cli")]
mod program;
mod random;
mod recordings;
mod scenes;
mod settings;
mod snapshots;
mod trial;
mod undo;

#[test]
#[ignore = "full tier"]
fn many_inputs_of_every_kind_end_as_they_are_to() {
    let program = std::env::current_exe().expect("it runs");
    let output = std::process::Command::new(program).env(trial::WHOLE, "1").output().expect("it starts again");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("test result: ok"), "{text}");
}
