//! `weft sweep`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use weft::sim::quantities::MEASURES;

use crate::{refused, text, weft, weft_in};

/// Twelve runs, some of which blow up.
const SMALL: [&str; 14] = [
    "sweep",
    "--set",
    "columns=6",
    "--set=rows=5",
    "--vary",
    "structural_stiffness=10:1e5:log:3",
    "--vary",
    "solver=xpbd,symplectic-euler",
    "--vary=time_step=0.002,0.03",
    "--steps",
    "40",
    "--measure=max_strain,energy,kinetic,ms,end_time",
    "--out",
    "a.csv",
];

/// The table in a file, a map per row.
fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let header = reader.headers().expect("a header").clone();
    let row = |row: Result<csv::StringRecord, csv::Error>| {
        header.iter().map(str::to_owned).zip(row.expect("a row").iter().map(str::to_owned)).collect()
    };
    reader.records().map(row).collect()
}

/// The same without what may differ.
fn repeatable(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut rows = table(path);
    for row in &mut rows {
        let milliseconds = row.remove("ms").expect("a column");
        assert!(milliseconds.is_empty() || milliseconds.parse::<f64>().expect("a number") > 0.0);
    }
    rows
}

fn fine(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs the command of a row as a shell does.
fn repeat(folder: &Path, command: &str, more: &str) -> Output {
    let arguments = command.strip_prefix("weft run ").expect("a run");
    let script = format!("'{}' run {arguments} {more}", env!("CARGO_BIN_EXE_weft"));
    let sh = Command::new("sh").args(["-c", &script]).current_dir(folder).env_remove("CARGO_MANIFEST_DIR").output();
    sh.expect("sh")
}

#[test]
#[cfg(unix)]
fn the_command_of_every_row_repeats_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv");
    assert_eq!(fine(&weft_in(folder.path(), &SMALL)), "12 runs: 7 ok, 5 failed\n");
    let rows = table(&path);
    assert_eq!(rows.len(), 12);
    for (number, row) in (1..).zip(&rows) {
        assert_eq!((row["run"].clone(), row["runs"].as_str()), (number.to_string(), "12"));
        let output = repeat(folder.path(), &row["command"], "--csv one.csv");
        let steps = table(&folder.path().join("one.csv"));
        let last = steps.last().expect("a step");
        for (key, column) in [("kinetic", "kinetic_J"), ("end_time", "time_s")] {
            assert_eq!(row[key], last[column], "{key} of {row:?}");
        }
        let numbers =
            |column: &str| steps.iter().map(|step| step[column].parse::<f64>().expect("a number")).collect::<Vec<_>>();
        assert_eq!(row["max_strain"].parse(), Ok(numbers("max_strain").into_iter().fold(0.0, f64::max)), "{row:?}");
        match row["status"].as_str() {
            "ok" => assert_eq!((output.status.code(), steps.len()), (Some(0), 40), "{row:?}"),
            status => {
                let (message, why) = (text(&output.stderr), status.strip_prefix("diverged at ").expect(status));
                assert_eq!(output.status.code(), Some(1));
                assert!(message.contains(&format!("failed at {why}; ")), "{message}\n{status}");
            }
        }
    }
    // in the order of nested loops
    let values =
        |row: &BTreeMap<String, String>| ["structural_stiffness", "solver", "time_step"].map(|key| row[key].clone());
    assert_eq!(values(&rows[0]), ["10", "xpbd", "0.002"]);
    assert_eq!(values(&rows[1]), ["10", "xpbd", "0.03"]);
    assert_eq!(values(&rows[2]), ["10", "symplectic-euler", "0.002"]);
    assert_eq!(values(&rows[11]), ["100000", "symplectic-euler", "0.03"]);
}

#[test]
fn measures_are_the_same_for_any_number_of_threads_and_shards() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fine(&weft_in(folder.path(), &[&SMALL[..], &["--threads", "1"]].concat()));
    let alone = repeatable(&at("a.csv"));
    for threads in ["2", "7"] {
        std::fs::remove_file(at("a.csv")).expect("removed");
        fine(&weft_in(folder.path(), &[&SMALL[..], &["--threads", threads]].concat()));
        assert_eq!(repeatable(&at("a.csv")), alone, "{threads} threads");
    }
    let parts = ["1.csv", "2.csv", "3.csv", "4.csv", "5.csv"];
    for (number, part) in (1..).zip(parts) {
        let shard = format!("{number}/5");
        fine(&weft_in(folder.path(), &[&SMALL[..13], &[part, "--shard", &shard]].concat()));
        let runs: Vec<usize> = table(&at(part)).iter().map(|row| row["run"].parse().expect("a number")).collect();
        assert_eq!(runs, (number..=12).step_by(5).collect::<Vec<_>>(), "{shard}");
    }
    // in any order
    let merged =
        weft_in(folder.path(), &["sweep", "--merge", "4.csv", "1.csv", "5.csv", "3.csv", "2.csv", "--out", "all.csv"]);
    assert_eq!(fine(&merged), "12 of 12 runs, from 5 tables\n");
    assert_eq!(repeatable(&at("all.csv")), alone);
    // more shards than runs: the last ones have nothing to do
    assert_eq!(
        fine(&weft_in(folder.path(), &[&SMALL[..13], &["13.csv", "--shard", "13/13"]].concat())),
        "0 runs: 0 ok\n"
    );
    assert_eq!(table(&at("13.csv")).len(), 0);
    fine(&weft_in(folder.path(), &["sweep", "--merge", "13.csv", "all.csv", "--out", "all.csv"]));
    assert_eq!(repeatable(&at("all.csv")), alone);
}

/// A sweep of eight runs by a job with these variables: its status, the numbers of its runs, and its
/// message.
fn job(folder: &Path, shard: &str, variables: &[(&str, &str)]) -> (Option<i32>, Vec<usize>, String) {
    let args = ["sweep", "--vary", "gravity=1:8:8", "--set=columns=4", "--set=rows=4", "--steps=1", "--out=job.csv"];
    let out = folder.join("job.csv");
    drop(std::fs::remove_file(&out));
    let mut weft = Command::new(env!("CARGO_BIN_EXE_weft"));
    weft.args(args).args(["--shard", shard]).current_dir(folder).envs(variables.iter().copied());
    let output = weft.output().expect("the program starts");
    let runs = if output.status.success() { table(&out) } else { Vec::new() };
    let numbers = runs.iter().map(|row| row["run"].parse().expect("a number")).collect();
    (output.status.code(), numbers, text(&output.stderr))
}

#[test]
fn a_job_of_an_array_takes_the_shard_that_the_batch_system_tells() {
    let folder = tempfile::tempdir().expect("a folder");
    let slurm = [("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_MAX", "4"), ("SLURM_ARRAY_TASK_COUNT", "4")];
    let slurm =
        |id: &'static str| [&slurm[..], &[("SLURM_ARRAY_TASK_STEP", "1"), ("SLURM_ARRAY_TASK_ID", id)]].concat();
    let grid_engine =
        [("SGE_TASK_ID", "2"), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "3"), ("SGE_TASK_STEPSIZE", "1")];
    let lsf = [("LSB_JOBINDEX", "3"), ("LSB_JOBINDEX_END", "3"), ("LSB_JOBINDEX_STEP", "1")];
    for (shard, variables, runs) in [
        ("auto", slurm("1"), &[1, 5][..]),
        ("auto", slurm("4"), &[4, 8]),
        // some of eight jobs once more, by their numbers
        ("auto/8", slurm("4"), &[4]),
        ("auto", grid_engine.to_vec(), &[2, 5, 8]),
        ("auto", lsf.to_vec(), &[3, 6]),
        ("auto/4", vec![("PBS_ARRAY_INDEX", "4")], &[4, 8]),
        ("auto/4", vec![("PBS_ARRAYID", "1")], &[1, 5]),
        ("auto/4", vec![("JOB_COMPLETION_INDEX", "0")], &[1, 5]),
        ("auto/4", vec![("JOB_COMPLETION_INDEX", "3")], &[4, 8]),
    ] {
        assert_eq!(job(folder.path(), shard, &variables), (Some(0), runs.to_vec(), String::new()), "{variables:?}");
    }
    let gaps = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_MIN", "3"), ("SLURM_ARRAY_TASK_MAX", "7")];
    for (shard, variables, part) in [
        ("auto", gaps.to_vec(), "Slurm: the array has not all indices from 1 on; say how many shards there are"),
        ("auto", vec![("PBS_ARRAY_INDEX", "1")], "PBS: it does not tell how many jobs the array has"),
        (
            "auto/2",
            vec![("JOB_COMPLETION_INDEX", "2")],
            "Kubernetes: the index of this job is 2; number the jobs from 0 to 1",
        ),
        ("auto/4", vec![("PBS_ARRAY_INDEX", "0")], "number the jobs from 1 to 4"),
        // what these say to a job of no array
        ("auto", vec![("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")], "this is no job of an array"),
    ] {
        let (status, _, message) = job(folder.path(), shard, &variables);
        assert!(
            status == Some(2) && message.contains(part) && message.lines().count() == 1,
            "{variables:?}: {message}"
        );
    }
}

#[test]
fn what_is_in_the_file_already_is_not_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv");
    fine(&weft_in(folder.path(), &SMALL));
    let (whole, rows) = (std::fs::read_to_string(&path).expect("a table"), repeatable(&path));
    // the program was killed in the middle of the fourth row that it wrote
    let lines: Vec<&str> = whole.lines().collect();
    let mut marked: Vec<&str> = lines[2].split(',').collect();
    let at = lines[0].split(',').position(|name| name == "ms").expect("a column");
    marked[at] = "123456.75";
    let begun = format!("{}\n{}\n{}\n{}\n{}", lines[0], lines[5], marked.join(","), lines[12], &lines[7][..20]);
    std::fs::write(&path, begun).expect("written");
    let out = fine(&weft_in(folder.path(), &SMALL));
    assert_eq!(out, "12 runs: 7 ok, 5 failed; 3 of them were in a.csv already\n");
    assert_eq!(repeatable(&path), rows);
    assert_eq!(table(&path)[1]["ms"], "123456.75", "the row that was there is still there");
    // nothing is left to do
    let before = std::fs::read(&path).expect("a table");
    assert!(fine(&weft_in(folder.path(), &SMALL)).contains("12 of them were"));
    assert_eq!(std::fs::read(&path).expect("a table"), before);
    // killed while the header was written
    std::fs::write(&path, "run,ru").expect("written");
    fine(&weft_in(folder.path(), &SMALL));
    assert_eq!(repeatable(&path), rows);
}

#[test]
fn the_file_of_something_else_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv");
    std::fs::write(folder.path().join("own.ron"), "(grid: (columns: 4, rows: 4))").expect("written");
    let args = |more: &[&'static str]| {
        let start = ["sweep", "--vary", "gravity=1,2", "--steps", "2", "--out", "a.csv", "--measure", "max_strain,ms"];
        [&start[..], more].concat()
    };
    fine(&weft_in(folder.path(), &args(&["--scene", "own.ron"])));
    let before = std::fs::read(&path).expect("a table");
    let refuse = |args: &[&str], part: &str| {
        let output = weft_in(folder.path(), args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(
            message.starts_with("weft: a.csv: ") && message.contains(part) && message.lines().count() == 1,
            "{message}"
        );
        assert!(message.contains("choose another file with --out"), "{message}");
        assert_eq!(std::fs::read(&path).expect("a table"), before, "{args:?}");
    };
    refuse(&args(&["--scene", "own.ron", "--set", "damping=0.5"]), "another sweep");
    refuse(&args(&["--scene", "flag"]), "another sweep");
    refuse(&args(&["--scene", "own.ron", "--vary", "time_step=0.01"]), "other columns");
    let mut longer = args(&["--scene", "own.ron"]);
    longer[4] = "3";
    refuse(&longer, "another sweep");
    let mut others = args(&["--scene", "own.ron"]);
    others[2] = "gravity=1,3";
    refuse(&others, "another sweep");
    others[2] = "gravity=1,2,3";
    refuse(&others, "another sweep");
    // the scene is another by the same name
    std::fs::write(folder.path().join("own.ron"), "(grid: (columns: 4, rows: 5))").expect("written");
    refuse(&args(&["--scene", "own.ron"]), "another sweep");
    std::fs::write(folder.path().join("own.ron"), "(grid: (columns: 4, rows: 4))").expect("written");
    assert!(fine(&weft_in(folder.path(), &args(&["--scene", "own.ron"]))).contains("2 of them were"));
    for other in [
        "step,time_s\n1,0.1\n",
        "hello\n",
        "run,runs,sweep,gravity,max_strain,ms,status,command\n0,2,x,1,1,1,ok,weft\n",
    ] {
        std::fs::write(&path, other).expect("written");
        let output = weft_in(folder.path(), &args(&["--scene", "own.ron"]));
        assert_eq!(output.status.code(), Some(2), "{other}");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), other);
    }
}

#[test]
fn merging_says_which_runs_are_missing_and_which_contradict_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fine(&weft_in(folder.path(), &SMALL));
    let whole = std::fs::read_to_string(at("a.csv")).expect("a table");
    let lines: Vec<&str> = whole.lines().collect();
    let part = |name: &str, rows: &[usize]| {
        let rows: String = rows.iter().map(|row| format!("{}\n", lines[*row])).collect();
        std::fs::write(at(name), format!("{}\n{rows}", lines[0])).expect("written");
    };
    let merge = |files: &[&str]| {
        let output = weft_in(folder.path(), &[&["sweep", "--out", "all.csv", "--merge"], files].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    part("1.csv", &[1, 4, 2]);
    part("2.csv", &[4, 12, 6, 7]);
    let (status, out, message) = merge(&["1.csv", "2.csv"]);
    assert_eq!((status, out.as_str()), (Some(1), "6 of 12 runs, from 2 tables\n"), "{message}");
    assert!(
        message.contains("all.csv: 6 runs are missing: 3, 5, 8 to 11; ") && message.lines().count() == 1,
        "{message}"
    );
    assert!(message.contains(", with --runs 3,5,8-11 in place of --shard it runs just that"), "{message}");
    assert_eq!(
        table(&at("all.csv")).iter().map(|row| row["run"].clone()).collect::<Vec<_>>(),
        ["1", "2", "4", "6", "7", "12"]
    );
    // the mends that the message names
    let rest = fine(&weft_in(folder.path(), &[&SMALL[..13], &["rest.csv", "--runs", "3,5,8-11"]].concat()));
    assert!(rest.starts_with("6 runs: "), "{rest}");
    let together = weft_in(folder.path(), &["sweep", "--merge", "all.csv", "rest.csv", "--out", "whole.csv"]);
    assert_eq!(fine(&together), "12 of 12 runs, from 2 tables\n");
    assert_eq!(repeatable(&at("whole.csv")), repeatable(&at("a.csv")));
    let mend = fine(&weft_in(folder.path(), &[&SMALL[..13], &["all.csv"]].concat()));
    assert!(mend.contains("6 of them were in all.csv already"), "{mend}");
    assert_eq!(repeatable(&at("all.csv")), repeatable(&at("a.csv")));
    // only the times may differ
    let changed = |name: &str, column: &str, value: &str| {
        let mut fields: Vec<&str> = lines[2].split(',').collect();
        fields[lines[0].split(',').position(|found| found == column).expect("a column")] = value;
        std::fs::write(at(name), format!("{}\n{}\n", lines[0], fields.join(","))).expect("written");
    };
    changed("3.csv", "ms", "0.5");
    assert_eq!(merge(&["a.csv", "3.csv"]).0, Some(0));
    changed("3.csv", "max_strain", "0.5");
    let (status, out, message) = merge(&["a.csv", "3.csv", "2.csv"]);
    assert_eq!((status, out.as_str()), (Some(1), "11 of 12 runs, from 3 tables\n"), "{message}");
    assert!(
        message.contains("run 2 differs between a.csv and 3.csv: max_strain is ") && message.contains(" and 0.5; "),
        "{message}"
    );
    assert!(table(&at("all.csv")).iter().all(|row| row["run"] != "2"), "nobody knows which is right");
    // other sweeps, other files, none
    changed("3.csv", "sweep", "0123456789abcdef");
    for (files, part) in [
        (&["a.csv", "3.csv"][..], "3.csv: is of another sweep than a.csv"),
        (&["a.csv", "nothing.csv"], "nothing.csv: the table cannot be read"),
    ] {
        let (status, _, message) = merge(files);
        assert!(status == Some(2) && message.contains(part) && message.lines().count() == 1, "{message}");
    }
    part("empty.csv", &[]);
    assert!(merge(&["empty.csv"]).2.contains("has no runs"));
    std::fs::write(at("half.csv"), format!("{}\n{}\n{}", lines[0], lines[3], &lines[4][..9])).expect("written");
    assert_eq!(merge(&["half.csv", "a.csv"]).0, Some(0), "a shard that was killed has whole rows");
}

#[test]
fn whatever_is_wrong_is_told_before_anything_is_run_or_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for (args, part) in [
        (&["--vary", "gravity"][..], "needs the form key=values"),
        (&["--vary", "gravty=1,2"], "did you mean \"gravity\"?"),
        (&["--vary", "gravity=1:2"], "no range"),
        (&["--vary", "gravity=0:2:log:3"], "neither of them zero"),
        (&["--vary", "gravity=1:2:0"], "no number of values"),
        (&["--vary", "gravity=1:99:3"], "gravity = 50 is outside 0 to 30 m/s²"),
        (&["--vary", "gravity=1", "--vary", "gravity=2"], "gravity is varied twice"),
        (&["--vary", "gravity=1", "--set", "gravity=2"], "is set and varied"),
        (&["--vary", "solver=pbd", "--solver", "xpbd"], "is set and varied"),
        (&["--vary", "solver=pbd,xpdb"], "did you mean \"xpbd\"?"),
        (
            &["--vary", "solver=xpbd,symplectic-euler", "--vary", "iterations=2,3"],
            "iterations=2 with solver symplectic-euler: unknown key",
        ),
        (&["--vary", "gravity=0:30:1000000", "--vary", "solver=pbd,xpbd"], "more than 1000000 runs"),
        (&["--vary", "mesh=nothing.obj"], "the mesh cannot be read"),
        (
            &["--vary", "gravity=1", "--measure", "strain,ms,foo"],
            "there is no measure \"strain\"; did you mean one of max_strain, end_strain?",
        ),
        (&["--vary", "gravity=1", "--measure", "ms,ms"], "ms is named twice"),
        (&["--vary", "gravity=1", "--shard", "4/3"], "needs the form K/N"),
        (&["--vary", "gravity=1", "--shard", "auto"], "this is no job of an array (Slurm, "),
        (&["--vary", "gravity=1", "--shard", "auto/x"], "needs the form K/N"),
        (&["--vary", "gravity=1", "--shard", "automatic"], "needs the form K/N"),
        (
            &["--vary", "gravity=1,2", "--runs", "2,3"],
            "--runs 3: is no run, nor a range of them: there are the runs 1 to 2",
        ),
        (&["--vary", "gravity=1,2", "--runs", "2-1"], "--runs 2-1: is no run"),
        (&["--vary", "gravity=1", "--timeout", "0"], "--timeout: needs a number"),
        (&["--vary", "gravity=1", "--scene", "nothing"], "there is no scene"),
    ] {
        let output = weft_in(folder.path(), &[&["sweep", "--steps", "3", "--out", "b.csv"], args].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(part) && message.lines().count() == 1, "{args:?}: {message}");
        assert!(!folder.path().join("b.csv").exists(), "{args:?}");
    }
    refused(
        &["sweep", "--vary", "gravity=1", "--steps", "1", "--out", "no/such/folder/a.csv"],
        2,
        "the folder does not exist",
    );
    refused(&["sweep", "--vary", "gravity=1", "--seconds=-1", "--out", "a.csv"], 2, "--seconds: needs");
    for args in [
        &["sweep", "--out", "a.csv"][..],
        &["sweep", "--vary", "gravity=1", "--out", "a.csv"],
        &["sweep", "--merge", "a.csv"],
    ] {
        assert_eq!(weft(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn every_measure_is_told_by_the_help_and_is_a_column() {
    let help = text(&weft(&["sweep", "--help"]).stdout);
    let folder = tempfile::tempdir().expect("a folder");
    let keys: Vec<&str> = MEASURES.iter().map(|measure| measure.key).collect();
    let args = [
        "sweep",
        "--scene",
        "heap",
        "--set",
        "columns=6",
        "--set",
        "rows=6",
        "--vary",
        "gravity=3,4",
        "--steps",
        "3",
        "--out",
        "a.csv",
    ];
    let list = keys.join(",");
    let args = [&args[..], &["--measure", &list]].concat();
    fine(&weft_in(folder.path(), &args));
    for row in table(&folder.path().join("a.csv")) {
        for key in &keys {
            assert!(help.lines().any(|line| line.trim_start().starts_with(&format!("{key} "))), "{key}\n{help}");
            let known = *key != "blow_up";
            assert_eq!(row[*key].parse::<f64>().is_ok_and(f64::is_finite), known, "{key} is {}", row[*key]);
        }
    }
}

#[test]
fn runs_of_different_time_steps_can_end_at_the_same_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let args =
        ["sweep", "--set=columns=4", "--set=rows=4", "--vary", "time_step=1 ms,2 ms,0.007", "--seconds", "0.042"];
    fine(&weft_in(folder.path(), &[&args[..], &["--measure", "end_time", "--out", "a.csv"]].concat()));
    let rows = table(&folder.path().join("a.csv"));
    let steps = ["--steps 42 ", "--steps 21 ", "--steps 6 "];
    for ((row, steps), step) in rows.iter().zip(steps).zip(["0.001", "0.002", "0.007"]) {
        assert!(row["command"].contains(steps) && row["time_step"] == step, "{row:?}");
        assert!((row["end_time"].parse::<f64>().expect("a number") - 0.042).abs() < 1e-12, "{row:?}");
    }
}

#[test]
fn values_that_cannot_be_had_together_are_a_row() {
    let folder = tempfile::tempdir().expect("a folder");
    // vertex 19 is there with five columns, or five rows, but not with four of both
    std::fs::write(folder.path().join("own.ron"), "(grid: (columns: 5, rows: 5), pinned: [19])").expect("written");
    let args = [
        "sweep",
        "--scene",
        "own.ron",
        "--vary",
        "columns=4,5",
        "--vary",
        "rows=4,5",
        "--steps",
        "2",
        "--out",
        "a.csv",
    ];
    assert_eq!(fine(&weft_in(folder.path(), &args)), "4 runs: 3 ok, 1 failed\n");
    let rows = table(&folder.path().join("a.csv"));
    assert!(rows[0]["status"].starts_with("not begun: own.ron: pinned vertex 19 does not exist"), "{rows:?}");
    assert_eq!((rows[0]["energy"].as_str(), rows[1]["status"].as_str()), ("", "ok"));
}

/// Runs that nobody waits for, the first of which are short.
const LONG: [&str; 12] = [
    "sweep",
    "--set=columns=6",
    "--set=rows=6",
    "--solver=xpbd",
    "--vary",
    "iterations=1:900:900",
    "--steps",
    "300",
    "--threads",
    "2",
    "--out",
    "a.csv",
];

#[test]
fn when_the_time_is_over_what_was_finished_is_in_the_file_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.csv");
    let mut rows = Vec::new();
    let (mut seconds, mut message) = (1, String::new());
    // on a busy machine a second may be too short for a run
    while rows.is_empty() && seconds < 100 {
        seconds *= 2;
        let output = weft_in(folder.path(), &[&LONG[..], &["--timeout", &seconds.to_string()]].concat());
        message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        rows = if file.exists() { table(&file) } else { rows };
    }
    assert!(!rows.is_empty() && rows.len() < 900, "{}", rows.len());
    let expected =
        format!("weft: the {seconds} s of --timeout are over after {} of 900 runs, which are in a.csv; ", rows.len());
    assert!(message.starts_with(&expected) && message.lines().count() == 1, "{message}");
    let runs: Vec<usize> = rows.iter().map(|row| row["run"].parse().expect("a number")).collect();
    assert!(runs.is_sorted() && rows.iter().all(|row| row["status"] == "ok"), "{rows:?}");
    // it goes on from there; on a busy machine a second may be too short for a run
    let mut later = rows.clone();
    while later.len() <= rows.len() {
        let output = weft_in(folder.path(), &[&LONG[..], &["--timeout", "1"]].concat());
        assert_eq!(output.status.code(), Some(1));
        later = table(&file);
        // a run that was called off the first time may now stand between those that were finished
        assert!(rows.iter().all(|row| later.contains(row)), "{rows:?} {later:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn control_c_ends_a_sweep_and_nobody_else_may_write_its_file_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv");
    // whoever runs the tests in the background ignores the signal, and the program would with it
    let mut sweep = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_weft")])
        .args(LONG)
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let rows = || std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    while rows() < 4 {
        assert!(sweep.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = weft_in(folder.path(), &LONG);
    let message = text(&second.stderr);
    assert!(second.status.code() == Some(2) && message.contains("is being written by another sweep"), "{message}");
    let sent = Command::new("kill").args(["-INT", &sweep.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = sweep.wait_with_output().expect("a child");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.starts_with(&format!("weft: interrupted after {} of 900 runs", rows() - 1)), "{message}");
}

#[test]
#[cfg(unix)]
fn a_full_disk_ends_a_sweep_with_whole_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    // ignored, the signal becomes an error of the write, as on a full disk
    let script = "trap '' XFSZ; ulimit -f 3; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_weft")])
        .args(SMALL)
        .current_dir(folder.path())
        .output();
    let output = output.expect("sh");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("weft: a.csv: ") && message.lines().count() == 1, "{message}");
    let begun = std::fs::read_to_string(folder.path().join("a.csv")).expect("a table");
    assert!(begun.ends_with('\n') && (2..12).contains(&begun.lines().count()), "{begun}");
    fine(&weft_in(folder.path(), &SMALL));
    assert_eq!(table(&folder.path().join("a.csv")).len(), 12);
}
