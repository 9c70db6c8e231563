//! `weft report`: what the page holds, the commands that repeat it, and how it is refused.

use std::path::Path;

use weft::scene::Scene;
use weft::sim::solvers;

use crate::{refused, text, weft_in};

/// A cloth that is small enough for a fast run, with two methods on it.
const LANES: [&str; 15] = [
    "report",
    "--scene",
    "flag",
    "--set",
    "columns=7",
    "--set",
    "rows=6",
    "--set",
    "structural_stiffness=321",
    "--steps",
    "30",
    "--lane",
    "solver=fast-mass-spring,iterations=7",
    "--lane",
    "solver=xpbd",
];

/// The text of a page as a browser shows it.
fn shown(page: &str) -> String {
    let body = page.split_once("<body>").expect("a body").1;
    let plain: String = body.split('<').map(|part| part.split_once('>').map_or("", |(_, text)| text)).collect();
    plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn run(folder: &Path, args: &[&str]) -> String {
    let output = weft_in(folder, args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs a line of a shell without quotes in it.
fn run_line(folder: &Path, line: &str) -> String {
    let words: Vec<&str> = line.split(" > ").next().unwrap_or_default().split_whitespace().skip(1).collect();
    run(folder, &words)
}

/// The commands at the end of a page.
fn commands(page: &str) -> Vec<String> {
    let end = page.split_once("<h2>How to repeat it</h2>").expect("a section").1;
    let blocks = end.split("<pre><code>").skip(1).filter_map(|rest| rest.split_once("</code>"));
    blocks.map(|(block, _)| block.replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")).collect()
}

/// The last number of a column of a table, of a lane.
fn last(file: &Path, lane: &str, column: &str) -> f64 {
    let mut rows = csv::Reader::from_path(file).expect("a table");
    let header = rows.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let rows = rows.records().map(|row| row.expect("a row")).filter(|row| &row[place("lane")] == lane);
    rows.last().expect("a row of the lane")[place(column)].parse().expect("a number")
}

#[test]
fn a_report_with_an_advice_has_its_sentences_its_picture_its_table_and_its_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let cloth = ["report", "--scene", "hanging", "--set", "columns=5", "--set", "rows=5", "--steps", "5"];
    let study = ["--advise", "--advise-seconds", "20", "--no-pictures", "--out", "a.html"];
    run(folder.path(), &[&cloth[..], &study].concat());
    let page = std::fs::read_to_string(folder.path().join("a.html")).expect("written");
    let advice = page.split_once("<h2>Which solver?</h2>").expect("a section").1.split_once("<h2>").expect("its end").0;
    // the one in use is kept where none is better by more than the scatter
    let is_said =
        ["<p>Take ", "<p>Keep ", "<p>So far: take ", "<p>So far: keep "].iter().any(|word| advice.contains(word));
    assert!(is_said && advice.contains(" of the motion of a step"), "{advice}");
    for part in ["<svg", "<table", "Projective dynamics", "weft run --steps"] {
        assert!(advice.contains(part), "{part}");
    }
    // the command repeats the study by itself
    let commands = commands(&page);
    let command = commands.iter().find(|command| command.contains("weft advise")).expect("a command");
    run_line(folder.path(), command);
    let alone = std::fs::read_to_string(folder.path().join("advice.html")).expect("written");
    assert!(alone.contains("Projective dynamics") && alone.contains("<svg"));
}

#[test]
fn a_report_of_lanes_has_outcome_changes_solvers_and_commands_that_give_the_same_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    run(
        folder.path(),
        &[&LANES[..], &["--convergence", "--iterations", "12", "--no-pictures", "--out", "a.html"]].concat(),
    );
    let page = std::fs::read_to_string(folder.path().join("a.html")).expect("written");
    let shown = shown(&page);
    for part in
        ["Over time", "The scene and its changes", "The solvers", "How to repeat it", "Weft 0.1.0", "--no-pictures"]
    {
        assert!(shown.contains(part), "{part}");
    }
    for id in ["fast-mass-spring", "xpbd"] {
        let info = solvers::REGISTRY.iter().find(|entry| entry.info.id == id).expect("registered").info;
        for part in [info.name, info.formula, info.source, info.summary] {
            assert!(shown.contains(part), "{part}");
        }
    }
    // values that were changed, beside their defaults
    let changed = page.split_once("What was changed").expect("a table").1.split_once("</table>").expect("its end").0;
    let scene = Scene::load("flag").expect("it comes with the program");
    let default = scene.parameters.material.structural_stiffness;
    for (key, before, after) in
        [("structural_stiffness", default, 321.0), ("columns", f64::from(scene.first.grid.columns), 7.0)]
    {
        let row = changed.split("<tr>").find(|row| row.contains(&format!("<td>{key}</td>"))).expect(key);
        assert!(row.contains(&format!(">{before}")) && row.contains(&format!(">{after}")), "{row}");
    }
    assert!(!changed.contains("<td>gravity</td>"), "{changed}");

    let commands = commands(&page);
    let of = |part: &str| commands.iter().find(|command| command.contains(part)).expect(part);
    run_line(folder.path(), of("weft run --steps 30"));
    let table = folder.path().join("run.csv");
    let stretch = 100.0 * last(&table, "2", "max_strain");
    let distance = last(&table, "2", "rms_mm");
    let row = page.split("<tr>").find(|row| row.starts_with("<td>B: XPBD")).expect("a row of the second lane");
    for number in [stretch, distance] {
        let number = weft::sim::params::units::significant(number);
        assert!(row.contains(&format!(">{number}<")), "{number} in {row}");
    }
    // the plot in the file has the same curves
    let plot = std::fs::read_to_string(folder.path().join("run.svg")).expect("written");
    assert!(plot.contains("Stretch, largest") && page.contains("Stretch, largest"));

    let lines: Vec<&str> = of("--convergence").lines().collect();
    run_line(folder.path(), lines[0]);
    let curve = run_line(folder.path(), lines[1]);
    let errors =
        curve.lines().skip(1).map(|line| line.split(',').nth(5).expect("an error").parse::<f64>().expect("it"));
    let to_hundredth = errors.take_while(|error| *error > 1e-2).count();
    let row = page.split("<tr>").find(|row| row.starts_with("<td>Fast mass-spring")).expect("a row of the study");
    let cells: Vec<&str> = row.split("</td>").collect();
    let expected = if to_hundredth > 12 { "–".to_owned() } else { to_hundredth.to_string() };
    assert!(cells[2].ends_with(&format!(">{expected}")), "{expected} in {row}");
}

#[test]
fn markdown_has_its_plots_beside_it_and_a_blow_up_is_an_outcome() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["report", "--set", "columns=6", "--set", "rows=5", "--solver", "symplectic-euler", "--seconds", "1"];
    let unstable = ["--set", "structural_stiffness=1e6", "--no-pictures", "--out"];
    run(folder.path(), &[&args[..], &unstable, &["a.md"]].concat());
    let page = std::fs::read_to_string(folder.path().join("a.md")).expect("written");
    assert!(page.starts_with("# ") && page.contains("blew up at t = "), "{page}");
    assert!(page.contains("--set structural_stiffness=1e6"), "{page}");
    run(folder.path(), &[&args[..], &["--no-pictures", "--out", "folder"]].concat());
    let page = std::fs::read_to_string(folder.path().join("folder/report.md")).expect("written");
    assert!(page.contains("](<energy.svg>)"), "{page}");
    for name in ["energy.svg", "stretch.svg", "time-per-step.svg"] {
        let plot = std::fs::read_to_string(folder.path().join("folder").join(name)).expect("written");
        assert!(plot.starts_with("<svg xmlns=") && plot.contains("<polyline"), "{name}");
    }
}

#[test]
fn the_chart_of_a_report_is_that_of_its_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let cloth = ["--scene", "stability", "--lane", "solver=symplectic-euler", "--lane", "solver=pbd"];
    let args = ["--steps", "2", "--no-pictures", "--stability", "--out", "a.html"];
    run(folder.path(), &[&["report"][..], &cloth, &args].concat());
    let page = std::fs::read_to_string(folder.path().join("a.html")).expect("written");
    let commands = commands(&page);
    let command = commands.iter().find(|command| command.starts_with("weft stability")).expect("a command");
    let said = run_line(folder.path(), command);
    let chart = std::fs::read_to_string(folder.path().join("stability.svg")).expect("written");
    let lines = chart.lines().filter(|line| line.starts_with("<polyline") || line.starts_with("<polygon"));
    let missing: Vec<&str> = lines.filter(|line| !page.contains(line)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    let limit = said.split_once("longest stable step ").expect("a limit").1.split_once(" at ").expect("a stiffness").0;
    assert!(shown(&page).contains(&format!("is stable up to steps of {limit}")), "{limit}");
}

#[test]
fn a_report_on_nonsense_is_refused_in_one_sentence() {
    let of = |more: &[&'static str]| [&["report", "--no-pictures", "--out", "a.html"][..], more].concat();
    refused(&["report", "--no-pictures", "--out", "a.txt"], 2, "let it end in .html or .md");
    refused(&["report", "--no-pictures", "--out", "nowhere/a.html"], 2, "the folder does not exist");
    refused(&of(&["--scene", "flga"]), 2, "did you mean \"flag\"?");
    refused(&of(&["--times", "2,1"]), 2, "needs rising numbers of seconds");
    refused(&of(&["--times", "0,9", "--seconds", "1"]), 2, "after the end of the run");
    refused(&of(&["--seconds", "0"]), 2, "--seconds: needs a number above 0");
    refused(&of(&["--lane", "solver=pdb"]), 2, "pdb");
    refused(&of(&["--lanes"]), 2, "comes without lanes");
    refused(&of(&["--advise", "--profile", "gmae"]), 2, "take one of game, film, robotics, teaching");
    refused(&of(&["--advise", "--budget", "0"]), 2, "--budget: needs a number above 0");
    refused(&["stability", "--chart", "a.png"], 2, "let it end in .svg");
    if !cfg!(feature = "app") {
        refused(&["report", "--out", "a.html"], 2, "leave out the pictures with --no-pictures");
    }
}
