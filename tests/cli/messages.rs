//! Messages repeat at most 80 characters of what was wrong, on one line.

use std::path::Path;

use crate::{text, weft_in};

/// A word that nobody means.
fn long() -> String {
    "abcdefghij".repeat(10_000)
}

/// Asserts a refusal that repeats something of the word, but no more than 80 characters of it.
fn is_short(folder: &Path, args: &[&str], repeats: bool) {
    let output = weft_in(folder, args);
    let message = text(&output.stderr);
    let shown: String = args.iter().map(|arg| arg.chars().take(30).collect::<String>() + " ").collect();
    assert_eq!(output.status.code(), Some(2), "{shown}: {}", &message[..message.len().min(500)]);
    assert!(message.len() < 4_000, "{shown}: {} bytes", message.len());
    let longest = message.split(|c: char| !c.is_alphanumeric()).map(str::len).max();
    assert!(longest <= Some(80), "{shown}: {message}");
    assert!(!repeats || message.contains('…') && message.contains("abcdefghij"), "{shown}: {message}");
}

#[test]
fn a_very_long_word_is_not_echoed_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let word = long();
    let run = |args: &[&str]| is_short(folder.path(), &[&["run", "--steps", "1"], args].concat(), true);
    run(&["--solver", &word]);
    run(&["--scene", &word]);
    run(&["--scene", &format!("{word}.ron")]);
    run(&["--from", &word]);
    run(&["--set", &word]);
    run(&["--set", &format!("{word}=1")]);
    run(&["--set", &format!("gravity={word}")]);
    run(&["--set", &format!("pins={word}")]);
    run(&["--set", &format!("solver={word}")]);
    run(&["--obj", &format!("{word}/a.obj")]);
    run(&[&format!("--{word}")]);
    run(&[&word]);
    is_short(folder.path(), &["run", "--steps", &word], true);
    is_short(folder.path(), &["run", "--scene", "mesh", "--steps=1", "--set", &format!("mesh={word}")], true);
    is_short(folder.path(), &["stability", "--vary", &word], true);
    is_short(folder.path(), &["bench", "--solvers", &word], true);
    is_short(folder.path(), &["bench", "--sizes", &word], true);
    is_short(folder.path(), &["scenes", "--scene", &word], true);
    is_short(folder.path(), &[&word], true);
}

#[test]
fn what_a_file_holds_is_not_echoed_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let word = long();
    let words = "abcdefghij ".repeat(10_000);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    for (number, scene) in [
        format!("({word}: 1)"),
        format!("(solver: \"{word}\")"),
        format!("(pins: {word})"),
        format!("(grid: (columns: \"{word}\"))"),
        format!("(grid: (columns: \"{words}\"))"),
        format!("(settings: {{\"{word}\": 1}})"),
        format!("(settings: {{\"iterations\": \"{word}\"}})"),
        format!("(mesh: (file: \"{word}\"))"),
        word.clone(),
    ]
    .iter()
    .enumerate()
    {
        let name = format!("{number}.ron");
        write(&name, scene);
        is_short(folder.path(), &["run", "--steps", "1", "--scene", &name], false);
    }
    for (number, mesh) in
        [format!("v {word} 0 0\nf 1 1 1\n"), format!("v 0 0 0\nf {word} 1 1\n"), format!("v 0 0 0\nf {word}\n")]
            .iter()
            .enumerate()
    {
        let name = format!("{number}.obj");
        write(&name, mesh);
        let set = format!("mesh={name}");
        is_short(folder.path(), &["run", "--steps", "1", "--scene", "mesh", "--set", &set], true);
    }
    for (number, snapshot) in [
        format!("{{\"{word}\": 1}}"),
        format!("{{\"weft\": \"{word}\"}}"),
        format!("{{\"weft\": \"{words}\"}}"),
        word.clone(),
    ]
    .iter()
    .enumerate()
    {
        let name = format!("{number}.json");
        write(&name, snapshot);
        is_short(folder.path(), &["run", "--steps", "1", "--from", &name], false);
    }
}

#[test]
fn a_line_break_in_a_word_does_not_break_the_message() {
    for bad in ["gravity=1\n2", "gravity=\u{1b}[31m", "x\ny=1", "solver=a\r\nb", "mesh=a\nb.obj"] {
        crate::refused(&["run", "--steps", "1", "--scene", "mesh", "--set", bad], 2, "");
    }
}
