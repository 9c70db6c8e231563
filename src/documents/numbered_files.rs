//! Files of one name with numbers, such as `cloth-0001.obj`, `cloth-0002.obj` and so on.
//!
//! Their names sort as their numbers do. Files of an older run, of the same name, are removed when
//! the first new one is whole, so that no program reads both as one motion.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::whole_file::{folder, place_of};
use crate::sim::params::quote::quote;

/// Numbered files, written one after the other.
#[derive(Debug)]
pub struct NumberedFiles {
    folder: PathBuf,
    /// Names up to the number, and after it.
    around: [String; 2],
    /// Fewest digits of a number, and those that numbers have now.
    least: usize,
    digits: usize,
    written: usize,
    removed: usize,
    /// Files that are never written or removed.
    inputs: BTreeSet<PathBuf>,
}

impl NumberedFiles {
    /// `cloth-0001.obj` and so on for `cloth.obj`; about `count` of them, as far as that is known.
    #[must_use]
    pub fn beside(path: &Path, count: usize) -> Self {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::new(folder, [format!("{stem}-"), format!(".{ending}")], 4, count)
    }

    /// `frame-00001.png` and so on in a folder of pictures, `count` of them.
    #[must_use]
    pub fn frames_in(folder: &Path, count: usize) -> Self {
        Self::new(folder, ["frame-".to_owned(), ".png".to_owned()], 5, count)
    }

    /// The pictures of a report, `count` of them: `picture-1.png` and so on in its folder.
    #[must_use]
    pub fn pictures_in(folder: &Path, count: usize) -> Self {
        Self::new(folder, ["picture-".to_owned(), ".png".to_owned()], 1, count)
    }

    fn new(folder: &Path, around: [String; 2], least: usize, count: usize) -> Self {
        let digits = least.max(count.to_string().len());
        let folder = folder.to_owned();
        Self { folder, around, least, digits, written: 0, removed: 0, inputs: BTreeSet::new() }
    }

    /// Neither writes nor removes these files.
    #[must_use]
    pub fn except(mut self, inputs: impl IntoIterator<Item = PathBuf>) -> Self {
        self.inputs.extend(inputs.into_iter().filter_map(|input| place_of(&input).ok()));
        self
    }

    /// The file of a number from 1 on.
    #[must_use]
    pub fn file(&self, number: usize) -> PathBuf {
        self.file_of(number, self.digits)
    }

    fn file_of(&self, number: usize, digits: usize) -> PathBuf {
        let [before, after] = &self.around;
        self.folder.join(format!("{before}{number:0digits$}{after}"))
    }

    /// The file that is written next.
    #[must_use]
    pub fn next_file(&self) -> PathBuf {
        self.file(self.written + 1)
    }

    /// Number of files written.
    #[must_use]
    pub fn written(&self) -> usize {
        self.written
    }

    /// The number that a file of this name has among them.
    #[must_use]
    pub fn number_of(&self, name: &str) -> Option<usize> {
        let digits = name.strip_prefix(self.around[0].as_str())?.strip_suffix(self.around[1].as_str())?;
        let is_number = digits.len() >= self.least && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    }

    /// Writes the next file by `put`. Those of an older run are removed after the first.
    ///
    /// # Errors
    /// Those of `put` and of the disk, and [`io::ErrorKind::AlreadyExists`] if the file is one of
    /// the inputs.
    pub fn write(&mut self, put: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
        let number = self.written + 1;
        if number.to_string().len() > self.digits {
            self.add_digit()?;
        }
        let file = self.file(number);
        self.refuse_input(&file)?;
        let old = if number == 1 { self.of_an_older_run() } else { Vec::new() };
        put(&file)?;
        self.written = number;
        for old in old {
            if old != file {
                fs::remove_file(&old)?;
            }
            self.removed += 1;
        }
        Ok(file)
    }

    /// Names all files anew, so that longer numbers sort after shorter ones.
    fn add_digit(&mut self) -> io::Result<()> {
        for number in 1..=self.written {
            let to = self.file_of(number, self.digits + 1);
            self.refuse_input(&to)?;
            fs::rename(self.file(number), to)?;
        }
        self.digits += 1;
        Ok(())
    }

    fn refuse_input(&self, file: &Path) -> io::Result<()> {
        if place_of(file).is_ok_and(|place| self.inputs.contains(&place)) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is read by this run; choose another name"));
        }
        Ok(())
    }

    /// The files of these names that are there, but for inputs.
    fn of_an_older_run(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder(&self.file(1))).into_iter().flatten().flatten();
        let is_old = |entry: &fs::DirEntry| {
            let is_ours = entry.file_name().to_str().is_some_and(|name| self.number_of(name).is_some());
            is_ours
                && entry.file_type().is_ok_and(|kind| kind.is_file())
                && !place_of(&entry.path()).is_ok_and(|place| self.inputs.contains(&place))
        };
        entries.filter(is_old).map(|entry| self.folder.join(entry.file_name())).collect()
    }

    /// How many files of an older run were removed, in a sentence; none if there were none.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let [before, after] = &self.around;
        let files = if self.removed == 1 { "file" } else { "files" };
        let name = self.folder.join(format!("{before}{}{after}", "N".repeat(self.digits)));
        let name = quote(&name.strip_prefix(".").unwrap_or(&name).to_string_lossy());
        (self.removed > 0).then(|| format!("{name}: {} {files} of an older run removed", self.removed))
    }
}
