//! Help and lists have the terms of the field.

use super::plain_words::{faults, keys};
use super::{text, weft};

#[test]
fn help_and_lists_are_in_plain_words() {
    let keys = keys();
    let commands = [
        "run",
        "render",
        "report",
        "take-home",
        "advise",
        "stability",
        "bench",
        "sweep",
        "replay",
        "prove",
        "solvers",
        "scenes",
        "lessons",
    ];
    let helps = commands.iter().map(|command| vec![*command, "--help"]);
    let lists = [vec!["--help"], vec!["solvers"], vec!["scenes"], vec!["lessons"], vec!["scenes", "--scene", "flag"]];
    let mut bad = Vec::new();
    for args in helps.chain(lists) {
        let output = weft(&args);
        assert!(output.status.success(), "{args:?}");
        for line in text(&output.stdout).lines() {
            let mut faults = faults(line, &keys);
            // a command line names solvers and parameters by their keys, and computes on threads
            faults.retain(|fault| !fault.starts_with("the key ") && !fault.starts_with("\"thread"));
            // values and ranges are told as they are typed
            let is_parameter = line.trim_start().split_once('=').is_some_and(|(key, _)| !key.contains(' '));
            faults.retain(|fault| !is_parameter || !fault.starts_with("the bare exponent "));
            if !faults.is_empty() {
                bad.push(format!("{args:?}: {line}: {}", faults.join(", ")));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn command_lines_in_the_pages_have_commands_and_options_that_exist() {
    let page = include_str!("../../src/command_line.md");
    let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("weft")).collect();
    assert!(lines.len() > 25, "{lines:?}");
    let options = [("--interface", cfg!(feature = "app")), ("--gpu", cfg!(feature = "gpu"))];
    for line in lines {
        let command = line.split(['#', '>']).next().unwrap_or_default();
        // without its feature a command lacks an option
        if options.iter().any(|(option, is_there)| !is_there && command.contains(option)) {
            continue;
        }
        // help is printed once all that stands before it has been understood
        let args: Vec<&str> = command.split_whitespace().skip(1).chain(["--help"]).collect();
        let output = weft(&args);
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
    }
}
