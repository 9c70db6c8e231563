//! The order of rooms: what a folder may import. It is read from the sources, so that no circle can creep in.
//!
//! A room is a folder or file directly below `src/`, and inside the library (`src/sim/`) one directly below that. A room may
//! import those that stand before it in [`ORDER`], and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From bottom to top.
const ORDER: &[&str] = &[
    "sim/math",
    "sim/params",
    "sim/exec",
    "sim/pattern",
    "sim/model",
    "sim/linear",
    "sim/topology",
    "sim/stretch",
    "sim/forces",
    "sim/contact",
    "sim/state",
    "sim/step",
    "sim/measure",
    "sim/solver_interface",
    "sim/constraints",
    // its solvers stand in the registry beside the others
    "gpu",
    "sim/solvers",
    "sim/simulation",
    "sim/quantities",
    "sim/study",
    "sim",
    "scene",
    "documents",
    "session",
    "plugin",
    "app",
    "cli",
];

/// The room of a module, from the names of its path.
fn room(path: &[String]) -> String {
    match path {
        [first, second, ..] if first == "sim" => format!("sim/{second}"),
        [first, ..] => first.clone(),
        [] => String::new(),
    }
}

/// A source file: where its module is, and its code without comments.
struct Source {
    file: PathBuf,
    module: Vec<String>,
    code: String,
}

fn sources(folder: &Path, found: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            // a crate of its own imports the whole library
            if !path.join("Cargo.toml").is_file() {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            let below = path.strip_prefix("src").expect("it is there").with_extension("");
            let mut module: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            module.retain(|part| !["mod", "lib", "main"].contains(&part.as_str()));
            let code =
                text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
            found.push(Source { file: path, module, code });
        }
    }
}

/// The paths that `tree` names, as in `a::{b, c::{d, e}}`.
fn expand(prefix: &[String], tree: &str, found: &mut Vec<Vec<String>>) {
    let (mut depth, mut start) = (0, 0);
    let mut parts = Vec::new();
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[start..]);
    for part in parts.into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        let (path, rest) = part.split_once('{').map_or((part, None), |(path, rest)| (path, rest.rsplit_once('}')));
        let path = path.split(" as ").next().unwrap_or_default();
        let segments = path.split("::").map(str::trim).filter(|segment| !segment.is_empty()).map(str::to_owned);
        let whole: Vec<String> = prefix.iter().cloned().chain(segments).collect();
        match rest {
            Some((inner, _)) => expand(&whole, inner, found),
            None => found.push(whole),
        }
    }
}

/// The path from the crate's root, if it is one of the crate.
fn absolute(module: &[String], path: &[String]) -> Option<Vec<String>> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some(module.iter().chain(&path[1..]).cloned().collect()),
        "super" => {
            let ups = path.iter().take_while(|segment| *segment == "super").count();
            let base = &module[..module.len().checked_sub(ups)?];
            Some(base.iter().chain(&path[ups..]).cloned().collect())
        }
        _ => None,
    }
}

/// Statements `use …;` of a file.
fn uses(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let before = rest[..at].trim_end_matches(' ');
        let line = before.rsplit('\n').next().unwrap_or_default().trim();
        let (after, tail) = rest[at + 4..].split_once(';').unwrap_or((&rest[at + 4..], ""));
        if line.is_empty() || line.starts_with("pub") {
            found.push(after);
            rest = tail;
        } else {
            rest = &rest[at + 4..];
        }
    }
    found
}

/// Paths in the code that begin with `crate::` or `super::`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let is_inside = code[..at].ends_with(|letter: char| letter.is_alphanumeric() || "_:$".contains(letter));
            if !is_inside {
                let path: String = code[at..]
                    .chars()
                    .take_while(|letter| letter.is_alphanumeric() || "_:".contains(*letter))
                    .collect();
                // the beginning of a list in braces says nothing yet
                if !path.ends_with("::") {
                    found.push(path.split("::").map(str::to_owned).collect());
                }
            }
        }
    }
    found
}

/// All imports of the crate: file, module, imported path as written, where that is.
fn imports() -> Vec<(PathBuf, Vec<String>, String, Vec<String>)> {
    let mut all = Vec::new();
    sources(Path::new("src"), &mut all);
    // what a module imports, its children can import of it, and where it is public others
    let mut passed_on: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for source in &all {
        for tree in uses(&source.code) {
            let mut trees = Vec::new();
            expand(&[], tree, &mut trees);
            for path in trees {
                let target = absolute(&source.module, &path)
                    .unwrap_or_else(|| source.module.iter().chain(&path).cloned().collect());
                let name = path.last().cloned().unwrap_or_default();
                passed_on.insert(source.module.iter().cloned().chain([name]).collect(), target);
            }
        }
    }
    let origin = |mut path: Vec<String>| {
        for _ in 0..8 {
            let known = (1..=path.len()).rev().find(|&length| passed_on.contains_key(&path[..length]));
            let Some(length) = known else { break };
            path = passed_on[&path[..length]].iter().chain(&path[length..]).cloned().collect();
        }
        path
    };
    let mut found = Vec::new();
    for source in all.into_iter().filter(|source| !source.module.is_empty()) {
        let mut imported = paths(&source.code);
        for tree in uses(&source.code) {
            expand(&[], tree, &mut imported);
        }
        for path in imported {
            if let Some(target) = absolute(&source.module, &path) {
                found.push((source.file.clone(), source.module.clone(), path.join("::"), origin(target)));
            }
        }
    }
    found
}

#[test]
fn rooms_import_in_one_direction() {
    let rank = |room: &str| ORDER.iter().position(|known| *known == room);
    let mut faults = BTreeSet::new();
    for (file, module, path, target) in imports() {
        let (own, other) = (room(&module), room(&target));
        let Some(own_rank) = rank(&own) else {
            faults.insert(format!("{}: the room {own} has no place in the order", file.display()));
            continue;
        };
        // macros stand at the root, which has no place
        if rank(&other).is_some_and(|other_rank| other != own && other_rank >= own_rank) {
            faults.insert(format!("{}: {own} imports {other} ({path})", file.display()));
        }
    }
    assert!(faults.is_empty(), "imports against the order of rooms:\n{}", Vec::from_iter(faults).join("\n"));
}

/// Which of the entries of a folder (files and folders in it) import which others.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// What the entries of each folder import of each other. What a folder's own `mod.rs` imports of its entries,
/// and they of it, counts for nothing; the folders of the crate and of the library have their order.
fn imports_of_siblings() -> BTreeMap<String, Imports> {
    let all = imports();
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let modules: BTreeSet<&[String]> = files.iter().map(|source| &source.module[..]).collect();
    let mut folders: BTreeMap<String, Imports> = BTreeMap::new();
    for (_, module, _, target) in &all {
        let Some(length) = (1..=target.len()).rev().find(|&length| modules.contains(&target[..length])) else {
            continue;
        };
        let common = module.iter().zip(&target[..length]).take_while(|(own, other)| own == other).count();
        if common > 0 && common < module.len() && common < length && module[..common] != ["sim"] {
            let siblings = folders.entry(module[..common].join("/")).or_default();
            siblings.entry(module[common].clone()).or_default().insert(target[common].clone());
        }
    }
    folders
}

/// Leaves the entries that import each other in a circle, and those on the way from one circle to another.
fn keep_circles(imports: &mut Imports) {
    // what imports nothing that is left, or is imported by nothing, can be taken away
    loop {
        let left: BTreeSet<String> = imports.keys().cloned().collect();
        let imported: BTreeSet<String> = imports.values().flatten().cloned().collect();
        imports.values_mut().for_each(|targets| targets.retain(|target| left.contains(target)));
        let before = imports.len();
        imports.retain(|entry, targets| !targets.is_empty() && imported.contains(entry));
        if imports.len() == before {
            break;
        }
    }
}

#[test]
fn files_and_folders_beside_each_other_import_in_no_circle() {
    let mut folders = imports_of_siblings();
    folders.values_mut().for_each(keep_circles);
    folders.retain(|_, circles| !circles.is_empty());
    assert!(folders.is_empty(), "imports in a circle, by folder: {folders:#?}");
}

#[test]
fn the_library_has_no_state_of_the_process_but_the_right_to_workers_and_the_choice_of_kernels() {
    let mut all = Vec::new();
    sources(Path::new("src/sim"), &mut all);
    let changes = ["Atomic", "Cell", "Lock", "Mutex", "Once", "mut "];
    let mut found: Vec<&str> = all
        .iter()
        .flat_map(|source| source.code.lines())
        .filter(|line| line.contains("thread_local!") || changes.iter().any(|kind| line.contains(kind)))
        .filter_map(|line| line.trim().strip_prefix("pub ").unwrap_or(line.trim()).strip_prefix("static "))
        .filter_map(|declared| declared.split(':').next())
        .collect();
    found.sort_unstable();
    assert_eq!(found, ["CALLED", "ENGAGED", "PORTABLE"], "a simulation owns its state");
}
