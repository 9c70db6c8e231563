//! How a run ends before its time: by `--timeout`, by Ctrl+C, or a step by its work limit.

use std::process::Command;
use std::time::Duration;

use crate::{refused, text, weft, weft_in};

/// Steps that nobody waits for.
const ENDLESS: [&str; 3] = ["run", "--steps", "100000000"];

#[test]
fn a_run_ends_when_its_time_is_over_and_writes_what_was_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["--timeout", "2", "--snapshot", "a.json", "--csv", "a.csv"];
    let output = weft_in(folder.path(), &[&ENDLESS[..], &files].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.starts_with("weft: the 2 s of --timeout are over after ") && message.lines().count() == 1,
        "{message}"
    );
    let csv = std::fs::read_to_string(folder.path().join("a.csv")).expect("written");
    let steps = csv.lines().last().and_then(|row| row.split(',').next()).expect("a row").to_owned();
    let snapshot = std::fs::read(folder.path().join("a.json")).expect("written");
    let snapshot: serde_json::Value = serde_json::from_slice(&snapshot).expect("JSON");
    assert_eq!(snapshot["step"].to_string(), steps, "the snapshot is of the last row");
    assert!(message.contains(&format!(" {steps} of 100000000 steps")), "{message}");
}

#[test]
fn a_step_that_takes_longer_than_the_time_is_called_off() {
    // a step of this takes hours
    let slow = ["--set", "substeps=200", "--set", "small_steps=100", "--set", "iterations=1000"];
    let large = ["--set", "columns=81", "--set", "rows=81", "--solver", "xpbd", "--set", "work_limit=1e6"];
    let slow = [&slow[..], &large].concat();
    let output = weft(&[&ENDLESS[..], &slow, &["--timeout", "0.3"]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("after 0 of 100000000 steps"), "{message}");
}

#[test]
fn a_timeout_is_a_number_of_seconds_above_0() {
    for bad in ["--timeout=0", "--timeout=-3", "--timeout=nan", "--timeout=inf"] {
        refused(&["run", "--steps", "1", bad], 2, "--timeout: needs a number of seconds above 0");
    }
    assert!(weft(&["run", "--steps", "2", "--timeout", "1e9"]).status.success());
}

#[test]
#[cfg(target_os = "linux")]
fn control_c_ends_a_run_with_what_was_finished_written() {
    let folder = tempfile::tempdir().expect("a folder");
    // whoever runs the tests in the background ignores the signal, and the program would with it
    let mut run = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_weft")])
        .args(ENDLESS)
        .args(["--csv", "a.csv", "--snapshot", "a.json", "--obj", "a.obj"])
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let rows = || std::fs::read_to_string(folder.path().join("a.csv")).unwrap_or_default().lines().count();
    while rows() < 10 {
        assert!(run.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = run.wait_with_output().expect("a child");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.starts_with("weft: interrupted after ") && message.lines().count() == 1, "{message}");
    for file in ["a.json", "a.obj"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    let resumed = weft_in(folder.path(), &["run", "--from", "a.json", "--steps", "1"]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
}

#[test]
fn a_step_that_reaches_its_work_limit_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["run", "--steps", "3", "--set", "iterations=1000", "--set", "work_limit=0.1", "--csv", "a.csv"];
    let output = weft_in(folder.path(), &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let summary = text(&output.stdout);
    assert!(summary.contains("3 of 3 steps reached the work limit"), "{summary}");
    let mut table = csv::Reader::from_path(folder.path().join("a.csv")).expect("written");
    let column = table.headers().expect("a header").iter().position(|name| name == "exhausted").expect("a column");
    for row in table.records() {
        assert_eq!(&row.expect("a row")[column], "1");
    }
    // and one that does not, says nothing
    let output = weft(&["run", "--steps", "3", "--set", "iterations=1000"]);
    assert!(!text(&output.stdout).contains("work limit"), "{}", text(&output.stdout));
}

#[test]
#[cfg(target_os = "linux")]
fn control_c_ends_the_study_of_stability_with_the_rows_that_are_finished() {
    let study = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_weft"), "stability", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    // what Ctrl+C does is set before the study begins: SIGINT is the second bit of the signals that
    // are caught
    let catches_it = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", study.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim).unwrap_or_default();
        u64::from_str_radix(caught, 16).is_ok_and(|bits| bits & 2 != 0)
    };
    while !catches_it() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &study.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = study.wait_with_output().expect("a child");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("rows were not finished"), "{message}");
    let table: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the table is whole");
    let rows = table["rows"].as_array().expect("an array");
    assert!(rows.iter().any(|row| row["interrupted"] == true), "{table}");
}
