//! The work queue: one thread, the caller, puts loops in it, and the caller and its workers take
//! tasks from it.
//!
//! Its state is one number, the ticket, which is changed as a whole. The caller takes tasks from
//! the low end, the workers from the high end, so that in loop after loop over the same arrays a
//! thread gets the entries that are in its cache already. A worker that finds no task for a while
//! goes to sleep on a condition variable and marks that in the ticket; the caller sees the mark
//! when it replaces the ticket for the next loop, and wakes it.
//!
//! The threads share the queue. The caller dismisses its workers and leaves without waiting for
//! them: a worker that lost its processor reads that it is dismissed when it runs again, and
//! touches nothing but the queue.

use std::cell::Cell;
use std::sync::PoisonError;

use super::sync::{Arc, AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Condvar, Mutex, Ordering, PATIENCE, pause};

/// A loop that is being run.
struct Loop<'a> {
    run: &'a (dyn Fn(usize) + Sync),
}

/// Most tasks of one loop: bounds have 16 bits each.
pub const MOST_TASKS: usize = 0xffff;
/// The two bounds in a ticket: nobody has claimed the tasks from the first to below the second.
const BOUNDS: u64 = 0xffff_ffff;
/// The workers are dismissed.
const OVER: u64 = 1 << 32;
/// A worker sleeps, or is about to.
const ASLEEP: u64 = 1 << 33;
/// A step of the loop's number, which takes the rest: a ticket comes again after 2³⁰ loops at the
/// earliest.
const NUMBER: u64 = 1 << 34;

/// See the module.
pub struct WorkQueue {
    ticket: AtomicU64,
    /// The loop that the ticket is about.
    current: AtomicPtr<Loop<'static>>,
    /// Number of tasks that workers have done.
    done: AtomicUsize,
    /// Whether a worker's task has panicked.
    failed: AtomicBool,
    bed: Mutex<()>,
    bell: Condvar,
}

impl Default for WorkQueue {
    fn default() -> Self {
        Self {
            ticket: AtomicU64::new(0),
            current: AtomicPtr::new(std::ptr::null_mut()),
            done: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            bed: Mutex::new(()),
            bell: Condvar::new(),
        }
    }
}

fn bounds(ticket: u64) -> (u64, u64) {
    (ticket & 0xffff, ticket >> 16 & 0xffff)
}

impl WorkQueue {
    /// The one caller of a new queue, and a worker, of which there may be copies. The caller's end
    /// dismisses the workers.
    pub fn open() -> (Caller, Worker) {
        let queue = Arc::new(Self::default());
        (Caller { queue: Arc::clone(&queue), busy: Cell::new(false) }, Worker { queue })
    }

    /// Claims a task of the loop at hand, from the `high` end or the low one.
    fn claim(&self, high: bool) -> Option<(*const Loop<'static>, usize)> {
        let mut ticket = self.ticket.load(Ordering::Acquire);
        loop {
            let (low, end) = bounds(ticket);
            if low >= end {
                return None;
            }
            // Read before the exchange: when that succeeds, the ticket's loop had a task left
            // meanwhile, so `current` was not replaced, and it has one that is not done until the
            // claimer says so.
            let current = self.current.load(Ordering::Acquire);
            let (next, task) = if high { (ticket - (1 << 16), end - 1) } else { (ticket + 1, low) };
            match self.ticket.compare_exchange(ticket, next, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some((current, task as usize)),
                Err(now) => ticket = now,
            }
        }
    }

    /// Replaces the ticket and wakes who sleeps.
    fn publish(&self, ticket: u64) {
        if self.ticket.swap(ticket, Ordering::AcqRel) & ASLEEP != 0 {
            // a worker marks itself asleep under the lock, which it releases when it waits
            drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
            self.bell.notify_all();
        }
    }
}

/// The thread that puts up loops, one after the other. There is one per queue, and it is not
/// `Sync`.
pub struct Caller {
    queue: Arc<WorkQueue>,
    /// Whether a loop is on the queue.
    busy: Cell<bool>,
}

impl Caller {
    /// Calls `run(task)` once for every task below `tasks`, of which there may be [`MOST_TASKS`],
    /// and returns when all are done. Calls `wait` before it waits for the last of them, and returns
    /// how often it had to [`pause`]. `None`, and nothing is done, when this is called by a task of
    /// a loop of the same queue.
    ///
    /// # Panics
    /// When a task panics, here or in a worker.
    pub fn run(&self, tasks: usize, run: &(dyn Fn(usize) + Sync), wait: impl FnOnce()) -> Option<u32> {
        assert!(tasks <= MOST_TASKS);
        if self.busy.replace(true) {
            return None;
        }
        let _busy = Busy(&self.busy);
        let queue = &*self.queue;
        let this = Loop { run };
        queue.done.store(0, Ordering::Relaxed);
        // the lifetime is forgotten, and `Claimed` keeps it nevertheless
        queue.current.store((&raw const this).cast_mut().cast(), Ordering::Release);
        let number = (queue.ticket.load(Ordering::Relaxed) & !(NUMBER - 1)).wrapping_add(NUMBER);
        let mut claimed = Claimed { queue, tasks, own: 0, idle: 0 };
        queue.publish(number | (tasks as u64) << 16);
        while let Some((_, task)) = queue.claim(false) {
            claimed.own += 1;
            run(task);
        }
        wait();
        claimed.wait();
        let idle = claimed.idle;
        // all tasks are claimed and done
        std::mem::forget(claimed);
        assert!(!queue.failed.load(Ordering::Relaxed), "a task of the pool panicked");
        Some(idle)
    }
}

/// Set until it is dropped.
struct Busy<'a>(&'a Cell<bool>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        self.queue.publish(OVER);
    }
}

/// Waits for the tasks that workers have claimed, also in a panic: they refer to the stack of the
/// caller.
struct Claimed<'a> {
    queue: &'a WorkQueue,
    tasks: usize,
    /// Tasks that the caller has claimed itself.
    own: usize,
    idle: u32,
}

impl Claimed<'_> {
    fn wait(&mut self) {
        while self.queue.done.load(Ordering::Acquire) < self.tasks - self.own {
            pause(&mut self.idle);
        }
    }
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        // what nobody has claimed is not to be begun any more
        let (low, end) = bounds(self.queue.ticket.fetch_and(!BOUNDS, Ordering::AcqRel));
        self.tasks -= (end - low) as usize;
        self.wait();
    }
}

/// A thread that helps the caller.
#[derive(Clone)]
pub struct Worker {
    queue: Arc<WorkQueue>,
}

impl Worker {
    /// Does tasks until the caller is gone.
    pub fn serve(self) {
        let queue = &*self.queue;
        let mut idle = 0;
        loop {
            if let Some((current, task)) = queue.claim(true) {
                idle = 0;
                let _done = Done { queue };
                // SAFETY: the task is claimed and not done, so the caller keeps the loop alive.
                let run = unsafe { (*current).run };
                run(task);
            } else if queue.ticket.load(Ordering::Acquire) & OVER != 0 {
                return;
            } else if idle < PATIENCE {
                pause(&mut idle);
            } else {
                idle = 0;
                self.sleep();
            }
        }
    }

    /// Sleeps until something new is on the queue.
    fn sleep(&self) {
        let WorkQueue { ticket, bed, bell, .. } = &*self.queue;
        let mut guard = bed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = ticket.load(Ordering::Acquire);
        loop {
            let (low, end) = bounds(seen);
            if low < end || seen & OVER != 0 {
                return;
            }
            if seen & ASLEEP != 0 {
                break;
            }
            match ticket.compare_exchange(seen, seen | ASLEEP, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(now) => seen = now,
            }
        }
        // one waking is enough, for whatever reason it comes: the queue is looked at again
        guard = bell.wait(guard).unwrap_or_else(PoisonError::into_inner);
        drop(guard);
    }
}

/// Counts a worker's task as done, also when it panics: the caller does not wait for ever.
struct Done<'a> {
    queue: &'a WorkQueue,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.queue.failed.store(true, Ordering::Relaxed);
        }
        self.queue.done.fetch_add(1, Ordering::Release);
    }
}
