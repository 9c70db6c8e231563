//! The pages of the five papers. Each row names a test, a command or a scene that exists, or says that something is
//! not there yet.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Pages, their numbers of rows, and of those that say what is not there yet: these numbers may only fall.
const PAPERS: [(&str, usize, usize); 5] = [
    ("kang", 33, 0),
    ("kang-cho-park", 29, 0),
    ("report", 21, 0),
    ("projective-dynamics", 50, 0),
    ("soft-constraints", 12, 0),
];

/// What a row says that lacks something.
const OPEN: &str = "not there yet: ";

/// The rows of a page that begin with a number: their cells.
fn rows(page: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(format!("src/papers/{page}.md")).expect("a page");
    let lines = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = lines.map(|line| line.split(" | ").map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
    cells.filter(|cells| cells[0].parse::<usize>().is_ok()).collect()
}

/// Spans of code.
fn spans(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Adds the names of the tests below a folder, as in `suite::module::name`.
fn add_tests(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("it").path();
        if path.is_dir() {
            add_tests(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let below = path.strip_prefix("tests").expect("it is there").with_extension("");
            let mut module: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            module.retain(|part| !["main", "mod"].contains(&part.as_str()));
            let text = fs::read_to_string(&path).expect("text");
            found.extend(functions(&text).map(|name| format!("{}::{name}", module.join("::"))));
        }
    }
}

/// The names of the tests of a file, with those that a macro of the file makes of lines like `name: "…", …;`.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("#[test]").skip(1);
    let names = after.filter_map(|rest| rest.split_once("fn ")?.1.split_once('(')).map(|(name, _)| name);
    let (by_macro, written): (Vec<&str>, Vec<&str>) = names.partition(|name| name.starts_with('$'));
    let lines = text.lines().filter(move |_| !by_macro.is_empty());
    written.into_iter().chain(lines.filter_map(|line| Some(line.strip_prefix("    ")?.split_once(": \"")?.0)))
}

fn tests() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    add_tests(Path::new("tests"), &mut found);
    found
}

fn is_scene(name: &str) -> bool {
    Path::new(&format!("assets/scenes/{name}.ron")).exists()
}

/// What is wrong with a command line, if the program is there to tell.
fn fault_of_command(command: &str) -> Option<String> {
    let args: Vec<&str> = command.split_whitespace().skip(1).collect();
    let pairs = || args.windows(2);
    if let Some(scene) = pairs().find(|pair| pair[0] == "--scene" && !is_scene(pair[1])) {
        return Some(format!("there is no scene {}", scene[1]));
    }
    let absent = [("--interface", cfg!(feature = "app")), ("--gpu", cfg!(feature = "gpu"))];
    if absent.iter().any(|(option, is_there)| !is_there && args.contains(option)) {
        return None;
    }
    let program = option_env!("CARGO_BIN_EXE_weft")?;
    let run = |args: &[&str]| {
        let output = Command::new(program).args(args).output().expect("the program starts");
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // help is printed once all that stands before it has been understood
    let understood = run(&[&args[..], &["--help"]].concat());
    // solvers and keys are known where all of them are listed
    let choices: Vec<&str> =
        pairs().filter(|pair| ["--scene", "--solver", "--set"].contains(&pair[0])).flatten().copied().collect();
    understood.or_else(|| if choices.contains(&"--scene") { run(&[&["scenes"], &choices[..]].concat()) } else { None })
}

/// What is wrong with the proofs of a row.
fn faults(proofs: &str, row: &str, tests: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for proof in spans(proofs) {
        if proof.starts_with("weft ") {
            faults.extend(fault_of_command(proof).map(|fault| format!("{proof}: {fault}")));
        } else if !tests.contains(proof) && !is_scene(proof) {
            faults.push(format!("{proof} is no test, command or scene"));
        }
    }
    if spans(proofs).next().is_none() && !row.contains(OPEN) {
        faults.push("it names no proof".to_owned());
    }
    let files = spans(row).filter(|span| span.ends_with(".rs") && !Path::new("src").join(span).exists());
    faults.extend(files.map(|file| format!("there is no src/{file}")));
    faults
}

#[test]
fn every_row_of_a_paper_names_a_test_a_command_or_a_scene_that_exists() {
    let tests = tests();
    let mut bad = Vec::new();
    assert_eq!(PAPERS.iter().map(|(_, count, _)| count).sum::<usize>(), 145);
    for (page, count, open) in PAPERS {
        let rows = rows(page);
        let numbers: Vec<usize> = rows.iter().map(|row| row[0].parse().expect("a number")).collect();
        assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "{page}: the lines of the paper in order");
        for row in &rows {
            assert_eq!(row.len(), 5, "{page}: {row:?}");
            let found = faults(&row[3], &row.join(" "), &tests);
            bad.extend(found.into_iter().map(|fault| format!("{page}, {}: {fault}", row[0])));
        }
        let lacking = rows.iter().filter(|row| row.join(" ").contains(OPEN)).count();
        if lacking != open {
            bad.push(format!("{page}: {lacking} rows say what is not there yet, and {open} are stated here"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn every_misprint_has_its_right_form_and_a_test_that_shows_it() {
    let tests = tests();
    let rows = rows("errata");
    assert!(rows.len() >= 18, "{}", rows.len());
    let mut bad = Vec::new();
    for (row, number) in rows.iter().zip(1..) {
        assert!(row.len() == 6 && row[0] == number.to_string() && row.iter().all(|cell| !cell.is_empty()), "{row:?}");
        let shown: Vec<&str> = spans(&row[5]).filter(|proof| tests.contains(*proof)).collect();
        bad.extend(faults(&row[5], &row.join(" "), &tests).into_iter().map(|fault| format!("{number}: {fault}")));
        if shown.is_empty() {
            bad.push(format!("{number}: no test shows it"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn a_test_a_command_or_a_scene_that_does_not_exist_is_found() {
    let tests = tests();
    let is_fine = |proofs: &str| faults(proofs, proofs, &tests).is_empty();
    // written in a file, in a folder of modules, by a macro, in a block of random cases
    assert!(is_fine("`sim::oscillator::an_isolated_pair_has_the_exact_relative_velocity_after_any_step`"));
    assert!(is_fine("`sim::second_order::order::the_measured_order_is_the_stated_one_of_the_scheme`"));
    assert!(is_fine("`sim::reference::implicit_euler_raw`"));
    assert!(is_fine("`sim::oscillator::the_impulse_is_finite_and_continuous_across_critical_damping`"));
    assert!(is_fine("`kang-figure-3`; `weft stability --windows windows.svg`"));
    for wrong in [
        "`sim::oscillator::an_isolated_pair_has_the_exact_relative_velocity_after_any_stpe`",
        "`sim::windows::an_isolated_pair_has_the_exact_relative_velocity_after_any_step`",
        "`sim::oscillator::exact_rate`",
        "`sim::reference::implicit_euler_rwa`",
        "`kang-figure-33`",
        "`weft run --scene kang-figure-33`",
        "seen by eye",
        "`kang-figure-3`, in `sim/solvers/harmonic_oscilator.rs`",
    ] {
        assert!(!is_fine(wrong), "{wrong}");
    }
    if option_env!("CARGO_BIN_EXE_weft").is_some() {
        for wrong in ["`weft stabilise`", "`weft stability --window w.svg`", "`weft run --scene flag --set stifness=3`"]
        {
            assert!(!is_fine(wrong), "{wrong}");
        }
        assert!(is_fine("`weft run --scene flag --set structural_stiffness=3 --steps 1`"));
    }
}
