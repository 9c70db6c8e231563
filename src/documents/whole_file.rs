//! Files that are whole or absent.
//!
//! A file is written beside its place under another name, flushed and synced, and only then
//! renamed, so that neither a full disk nor the end of the program leaves a part of one. Leftovers
//! of killed programs are removed by the next that writes there ([`leftovers`]).

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use super::leftovers;

/// Most links that lead from one to the next.
const MOST_LINKS: usize = 40;

/// Writes the file `path`, in place of one that is there already.
///
/// # Errors
/// When `write` or the disk fails; a file that was there before is then as it was.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        // a pipe or a device cannot be replaced
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    let permissions = permissions_of(path)?;
    let place = place_of(path)?;
    put_in_place(write_beside(&place, permissions, write)?, &place)
}

/// [`write_whole`] for `save`s that take a name, which ends like `path`, instead of a writer.
///
/// # Errors
/// When `save` or the disk fails; a file that was there before is then as it was.
pub fn save_whole(path: &Path, save: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let permissions = permissions_of(path)?;
    let place = place_of(path)?;
    let beside = create_beside(&place)?;
    save(beside.path())?;
    // `save` had a handle of its own
    OpenOptions::new().write(true).open(beside.path())?.sync_all()?;
    if let Some(permissions) = permissions {
        beside.as_file().set_permissions(permissions)?;
    }
    put_in_place(beside, &place)
}

/// The file that `path` names, without links. It need not exist: a link to a file that is not there
/// names that file.
///
/// # Errors
/// When the folder does not exist, or links lead in a circle.
pub fn place_of(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::canonicalize(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            found => return found,
        }
        let Ok(target) = fs::read_link(&place) else {
            let name = place.file_name().ok_or(io::ErrorKind::IsADirectory)?;
            return Ok(fs::canonicalize(folder(&place))?.join(name));
        };
        place = folder(&place).join(target);
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// Whether `path` can be written, found out without a change on the disk. A file that is written in
/// place needs no room beside it if it exists.
///
/// # Errors
/// The error that writing would have.
pub fn check_writable(path: &Path, in_place: bool) -> io::Result<()> {
    let is_folder_name = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    if is_folder_name || path.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // opening a pipe would wait for its reader
        Ok(found) if !found.is_file() => {
            return if is_stream(&found) { Ok(()) } else { Err(io::Error::other("it is no file, pipe or terminal")) };
        }
        Ok(_) => {
            OpenOptions::new().write(true).open(path)?;
            if in_place {
                return Ok(());
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    create_beside(&place_of(path)?).map(drop)
}

/// Whether it is a pipe, a terminal or the like. Disks and sockets are not written to.
fn is_stream(found: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        found.file_type().is_fifo() || found.file_type().is_char_device()
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        true
    }
}

/// The permissions of a file that is to be replaced, if it is there.
fn permissions_of(path: &Path) -> io::Result<Option<Permissions>> {
    let Ok(found) = fs::metadata(path) else { return Ok(None) };
    // a file without write permission must not be replaced, nor what is no file
    OpenOptions::new().write(true).open(path)?;
    if !found.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    Ok(Some(found.permissions()))
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
    match kind_of(error) {
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

/// The kind of the error of the disk, also where a writer of pictures has wrapped it.
fn kind_of(error: &io::Error) -> io::ErrorKind {
    let mut inner = error.get_ref().map(|inner| inner as &(dyn std::error::Error + 'static));
    while let Some(cause) = inner {
        if let Some(error) = cause.downcast_ref() {
            return kind_of(error);
        }
        inner = cause.source();
    }
    error.kind()
}
