//! `weft run --jitter` and `--runs`.

use crate::{text, weft, weft_in};

const SMALL: [&str; 9] = ["run", "--scene", "heap", "--steps", "40", "--set", "columns=12", "--set", "rows=12"];

#[test]
fn runs_from_jittered_starts_tell_what_each_came_to_and_the_largest_count_at_the_end() {
    let output = weft(&[&SMALL[..], &["--check-intersections", "--runs", "3"]].concat());
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}{}", text(&output.stderr));
    assert_eq!(out.lines().last(), Some("intersections: 0"));
    for number in 1..=3 {
        let start = format!("run {number} of 3, seed {number}: 40 steps");
        assert!(out.lines().any(|line| line.starts_with(&start) && line.ends_with("intersections 0")), "{out}");
    }
    // who does not ask gets no counts
    let output = weft(&[&SMALL[..], &["--runs", "1", "--jitter", "7"]].concat());
    let out = text(&output.stdout);
    assert!(out.starts_with("run 1 of 1, seed 7:") && !out.contains("intersections"), "{out}");
}

#[test]
fn a_seed_gives_one_start_and_another_seed_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let positions = |file: &str, seed: Option<&str>| {
        let mut args = SMALL.to_vec();
        args.extend(["--obj", file]);
        args.extend(seed.into_iter().flat_map(|seed| ["--jitter", seed]));
        let output = weft_in(folder.path(), &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read_to_string(folder.path().join(file)).expect("written")
    };
    let (one, again) = (positions("a.obj", Some("1")), positions("b.obj", Some("1")));
    assert_eq!(one, again);
    assert_ne!(one, positions("c.obj", Some("2")));
    assert_ne!(one, positions("d.obj", None));
}

#[test]
fn a_run_that_fails_is_told_with_its_seed_and_the_others_still_run() {
    let args = ["--runs", "2", "--solver", "explicit-euler", "--set", "structural_stiffness=1e6"];
    let output = weft(&[&SMALL[..], &args].concat());
    assert_eq!(output.status.code(), Some(1));
    let (out, message) = (text(&output.stdout), text(&output.stderr));
    assert!(out.contains("run 2 of 2"), "{out}");
    assert!(message.contains("seed 1: failed at") && message.contains("seed 2: failed at"), "{message}");
}

#[test]
fn several_runs_write_no_files_of_one() {
    for extra in [["--csv", "a.csv"], ["--from", "a.json"], ["--runs", "0"]] {
        let output = weft(&[&SMALL[..], &["--runs", "2"], &extra].concat());
        assert_eq!(output.status.code(), Some(2), "{extra:?}");
        assert!(text(&output.stderr).contains(extra[0]), "{extra:?}");
    }
}
