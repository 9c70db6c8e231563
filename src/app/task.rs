//! Work in the background: a thread that sends findings, reports its progress, and can be
//! cancelled.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread::JoinHandle;

use crate::sim::study::run::Interrupted;
use crate::sim::{CancelToken, Canceller, Real};

/// Number of the threads at work.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Whether any work is being done in the background.
pub fn is_any_running() -> bool {
    RUNNING.load(Ordering::Acquire) > 0
}

/// Counts a thread while it works, also when it panics.
struct Counted;

impl Counted {
    fn new() -> Self {
        RUNNING.fetch_add(1, Ordering::AcqRel);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Work in another thread that sends findings of type `T`. Dropping it cancels the work.
pub struct Task<T> {
    // a receiver alone is not `Sync`, as a resource has to be
    findings: Mutex<Receiver<T>>,
    canceller: Canceller,
    /// Share that is done, as bits.
    done: Arc<AtomicU64>,
    fault: Arc<OnceLock<String>>,
    thread: Option<JoinHandle<()>>,
}

/// Sends progress and results of the work in a [`Task`].
pub struct Reporter<T> {
    sender: Sender<T>,
    cancel: CancelToken,
    done: Arc<AtomicU64>,
    fault: Arc<OnceLock<String>>,
}

impl<T: Send + 'static> Task<T> {
    /// Starts `work` on a separate thread; the other cores are left to the simulation.
    pub fn start(work: impl FnOnce(&Reporter<T>) + Send + 'static) -> Self {
        let (sender, findings) = channel();
        let (canceller, done, fault) = (Canceller::default(), Arc::default(), Arc::default());
        let cancel = canceller.token(0);
        let reporter = Reporter { sender, cancel, done: Arc::clone(&done), fault: Arc::clone(&fault) };
        let counted = Counted::new();
        let thread = std::thread::spawn(move || {
            let _counted = counted;
            work(&reporter);
        });
        Self { findings: Mutex::new(findings), canceller, done, fault, thread: Some(thread) }
    }

    /// Share of the work that is done.
    #[must_use]
    pub fn progress(&self) -> f32 {
        Real::from_bits(self.done.load(Ordering::Relaxed)) as f32
    }

    /// Cancels the work; findings so far stay.
    pub fn cancel(&self) {
        self.canceller.cancel_through(0);
    }

    /// The results since the last call, and whether the work has ended.
    pub fn poll(&mut self) -> (Vec<T>, bool) {
        let findings = self.findings.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        loop {
            match findings.try_recv() {
                Ok(finding) => found.push(finding),
                Err(TryRecvError::Empty) => return (found, false),
                Err(TryRecvError::Disconnected) => return (found, true),
            }
        }
    }

    /// Why the work, which has ended, failed, if it did.
    fn fault(&mut self) -> Option<String> {
        let has_panicked = self.thread.take().is_some_and(|thread| thread.join().is_err());
        self.fault.get().cloned().or_else(|| has_panicked.then(|| "The study has broken off.".to_owned()))
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.canceller.cancel_through(0);
    }
}

/// A study in the background: its task while it runs, and why the last one failed.
pub struct Study<T> {
    task: Option<Task<T>>,
    /// A sentence.
    fault: Option<String>,
}

impl<T> Default for Study<T> {
    fn default() -> Self {
        Self { task: None, fault: None }
    }
}

impl<T: Send + 'static> Study<T> {
    /// Starts `work` in place of what runs now; the last fault is forgotten.
    pub fn start(&mut self, work: impl FnOnce(&Reporter<T>) + Send + 'static) {
        *self = Self { task: Some(Task::start(work)), fault: None };
    }

    /// Share of the work that is done, while there is any.
    #[must_use]
    pub fn progress(&self) -> Option<f32> {
        self.task.as_ref().map(Task::progress)
    }

    /// Why the last work failed, in a sentence, if it did.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Whether it runs.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.task.is_some()
    }

    /// Cancels the work; findings so far stay.
    pub fn cancel(&self) {
        if let Some(task) = &self.task {
            task.cancel();
        }
    }

    /// The results since the last call, and whether the work has ended since.
    pub fn poll(&mut self) -> (Vec<T>, bool) {
        let Some(task) = &mut self.task else { return (Vec::new(), false) };
        let (found, ended) = task.poll();
        if ended {
            self.fault = task.fault();
            self.task = None;
        }
        (found, ended)
    }
}

impl<T> Reporter<T> {
    /// Sends a finding. It is lost if the receiver is gone.
    pub fn send(&self, finding: T) {
        let _ = self.sender.send(finding);
    }

    /// Tells why the work fails, in a sentence.
    pub fn fail(&self, fault: String) {
        let _ = self.fault.set(fault);
    }

    /// Sends the outcome of a study, or tells why it failed, unless it was called off.
    pub fn finish(&self, outcome: Result<T, Interrupted>) {
        match outcome {
            Ok(finding) => self.send(finding),
            Err(Interrupted::Cancelled) => {}
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// Reports the finished share of the work, and returns whether to continue.
    pub fn tell(&self, share: Real) -> ControlFlow<()> {
        self.done.store(share.to_bits(), Ordering::Relaxed);
        if self.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the work is called off.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// For steps, which ask it more often than there is progress to tell.
    #[must_use]
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }
}
