//! Files that cannot be written, or that two options name, are refused before the first step, and
//! what is there of an older run does not stay among new files.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::{text, weft_in};

const SMALL: [&str; 6] = ["run", "--steps", "20", "--set", "columns=4", "--set=rows=4"];
/// Every option of a run that writes, with a name that suits it.
const WRITING: [(&str, &str); 8] = [
    ("--csv", "a.csv"),
    ("--record", "a.jsonl"),
    ("--obj", "a.obj"),
    ("--snapshot", "a.json"),
    ("--autosave", "b.json"),
    ("--export", "a.ply"),
    ("--plot", "a.pdf"),
    ("--save-scene", "a.ron"),
];

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Asserts status 2 with one sentence and no step.
fn refused_in(folder: &Path, args: &[&str], part: &str) {
    let output = weft_in(folder, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.contains(part) && message.lines().count() == 1, "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

/// Runs, and returns what is said on standard error.
fn said(folder: &Path, args: &[&str]) -> String {
    let output = weft_in(folder, args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_first_step_with_one_sentence_for_all_options() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("a.d")).expect("made");
    for (option, name) in WRITING {
        let lacking = format!("no/{name}");
        let run = |file: &str| [&SMALL[..], &[option, file]].concat().iter().map(|arg| (*arg).to_owned()).collect();
        let refuse = |file: &str, part: &str| {
            let args: Vec<String> = run(file);
            refused_in(folder.path(), &args.iter().map(String::as_str).collect::<Vec<_>>(), part);
        };
        refuse(&lacking, &format!("weft: {lacking}: the folder does not exist; create it first\n"));
        let taken = format!("taken-{name}");
        std::fs::create_dir(folder.path().join(&taken)).expect("made");
        refuse(&taken, &format!("weft: {taken}: is a folder; name a file\n"));
    }
    for args in
        [["advise", "--html", "no/a.html"], ["stability", "--chart", "no/a.svg"], ["report", "--out", "no/a.html"]]
    {
        refused_in(folder.path(), &args, "the folder does not exist; create it first");
    }
    let sweep = ["sweep", "--vary", "gravity=1,2", "--steps", "1", "--out", "no/a.csv"];
    refused_in(folder.path(), &sweep, "the folder does not exist; create it first");
    // the folder of the files of a report
    std::fs::write(folder.path().join("r-files"), "").expect("written");
    refused_in(folder.path(), &["report", "--no-pictures", "--out", "r.md"], "r-files: is a file; name a folder");
}

#[test]
#[cfg(target_os = "linux")]
fn a_write_error_has_status_1_and_one_sentence_for_all_options() {
    let folder = tempfile::tempdir().expect("a folder");
    for (option, name) in WRITING {
        // a name with the right ending for a disk that is full
        let link = format!("full-{name}");
        std::os::unix::fs::symlink("/dev/full", folder.path().join(&link)).expect("linked");
        let output = weft_in(folder.path(), &[&SMALL[..], &[option, &link]].concat());
        let message = text(&output.stderr);
        let sentence = format!("weft: {link}: the disk is full; make room on it or choose another");
        // the others go on
        let (status, more) =
            if option == "--autosave" { (0, "; the run continues, and saving is tried again\n") } else { (1, "\n") };
        assert_eq!((output.status.code(), message), (Some(status), sentence + more), "{option}");
    }
}

#[test]
fn two_outputs_to_one_file_are_refused_under_any_of_its_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let two =
        |a: [&str; 2], b: [&str; 2]| refused_in(folder.path(), &[&SMALL[..], &a, &b].concat(), "as well; name another");
    two(["--csv", "x"], ["--record", "x"]);
    two(["--csv", "x"], ["--obj", "./x"]);
    two(["--snapshot", "a.json"], ["--autosave", "a.json"]);
    two(["--export", "a.obj"], ["--obj", "a.obj"]);
    let numbered = [&SMALL[..], &["--export", "a.obj", "--fps", "30", "--obj", "a-0002.obj"]].concat();
    refused_in(folder.path(), &numbered, "--export a.obj: is one of --obj a-0002.obj as well; name another");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("x", folder.path().join("link")).expect("linked");
        two(["--csv", "link"], ["--record", "x"]);
        assert_eq!(names(folder.path()), ["link"], "nothing was written");
        std::fs::write(folder.path().join("x"), "").expect("written");
        std::fs::hard_link(folder.path().join("x"), folder.path().join("hard")).expect("linked");
        two(["--csv", "x"], ["--record", "hard"]);
        // what has no end takes both
        said(folder.path(), &[&SMALL[..], &["--csv", "/dev/null", "--record", "/dev/null"]].concat());
    }
}

#[test]
fn an_output_onto_a_file_that_is_read_is_refused_and_the_file_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let commands = "{\"tick\":1,\"command\":{\"solver\":{\"id\":\"xpbd\"}}}\n";
    std::fs::write(at("c.jsonl"), commands).expect("written");
    for file in ["c.jsonl", "./c.jsonl"] {
        let args = [&SMALL[..], &["--commands", "c.jsonl", "--record", file]].concat();
        refused_in(folder.path(), &args, "is read by --commands; name another file to write");
    }
    assert_eq!(std::fs::read_to_string(at("c.jsonl")).expect("there"), commands);
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";
    std::fs::write(at("m.obj"), mesh).expect("written");
    let args = ["run", "--scene", "mesh", "--set", "mesh=m.obj", "--steps", "1", "--obj", "m.obj"];
    refused_in(folder.path(), &args, "--obj m.obj: the scene is made from this file; name another file to write");
    assert_eq!(std::fs::read_to_string(at("m.obj")).expect("there"), mesh);
    // a state that is continued may be written over
    said(folder.path(), &[&SMALL[..], &["--snapshot", "s.json"]].concat());
    said(folder.path(), &["run", "--steps", "2", "--from", "s.json", "--snapshot", "s.json"]);
}

#[test]
#[cfg(unix)]
fn a_link_to_a_file_that_is_not_there_is_written_through() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("real")).expect("made");
    for (option, name) in WRITING {
        std::os::unix::fs::symlink(format!("real/{name}"), folder.path().join(name)).expect("linked");
        said(folder.path(), &[&SMALL[..], &[option, name]].concat());
        assert!(folder.path().join(name).is_symlink(), "{option}");
        let real = folder.path().join("real").join(name);
        assert!(std::fs::metadata(&real).expect("written").len() > 0, "{option}");
        std::fs::remove_file(real).expect("removed");
    }
    std::os::unix::fs::symlink("none/b.obj", folder.path().join("b.obj")).expect("linked");
    refused_in(
        folder.path(),
        &[&SMALL[..], &["--obj", "b.obj"]].concat(),
        "the folder that the link names does not exist",
    );
}

#[test]
fn numbered_files_of_an_older_run_are_removed_and_counted_and_no_others_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let export = |steps: &str| {
        let args =
            ["run", "--set", "columns=4", "--set", "rows=4", "--steps", steps, "--export", "c.obj", "--fps", "60"];
        said(folder.path(), &args)
    };
    assert_eq!(export("20"), "");
    let mut others = ["c-01.obj", "c-0005x.obj", "c-0007.ply", "c.obj", "d-0009.obj"].map(str::to_owned).to_vec();
    for other in &others {
        std::fs::write(folder.path().join(other), "mine").expect("written");
    }
    // a longer run had longer numbers
    std::fs::write(folder.path().join("c-00123.obj"), "old").expect("written");
    assert_eq!(export("5"), "weft: c-NNNN.obj: 22 files of an older run removed\n");
    others.extend((1..=6).map(|number| format!("c-{number:04}.obj")));
    others.sort();
    assert_eq!(names(folder.path()), others);
    assert_eq!(std::fs::read_to_string(folder.path().join("c.obj")).expect("there"), "mine");
}

#[test]
fn a_mesh_with_a_name_of_the_numbered_files_is_neither_removed_nor_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = "v 0 1 0\nv 1 1 0\nv 0 1 1\nf 1 2 3\n";
    let input = folder.path().join("c-0100.obj");
    std::fs::write(&input, mesh).expect("written");
    let run = |steps| {
        ["run", "--scene", "mesh", "--set", "mesh=c-0100.obj", "--steps", steps, "--export", "c.obj", "--fps", "60"]
    };
    for _ in 0..2 {
        said(folder.path(), &run("3"));
        assert_eq!(std::fs::read_to_string(&input).expect("there"), mesh);
    }
    refused_in(folder.path(), &run("200"), "c.obj: c-0100.obj is read by this run and would be written");
    assert_eq!(std::fs::read_to_string(&input).expect("there"), mesh);
}

#[test]
#[cfg(target_os = "linux")]
fn sigterm_and_sighup_write_what_control_c_writes_and_ignored_signals_stay_ignored() {
    let endless = ["run", "--steps", "100000000", "--set", "columns=4", "--csv", "a.csv", "--snapshot", "a.json"];
    let start = |folder: &Path, ignored: &str| {
        let mut env = Command::new("env");
        env.args(["--default-signal=INT,TERM,HUP", &format!("--ignore-signal={ignored}"), env!("CARGO_BIN_EXE_weft")]);
        let run = env.args(endless).current_dir(folder).stderr(std::process::Stdio::piped()).spawn();
        let run = run.expect("the program starts");
        let rows = || std::fs::read_to_string(folder.join("a.csv")).unwrap_or_default().lines().count();
        while rows() < 10 {
            std::thread::sleep(Duration::from_millis(20));
        }
        run
    };
    let send = |signal: &str, to: u32| {
        assert!(Command::new("kill").args([signal, &to.to_string()]).status().expect("kill").success());
    };
    // each with another one ignored, which has no effect before
    for (signal, ignored) in [("-TERM", "HUP"), ("-HUP", "INT"), ("-INT", "TERM")] {
        let folder = tempfile::tempdir().expect("a folder");
        let run = start(folder.path(), ignored);
        send(&format!("-{ignored}"), run.id());
        send(signal, run.id());
        let output = run.wait_with_output().expect("a child");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{signal}: {message}");
        assert!(message.starts_with("weft: interrupted after ") && message.lines().count() == 1, "{message}");
        let snapshot = std::fs::read_to_string(folder.path().join("a.json")).expect("written");
        assert!(serde_json::from_str::<serde_json::Value>(&snapshot).is_ok(), "{signal}");
    }
}

#[test]
fn a_plot_as_pdf_has_any_script_and_its_fonts_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = "(title: \"Флаг на ветру, Σημαία\", grid: (columns: 4, rows: 4))";
    std::fs::write(folder.path().join("s.ron"), scene).expect("written");
    said(folder.path(), &["run", "--scene", "s.ron", "--steps", "9", "--plot", "s.pdf"]);
    let read = |program: &str, after: &[&str]| {
        Command::new(program).arg("s.pdf").args(after).current_dir(folder.path()).output().ok()
    };
    // where poppler is installed, it is the judge
    let (Some(fonts), Some(words)) = (read("pdffonts", &[]), read("pdftotext", &["-"])) else { return };
    let fonts = text(&fonts.stdout);
    assert!(fonts.lines().count() > 2, "{fonts}");
    assert!(fonts.lines().skip(2).all(|font| font.contains(" yes yes yes ")), "{fonts}");
    assert!(text(&words.stdout).contains("Флаг на ветру, Σημαία"), "{}", text(&words.stdout));
}
