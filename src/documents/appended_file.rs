//! Files that grow line by line during a run, like recordings. They are written on a separate
//! thread, so that the session does not wait for the disk.
//!
//! A line is with the system at once, where the end of the program does not harm it, and on the
//! disk within [`SYNC_EVERY`]. A power cut or a full disk leaves whole lines, and perhaps a part of
//! one after them.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::whole_file::sync_folder;

/// How long a line may be on its way to the disk.
const SYNC_EVERY: Duration = Duration::from_millis(250);
/// Lines that wait while the disk is busy; with more of them, adding a line waits.
const WAITING: usize = 64;

/// A file that grows.
#[derive(Debug)]
pub struct AppendedFile {
    /// None once it is closed.
    lines: Option<SyncSender<String>>,
    writer: Option<JoinHandle<io::Result<()>>>,
}

impl AppendedFile {
    /// An empty file `path`, in place of its content.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = File::create(path)?;
        let (lines, received) = sync_channel(WAITING);
        let name = path.to_owned();
        let writer = thread::Builder::new().spawn(move || {
            sync_folder(&name);
            append(file, &received)
        })?;
        Ok(Self { lines: Some(lines), writer: Some(writer) })
    }

    /// Adds `line`, which ends with the end of a line. After a failure it does nothing.
    pub fn push(&mut self, line: String) {
        if let Some(lines) = &self.lines {
            // the writer ends when the disk fails, which `take_fault` tells
            let _ = lines.send(line);
        }
    }

    /// Why lines could not be written, once.
    pub fn take_fault(&mut self) -> Option<io::Error> {
        if self.writer.as_ref().is_some_and(JoinHandle::is_finished) { self.close().err() } else { None }
    }

    /// Waits until all lines are on the disk. Those that come later are not written.
    ///
    /// # Errors
    /// When the disk fails, if that was not told before.
    pub fn close(&mut self) -> io::Result<()> {
        self.lines = None;
        let Some(writer) = self.writer.take() else { return Ok(()) };
        writer.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes has ended")))
    }
}

impl Drop for AppendedFile {
    fn drop(&mut self) {
        // a failure cannot be reported any more
        let _ = self.close();
    }
}

/// Writes lines until there are no more.
fn append(mut file: File, lines: &Receiver<String>) -> io::Result<()> {
    // a pipe or a device has nothing to wait for
    let lasts = file.metadata()?.is_file();
    let sync = |file: &File| if lasts { file.sync_data() } else { Ok(()) };
    let mut whole = 0;
    let mut unsynced: Option<Instant> = None;
    loop {
        let patience = unsynced.map_or(Duration::MAX, |since| SYNC_EVERY.saturating_sub(since.elapsed()));
        match lines.recv_timeout(patience) {
            Ok(line) => {
                if let Err(error) = file.write_all(line.as_bytes()) {
                    // the part of a line is taken off again, but for that in a pipe
                    let _ = file.set_len(whole);
                    return Err(error);
                }
                whole += line.len() as u64;
                unsynced.get_or_insert_with(Instant::now);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return sync(&file),
        }
        if unsynced.is_some_and(|since| since.elapsed() >= SYNC_EVERY) {
            sync(&file)?;
            unsynced = None;
        }
    }
}
