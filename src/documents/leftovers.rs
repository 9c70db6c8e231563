//! Leftovers of programs that were killed while they wrote, beside the place of their file.
//!
//! Unfinished files and folders are called `.weft-`, the id of the writing process, and some
//! letters. They are locked as long as they are written. The first time that a process writes in a
//! folder, it removes those of dead processes: the id belongs to no process of this machine, and
//! nobody has the lock, which covers processes on other machines and in other containers that share
//! the folder. Files of other names, and of living processes, are never touched.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Prefix of the names of all unfinished files.
const PREFIX: &str = ".weft-";

/// Clears `folder`, if this process has not done so before, and returns the prefix of the names of
/// its own unfinished files and folders there.
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

/// Removes the files of dead processes in `folder`.
fn clear(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| writer_of(entry).is_some_and(is_gone)) {
        // a pipe, a device or a link is none of ours, and opening a pipe waits for its writer
        let Ok(kind) = entry.file_type() else { continue };
        if !(kind.is_file() || kind.is_dir()) || is_held(&entry) {
            continue;
        }
        // files that may not be removed stay
        let _ = if kind.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
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
