//! Work in the background: a thread that sends findings, reports its progress, and can be
//! cancelled.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, PoisonError};

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
}

/// Sends progress and results of the work in a [`Task`].
pub struct Reporter<T> {
    sender: Sender<T>,
    cancel: CancelToken,
    done: Arc<AtomicU64>,
}

impl<T: Send + 'static> Task<T> {
    /// Starts `work` on a separate thread; the other cores are left to the simulation.
    pub fn start(work: impl FnOnce(&Reporter<T>) + Send + 'static) -> Self {
        let (sender, findings) = channel();
        let (canceller, done) = (Canceller::default(), Arc::new(AtomicU64::new(0)));
        let reporter = Reporter { sender, cancel: canceller.token(0), done: Arc::clone(&done) };
        let counted = Counted::new();
        std::thread::spawn(move || {
            let _counted = counted;
            work(&reporter);
        });
        Self { findings: Mutex::new(findings), canceller, done }
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
    pub fault: Option<String>,
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

    /// Cancels the work, and drops its findings.
    pub fn drop_task(&mut self) {
        self.task = None;
    }

    /// The results since the last call, and whether the work has ended since.
    pub fn poll(&mut self) -> (Vec<T>, bool) {
        let Some(task) = &mut self.task else { return (Vec::new(), false) };
        let (found, ended) = task.poll();
        if ended {
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
