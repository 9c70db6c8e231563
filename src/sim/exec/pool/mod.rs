//! A thread pool for many short loops in a row.
//!
//! Waking a sleeping thread costs 50 to 100 µs, as long as a whole iteration on a small cloth. So
//! the workers are woken once per step and wait actively between the loops, so that a loop starts
//! within a microsecond; a worker that finds no task for longer than a waking costs goes to sleep.
//! The tasks of a loop are claimed one by one: a worker that comes late, or never, costs speed but
//! nothing else. The result of a task does not depend on the thread that runs it, so the bits are
//! the same for any number of threads.
//!
//! A worker that loses its processor in the middle of a task keeps all others waiting for a time
//! slice of the system, some milliseconds. Where that happens ([`is_late`]) the pool does without
//! workers for a while, the longer the more often it happens: on a busy machine two threads are not
//! slower than one. At the end of a step nobody waits for the workers: they are dismissed, and a
//! worker that has not come to the last pools at all is not called again before it has. Whole steps
//! are timed with and without workers now and then, and the faster way is kept ([`Autotuner`]).
//!
//! The protocol is checked by `cargo test --release --manifest-path tests/loom/Cargo.toml`.

mod autotune;
mod pace;
mod queue;
mod shared;
mod sync;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub use autotune::Autotuner;
use pace::Pace;
pub use pace::{Breaks, is_late};
use queue::{Caller, MOST_TASKS, WorkQueue};
pub use shared::{Chunks, Divide, Shared};

use crate::sim::exec::clock::Clock;

/// Most threads of a pool: the loops here have no more tasks than a few times this.
const LARGEST: usize = 8;
/// Fewest vertices of a cloth that are worth waking the workers.
const WORTH_WAKING: usize = 1000;
/// Fewest springs, counted as often as a step passes over them, that are worth it: some 100 µs.
const WORTH_WAKING_SPRINGS: usize = 16_384;

/// Bytes that are worth a task of their own when they are copied.
const COPIED: usize = 1 << 18;

/// Owned by the one pool that has workers: two pools at once would only wait for each other's turns
/// on the processors. It decides about speed only, never about results.
struct Engaged;

// Of the process, as the workers are: they belong to the pool of rayon.
static ENGAGED: AtomicBool = AtomicBool::new(false);
/// Helpers that were called and have not come yet.
static CALLED: AtomicUsize = AtomicUsize::new(0);
/// Most of them: so many calls wait for a processor, and not more with every step.
const MOST_CALLED: usize = 2 * LARGEST;

impl Engaged {
    fn try_new() -> Option<Self> {
        (!ENGAGED.swap(true, Ordering::Acquire)).then_some(Self)
    }
}

impl Drop for Engaged {
    fn drop(&mut self) {
        ENGAGED.store(false, Ordering::Release);
    }
}

/// What the steps of a simulation have shown about workers: times and delays. No result depends on
/// it.
#[derive(Default)]
pub struct Tuning {
    tuner: Autotuner,
    breaks: Breaks,
}

/// A call that one task makes.
enum Call<F, R> {
    Waits(F),
    Runs,
    Done(R),
}

impl<R, F: FnOnce() -> R> Call<F, R> {
    fn run(call: &Mutex<Self>) {
        let mut call = call.lock().unwrap_or_else(PoisonError::into_inner);
        if let Self::Waits(work) = std::mem::replace(&mut *call, Self::Runs) {
            *call = Self::Done(work());
        }
    }

    fn result(call: Mutex<Self>) -> R {
        match call.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Self::Done(result) => result,
            _ => unreachable!("a loop ends when all of its tasks are done, and panics when one of them did"),
        }
    }
}

/// The threads that work on a step together. See the module.
///
/// A pool belongs to the thread that it was given to: it is not `Sync`, so no task can start a loop
/// of the pool that runs it, and where one finds a way nevertheless, that loop is run by the task
/// alone.
pub struct ThreadPool {
    /// `None` in a pool of one thread.
    caller: Option<Caller>,
    pace: Option<Pace>,
}

impl ThreadPool {
    /// Calls `work` with a pool of all threads, or of one thread if it is not `worth_it`.
    pub fn run<R>(worth_it: bool, work: impl FnOnce(&ThreadPool) -> R) -> R {
        match Self::engage(worth_it) {
            Some((engaged, threads)) => Self::call(&engaged, threads, Clock::default(), &mut Breaks::new(), work),
            None => work(&ThreadPool::alone()),
        }
    }

    /// [`run`](Self::run) for a step that amounts to so much: by the times that `clock` told of
    /// earlier steps of the same simulation it is left to one thread where that is quicker.
    pub fn run_step<R>(
        worth_it: bool,
        amount: usize,
        clock: Clock,
        Tuning { tuner, breaks }: &mut Tuning,
        work: impl FnOnce(&ThreadPool) -> R,
    ) -> R {
        let Some((engaged, threads)) = Self::engage(worth_it) else { return work(&ThreadPool::alone()) };
        let together = tuner.is_together([amount, threads]);
        let started = (clock.0)();
        let result =
            if together { Self::call(&engaged, threads, clock, breaks, work) } else { work(&ThreadPool::alone()) };
        tuner.hear((clock.0)() - started);
        result
    }

    /// The right to call workers, and the number of threads with them, if there are several and it
    /// is free.
    fn engage(worth_it: bool) -> Option<(Engaged, usize)> {
        // asked in this order: the first question about threads starts them
        let threads = if worth_it { rayon::current_num_threads().min(LARGEST) } else { 1 };
        if threads < 2 { None } else { Engaged::try_new().map(|engaged| (engaged, threads)) }
    }

    /// Calls `work` with a pool of so many threads, whose `breaks` go on.
    fn call<R>(
        _engaged: &Engaged,
        threads: usize,
        clock: Clock,
        breaks: &mut Breaks,
        work: impl FnOnce(&ThreadPool) -> R,
    ) -> R {
        let is_in_break = breaks.is_at((clock.0)());
        if !is_in_break && CALLED.load(Ordering::Relaxed) + threads > MOST_CALLED {
            return work(&ThreadPool::alone());
        }
        let caller = (!is_in_break).then(|| Self::call_workers(threads));
        // dropped at the end, also in a panic, and the workers are dismissed
        let pool = ThreadPool { caller, pace: Some(Pace::new(clock, *breaks)) };
        let result = work(&pool);
        *breaks = pool.pace.as_ref().map_or(*breaks, Pace::breaks);
        result
    }

    /// Calls the workers of so many threads.
    fn call_workers(threads: usize) -> Caller {
        let (caller, worker) = WorkQueue::open();
        for _ in 1..threads {
            let worker = worker.clone();
            CALLED.fetch_add(1, Ordering::Relaxed);
            rayon::spawn(move || {
                CALLED.fetch_sub(1, Ordering::Relaxed);
                // the caller hears of a panic by the queue
                let _ = catch_unwind(AssertUnwindSafe(|| worker.serve()));
            });
        }
        caller
    }

    /// Whether a step of a cloth with so many vertices gains by workers, if it passes so many times
    /// over so many springs.
    #[must_use]
    pub const fn is_worth_it(vertices: usize, springs: usize, passes: usize) -> bool {
        vertices >= WORTH_WAKING && springs.saturating_mul(passes) >= WORTH_WAKING_SPRINGS
    }

    /// A pool of one thread.
    #[must_use]
    pub const fn alone() -> Self {
        ThreadPool { caller: None, pace: None }
    }

    /// Whether the pool has no workers.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.caller.is_none()
    }

    /// Calls `run(task)` once for every task below `tasks`, and returns when all are done.
    ///
    /// # Panics
    /// When a task panics.
    pub fn for_each(&self, tasks: usize, run: impl Fn(usize) + Sync) {
        self.run_loop(tasks, &run);
    }

    /// Calls both, side by side where there is a worker.
    ///
    /// # Panics
    /// When one of them panics.
    pub fn join<A: Send, B: Send>(
        &self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        let (first, second) = (Mutex::new(Call::Waits(first)), Mutex::new(Call::Waits(second)));
        self.for_each(2, |task| if task == 0 { Call::run(&first) } else { Call::run(&second) });
        (Call::result(first), Call::result(second))
    }

    /// Runs a loop. Returns whether the last task [came late](is_late).
    fn run_loop(&self, tasks: usize, run: &(impl Fn(usize) + Sync)) -> bool {
        let divided = (2..=MOST_TASKS).contains(&tasks) && !self.pace.as_ref().is_some_and(Pace::rests);
        let now = || self.pace.as_ref().map_or(0.0, |pace| (pace.clock.0)());
        let caller = self.caller.as_ref().filter(|_| divided);
        let (started, mut done) = (if caller.is_some() { now() } else { 0.0 }, 0.0);
        let pauses = caller.and_then(|caller| caller.run(tasks, run, || done = now()));
        if pauses.is_none() {
            (0..tasks).for_each(run);
        }
        pauses.is_some_and(|pauses| pauses > 0 && is_late(pauses, done - started, now() - done))
    }

    /// Calls `run` for every part of `0..length` in parts of `grain`, and returns when all are
    /// done.
    ///
    /// # Panics
    /// When a part panics.
    pub fn for_parts(&self, length: usize, grain: usize, run: impl Fn(Range<usize>) + Sync) {
        let grain = grain.max(1).max(length.div_ceil(MOST_TASKS));
        let tasks = length.div_ceil(grain);
        let late = self.run_loop(tasks, &|part| {
            let start = part * grain;
            run(start..(start + grain).min(length));
        });
        if let (Some(pace), Some(_), 2..) = (&self.pace, &self.caller, tasks) {
            pace.hear(late);
        }
    }

    /// Whether `holds` for every part of `0..length` in parts of `grain`.
    #[must_use]
    pub fn all(&self, length: usize, grain: usize, holds: impl Fn(Range<usize>) -> bool + Sync) -> bool {
        let all = AtomicBool::new(true);
        self.for_parts(length, grain, |range| {
            if !holds(range) {
                all.store(false, Ordering::Relaxed);
            }
        });
        all.into_inner()
    }

    /// Calls `change(range, part)` for every part of `slices` in parts of `grain`, with the range
    /// of the part.
    pub fn change<D: Divide>(&self, slices: D, grain: usize, change: impl Fn(Range<usize>, D::Part) + Sync) {
        self.for_parts(slices.entries(), grain, |range| {
            // SAFETY: the parts do not overlap, each is run once, and `slices` is nobody else's.
            change(range.clone(), unsafe { slices.divide(range) });
        });
    }

    /// Calls `change(i, &mut entries[i])` for every entry, in parts of `grain`.
    pub fn update<T: Send>(&self, entries: &mut [T], grain: usize, change: impl Fn(usize, &mut T) + Sync) {
        self.change(Shared::new(entries), grain, |range, part| {
            range.zip(part).for_each(|(i, entry)| change(i, entry));
        });
    }

    /// Copies `from` to `to`, which asks for no memory where it has enough.
    pub fn copy<T: Copy + Send + Sync>(&self, from: &[T], to: &mut Vec<T>) {
        if self.is_alone() || to.len() != from.len() {
            to.clear();
            to.extend_from_slice(from);
            return;
        }
        let grain = (COPIED / size_of::<T>().max(1)).max(1);
        self.change(Shared::new(to), grain, |range, part| part.copy_from_slice(&from[range]));
    }

    /// Sets `out[i] = value(i)` for every `i`, in parts of `grain`.
    pub fn fill<T: Send>(&self, out: &mut [T], grain: usize, value: impl Fn(usize) -> T + Sync) {
        self.update(out, grain, |i, entry| *entry = value(i));
    }
}
