//! The state of a session on the disk, at most a second old, so that a killed program loses no more
//! than that.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::documents::{why_not_written, write_whole};
use crate::scene::Snapshot;
use crate::sim::params::quote::quote;

/// How many times as long as a state takes to be made, or to be written, it is not written again.
const REST: u32 = 10;

/// Writes states to a file, whole or not at all, on a thread of its own. The file stays when the
/// program is killed.
pub struct Autosave {
    file: PathBuf,
    every: Duration,
    last: Option<Instant>,
    /// State to be written; it takes one at a time.
    states: Option<SyncSender<Snapshot>>,
    /// How long each one took, or why there is none.
    written: Receiver<Result<Duration, std::io::Error>>,
    writer: Option<JoinHandle<()>>,
    is_writing: bool,
    /// Why the last state could not be written.
    fault: Option<String>,
    /// Whether a state has to be written again that could not be.
    is_lost: bool,
    /// Whether the file goes with this.
    is_fleeting: bool,
}

impl Autosave {
    /// Writes to `file`, at most once in the time `every`.
    #[must_use]
    pub fn new(file: &Path, every: Duration) -> Self {
        let (states, received) = sync_channel::<Snapshot>(1);
        let (report, written) = sync_channel(1);
        let target = file.to_owned();
        let writer = std::thread::spawn(move || {
            for snapshot in received {
                let started = Instant::now();
                let result = write_whole(&target, |out| snapshot.write(out));
                if report.send(result.map(|()| started.elapsed())).is_err() {
                    return;
                }
            }
        });
        Self {
            file: file.to_owned(),
            every,
            last: None,
            states: Some(states),
            written,
            writer: Some(writer),
            is_writing: false,
            fault: None,
            is_lost: false,
            is_fleeting: false,
        }
    }

    /// The same with a file that is needed only after a sudden end: it is removed when the session
    /// ends otherwise.
    #[must_use]
    pub fn fleeting(mut self) -> Self {
        self.is_fleeting = true;
        self
    }

    /// Whether it is time for the next state.
    pub fn is_due(&mut self) -> bool {
        if let Ok(result) = self.written.try_recv() {
            self.note(result);
        }
        !self.is_writing && self.last.is_none_or(|last| last.elapsed() >= self.every)
    }

    /// Waits for a write in progress.
    pub fn settle(&mut self) {
        if self.is_writing
            && let Ok(result) = self.written.recv()
        {
            self.note(result);
        }
    }

    fn note(&mut self, result: Result<Duration, std::io::Error>) {
        self.is_writing = false;
        self.is_lost = result.is_err();
        match result {
            Ok(took) => {
                // a large cloth is not written all the time
                self.every = self.every.max(took * REST);
                self.fault = None;
            }
            Err(error) => {
                let file = quote(&self.file.to_string_lossy());
                self.fault = Some(format!("{file}: {}", why_not_written(&error)));
            }
        }
    }

    /// Writes the state that `present` makes, in the background.
    pub fn save(&mut self, present: impl FnOnce() -> Snapshot) {
        let Some(states) = &self.states else { return };
        let started = Instant::now();
        let snapshot = present();
        // the session waits while it is made
        self.every = self.every.max(started.elapsed() * REST);
        self.last = Some(Instant::now());
        self.is_writing = states.try_send(snapshot).is_ok();
    }

    /// Why the last state could not be written: a sentence.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Whether a state could not be written since this was asked last.
    pub fn take_lost(&mut self) -> bool {
        std::mem::take(&mut self.is_lost)
    }
}

impl Drop for Autosave {
    fn drop(&mut self) {
        // a write in progress is finished
        self.states = None;
        drop(std::mem::replace(&mut self.written, sync_channel(1).1));
        if let Some(writer) = self.writer.take() {
            // its failure has been reported
            let _ = writer.join();
        }
        if self.is_fleeting {
            // it may never have been written
            let _ = std::fs::remove_file(&self.file);
        }
    }
}
