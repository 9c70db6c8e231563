//! Inputs that a system may hold beside files of text: pipes, names in other encodings, little memory, control
//! characters.

use std::path::Path;
use std::process::{Command, Output};

use crate::{text, weft_in};

const SMALL: [&str; 6] = ["run", "--steps", "3", "--set", "columns=5", "--set=rows=5"];
/// What a terminal takes for a command, and what turns the direction of writing round.
const HIDDEN: [char; 4] = ['\u{1b}', '\u{9b}', '\u{7}', '\u{202e}'];

/// Runs a script of a shell in `folder` that has the program as `$0`.
#[cfg(unix)]
fn sh(folder: &Path, script: &str) -> Output {
    Command::new("timeout")
        .args(["60", "sh", "-c", script, env!("CARGO_BIN_EXE_weft")])
        .current_dir(folder)
        .output()
        .expect("sh")
}

#[test]
#[cfg(target_os = "linux")]
fn a_pipe_with_the_name_of_an_unfinished_file_holds_nothing_up_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    // no process has this number
    let script = "mkfifo .weft-4194305-a .weft-4194305-b.lock && \"$0\" run --steps 1 --snapshot a.json --obj a.obj";
    let output = sh(folder.path(), script);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(folder.path().join("a.json").exists() && folder.path().join(".weft-4194305-a").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn the_end_of_memory_is_a_sentence_and_status_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = "exec \"$0\" run --steps 2 --set columns=150 --set rows=150 --set self_contact=true";
    let mut told = 0;
    for kilobytes in (20_000..60_000).step_by(4_000).chain((70_000..200_000).step_by(10_000)) {
        // where the system cannot even load the program, it says so itself
        let loads = format!("ulimit -v {kilobytes}; \"$0\" --version > version 2>&1 || exit 0");
        let output = sh(folder.path(), &format!("{loads}; {run}"));
        let message = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{kilobytes}: {:?} {message}", output.status);
        if output.status.code() == Some(1) {
            assert!(message.starts_with("weft: ") && message.lines().count() == 1, "{kilobytes}: {message}");
            told += usize::from(message.contains("no memory is left for"));
        }
    }
    assert!(told > 2, "{told} told of memory");
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_no_utf_8_is_told_in_a_sentence() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let name = std::ffi::OsStr::from_bytes(b"sh\xFFirt.obj");
    std::fs::write(folder.path().join(name), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    let weft = Command::new(env!("CARGO_BIN_EXE_weft")).args(["run", "--steps", "1", "--scene"]).arg(name).output();
    let output = weft.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "weft: the argument \"sh\u{fffd}irt.obj\" is no UTF-8; give the file another name\n"
    );
}

#[test]
fn control_characters_of_files_reach_no_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let evil: String = HIDDEN.into_iter().collect::<String>() + "[31mevil";
    let escaped = evil.escape_unicode();
    let scene =
        format!("(title: \"{escaped}\", summary: \"{escaped}\", source: \"{escaped}\", grid: (columns: 4, rows: 4))");
    std::fs::write(folder.path().join("a.ron"), scene).expect("written");
    let recorded = weft_in(folder.path(), &[&SMALL[..], &["--record", "a.jsonl"]].concat());
    assert!(recorded.status.success());
    let recording = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("written");
    let build = recording.find("\"build\":\"").expect("it names its program") + 9;
    let recording = format!("{}\\u001b\\u009b{}", &recording[..build], &recording[build..]);
    std::fs::write(folder.path().join("a.jsonl"), recording).expect("written");
    let mesh = format!("{evil}.obj");
    for args in [
        &["scenes", "--scene", "a.ron"][..],
        &["scenes", "--scene", "a.ron", "--json"],
        &["run", "--scene", "a.ron", "--steps", "1"],
        &["replay", "a.jsonl"],
        &["run", "--steps", "1", "--scene", &mesh],
        &["run", "--steps", "1", "--set", &evil],
        &["report", "--scene", "a.ron", "--steps", "2", "--out", "a.html"],
    ] {
        let output = weft_in(folder.path(), args);
        for shown in [text(&output.stdout), text(&output.stderr)] {
            assert!(!shown.contains(HIDDEN), "{args:?}: {shown:?}");
        }
    }
    let json = weft_in(folder.path(), &["scenes", "--scene", "a.ron", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(listed[0]["title"].as_str(), Some(evil.as_str()), "escaped, not left out");
    if let Ok(page) = std::fs::read_to_string(folder.path().join("a.html")) {
        assert!(!page.contains(HIDDEN), "the page of a report");
    }
}
