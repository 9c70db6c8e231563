//! Recordings, and runs that are killed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{refused, text, weft, weft_in};

/// How long the tests wait for what has to come.
const PATIENCE: Duration = Duration::from_secs(300);

fn on_threads(folder: &Path, threads: &str, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(args)
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", threads)
        .output()
        .expect("the program starts");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
#[ignore = "full tier"]
fn a_run_is_repeated_to_the_bit_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let commands = "{\"tick\":10,\"command\":{\"grab\":{\"vertex\":5,\"target\":[0.1,0.9,0.3]}}}\n\
                    {\"tick\":20,\"command\":{\"solver\":{\"id\":\"xpbd\"}}}\n{\"tick\":30,\"command\":\"release\"}\n";
    std::fs::write(folder.path().join("c.jsonl"), commands).expect("written");
    for scene in ["heap", "flag"] {
        let run = ["run", "--scene", scene, "--steps", "40", "--commands", "c.jsonl", "--record", "a.jsonl"];
        assert_eq!(on_threads(folder.path(), "1", &run).0, Some(0));
        for threads in ["1", "2", "8"] {
            let (status, said) = on_threads(folder.path(), threads, &["replay", "a.jsonl"]);
            assert_eq!(status, Some(0), "{said}");
            assert!(
                said.starts_with("40 steps, recorded by this build (") && said.ends_with("\nidentical\n"),
                "{said}"
            );
        }
    }
}

#[test]
fn a_recording_that_was_changed_diverges_with_step_vertex_and_distance() {
    let folder = tempfile::tempdir().expect("a folder");
    let commands = "{\"tick\":10,\"command\":{\"set\":{\"key\":\"gravity\",\"value\":3.0}}}\n";
    std::fs::write(folder.path().join("c.jsonl"), commands).expect("written");
    let run = ["run", "--steps", "40", "--scene", "hanging", "--commands", "c.jsonl", "--record", "a.jsonl"];
    assert!(weft_in(folder.path(), &run).status.success());
    let recording = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("written");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("b.jsonl", &recording.replace("\"value\":3.0", "\"value\":3.001"));
    let output = weft_in(folder.path(), &["replay", "b.jsonl"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let last = said.lines().last().expect("a line");
    assert!(last.starts_with("diverged at step 11: vertex ") && last.ends_with(" m at step 40"), "{last}");
    let output = weft_in(folder.path(), &["replay", "b.jsonl", "--tolerance", "0.1"]);
    assert!(output.status.success() && text(&output.stdout).contains("\nwithin "), "{}", text(&output.stdout));

    // one of another build is compared by distance
    let build = recording.split("\"build\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a build");
    write("c.jsonl", &recording.replace(build, "0.0.1 0"));
    let output = weft_in(folder.path(), &["replay", "c.jsonl"]);
    assert!(
        text(&output.stdout).contains("recorded by another build (0.0.1 0)\nidentical"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn what_cannot_be_replayed_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.jsonl").to_string_lossy().into_owned();
    refused(&["replay", &file], 2, "the recording cannot be read");
    std::fs::write(&file, "{\"tick\":0,\"command\":\"reset\"}\n").expect("written");
    refused(&["replay", &file], 2, "a.jsonl, line 1: not a line of a recording");
    refused(&["replay", &file, "--tolerance=-1"], 2, "--tolerance: needs a distance");
    refused(&["run", "--steps", "1", "--record", "nowhere/a.jsonl"], 2, "the folder does not exist");
}

#[test]
#[ignore = "full tier"]
fn a_run_that_is_killed_a_hundred_times_goes_on_from_a_whole_state_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state.json");
    let step = || -> Option<u64> {
        let read = std::fs::read_to_string(&state).ok()?;
        let snapshot: serde_json::Value = serde_json::from_str(&read).expect("a whole state");
        snapshot["step"].as_u64()
    };
    let changed = || state.metadata().and_then(|about| about.modified()).ok();
    let (mut last, mut grown) = (0, 0);
    for kill in 0..100_u64 {
        let from: &[&str] = if last > 0 { &["--from", "state.json"] } else { &["--scene", "hanging"] };
        let mut run = Command::new(env!("CARGO_BIN_EXE_weft"))
            .args(["run", "--steps", "100000000", "--autosave", "state.json", "--autosave-every", "0.001"])
            .args(from)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // at moments that differ: of every second run before there may be anything, of the others
        // after it wrote
        let written = changed();
        while kill % 2 == 1 && changed() == written {
            assert!(run.try_wait().expect("a child").is_none(), "it ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis((kill * 37) % 130));
        run.kill().expect("it was running");
        run.wait().expect("it has ended");
        if let Some(step) = step() {
            assert!(step >= last, "kill {kill}: it went back from step {last} to {step}");
            grown += u32::from(step > last);
            last = step;
        }
    }
    assert!(grown > 30, "only {grown} of 100 runs went on");
    let output = weft_in(folder.path(), &["run", "--from", "state.json", "--steps", "1", "--snapshot", "end.json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // what the killed ones had begun to write is gone
    let entries = std::fs::read_dir(folder.path()).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["end.json", "state.json"]);
    assert!(!weft(&["run", "--steps", "1", "--autosave-every", "2"]).status.success(), "of what?");
}

/// Starts a run without end that is recorded, waits for so many lines of it, ends it by `signal`,
/// and returns what is on the disk.
#[cfg(unix)]
fn ended_by(signal: &str, lines: usize, folder: &Path) -> Vec<u8> {
    let file = folder.join("a.jsonl");
    // that of another run would be taken for this one
    let _ = std::fs::remove_file(&file);
    let mut run = Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(["run", "--scene", "stability", "--steps", "100000000", "--record", "a.jsonl"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let since = Instant::now();
    let written = || std::fs::read(&file).unwrap_or_default();
    while written().iter().filter(|&&byte| byte == b'\n').count() < lines {
        assert!(run.try_wait().expect("a child").is_none(), "it ended by itself");
        assert!(since.elapsed() < PATIENCE, "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args([signal, &run.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let status = run.wait().expect("it has ended");
    // one that can be caught ends it as Ctrl+C does
    assert_eq!(status.code(), (signal != "-KILL").then_some(130), "{signal} has ended it");
    written()
}

#[test]
#[cfg(unix)]
fn what_a_run_that_was_ended_by_a_signal_has_recorded_is_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let replays = |text_of: &[u8]| {
        std::fs::write(folder.path().join("a.jsonl"), text_of).expect("written");
        let output = weft_in(folder.path(), &["replay", "a.jsonl"]);
        let said = text(&output.stdout);
        assert!(output.status.success() && said.ends_with("\nidentical\n"), "{said}{}", text(&output.stderr));
        let steps: usize = said.split(' ').next().and_then(|steps| steps.parse().ok()).expect("a number of steps");
        (steps, text(&output.stderr))
    };
    for (signal, lines) in [("-KILL", 1), ("-TERM", 2), ("-KILL", 40), ("-TERM", 400)] {
        let recorded = ended_by(signal, lines, folder.path());
        let end = recorded.iter().rposition(|&byte| byte == b'\n').expect("a line") + 1;
        let whole = String::from_utf8(recorded[..end].to_vec()).expect("text");
        let steps = whole.lines().filter(|line| line.starts_with("{\"step\"")).count();
        assert!(steps + 2 >= lines, "{steps} steps in {lines} lines");
        let (repeated, message) = replays(&recorded);
        assert_eq!((repeated, message.is_empty()), (steps, end == recorded.len()), "{message}");
        // a last line that was cut off is left out, and that is said
        if whole.lines().last().is_some_and(|line| line.starts_with("{\"step\"")) {
            let (repeated, message) = replays(&recorded[..end - 4]);
            assert_eq!(repeated, steps - 1);
            let line = whole.lines().count();
            assert!(message.starts_with(&format!("weft: a.jsonl, line {line}: it was cut off")), "{message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_recording_that_the_disk_does_not_take_ends_the_run_in_a_sentence() {
    let output = weft(&["run", "--steps", "100000000", "--record", "/dev/full", "--timeout", "300"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("weft: /dev/full: ") && message.contains("the disk is full"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn what_cannot_be_taken_back_without_a_window_is_refused_with_the_cause() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, tick) in [("\"undo\"", 5), ("{\"go_to\":{\"step\":2}}", 4)] {
        let list = format!("{{\"tick\":2,\"command\":\"iron\"}}\n{{\"tick\":{tick},\"command\":{command}}}\n");
        std::fs::write(folder.path().join("c.jsonl"), list).expect("written");
        let output = weft_in(folder.path(), &["run", "--steps", "9", "--commands", "c.jsonl"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        let said = format!("weft: c.jsonl: tick {tick}: this run has no time line, so it cannot go back");
        assert!(message.starts_with(&said) && message.lines().count() == 1, "{message}");
    }
}
