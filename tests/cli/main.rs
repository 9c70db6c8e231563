//! The command line: what it prints, what it writes, and how it refuses.

mod adapters;
mod advise;
mod browser;
mod endings;
mod exports;
mod files;
mod fit;
mod inputs;
mod intersections;
mod jittered;
mod lanes;
mod laws;
mod lessons;
mod messages;
mod outputs;
#[path = "../shared/plain_words.rs"]
mod plain_words;
mod prove;
mod readers;
mod recordings;
mod report;
mod sweep;
mod take_home;
mod textile;
mod words;

use std::path::Path;
use std::process::{Command, Output};

use weft::sim::solver_interface::{Elasticity, Info};
use weft::sim::solvers;

fn weft(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    weft_in(folder.path(), args)
}

/// Runs the program in another folder, as an installed one is.
fn weft_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(args)
        .current_dir(folder)
        .env_remove("CARGO_MANIFEST_DIR")
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Asserts exit status and a single sentence on standard error.
fn refused(args: &[&str], status: i32, part: &str) {
    let output = weft(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {message}");
    assert!(message.contains(part), "{args:?}: {message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{args:?}: {message}");
    assert!(!message.contains("panicked") && !message.contains("RUST_BACKTRACE"), "{message}");
}

#[test]
fn solvers_are_listed_as_json_with_the_fields_that_scripts_rely_on() {
    let rows = json(&weft(&["solvers", "--json"]));
    let rows = rows.as_array().expect("an array");
    let ids: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    let mut papers = vec![
        "explicit-euler",
        "symplectic-euler",
        "harmonic-oscillator",
        "implicit-euler",
        "implicit-newton",
        "vertex-block-descent",
        "jacobi-implicit",
        "stable-mass-spring",
        "precomputed-filter",
        "hybrid",
        "fast-mass-spring",
        "projective-dynamics",
        "pbd",
        "xpbd",
        "soft-constraints",
    ];
    if cfg!(feature = "gpu") {
        papers.splice(12..12, ["gpu-projective-dynamics", "gpu-vertex-block-descent"]);
    }
    assert_eq!(ids, papers);
    for row in rows {
        let mut fields: Vec<&String> = row.as_object().expect("an object").keys().collect();
        fields.sort_unstable();
        assert_eq!(fields, ["broken_laws", "id", "name", "order", "source", "stability", "summary"]);
        let entry = solvers::REGISTRY.iter().find(|entry| row["id"] == entry.info.id).expect("registered");
        assert_eq!(row["order"], entry.info.order);
    }
}

#[test]
fn an_energy_that_the_solver_does_not_have_is_a_dash_in_the_summary_and_an_empty_field_in_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let knows = |info: &Info| !matches!(info.capabilities.elasticity, Elasticity::Unknown(_));
    for known in [false, true] {
        let entry = solvers::REGISTRY.iter().find(|entry| knows(entry.info) == known);
        let solver = entry.expect("there are both").info.id;
        let args =
            ["run", "--steps", "2", "--set", "columns=4", "--set", "rows=4", "--csv", "a.csv", "--solver", solver];
        let output = weft_in(folder.path(), &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let summary = text(&output.stdout);
        assert_eq!(summary.contains("energy – J") && summary.contains("elastic –,"), !known, "{summary}");
        let mut rows = csv::Reader::from_path(folder.path().join("a.csv")).expect("written");
        for row in rows.records().map(|row| row.expect("a row")) {
            assert_eq!(row[3].parse::<f64>().is_ok(), known, "elastic energy \"{}\" of {solver}", &row[3]);
            assert!(known || row[3].is_empty());
        }
    }
}

#[test]
fn rows_of_stability_searches_are_in_the_order_of_the_table() {
    let rows = text(&weft(&["stability", "--solver", "harmonic-oscillator"]).stdout);
    let fields = rows.lines().skip(1).map(|row| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let names: Vec<[String; 2]> = fields.map(|row| [row[1].clone(), row[2].clone()]).collect();
    let expected = [["share=0.5", "1.000"], ["share=0.5", "2.000"], ["share=1", "1.000"], ["share=1", "2.000"]];
    assert_eq!(names, expected, "{rows}");
}

#[test]
fn windows_of_stability_are_drawn_and_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = json(&weft_in(folder.path(), &["stability", "--windows", "windows.svg", "--json"]));
    let rows = output["rows"].as_array().expect("rows");
    let windows = |ratio: f64| {
        let row = rows.iter().find(|row| row["damping_ratio"] == ratio).expect("a row");
        row["windows"].as_array().expect("an array").len()
    };
    assert_eq!(windows(0.07), 9);
    let chart = std::fs::read_to_string(folder.path().join("windows.svg")).expect("written");
    assert!(chart.contains("Damping ratio") && chart.contains("Windows of stability"));
    refused(&["stability", "--windows", "a.png"], 2, "let it end in .svg");
}

#[test]
fn scenes_are_listed_and_one_scene_shows_every_key() {
    let rows = json(&weft(&["scenes", "--json"]));
    let names: Vec<&str> = rows.as_array().expect("an array").iter().filter_map(|row| row["name"].as_str()).collect();
    for name in ["flag", "hanging", "mesh", "table", "stability", "figure-3-stiff", "figure-7"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let keys = text(&weft(&["scenes", "--scene", "flag", "--set", "gust=0.25"]).stdout);
    for part in ["gust=0.25", "structural_stiffness=500", "iterations=20", "0 to 1e9 N/m"] {
        assert!(keys.contains(part), "{part} in\n{keys}");
    }
    let one = text(&weft(&["solvers", "--solver", "fast-mass-spring"]).stdout);
    assert!(one.contains("iterations=") && !one.contains("symplectic"));
}

#[test]
fn a_run_writes_a_row_per_step_a_mesh_and_a_snapshot() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["run", "--steps", "12", "--set", "columns=6", "--set", "rows=5"];
    let files = ["--csv", "a.csv", "--obj", "a.obj", "--snapshot", "a.json"];
    let output = weft_in(folder.path(), &[&args[..], &files[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("12 steps, t = 0.2000 s, 30 vertices, fast-mass-spring"));

    let mut rows = csv::Reader::from_path(folder.path().join("a.csv")).expect("written");
    let header: Vec<String> = rows.headers().expect("a header").iter().map(str::to_owned).collect();
    assert_eq!(header[..6], ["step", "time_s", "kinetic_J", "elastic_J", "potential_J", "max_strain"]);
    assert!(header.contains(&"solve_ms".to_owned()) && header.contains(&"total_ms".to_owned()));
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 12);
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().expect("a number");
    assert_eq!(number(11, 0), 12.0);
    // it falls: potential energy becomes kinetic
    assert!(number(11, 4) < number(0, 4) && number(11, 2) > number(0, 2));
    let total = header.iter().position(|name| name == "total_ms").expect("a column");
    assert!(number(11, total) > 0.0);

    let snapshot: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("a.json")).expect("written")).expect("JSON");
    assert_eq!((&snapshot["weft"], &snapshot["step"], &snapshot["scene"]), (&1.into(), &12.into(), &"hanging".into()));
    assert_eq!(snapshot["pins"], serde_json::json!([0, 5]));
    assert_eq!(snapshot["positions"].as_array().map(Vec::len), Some(30));

    // the mesh is one that Weft itself can read
    let again = weft_in(folder.path(), &["run", "--steps", "1", "--scene", "mesh", "--set", "mesh=a.obj"]);
    assert!(text(&again.stdout).contains("30 vertices"), "{}", text(&again.stderr));
}

#[test]
fn a_resumed_run_writes_the_same_file_as_an_uninterrupted_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = ["--set", "columns=7", "--set", "rows=7"];
    let run = |args: &[&str]| {
        let output = weft_in(folder.path(), &[&["run"], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    run(&[&["--scene", "flag", "--steps", "20", "--snapshot", "whole.json"], &small[..]].concat());
    run(&[&["--scene", "flag", "--steps", "8", "--snapshot", "part.json"], &small[..]].concat());
    run(&["--from", "part.json", "--steps", "12", "--snapshot", "resumed.json"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    assert_eq!(read("whole.json"), read("resumed.json"));
    // and a parameter can be changed on the way
    run(&[
        "--from",
        "part.json",
        "--set",
        "gust=0",
        "--solver",
        "implicit-euler",
        "--steps",
        "12",
        "--snapshot",
        "o.json",
    ]);
    assert_ne!(read("whole.json"), read("o.json"));
}

#[test]
fn bad_input_is_one_sentence_and_exit_status_2() {
    refused(&["run", "--steps", "1", "--scene", "tabel"], 2, "did you mean \"table\"?");
    refused(&["run", "--steps", "1", "--solver", "implicit"], 2, "did you mean one of implicit-euler");
    refused(&["run", "--steps", "1", "--set", "gravty=3"], 2, "did you mean \"gravity\"?");
    refused(&["run", "--steps", "1", "--set", "gravity=99"], 2, "gravity = 99 is outside 0 to 30 m/s²");
    refused(&["run", "--steps", "1", "--set", "gravity=down"], 2, "gravity takes 0 to 30 m/s², not \"down\"");
    refused(&["run", "--steps", "1", "--set", "gravity"], 2, "needs the form key=value");
    refused(&["run", "--steps", "1", "--set", "columns=-4"], 2, "columns = -4 is outside");
    refused(
        &["run", "--steps", "1", "--scene", "my.ron"],
        2,
        "my.ron: cannot be read: there is no such file; check the name",
    );
    refused(&["run", "--steps", "1", "--from", "my.json"], 2, "my.json: the snapshot cannot be read");
    refused(&["run", "--steps", "1", "--scene", "mesh", "--set", "mesh=my.obj"], 2, "my.obj: the mesh cannot be read");
    refused(&["run", "--steps", "1", "--obj", "no/such/folder/a.obj"], 2, "the folder does not exist");
    refused(&["scenes", "--scene", "tabel"], 2, "did you mean \"table\"?");
    refused(&["stability", "--vary", "mass"], 2, "--vary: \"mass\" is none of stiffness, step");
    refused(&["stability", "--criterion", "x"], 2, "\"x\" is none of box, folded");
    refused(&["stability", "--solver", "hybird"], 2, "did you mean \"hybrid\"?");
    refused(&["bench", "--sizes", "1"], 2, "columns = 1 is outside");
    refused(&["bench", "--solvers", "xpdb"], 2, "did you mean \"xpbd\"?");
    refused(&["bench", "--scene", "mesh"], 2, "is a mesh");
    refused(&["bench", "--convergence", "--solvers", "xpbd"], 2, "--solvers: \"xpbd\" minimises nothing");
    refused(&["bench", "--convergence", "--solver", "xpbd", "--sizes", "5"], 2, "\"xpbd\" minimises nothing");
    refused(&["bench", "--convergence", "--solvers", "xpdb"], 2, "did you mean \"xpbd\"?");
}

#[test]
fn a_part_of_a_name_brings_all_that_have_it() {
    for key in ["wind_speed", "wind_azimuth", "wind_seed"] {
        refused(&["run", "--steps", "1", "--set", "wind=3"], 2, key);
    }
    refused(&["run", "--steps", "1", "--set", "restit=3"], 2, "did you mean \"restitution\"?");
}

#[test]
fn numbers_may_have_units() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["--set", "time_step=5 ms", "--set", "width=120 cm", "--steps", "1", "--snapshot", "a.json"];
    let output = weft_in(folder.path(), &[&["run"][..], &args[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let snapshot = std::fs::read_to_string(folder.path().join("a.json")).expect("written");
    assert!(snapshot.contains("0.005"), "{snapshot}");
    refused(&["run", "--steps", "1", "--set", "time_step=5 m"], 2, "time_step");
}

#[test]
fn arguments_that_do_not_exist_are_refused_with_status_2() {
    for args in [&["run"][..], &["run", "--steps", "x"], &["walk"], &["--quick"], &["run", "--steps", "-1"]] {
        let output = weft(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{args:?}");
    }
}

#[test]
fn a_run_that_diverges_says_so_with_status_1_and_keeps_the_last_good_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["run", "--steps", "100", "--solver", "symplectic-euler", "--set", "structural_stiffness=1e6"];
    let output = weft_in(folder.path(), &[&args[..], &["--snapshot", "a.json"]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("weft: symplectic-euler failed at t = 0."), "{message}");
    assert!(message.contains("Try a smaller time step"), "{message}");
    let resumed = weft_in(folder.path(), &["run", "--from", "a.json", "--solver", "implicit-euler", "--steps", "1"]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    // what the cloth was made from cannot be changed any more
    let finer = weft_in(folder.path(), &["run", "--from", "a.json", "--set", "columns=50", "--steps", "1"]);
    assert_eq!(finer.status.code(), Some(2));
    assert!(text(&finer.stderr).contains("a snapshot keeps its cloth"), "{}", text(&finer.stderr));
}

#[test]
fn help_has_examples_for_every_command() {
    for args in [
        &["--help"][..],
        &["run", "--help"],
        &["solvers", "--help"],
        &["scenes", "--help"],
        &["stability", "--help"],
        &["prove", "--help"],
        &["bench", "--help"],
    ] {
        let help = text(&weft(args).stdout);
        assert!(help.contains("Examples:"), "{args:?}");
        assert!(help.contains("--set <KEY=VALUE>") && help.contains("--solver <ID>"), "{args:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_error() {
    let bin = env!("CARGO_BIN_EXE_weft");
    let output = Command::new("sh").args(["-c", &format!("{bin} scenes --scene flag | true")]).output().expect("sh");
    assert!(text(&output.stderr).is_empty(), "{}", text(&output.stderr));
}

#[test]
#[cfg(all(target_os = "linux", feature = "app"))]
fn without_a_screen_or_a_device_the_window_says_so_and_names_weft_run() {
    let open = |change: &dyn Fn(&mut Command)| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
        command.env_remove("WAYLAND_DISPLAY").env("XDG_RUNTIME_DIR", "/nowhere").args(["--exit-after", "1"]);
        change(&mut command);
        let output = command.output().expect("the program starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        let sentence = message.lines().last().unwrap_or_default();
        assert!(sentence.starts_with("weft: no ") && sentence.contains("\"weft run\""), "{message}");
        assert!(!message.contains("panicked") && !message.contains("backtrace"), "{message}");
        sentence.to_owned()
    };
    let no_display = open(&|command| {
        command.env_remove("DISPLAY");
    });
    assert!(no_display.contains("no display found"), "{no_display}");
    let dead_display = open(&|command| {
        command.env("DISPLAY", ":4711");
    });
    assert!(dead_display.contains("no display found"), "{dead_display}");
    let no_driver = open(&|command| {
        command.env("VK_DRIVER_FILES", "/nowhere").env("VK_ICD_FILENAMES", "/nowhere");
    });
    assert!(no_driver.contains("no Vulkan"), "{no_driver}");
}

/// A figure of a page, such as "5 782" or "9.6 × 10⁹".
fn figure_of_page(text: &str) -> f64 {
    let ordinary = |text: &str| -> String {
        text.chars()
            .map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|raised| raised == c).map_or(c, |at| b"0123456789"[at].into()))
            .collect()
    };
    let (mantissa, exponent) = text.trim().split_once(" × 10").unwrap_or((text.trim(), "0"));
    let mantissa: f64 = mantissa.replace(' ', "").parse().expect("a number");
    mantissa * 10_f64.powi(ordinary(exponent).parse().expect("an exponent"))
}

#[test]
#[ignore = "full tier"]
fn table_1_of_the_page_of_solvers_is_what_is_measured() {
    let page = std::fs::read_to_string("src/solvers.md").expect("a page");
    // where rounding decides, other instructions give another figure
    let methods = [
        ("symplectic Euler", "symplectic-euler", "", 1.01),
        ("harmonic oscillator, share ½", "harmonic-oscillator", "share=0.5", 1.01),
        ("Jacobi, raw, 1 sweep", "jacobi-implicit", "raw,sweeps=1", 1.01),
        ("implicit Euler, raw", "implicit-euler", "raw", 4.0),
        ("hybrid, raw, share ½", "hybrid", "raw,share=0.5", 4.0),
    ];
    for (label, solver, variant, within) in methods {
        let row = page.lines().find(|line| line.starts_with(&format!("| {label} |"))).expect("a row of the page");
        let cells: Vec<&str> = row.split('|').collect();
        let output = json(&weft(&["stability", "--solver", solver, "--json"]));
        let rows = output["rows"].as_array().expect("an array");
        for (mass, cell) in [(1.0, cells[3]), (2.0, cells[5])] {
            let is_it = |row: &&serde_json::Value| row["variant"] == variant && row["mass"] == mass;
            let limit = rows.iter().find(is_it).and_then(|row| row["k_max"].as_f64()).expect("a limit");
            let ratio = limit / figure_of_page(cell);
            assert!(ratio < within && ratio > 1.0 / within, "{label}, {mass} kg: {limit} N/m, and {cell} in the page");
        }
    }
}

#[test]
fn the_stability_of_a_solver_is_printed_beside_the_paper() {
    let output = json(&weft(&["stability", "--solver", "symplectic-euler", "--json"]));
    let rows = output["rows"].as_array().expect("an array");
    let row = |at: usize| (rows[at]["mass"].clone(), rows[at]["paper"].clone(), rows[at]["k_max"].as_f64());
    assert_eq!(rows.len(), 2);
    for (at, mass, paper, expected) in [(0, 1.0, 5_690.0, 5_795.0), (1, 2.0, 11_250.0, 11_560.0)] {
        let (found_mass, found_paper, limit) = row(at);
        assert_eq!((found_mass, found_paper), (mass.into(), paper.into()));
        assert!((limit.expect("a limit") / expected - 1.0).abs() < 0.05, "{limit:?}");
        assert_eq!(rows[at]["variant"], "");
    }
    // what has no limit is null, and so is what the paper has no figure for
    let output = json(&weft(&["stability", "--solver", "stable-mass-spring", "--json"]));
    assert!(output["rows"][0]["k_max"].is_null() && output["rows"][0]["paper"].is_null());
    // settings of one's own; another thing to vary; a table for people
    let args = ["stability", "--solver", "hybrid", "--set", "share=0.25", "--set", "blocks=raw", "--json"];
    let output = json(&weft(&args));
    let rows = output["rows"].as_array().expect("an array");
    assert_eq!(rows.len(), 2, "both masses");
    assert_eq!(rows[0]["variant"], "raw,share=0.25");
    // another parameter is no setting of the solver
    let output = json(&weft(&["stability", "--solver", "harmonic-oscillator", "--set", "damping=0.2", "--json"]));
    let rows = output["rows"].as_array().expect("an array");
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["paper"].is_null()), "the paper has no figure for another cloth");
    let text = text(&weft(&["stability", "--solver", "symplectic-euler", "--vary", "step"]).stdout);
    assert!(text.starts_with("solver") && text.contains("h_max [s]"), "{text}");
}

#[test]
fn the_benchmark_prints_what_a_step_costs() {
    let args = ["bench", "--sizes", "10,20", "--solvers", "symplectic-euler,fast-mass-spring", "--threads", "1"];
    let rows = json(&weft(&[&args[..], &["--json"]].concat()));
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert!(row["step_ms"].as_f64() > Some(0.0) && row["iteration_ms"].as_f64() > Some(0.0), "{row}");
        assert_eq!((row["columns"].as_u64(), row["threads"].as_u64()), (row["rows"].as_u64(), Some(1)));
        assert!(row["stages"]["solve"].as_f64() > Some(0.0));
    }
    assert_eq!(rows[3]["springs"], 2202);
    let text = text(&weft(&args).stdout);
    assert!(text.contains("20×20 vertices, 2202 springs") && text.contains("Kang [s]"), "{text}");
}

#[test]
fn the_benchmark_of_scenes_tells_cost_stretch_and_blow_ups() {
    let args =
        ["bench", "--scenes", "--steps", "4", "--solvers", "symplectic-euler,fast-mass-spring", "--threads", "1"];
    let rows = json(&weft(&[&args[..], &["--json"]].concat()));
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 10);
    for pair in rows.chunks(2) {
        assert_eq!((&pair[0]["solver"], &pair[1]["solver"]), (&"symplectic-euler".into(), &"fast-mass-spring".into()));
        assert_eq!(pair[0]["scene"], pair[1]["scene"]);
        assert!(pair[1]["step_ms"].as_f64() > Some(0.0) && pair[1]["ended"].is_null(), "{}", pair[1]);
        assert!((0.0..0.2).contains(&pair[1]["largest_stretch"].as_f64().expect("a number")), "{}", pair[1]);
    }
    // its step is too long for the first scene, and the bench goes on
    assert_eq!((&rows[0]["scene"], &rows[0]["ended"]), (&"breeze".into(), &"blows up".into()));
    let text = text(&weft(&args).stdout);
    assert!(text.contains("truncated") && text.contains("mesh fabric=silk air=wind"), "{text}");
    for unfit in [&["bench", "--scenes", "--sizes", "9"][..], &["bench", "--steps", "9"]] {
        assert_eq!(weft(unfit).status.code(), Some(2), "{unfit:?}");
    }
}

#[test]
fn the_benchmark_of_contact_measures_every_case_at_rest_and_in_motion() {
    let args = ["bench", "--contact", "--sizes", "9,12", "--threads", "1"];
    let rows = json(&weft(&[&args[..], &["--json"]].concat()));
    let rows = rows.as_array().expect("an array");
    let cases: Vec<&str> = rows.iter().filter_map(|row| row["case"].as_str()).collect();
    let of_size = ["flat", "flat", "two", "two", "eight", "eight", "heap", "heap"];
    assert_eq!(cases, [of_size, of_size].concat());
    for row in rows {
        for key in ["detect_ms", "solve_ms", "truncate_ms", "total_ms", "us_per_vertex"] {
            assert!(row[key].as_f64() > Some(0.0), "{key}: {row}");
        }
        assert!(row["columns"] == 9 || row["columns"] == 12);
        assert!(row["truncated"].is_u64() && (row["state"] == "resting" || row["state"] == "moving"), "{row}");
    }
    let pairs = |at: usize| rows[at]["pairs"].as_f64().expect("a number");
    // of eight sheets as small as three by three vertices, few rows are left beside the borders
    assert!(pairs(8) == 0.0 && pairs(10) > 0.0 && pairs(12) > pairs(10), "a flat sheet, two and eight: {rows:?}");
    let text = text(&weft(&args).stdout);
    assert!(text.contains("truncate") && text.lines().count() == 3 + 16, "{text}");
    let both = weft(&["bench", "--contact", "--sizes", "9", "--cases", "two", "--threads", "2"]);
    let both = String::from_utf8_lossy(&both.stdout).into_owned();
    assert!(both.contains(", 2 threads\n") && both.contains(", 1 threads\n") && both.contains("rows/vertex"), "{both}");
    refused(&["bench", "--contact", "--sizes", "1"], 2, "columns = 1 is outside");
    refused(&["bench", "--contact", "--solver", "xpdb"], 2, "did you mean \"xpbd\"?");
}

#[test]
#[ignore = "full tier"]
fn what_an_error_costs_is_json_for_every_acceleration() {
    let sizes = ["--sizes", "8", "--steps", "3", "--errors", "1e-2,1e-5", "--threads", "1", "--json"];
    let output = weft(&[&["bench", "--to-error"][..], &sizes].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    let fields = ["solver", "acceleration", "scene", "columns", "error", "iterations", "ms"];
    for row in &rows {
        assert_eq!(row.as_object().expect("an object").keys().collect::<Vec<_>>(), fields);
        assert_eq!(row["columns"], 8);
    }
    for scene in ["hanging", "flag", "table"] {
        let of = |acceleration: &str, error: f64| {
            let wanted = |row: &&serde_json::Value| {
                row["solver"] == "fast-mass-spring"
                    && row["acceleration"] == acceleration
                    && row["scene"] == scene
                    && row["error"] == error
            };
            let row = rows.iter().find(wanted).expect("a row");
            row["iterations"].as_f64().unwrap_or(f64::INFINITY)
        };
        for acceleration in ["chebyshev", "anderson", "quasi_newton"] {
            assert!(of(acceleration, 1e-2) <= of(acceleration, 1e-5), "{scene}, {acceleration}");
        }
        assert!(of("anderson", 1e-5) <= of("none", 1e-5), "{scene}");
    }
    refused(&["bench", "--to-error", "--errors", "0"], 2, "between 0 and 1");
    refused(&["bench", "--to-error", "--solvers", "xpbd"], 2, "\"xpbd\" minimises nothing");
}

#[test]
#[ignore = "full tier"]
fn the_convergence_of_a_step_is_csv_with_a_row_per_iterate() {
    let mut solvers = vec!["implicit-newton", "vertex-block-descent", "fast-mass-spring", "projective-dynamics"];
    if cfg!(feature = "gpu") {
        solvers.extend(["gpu-projective-dynamics:chebyshev", "gpu-vertex-block-descent"]);
    }
    let args = ["bench", "--convergence", "--sizes", "6,8", "--iterations", "12", "--threads", "1"];
    let output = weft(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut reader = csv::Reader::from_reader(&output.stdout[..]);
    let header = ["solver", "columns", "rows", "iteration", "milliseconds", "relative_error", "relative_energy"];
    assert_eq!(reader.headers().expect("a header row"), &header[..]);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("CSV")).collect();
    let mut at = 0;
    for size in ["6", "8"] {
        for &solver in &solvers {
            let curve: Vec<_> = rows[at..].iter().take_while(|row| &row[0] == solver && &row[1] == size).collect();
            let id = solver.split(':').next().unwrap_or_default();
            let entry = solvers::REGISTRY.iter().find(|entry| entry.info.id == id).expect("registered");
            assert!(curve.len() == 13 || entry.info.capabilities.converges, "{solver}: {}", curve.len());
            let numbers = |row: &csv::StringRecord| -> Vec<f64> {
                row.iter().skip(1).map(|field| field.parse().expect("a plain number")).collect()
            };
            assert_eq!(numbers(curve[0])[2..], [0.0, 0.0, 1.0, 1.0]);
            for (iteration, row) in curve.iter().enumerate().skip(1) {
                let [columns, rows, number, milliseconds, error, energy] = numbers(row)[..] else { panic!("{row:?}") };
                assert_eq!((columns, number), (rows, iteration as f64));
                assert!(milliseconds > 0.0 && error < 1.0 && (0.0..1.0).contains(&energy), "{row:?}");
            }
            at += curve.len();
        }
    }
    assert_eq!(at, rows.len());
    let json = json(&weft(&[&args[..], &["--json", "--solvers", "fast-mass-spring"]].concat()));
    let entries = json.as_array().expect("an array");
    assert_eq!((entries.len(), entries[12]["iteration"].as_u64()), (26, Some(12)));
    // with other constraints, by the solver that has them
    let args = ["bench", "--convergence", "--sizes", "6", "--solver", "projective-dynamics", "--set", "bending=true"];
    let csv = text(&weft(&args).stdout);
    assert!(csv.lines().skip(1).all(|line| line.starts_with("projective-dynamics,6,6,")) && csv.lines().count() == 102);
}
