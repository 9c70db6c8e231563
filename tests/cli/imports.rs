//! The files of the command line import one another in one direction.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The `.rs` files below `folder`.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Module path of a file: `cli::bench::step`.
fn module(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).expect("below the root").with_extension("");
    let parts: Vec<_> =
        inside.iter().map(|part| part.to_string_lossy().into_owned()).filter(|part| part != "mod").collect();
    parts.join("::")
}

/// The modules of `known` that `text`, the source of `from`, names in a path.
fn imports(text: &str, from: &str, known: &[String]) -> Vec<String> {
    let parent = |of: &str| of.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_owned());
    // `super` is of the folder for a file, and of the folder above for `mod.rs`, whose module is the folder itself
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n").replace("super::super::", &format!("crate::{}::", parent(&parent(from))));
    let code = code.replace("super::", &format!("crate::{}::", parent(from)));
    let names = |module: &String| {
        let path = format!("crate::{module}::");
        code.contains(&path) && module != from
    };
    // a path into a folder's file is no import of the folder
    let mut named: Vec<String> = known.iter().filter(|module| names(module)).cloned().collect();
    let all = named.clone();
    named.retain(|module| {
        let path = format!("crate::{module}::");
        let into = |at: usize| {
            all.iter().any(|other| {
                other.starts_with(&format!("{module}::")) && code[at..].starts_with(&format!("crate::{other}::"))
            })
        };
        code.match_indices(&path).any(|(at, _)| !into(at))
    });
    named
}

#[test]
fn no_file_of_the_command_line_imports_one_that_imports_it() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut files = Vec::new();
    sources(&root.join("cli"), &mut files);
    let modules: Vec<String> = files.iter().map(|file| module(root, file)).collect();
    let mut graph: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, module) in files.iter().zip(&modules) {
        let text = std::fs::read_to_string(file).expect("a source file");
        let mut named = imports(&text, module, &modules);
        // a folder's file uses what it declares
        let declared = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
        named.extend(declared.map(|name| format!("{module}::{name}")));
        graph.insert(module.clone(), named);
    }
    assert!(graph["cli::run"].contains(&"cli::output".to_owned()), "the test reads no imports: {graph:#?}");
    // what imports nothing any more is taken off, from the bottom up; a circle stays
    loop {
        let done: Vec<String> =
            graph.iter().filter(|(_, named)| named.is_empty()).map(|(name, _)| name.clone()).collect();
        if done.is_empty() {
            break;
        }
        graph.retain(|name, _| !done.contains(name));
        graph.values_mut().for_each(|named| named.retain(|name| !done.contains(name)));
    }
    assert!(graph.is_empty(), "a circle: {graph:#?}");
}
