//! `weft run --lane`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{refused, text, weft_in};

const SMALL: [&str; 7] = ["run", "--steps", "20", "--set", "columns=6", "--set", "rows=5"];

fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let header = reader.headers().expect("a header").clone();
    let row = |row: Result<csv::StringRecord, csv::Error>| {
        header.iter().map(str::to_owned).zip(row.expect("a row").iter().map(str::to_owned)).collect()
    };
    reader.records().map(row).collect()
}

/// Without what differs from run to run, and what only lanes have.
fn state(row: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let own =
        |key: &String| key.ends_with("_ms") || key.ends_with("_mm") || ["lane", "settings"].contains(&key.as_str());
    row.iter().filter(|(key, _)| !own(key)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

#[test]
fn the_rows_of_a_lane_are_those_of_a_single_run_with_the_distance_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    let commands = "{\"tick\":3,\"command\":{\"grab\":{\"vertex\":22,\"target\":[0.2,0.7,0.3]}}}\n{\"tick\":9,\"command\":\"release\"}\n";
    std::fs::write(folder.path().join("done.jsonl"), commands).expect("written");
    let lanes = ["solver=pbd,iterations=5", "solver=xpbd", "solver=pbd, iterations=5"];
    let arguments: Vec<&str> = lanes.iter().flat_map(|lane| ["--lane", lane]).collect();
    let common = ["--commands", "done.jsonl", "--csv"];
    let output = weft_in(folder.path(), &[&SMALL[..], &common, &["all.csv"], &arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows = table(&folder.path().join("all.csv"));
    assert_eq!(rows.len(), 60);
    let singles = [&["--solver", "pbd", "--set", "iterations=5"][..], &["--solver", "xpbd"]];
    for (number, single) in (1..).zip(singles) {
        let output = weft_in(folder.path(), &[&SMALL[..], &common, &["one.csv"], single].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let alone = table(&folder.path().join("one.csv"));
        let own: Vec<_> = rows.iter().filter(|row| row["lane"] == number.to_string()).collect();
        assert!(own.iter().all(|row| row["settings"] == lanes[number - 1]));
        assert_eq!(own.iter().map(|row| state(row)).collect::<Vec<_>>(), alone.iter().map(state).collect::<Vec<_>>());
    }
    for row in &rows {
        let [mean, largest] = ["rms_mm", "largest_mm"].map(|key| row[key].parse::<f64>().expect("a number"));
        assert_eq!(row["lane"] == "2", mean > 0.0, "{row:?}");
        assert!(largest >= mean && largest < 1000.0, "{row:?}");
    }
    let out = text(&output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines.len() == 3 && lines[0].starts_with("lane 1, solver=pbd,iterations=5: 20 steps, t = 0.3333 s, "),
        "{out}"
    );
    assert!(lines[1].starts_with("lane 2, solver=xpbd: ") && lines[1].contains(" mm from lane 1, at most "), "{out}");
}

#[test]
fn a_lane_that_blows_up_says_so_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let lanes =
        ["--lane", "solver=xpbd", "--lane", "solver=symplectic-euler,structural_stiffness=1e5", "--csv", "a.csv"];
    let output = weft_in(folder.path(), &[&SMALL[..], &lanes].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let start = "weft: lane 2, solver=symplectic-euler,structural_stiffness=1e5, failed at t = 0.0";
    assert!(message.starts_with(start) && message.contains("its last good state was kept"), "{message}");
    assert_eq!(message.lines().count(), 1);
    let rows = table(&folder.path().join("a.csv"));
    let count = |lane: &str| rows.iter().filter(|row| row["lane"] == lane).count();
    assert_eq!(count("1"), 20);
    assert!((1..20).contains(&count("2")), "{}", count("2"));
    assert!(text(&output.stdout).starts_with("lane 1, solver=xpbd: 20 steps"));
}

#[test]
fn lanes_of_other_time_steps_and_cloths_have_rows_at_common_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let lanes = [
        "--lane",
        "time_step=0.01",
        "--lane",
        "time_step=0.0025",
        "--lane",
        "columns=11,rows=9,time_step=4 ms",
        "--csv",
        "a.csv",
    ];
    let output = weft_in(folder.path(), &[&SMALL[..], &lanes].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows = table(&folder.path().join("a.csv"));
    assert_eq!(rows.len(), 60);
    for (number, row) in rows.iter().enumerate() {
        let clock = 0.01 * (number / 3 + 1) as f64;
        let time: f64 = row["time_s"].parse().expect("a number");
        assert!((-1e-9..0.004).contains(&(time - clock)), "{row:?}");
        assert!(row["largest_mm"].parse::<f64>().is_ok_and(|distance| distance < 300.0), "{row:?}");
    }
    assert_eq!((rows[58]["step"].as_str(), rows[58]["substeps"].as_str()), ("80", "4"));
}

#[test]
fn what_is_no_lane_is_told_before_anything_is_run() {
    let run = |args: &[&'static str]| [&["run", "--steps", "2"][..], args].concat();
    refused(&run(&["--lane", "xpbd"]), 2, "--lane xpbd: needs the form key=value,key=value");
    refused(&run(&["--lane", "solver=xpdb"]), 2, "did you mean \"xpbd\"?");
    refused(&run(&["--lane", "solver=xpbd,gravty=1"]), 2, "did you mean \"gravity\"?");
    refused(&run(&["--lane=solver=pbd"; 5]), 2, "there are at most 4 lanes");
    for other in ["--obj=a.obj", "--snapshot=a.json", "--runs=3", "--check-intersections", "--record=a.jsonl"] {
        let output = crate::weft(&run(&["--lane", "solver=pbd", other]));
        assert_eq!(output.status.code(), Some(2), "{other}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.jsonl"), "{\"tick\":1,\"command\":{\"scene\":{\"name\":\"flag\"}}}\n")
        .expect("written");
    let output = weft_in(folder.path(), &run(&["--lane", "solver=pbd", "--commands", "a.jsonl"]));
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("a.jsonl, tick 1: lanes are of one scene") && message.lines().count() == 1, "{message}");
}

#[test]
fn the_lanes_of_a_scene_run_without_being_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["run", "--scene", "figure-7", "--lanes", "--steps", "20", "--csv", "a.csv"];
    let output = weft_in(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = text(&output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    for (line, stiffness) in lines.iter().zip(["1", "65", "500"]) {
        assert!(
            line.contains(&format!("structural_stiffness={stiffness},shear_stiffness={stiffness}: 20 steps")),
            "{out}"
        );
    }
    let rows = table(&folder.path().join("a.csv"));
    assert_eq!(rows.len(), 60);
    let largest = |row: &BTreeMap<String, String>| row["largest_mm"].parse::<f64>().expect("a number");
    assert!(largest(&rows[57]) == 0.0 && largest(&rows[58]) > 1.0 && largest(&rows[59]) > largest(&rows[58]));
    refused(
        &["run", "--steps", "2", "--scene", "flag", "--lanes"],
        2,
        "the scene \"flag\" comes without lanes; name them by --lane",
    );
    let both = crate::weft(&["run", "--steps", "2", "--scene", "figure-7", "--lanes", "--lane", "gravity=1"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn lanes_at_equal_cost_tell_what_was_set_and_keep_the_first_one_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let lanes = ["--lane", "solver=xpbd,small_steps=7", "--lane", "solver=jacobi-implicit", "--equal-cost"];
    let output = weft_in(folder.path(), &[&SMALL[..], &lanes].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = text(&output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines.len() == 4 && lines[0].starts_with("lane 1, solver=xpbd,small_steps=7, small_steps=7: "), "{out}");
    let sweeps =
        lines[1].strip_prefix("lane 2, solver=jacobi-implicit, sweeps=").and_then(|rest| rest.split(':').next());
    assert_eq!(sweeps.and_then(|sweeps| sweeps.parse::<u32>().ok()).map(|sweeps| sweeps % 2), Some(1), "{out}");
    assert!(lines[3].starts_with("lane 2, solver=jacobi-implicit: 20 steps"), "{out}");
    refused(&[&SMALL[..], &["--equal-cost"]].concat(), 2, "--equal-cost: needs two lanes or more; name them by --lane");
}

#[test]
fn lanes_at_equal_cost_are_not_comparable_when_one_of_them_fails_later() {
    let folder = tempfile::tempdir().expect("a folder");
    // a stiffness beyond the limit of the second lane, after the costs were made equal
    let command = "{\"tick\":100,\"command\":{\"set\":{\"key\":\"structural_stiffness\",\"value\":1e8}}}\n";
    std::fs::write(folder.path().join("a.jsonl"), command).expect("written");
    let common = ["run", "--steps", "200", "--set", "columns=6", "--set", "rows=5", "--set", "time_step=1 ms"];
    let lanes = [
        "--lane",
        "solver=implicit-euler",
        "--lane",
        "solver=symplectic-euler",
        "--equal-cost",
        "--commands",
        "a.jsonl",
    ];
    let output = weft_in(folder.path(), &[&common[..], &lanes].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let said = "not comparable at equal cost: lane 2, solver=symplectic-euler, failed at t = 0.1";
    assert!(message.contains(said), "{message}");
}

#[test]
fn a_plot_of_lanes_has_a_curve_and_a_name_of_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let lanes = ["--lane", "solver=projective-dynamics", "--lane", "solver=xpbd,iterations=7"];
    let output = weft_in(folder.path(), &[&SMALL[..], &["--plot", "both.svg"], &lanes].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let svg = std::fs::read_to_string(folder.path().join("both.svg")).expect("a drawing");
    for part in [">Projective dynamics", ">XPBD, Iterations 7<", ">Energy, total [", ">Time per step [", ">Time [s]<"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    assert!(!svg.contains("solver=") && !svg.contains("time_step"), "{svg}");
    // one run by itself, as PDF
    let output = weft_in(folder.path(), &[&SMALL[..], &["--plot", "one.pdf", "--csv", "one.csv"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(std::fs::read(folder.path().join("one.pdf")).expect("a file").starts_with(b"%PDF-1.4"));
    assert_eq!(table(&folder.path().join("one.csv")).len(), 20);
    refused(&[&SMALL[..], &["--plot", "one.png"]].concat(), 2, "let it end in .svg or .pdf");
}
