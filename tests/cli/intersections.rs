//! `weft run --check-intersections`.

use std::path::Path;

use crate::{refused, text, weft, weft_in};

const SMALL: [&str; 8] = ["run", "--steps", "6", "--set", "columns=6", "--set", "rows=6", "--check-intersections"];

/// The column of a table.
fn column(folder: &Path, name: &str) -> Vec<String> {
    let mut rows = csv::Reader::from_path(folder.join("a.csv")).expect("written");
    let at = rows.headers().expect("a header").iter().position(|header| header == name).expect("a column");
    rows.records().map(|row| row.expect("a row")[at].to_owned()).collect()
}

/// Folds the cloth of a snapshot over and through itself.
fn tangle(folder: &Path, columns: usize) {
    let file = folder.join("a.json");
    let mut snapshot: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&file).expect("written")).expect("JSON");
    let positions = snapshot["positions"].as_array_mut().expect("positions");
    let middle = positions[columns / 2][0].as_f64().expect("a number");
    for x in positions {
        let d = x[0].as_f64().expect("a number") - middle;
        if d < 0.0 {
            x[0] = (middle - 0.7 * d).into();
            x[2] = (x[2].as_f64().expect("a number") + 0.3 * d + 0.05).into();
        }
    }
    std::fs::write(file, snapshot.to_string()).expect("written");
}

#[test]
fn a_run_without_intersections_says_so_in_its_last_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = weft_in(folder.path(), &[&SMALL[..], &["--csv", "a.csv"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().last(), Some("intersections: 0"));
    assert_eq!(column(folder.path(), "intersections"), ["0"; 6]);
    // who does not ask gets neither the line nor numbers
    let output = weft_in(folder.path(), &[&SMALL[..7], &["--csv", "a.csv"]].concat());
    assert!(!text(&output.stdout).contains("intersections"), "{}", text(&output.stdout));
    assert_eq!(column(folder.path(), "intersections"), [""; 6]);
}

#[test]
fn a_start_that_intersects_counts_even_without_a_step_and_the_run_fails_with_status_1() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(weft_in(folder.path(), &[&SMALL[..7], &["--snapshot", "a.json"]].concat()).status.success());
    tangle(folder.path(), 6);
    for steps in ["0", "3"] {
        let args = ["run", "--from", "a.json", "--steps", steps, "--check-intersections", "--csv", "a.csv"];
        let output = weft_in(folder.path(), &args);
        let (out, message) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{out}{message}");
        let last = out.lines().last().expect("a line");
        let count: usize = last.strip_prefix("intersections: ").and_then(|n| n.parse().ok()).expect(last);
        assert!(count > 0, "{out}");
        assert!(message.starts_with("weft: the cloth intersects itself from t = 0.1000 s on"), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        let rows = column(folder.path(), "intersections");
        assert_eq!(rows.len().to_string(), steps);
        assert!(rows.iter().all(|row| row.parse::<usize>().is_ok_and(|row| row <= count)), "{rows:?}");
    }
    // nothing is counted, and nothing fails, where it was not asked for
    assert!(weft_in(folder.path(), &["run", "--from", "a.json", "--steps", "1"]).status.success());
}

#[test]
fn a_run_that_ends_early_says_what_was_counted_until_then() {
    let endless = ["run", "--steps", "100000000", "--timeout", "0.5", "--check-intersections"];
    let output = weft(&endless);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "intersections: 0\n");
    assert!(text(&output.stderr).contains("--timeout"), "{}", text(&output.stderr));
    refused(&["run", "--steps", "1", "--check-intersections", "--scene", "tabel"], 2, "did you mean");
}
