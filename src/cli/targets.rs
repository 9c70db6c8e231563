//! The files that a command writes, checked before it does anything: whether each can be written,
//! and whether it is the file of another option.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::documents::{NumberedFiles, check_writable, folder, place_of, why_not_written};
use crate::scene::InputError;
use crate::sim::params::quote::quote;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// At the end, in place of an older one.
    Whole,
    /// The same, again and again; a full disk may have room later.
    Again,
    /// Row by row during the run.
    Grows,
    /// As numbered files of this name.
    Numbered,
}

/// Options whose file is written, and the one whose file they may replace after it was read.
const REPLACED: [[&str; 2]; 3] = [["--snapshot", "--from"], ["--autosave", "--from"], ["--save-scene", "--scene"]];

/// The files of the options of a command.
#[derive(Default)]
pub(super) struct Targets<'a> {
    reads: Vec<(&'a str, &'a str)>,
    writes: Vec<(&'a str, &'a str, Form)>,
}

impl<'a> Targets<'a> {
    /// A file that is read.
    pub fn reads(mut self, option: &'a str, file: Option<&'a String>) -> Self {
        self.reads.extend(file.map(|file| (option, file.as_str())));
        self
    }

    /// A file that is written at the end.
    pub fn whole(self, option: &'a str, file: Option<&'a String>) -> Self {
        self.add(option, file, Form::Whole)
    }

    /// A file that is written again and again.
    pub fn again(self, option: &'a str, file: Option<&'a String>) -> Self {
        self.add(option, file, Form::Again)
    }

    /// A file that is written during the run.
    pub fn grows(self, option: &'a str, file: Option<&'a String>) -> Self {
        self.add(option, file, Form::Grows)
    }

    /// Numbered files of this name.
    pub fn numbered(self, option: &'a str, file: Option<&'a String>) -> Self {
        self.add(option, file, Form::Numbered)
    }

    fn add(mut self, option: &'a str, file: Option<&'a String>, form: Form) -> Self {
        self.writes.extend(file.map(|file| (option, file.as_str(), form)));
        self
    }

    /// Refuses files that cannot be written, and those that another option reads or writes.
    pub fn check(&self) -> Result<(), InputError> {
        for &(option, file, form) in &self.writes {
            if file.is_empty() {
                return Err(InputError::new(option, "needs the name of a file"));
            }
            check(Path::new(file), form).map_err(|error| InputError::new(file, why_not_written(&error)))?;
        }
        for (at, &(option, file, form)) in self.writes.iter().enumerate() {
            let place = || name_with_option(option, file);
            let other = self.writes[..at].iter().find(|(_, its, of_it)| clash((file, form), (its, *of_it)));
            if let Some((other, its, of_it)) = other {
                let one = if form == Form::Numbered || *of_it == Form::Numbered { "one" } else { "the file" };
                let message = format!("is {one} of {other} {} as well; name another", quote(its));
                return Err(InputError::new(place(), message));
            }
            let may_replace = |other: &str| REPLACED.contains(&[option, other]);
            let read = self.reads.iter().find(|(other, its)| is_same(file, its) && !may_replace(other));
            if let Some((other, _)) = read.filter(|_| form != Form::Numbered) {
                return Err(InputError::new(place(), format!("is read by {other}; name another file to write")));
            }
        }
        Ok(())
    }

    /// Refuses to write a file that the scene is made from.
    pub fn spare(&self, files: &[PathBuf]) -> Result<(), InputError> {
        for &(option, file, _) in self.writes.iter().filter(|(.., form)| *form != Form::Numbered) {
            if files.iter().any(|read| is_same(file, &read.to_string_lossy())) {
                let message = "the scene is made from this file; name another file to write";
                return Err(InputError::new(name_with_option(option, file), message));
            }
        }
        Ok(())
    }

    /// All files that are read.
    pub fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        self.reads.iter().map(|(_, file)| PathBuf::from(file))
    }
}

/// Refuses a folder that files cannot be written in, which is made if it does not exist.
pub(super) fn check_folder(path: &Path) -> Result<(), InputError> {
    let mut there = path;
    while fs::symlink_metadata(there).is_err() {
        there = folder(there);
    }
    let fault = |why: String| Err(InputError::new(path.to_string_lossy(), why));
    if !there.is_dir() {
        return fault(
            if there == path { "is a file; name a folder" } else { "a part of the path is no folder" }.into(),
        );
    }
    check_writable(&there.join("x"), false).or_else(|error| fault(why_not_written(&error)))
}

fn check(path: &Path, form: Form) -> io::Result<()> {
    if !folder(path).is_dir() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let numbered = || NumberedFiles::beside(path, 0).file(1);
    let checked = match form {
        Form::Numbered => check_writable(&numbered(), false),
        _ => check_writable(path, form == Form::Grows),
    };
    match checked {
        Err(error) if form == Form::Again && is_full(&error) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            Err(io::Error::other("the folder that the link names does not exist"))
        }
        // folders of the system in which no file can be made
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(io::ErrorKind::PermissionDenied.into()),
        checked => checked,
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn name_with_option(option: &str, file: &str) -> String {
    format!("{option} {file}")
}

/// Whether two files that are written may be the same one.
fn clash((a, form): (&str, Form), (b, other): (&str, Form)) -> bool {
    match (form, other) {
        (Form::Numbered, Form::Numbered) => false,
        (Form::Numbered, _) => is_numbered(a, b),
        (_, Form::Numbered) => is_numbered(b, a),
        _ => is_same(a, b),
    }
}

/// Whether `file` has a name of the numbered files of `of`.
fn is_numbered(of: &str, file: &str) -> bool {
    let (Ok(of), Ok(file)) = (place_of(Path::new(of)), place_of(Path::new(file))) else { return false };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    of.parent() == file.parent() && NumberedFiles::beside(&of, 0).number_of(&name).is_some()
}

/// Whether two names are those of one file or pipe. A terminal or the like takes both.
fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (Path::new(a), Path::new(b));
    let (Ok(place), Ok(other)) = (place_of(a), place_of(b)) else { return false };
    let found = [fs::metadata(a), fs::metadata(b)];
    #[cfg(unix)]
    if let [Ok(a), Ok(b)] = &found {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        return (a.dev(), a.ino()) == (b.dev(), b.ino()) && !a.file_type().is_char_device();
    }
    drop(found);
    place == other
}
