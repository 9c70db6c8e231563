//! Files that are whole or absent.
//!
//! A file is written beside its place under another name, flushed and synced, and only then
//! renamed, so that neither a full disk nor the end of the program leaves a part of one. Leftovers
//! of killed programs are removed by the next that writes there ([`leftovers`]). Tables that grow
//! for hours are written in place instead, row by row.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use super::leftovers;

/// Writes the file `path`, in place of one that is there already.
///
/// # Errors
/// When `write` or the disk fails; a file that was there before is then as it was.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let before = match fs::metadata(path) {
        // a pipe or a device cannot be replaced
        Ok(found) if !found.is_file() => {
            let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            write(&mut out)?;
            return out.flush();
        }
        Ok(found) => {
            // a file without write permission must not be replaced
            OpenOptions::new().write(true).open(path)?;
            Some(found.permissions())
        }
        Err(_) => None,
    };
    // a link stays, and the file that it names is replaced
    let target = if before.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    put_in_place(write_beside(&target, before, write)?, &target)
}

/// [`write_whole`] for `save`s that take a name, which ends like `path`, instead of a writer.
///
/// # Errors
/// When `save` or the disk fails; a file that was there before is then as it was.
pub fn save_whole(path: &Path, save: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let beside = create_beside(path)?;
    save(beside.path())?;
    // `save` had a handle of its own
    OpenOptions::new().write(true).open(beside.path())?.sync_all()?;
    put_in_place(beside, path)
}

/// Writes the file `path`, which must not exist.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when it does, or when `write` or the disk fails; there is no
/// file then.
pub fn write_new(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if path.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    write_beside(path, None, write)?.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(path);
    Ok(())
}

/// Writes `stem.extension` into `folder`, or the first `stem-2.extension` and so on that does not
/// exist. Returns its path.
///
/// # Errors
/// When `write` or the disk fails.
pub fn write_numbered(
    folder: &Path,
    [stem, extension]: [&str; 2],
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{stem}{suffix}.{extension}"));
        match write_new(&path, &write) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            written => return written.map(|()| path),
        }
    }
}

/// The folder that `path` is in.
#[must_use]
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file in the same folder with all that `write` writes, on the disk. It is removed again unless
/// it is moved to its place.
fn write_beside(
    path: &Path,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    let mut out = BufWriter::new(create_beside(path)?);
    write(&mut out)?;
    // dropping a writer would lose the error of the last flush
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

fn create_beside(path: &Path) -> io::Result<NamedTempFile> {
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    let prefix = leftovers::begin_beside(folder(path));
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(&ending);
    #[cfg(unix)]
    {
        // permissions as of any new file, less the user's mask; by default only the owner could
        // read it
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    let beside = builder.tempfile_in(folder(path))?;
    leftovers::hold(beside.as_file());
    Ok(beside)
}

/// An empty folder in the folder of `path`, for unfinished files of `path`. It is removed with the
/// first value; the second marks it as in use for other processes.
///
/// # Errors
/// When the disk fails.
pub fn folder_beside(path: &Path) -> io::Result<(TempDir, Option<File>)> {
    let prefix = leftovers::begin_beside(folder(path));
    let beside = tempfile::Builder::new().prefix(&prefix).tempdir_in(folder(path))?;
    let held = File::open(beside.path()).ok();
    held.iter().for_each(leftovers::hold);
    Ok((beside, held))
}

fn put_in_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(path);
    Ok(())
}

/// Makes the new name last through a power cut as well, where the system can.
pub(super) fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder(path)) {
        // some file systems refuse; the file itself is on the disk
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// The fault of writing `path`, and the remedy: the end of a sentence that begins with the path.
#[must_use]
pub fn why_not_written(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "may not be written there; choose another folder".to_owned(),
        io::ErrorKind::NotFound => "the folder does not exist; create it first".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full; make room on it or choose another".to_owned(),
        io::ErrorKind::QuotaExceeded => "no more may be stored there; make room or choose another disk".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk can only be read; choose another".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is no folder; choose another".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder; name a file".to_owned(),
        _ => format!("cannot be written: {error}"),
    }
}

/// A table of comma-separated values that is written row by row, each with one call, so that it has
/// whole rows at any time.
#[derive(Debug)]
pub struct Table {
    file: File,
    /// Length of the whole rows [bytes].
    whole: u64,
}

impl Table {
    /// A table with `header` in the file `path`, in place of its content.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path, header: &[String]) -> io::Result<Self> {
        let mut table = Self { file: File::create(path)?, whole: 0 };
        table.push(header)?;
        Ok(table)
    }

    /// The table in a file that is open for writing at its end, whose first `whole` bytes are whole
    /// rows and all that is in it.
    #[must_use]
    pub fn go_on(file: File, whole: u64) -> Self {
        Self { file, whole }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When the disk fails; the part of the row that was written is then taken off again.
    pub fn push(&mut self, row: &[String]) -> io::Result<()> {
        let mut line = csv::Writer::from_writer(Vec::new());
        line.write_record(row)?;
        let line = line.into_inner().map_err(csv::IntoInnerError::into_error)?;
        let written = self.file.write_all(&line);
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // a pipe cannot be shortened
            Err(_) => drop(self.file.set_len(self.whole)),
        }
        written
    }

    /// Waits until all rows are on the disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn finish(self) -> io::Result<()> {
        // a pipe or a device has nothing to wait for
        if self.file.metadata()?.is_file() { self.file.sync_all() } else { Ok(()) }
    }
}
