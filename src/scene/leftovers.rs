//! What a program that was killed while it wrote has left beside the place of its file.
//!
//! Files and folders that are not finished are called `.weft-`, the id of the process that writes
//! them, and some letters. They are held by a lock as long as they are written. The first time that
//! a process writes in a folder, it removes those whose process is gone: whose id no process of
//! this machine has, and whose lock nobody holds, which tells of processes on other machines and in
//! other containers that share the folder. Files of other names, and of processes that live, are
//! never touched.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What the names of all files that are not finished begin with.
const PREFIX: &str = ".weft-";

/// Clears `folder`, if this process has not done so before, and returns what the names of its own
/// unfinished files and folders there have to begin with.
#[must_use]
pub fn begin_beside(folder: &Path) -> String {
    static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let place = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if cleared.insert(place) {
        clear(folder);
    }
    format!("{PREFIX}{}-", std::process::id())
}

/// Marks a file, or a folder that is open as one, as being written, until it is closed.
pub fn hold(file: &File) {
    // elsewhere a lock keeps the process itself from opening the file a second time; a file system
    // without locks has none
    if cfg!(unix) {
        let _ = file.try_lock();
    }
}

/// Removes what processes that are gone have left in `folder`.
fn clear(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| writer_of(entry).is_some_and(is_gone) && !is_held(entry)) {
        // what may not be removed stays
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
            _ => fs::remove_file(entry.path()),
        };
    }
}

/// The id of the process that writes or wrote it, if it is an unfinished file.
fn writer_of(entry: &DirEntry) -> Option<u32> {
    entry.file_name().to_str()?.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok()
}

/// Whether no process of this machine has the id; no where the system does not tell.
fn is_gone(process: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(process.to_string()).exists()
}

/// Whether a process holds its lock, wherever it runs, or that cannot be known.
fn is_held(entry: &DirEntry) -> bool {
    !File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
}
