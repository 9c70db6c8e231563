//! `weft advise`: its outputs, and how it refuses.

use weft::documents::ADVICE_HEADER;
use weft::sim::solvers::REGISTRY;

use crate::{json, refused, text, weft, weft_in};

/// A cloth that is small enough to be judged in a second.
const SMALL: [&str; 5] = ["advise", "--set", "columns=5", "--set", "rows=5"];

#[test]
fn an_advice_as_json_has_the_fields_that_scripts_rely_on_and_a_command_that_runs() {
    let answer = json(&weft(&[&SMALL[..], &["--scene", "flag", "--budget", "1000", "--json"]].concat()));
    let mut fields: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    fields.sort_unstable();
    let expected = [
        "better",
        "budget_ms",
        "cheaper",
        "command",
        "equal",
        "extent",
        "looks_s",
        "present_error_factor",
        "profile",
        "reference",
        "rows",
        "scene",
        "sentences",
        "skipped",
        "take",
        "time_step",
    ];
    assert_eq!(fields, expected);
    assert_eq!((&answer["scene"], &answer["profile"]["name"]), (&"flag".into(), &"game".into()));
    let rows = answer["rows"].as_array().expect("rows");
    for entry in REGISTRY {
        let is_row = rows.iter().any(|row| row["solver"] == entry.info.id);
        let is_skipped = answer["skipped"].as_array().expect("a list").iter().any(|it| it["solver"] == entry.info.id);
        assert!(is_row != is_skipped, "{}", entry.info.id);
    }
    let take = answer["take"].as_u64().expect("within a second per frame something holds") as usize;
    assert!(rows[take]["error"].as_f64().is_some_and(|error| error < 1.0) && rows[take]["front"] == true);
    assert_eq!(answer["sentences"][0]["row"], take);
    let command = answer["command"].as_str().expect("a command").replace("--steps 300", "--steps 3");
    let args: Vec<&str> = command.split_whitespace().skip(1).collect();
    let output = weft(&args);
    assert!(output.status.success(), "{command}: {}", text(&output.stderr));
}

#[test]
fn an_advice_comes_as_text_table_and_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| {
        let output =
            weft_in(folder.path(), &[&SMALL[..], &["--profile", "film", "--weight", "bending=0.5"], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let shown = run(&["--html", "page.html"]);
    assert!(shown.contains("Profile film: weights stretch 1, bending 0.5, whole 1"), "{shown}");
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("written");
    for part in ["<svg", "</html>", "ms per frame", "Cost [ms per frame]"] {
        assert!(page.contains(part), "{part}");
    }
    let has_requests = ["<script", "src=", "href=", "NaN", "inf,"].iter().find(|part| page.contains(**part));
    assert_eq!(has_requests, None);
    let table = run(&["--csv"]);
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(rows.headers().expect("a header").iter().collect::<Vec<_>>(), ADVICE_HEADER);
    assert!(rows.records().filter(|row| row.is_ok()).count() > 60);
}

#[test]
fn an_advice_on_nonsense_is_refused_in_one_sentence() {
    refused(&["advise", "--scene", "flga"], 2, "did you mean \"flag\"?");
    refused(&["advise", "--profile", "gmae"], 2, "take one of game, film, robotics, teaching");
    refused(&["advise", "--budget", "0"], 2, "--budget: needs a number above 0");
    refused(&["advise", "--seconds", "nan"], 2, "--seconds: needs a number above 0");
    refused(
        &["advise", "--weight", "folds=1"],
        2,
        "take one of stretch, bending, whole, stretch_limit, jitter_limit, times_limit",
    );
    refused(&["advise", "--weight", "bending"], 2, "needs the form key=number");
    refused(&["advise", "--weight", "bending=-1"], 2, "at least 0");
    refused(&["advise", "--html", "page.txt"], 2, "let it end in .html");
    refused(&["advise", "--html", "nowhere/page.html"], 2, "the folder does not exist");
    refused(&["advise", "--from", "nothing.json"], 2, "nothing.json");
}
