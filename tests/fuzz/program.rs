//! Random command lines through the real program.

use std::path::Path;
use std::process::Command;

use weft::scene::Scene;
use weft::sim::solvers;

use crate::mutation::mutate;
use crate::random::Random;
use crate::trial::try_many;

/// `weft run` with settings, some of them wrong, and files to write.
fn arguments(random: &mut Random, folder: &Path) -> Vec<String> {
    let mut args = vec!["run".to_owned(), "--steps".to_owned(), random.below(4).to_string()];
    let mut scene = crate::settings::random_scene(random);
    let option = |args: &mut Vec<String>, name: &str, value: String| args.extend([name.to_owned(), value]);
    if random.chance(0.3) {
        let text = weft::scene::embedded("assets/scenes/table.ron").expect("it comes with the program");
        std::fs::write(folder.join("test.ron"), mutate(&text, random)).expect("written");
        option(&mut args, "--scene", "test.ron".to_owned());
    } else if random.chance(0.7) {
        option(&mut args, "--scene", random.choose(&["hanging", "table", "flag", "tabel", ""]).to_string());
    }
    if random.chance(0.7) {
        let solver = random.choose(solvers::REGISTRY).info.id;
        option(&mut args, "--solver", if random.chance(0.9) { solver.to_owned() } else { mutate(solver, random) });
        drop(scene.set("solver", solver));
    }
    option(&mut args, "--set", "columns=9".to_owned());
    option(&mut args, "--set", "rows=8".to_owned());
    let params = crate::settings::params(&mut scene);
    for _ in 0..random.below(4) {
        let param = random.choose(&params);
        let assignment = format!("{}={}", param.key, random.value(param));
        if !matches!(param.key, "columns" | "rows") {
            option(&mut args, "--set", if random.chance(0.8) { assignment } else { mutate(&assignment, random) });
        }
    }
    option(&mut args, "--set", "work_limit=1".to_owned());
    for (name, file) in [("--csv", "a.csv"), ("--obj", "a.obj"), ("--snapshot", "a.json")] {
        if random.chance(0.7) {
            option(&mut args, name, file.to_owned());
        }
    }
    args.into_iter().map(|arg| arg.replace('\0', "")).collect()
}

#[test]
fn any_command_line_ends_with_a_documented_status_and_whole_files() {
    try_many("command lines", 150, |random| {
        let folder = tempfile::tempdir().expect("a folder");
        let args = arguments(random, folder.path());
        let output = Command::new(env!("CARGO_BIN_EXE_weft"))
            .args(&args)
            .current_dir(folder.path())
            .env_remove("CARGO_MANIFEST_DIR")
            // drivers of graphics devices complain without one
            .env("XDG_RUNTIME_DIR", folder.path())
            .output()
            .expect("the program starts");
        // a random cloth may start inside something, which is told and is no error
        let is_of_start = |line: &&str| line.ends_with("move one of the two");
        let message = String::from_utf8_lossy(&output.stderr);
        let message: String =
            message.lines().filter(|line| !is_of_start(line)).map(|line| format!("{line}\n")).collect();
        let wrong = |what: &str| Err(format!("{what}: {args:?}: {message}"));
        let written = |name: &str| std::fs::read_to_string(folder.path().join(name)).ok();
        let files = ["a.csv", "a.obj", "a.json"].map(written);
        let wanted = ["a.csv", "a.obj", "a.json"].map(|name| args.iter().any(|arg| arg == name));
        match output.status.code() {
            Some(0) if !message.is_empty() => return wrong("it has something to say"),
            Some(1 | 2) if message.trim_end().lines().count() != 1 && !message.starts_with("error: ") => {
                return wrong("not one sentence");
            }
            Some(2) if files.iter().any(Option::is_some) => return wrong("bad input leaves files behind"),
            Some(0 | 1) if files.iter().zip(wanted).any(|(file, wanted)| file.is_some() != wanted) => {
                return wrong("not the files that were asked for");
            }
            Some(0..=2) => {}
            _ => return wrong("another exit status"),
        }
        let entries = std::fs::read_dir(folder.path()).expect("a folder").count();
        let known = files.iter().flatten().count() + usize::from(folder.path().join("test.ron").exists());
        if entries != known {
            return wrong("it leaves something else behind");
        }
        let [csv, obj, json] = files;
        let not_finite = |text: &str| text.contains("NaN") || text.contains("inf");
        if csv.iter().chain(&obj).any(|text| not_finite(text) || !text.ends_with('\n')) {
            return wrong("a file that is not finite or not whole");
        }
        match json.map(|json| weft::scene::Snapshot::parse(&json, "a.json")) {
            Some(Err(error)) => wrong(&error.to_string()),
            _ => Ok(()),
        }
    });
}

#[test]
fn the_names_of_the_scenes_that_are_tried_exist() {
    for name in ["hanging", "table", "flag"] {
        assert!(Scene::load(name).is_ok(), "{name}");
    }
}
