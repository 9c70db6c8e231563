//! The pages for readers: README, the pages beside the code, the description of scene files. Their
//! links lead somewhere, each is found from the README, and the README stays short.

mod papers;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Most that the README may take [bytes].
const MOST: usize = 6144;

/// A page: its file, and its text without blocks and spans of code.
struct Page {
    file: PathBuf,
    text: String,
}

impl Page {
    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).expect("a page");
        let mut lines = Vec::new();
        let mut is_code = false;
        for line in text.lines() {
            let is_fence = line.trim_start().starts_with("```");
            // rustdoc takes a block without a language for Rust
            assert!(!is_fence || is_code || line.trim() != "```", "{}: a block without a language", file.display());
            is_code ^= is_fence;
            let prose = line.split('`').step_by(2).collect::<String>();
            lines.push(if is_code || is_fence { String::new() } else { prose });
        }
        Self { file: file.to_owned(), text: lines.join("\n") }
    }

    /// The targets of its links and pictures, those of definitions at its end among them.
    fn targets(&self) -> Vec<&str> {
        let inline = self.text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        inline.chain(self.definitions().map(|(_, target)| target)).collect()
    }

    /// Names of links with the targets that they are defined to have.
    fn definitions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "))
    }

    /// The links by name, which line breaks may divide.
    fn names(&self) -> Vec<&str> {
        self.text.split("][").skip(1).filter_map(|rest| rest.split_once(']')).map(|(name, _)| name).collect()
    }

    /// The anchors of its headings, as a repository shows them.
    fn anchors(&self) -> BTreeSet<String> {
        let text = fs::read_to_string(&self.file).expect("a page");
        let headings = text.lines().filter(|line| line.starts_with('#'));
        headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn beside_the_code() -> Vec<PathBuf> {
    let entries = ["src", "src/papers"].map(|folder| fs::read_dir(folder).expect("the sources"));
    let entries = entries.into_iter().flatten().map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    files.sort();
    assert!(files.len() > 11, "{files:?}");
    files
}

fn pages() -> Vec<Page> {
    let others = ["README.md", "assets/scenes/README.md", "assets/lessons/README.md"].map(PathBuf::from);
    others.into_iter().chain(beside_the_code()).map(|file| Page::read(&file)).collect()
}

#[test]
fn links_lead_to_files_and_headings_that_are_there() {
    let mut broken = Vec::new();
    for page in pages() {
        let folder = page.file.parent().expect("of a file");
        for target in page.targets().into_iter().filter(|target| !target.starts_with("https://")) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { page.file.clone() } else { folder.join(path) };
            let has_heading = || heading.is_empty() || Page::read(&file).anchors().contains(heading);
            if !file.exists() || !has_heading() {
                broken.push(format!("{}: {target}", page.file.display()));
            }
        }
        let defined: BTreeSet<&str> = page.definitions().map(|(name, _)| name).collect();
        let (file, names) = (page.file.display(), page.names());
        broken.extend(names.iter().filter(|name| !defined.contains(*name)).map(|name| format!("{file}: [{name}]")));
        let unused = defined.iter().filter(|name| !names.contains(*name));
        broken.extend(unused.map(|name| format!("{file}: nothing refers to [{name}]")));
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_page_is_shown_with_the_code_and_found_from_the_readme() {
    let library = fs::read_to_string("src/lib.rs").expect("a text");
    let readme = Page::read(Path::new("README.md"));
    for file in beside_the_code() {
        let name = file.strip_prefix("src").expect("below it").to_string_lossy();
        assert!(library.contains(&format!("{name:?}")), "{name} is no module of src/lib.rs");
        assert!(readme.targets().contains(&&*file.to_string_lossy()), "the README does not name {name}");
    }
}

#[test]
fn the_readme_is_short() {
    let length = fs::read("README.md").expect("a page").len();
    assert!(length <= MOST, "{length} bytes, at most {MOST}: the rest belongs to a page of its own");
}
