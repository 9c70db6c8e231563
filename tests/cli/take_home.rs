//! `weft take-home`: what it prints and writes, and how it refuses.

use crate::{refused, text, weft, weft_in};

#[test]
fn the_solver_is_printed_or_written_for_an_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["take-home", "--scene", "hanging", "--solver", "xpbd", "--set", "gravity=3", "--steps", "0"];
    for (target, part) in
        [("bevy", "gravity: 3.0,"), ("unity", "gravity = 3.0f;"), ("godot", "\tpass\n"), ("c", ".gravity = 3.0,")]
    {
        let printed = weft(&[&args[..], &["--for", target]].concat());
        assert!(printed.status.success(), "{}", text(&printed.stderr));
        let printed = text(&printed.stdout);
        assert!(printed.contains(part) && printed.contains("--solver xpbd --set gravity=3"), "{printed}");
        assert!(!printed.contains("Measured"), "{printed}");
        let written = weft_in(folder.path(), &[&args[..], &["--for", target, "--out", "cloth.txt"]].concat());
        assert!(written.status.success() && written.stdout.is_empty(), "{}", text(&written.stderr));
        assert_eq!(std::fs::read_to_string(folder.path().join("cloth.txt")).expect("written"), printed);
    }
}

#[test]
fn the_time_of_a_step_is_measured_and_the_text_is_the_same_otherwise() {
    let args = ["take-home", "--set", "columns=5", "--set", "rows=5", "--for", "C"];
    let [with, without] = ["3", "0"].map(|steps| text(&weft(&[&args[..], &["--steps", steps]].concat()).stdout));
    let others: String =
        with.lines().filter(|line| !line.contains("Measured: ")).map(|line| format!("{line}\n")).collect();
    assert_eq!(others, without);
    assert_ne!(with, without);
}

#[test]
fn nonsense_is_refused_in_one_sentence() {
    refused(&["take-home", "--for", "unreal"], 2, "take one of bevy, unity, godot, c");
    refused(&["take-home", "--for", "c", "--scene", "flga"], 2, "did you mean \"flag\"?");
    refused(&["take-home", "--for", "c", "--solver", "xpdb"], 2, "did you mean \"xpbd\"?");
    refused(&["take-home", "--for", "c", "--set", "gravty=1"], 2, "did you mean \"gravity\"?");
    refused(&["take-home", "--for", "c", "--out", "nowhere/cloth.c"], 2, "the folder does not exist");
    let output = weft(&["take-home"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--for"));
}
