//! The board on which one thread, the caller, puts up loops, and from which it and its helpers take tasks.
//!
//! All that has to be agreed on is one number, the ticket, that is changed as a whole. The caller takes tasks from the low
//! end, the helpers from the high end, so that in loop after loop over the same arrays a thread gets the entries that are in
//! its cache already. A helper that finds nothing for a while goes to sleep on a condition variable and says so in the
//! ticket; the caller, which replaces the ticket when it puts up the next loop, sees that and wakes it.
//!
//! The board belongs to all of them together. The caller dismisses its helpers and goes without waiting for them: one whose
//! processor has been taken away reads that it is dismissed when it runs again, and touches nothing but the board.

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
/// The helpers are dismissed.
const OVER: u64 = 1 << 32;
/// A helper sleeps, or is about to.
const ASLEEP: u64 = 1 << 33;
/// A step of the loop's number, which takes the rest: a ticket comes again after 2³⁰ loops at the earliest.
const NUMBER: u64 = 1 << 34;

/// See the module.
pub struct Board {
    ticket: AtomicU64,
    /// The loop that the ticket is about.
    current: AtomicPtr<Loop<'static>>,
    /// Number of tasks that helpers have done.
    done: AtomicUsize,
    /// Whether a helper's task has panicked.
    failed: AtomicBool,
    bed: Mutex<()>,
    bell: Condvar,
}

impl Default for Board {
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

impl Board {
    /// The one caller of a new board, and a helper, of which there may be copies. The caller's end dismisses the helpers.
    pub fn open() -> (Caller, Helper) {
        let board = Arc::new(Self::default());
        (Caller { board: Arc::clone(&board), busy: Cell::new(false) }, Helper { board })
    }

    /// Claims a task of the loop at hand, from the `high` end or the low one.
    fn claim(&self, high: bool) -> Option<(*const Loop<'static>, usize)> {
        let mut ticket = self.ticket.load(Ordering::Acquire);
        loop {
            let (low, end) = bounds(ticket);
            if low >= end {
                return None;
            }
            // Read before the exchange: when that succeeds, the ticket's loop had a task left meanwhile, so `current` was not
            // replaced, and it has one that is not done until the claimer says so.
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
            // who said that it sleeps holds the lock until it does
            drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
            self.bell.notify_all();
        }
    }
}

/// The thread that puts up loops, one after the other. There is one per board, and it is not `Sync`.
pub struct Caller {
    board: Arc<Board>,
    /// Whether a loop is on the board.
    busy: Cell<bool>,
}

impl Caller {
    /// Calls `run(task)` once for every task below `tasks`, of which there may be [`MOST_TASKS`], and returns when all are done.
    /// Returns how often it had to [`pause`] for the last of them. `None`, and nothing is done, when this is called by a task
    /// of a loop of the same board.
    ///
    /// # Panics
    /// When a task panics, here or in a helper.
    pub fn run(&self, tasks: usize, run: &(dyn Fn(usize) + Sync)) -> Option<u32> {
        assert!(tasks <= MOST_TASKS);
        if self.busy.replace(true) {
            return None;
        }
        let _busy = Busy(&self.busy);
        let board = &*self.board;
        let this = Loop { run };
        board.done.store(0, Ordering::Relaxed);
        // the lifetime is forgotten, and `Claimed` keeps it nevertheless
        board.current.store((&raw const this).cast_mut().cast(), Ordering::Release);
        let number = (board.ticket.load(Ordering::Relaxed) & !(NUMBER - 1)).wrapping_add(NUMBER);
        let mut claimed = Claimed { board, tasks, own: 0, idle: 0 };
        board.publish(number | (tasks as u64) << 16);
        while let Some((_, task)) = board.claim(false) {
            claimed.own += 1;
            run(task);
        }
        claimed.wait();
        let idle = claimed.idle;
        // all tasks are claimed and done
        std::mem::forget(claimed);
        assert!(!board.failed.load(Ordering::Relaxed), "a task of the team panicked");
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
        self.board.publish(OVER);
    }
}

/// Waits for the tasks that helpers have claimed, also in a panic: they refer to the stack of the caller.
struct Claimed<'a> {
    board: &'a Board,
    tasks: usize,
    /// Tasks that the caller has claimed itself.
    own: usize,
    idle: u32,
}

impl Claimed<'_> {
    fn wait(&mut self) {
        while self.board.done.load(Ordering::Acquire) < self.tasks - self.own {
            pause(&mut self.idle);
        }
    }
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        // what nobody has claimed is not to be begun any more
        let (low, end) = bounds(self.board.ticket.fetch_and(!BOUNDS, Ordering::AcqRel));
        self.tasks -= (end - low) as usize;
        self.wait();
    }
}

/// A thread that helps the caller.
#[derive(Clone)]
pub struct Helper {
    board: Arc<Board>,
}

impl Helper {
    /// Does tasks until the caller is gone.
    pub fn serve(self) {
        let board = &*self.board;
        let mut idle = 0;
        loop {
            if let Some((current, task)) = board.claim(true) {
                idle = 0;
                let _done = Done { board };
                // SAFETY: the task is claimed and not done, so the caller keeps the loop alive.
                let run = unsafe { (*current).run };
                run(task);
            } else if board.ticket.load(Ordering::Acquire) & OVER != 0 {
                return;
            } else if idle < PATIENCE {
                pause(&mut idle);
            } else {
                idle = 0;
                self.sleep();
            }
        }
    }

    /// Sleeps until something new is on the board.
    fn sleep(&self) {
        let Board { ticket, bed, bell, .. } = &*self.board;
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
        // one waking is enough, for whatever reason it comes: the board is looked at again
        guard = bell.wait(guard).unwrap_or_else(PoisonError::into_inner);
        drop(guard);
    }
}

/// Counts a helper's task as done, also when it panics: the caller does not wait for ever.
struct Done<'a> {
    board: &'a Board,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.board.failed.store(true, Ordering::Relaxed);
        }
        self.board.done.fetch_add(1, Ordering::Release);
    }
}
