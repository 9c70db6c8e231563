//! A team of threads for many short loops in a row.
//!
//! Waking a sleeping thread costs 50 to 100 µs, as long as a whole iteration on a small cloth. A team wakes its helpers once
//! per step and has them spin between the loops, so that a loop starts within a microsecond. The tasks of a loop are claimed
//! one by one: a helper that comes late, or never, costs speed but nothing else. What a task computes does not depend on who
//! does it, so the bits are the same for any number of threads.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// Most threads of a team: the loops here have no more tasks than a few times this.
const LARGEST: usize = 8;
/// Fewest vertices of a cloth that are worth waking the helpers.
const WORTH_WAKING: usize = 1000;
/// Rounds of waiting before a thread lets others have the processor.
const PATIENCE: u32 = 4096;

/// A loop that is being run.
struct Loop<'a> {
    run: &'a (dyn Fn(usize) + Sync),
}

/// What the threads of a team share.
#[derive(Default)]
struct Board {
    /// Number of the loop (32 bits), its tasks (16 bits), and the next task that nobody has claimed (16 bits).
    ticket: AtomicU64,
    /// The loop that the ticket is about.
    current: AtomicPtr<Loop<'static>>,
    /// Number of tasks that are done.
    done: AtomicUsize,
    over: AtomicBool,
}

/// Most tasks of one loop.
const MOST_TASKS: usize = 0xffff;

impl Board {
    /// Claims a task of the loop at hand and runs it. Returns whether there was one.
    fn help(&self) -> bool {
        let ticket = self.ticket.load(Ordering::Acquire);
        let (tasks, next) = ((ticket >> 16) & 0xffff, ticket & 0xffff);
        if next >= tasks {
            return false;
        }
        let current = self.current.load(Ordering::Acquire);
        if self.ticket.compare_exchange(ticket, ticket + 1, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return true;
        }
        let _finished = CountOnDrop(&self.done);
        // SAFETY: the exchange succeeded, so the loop of this ticket had a task left when `current` was read and has one
        // that is not done until `_finished` is dropped; `for_each` keeps it alive and published until then.
        let run = unsafe { (*current).run };
        run(next as usize);
        true
    }

    fn serve(&self) {
        let mut idle = 0;
        while !self.over.load(Ordering::Acquire) {
            if self.help() {
                idle = 0;
            } else {
                wait(&mut idle);
            }
        }
    }
}

fn wait(idle: &mut u32) {
    *idle += 1;
    if *idle > PATIENCE {
        std::thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

/// Counts a task as done, also when it panics: nobody waits for ever.
struct CountOnDrop<'a>(&'a AtomicUsize);

impl Drop for CountOnDrop<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Ends the helpers' service, also in a panic.
struct EndOnDrop<'a>(&'a Board);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Release);
    }
}

/// Waits for the tasks that others have claimed, also in a panic: they refer to the stack of `for_each`.
struct WaitOnDrop<'a> {
    board: &'a Board,
    tasks: usize,
}

impl Drop for WaitOnDrop<'_> {
    fn drop(&mut self) {
        // what nobody has claimed is not to be begun any more; after a loop that ran to its end nothing is left
        let ticket = self.board.ticket.fetch_or(0xffff, Ordering::AcqRel);
        let claimed = ((ticket & 0xffff) as usize).min(self.tasks);
        let mut idle = 0;
        while self.board.done.load(Ordering::Acquire) < claimed {
            wait(&mut idle);
        }
    }
}

/// Held by the one team that has helpers. It decides about speed only, never about results.
struct Engaged;

static ENGAGED: AtomicBool = AtomicBool::new(false);

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

/// The threads that work on a step together. See the module.
pub struct Team<'a> {
    board: Option<&'a Board>,
}

impl Team<'_> {
    /// Calls `work` with a team of all threads, or of one if it is not `worth_it`.
    pub fn gather<R>(worth_it: bool, work: impl FnOnce(&Team) -> R) -> R {
        let threads = rayon::current_num_threads().min(LARGEST);
        if !worth_it || threads < 2 {
            return work(&Team { board: None });
        }
        // two teams at once would only wait for each other's turns on the processors
        let Some(_engaged) = Engaged::try_new() else { return work(&Team { board: None }) };
        let board = Board::default();
        rayon::in_place_scope(|scope| {
            let board = &board;
            let _end = EndOnDrop(board);
            for _ in 1..threads {
                scope.spawn(move |_| board.serve());
            }
            work(&Team { board: Some(board) })
        })
    }

    /// Whether a step of a cloth with so many vertices gains by a team.
    #[must_use]
    pub const fn is_worth_it(vertices: usize) -> bool {
        vertices >= WORTH_WAKING
    }

    /// A team of one.
    #[must_use]
    pub const fn alone() -> Self {
        Team { board: None }
    }

    /// Calls `run(task)` once for every task below `tasks`, and returns when all are done. A task must not start a loop of
    /// the same team.
    pub fn for_each(&self, tasks: usize, run: impl Fn(usize) + Sync) {
        let (Some(board), 2..=MOST_TASKS) = (self.board, tasks) else {
            (0..tasks).for_each(run);
            return;
        };
        let this = Loop { run: &run };
        board.done.store(0, Ordering::Relaxed);
        board.current.store((&raw const this).cast_mut().cast(), Ordering::Release);
        let number = (board.ticket.load(Ordering::Relaxed) >> 32) + 1;
        board.ticket.store(number << 32 | (tasks as u64) << 16, Ordering::Release);
        let _wait = WaitOnDrop { board, tasks };
        while board.help() {}
    }

    /// Calls `run` for every part of `0..length` in parts of `grain`, and returns when all are done.
    pub fn for_parts(&self, length: usize, grain: usize, run: impl Fn(Range<usize>) + Sync) {
        let grain = grain.max(1).max(length.div_ceil(MOST_TASKS));
        self.for_each(length.div_ceil(grain), |part| {
            let start = part * grain;
            run(start..(start + grain).min(length));
        });
    }

    /// Calls `change(i, &mut entries[i])` for every entry, in parts of `grain`.
    pub fn update<T: Send>(&self, entries: &mut [T], grain: usize, change: impl Fn(usize, &mut T) + Sync) {
        let shared = Shared::new(entries);
        self.for_parts(shared.len(), grain, |part| {
            let first = part.start;
            // SAFETY: the parts do not overlap, and each is run once.
            let part = unsafe { shared.part(part) };
            part.iter_mut().enumerate().for_each(|(i, entry)| change(first + i, entry));
        });
    }
}

/// A slice whose parts several threads write at the same time.
#[derive(Clone, Copy)]
pub struct Shared<'a, T> {
    start: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: it is used as a slice whose disjoint parts are sent to threads; the callers of its unsafe methods see to that.
unsafe impl<T: Send> Send for Shared<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    /// Shares `slice`.
    #[must_use]
    pub fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), length: slice.len(), slice: PhantomData }
    }

    /// Number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The entries of `range`, to change.
    ///
    /// # Safety
    /// While the result is in use nobody else may use any of these entries.
    ///
    /// # Panics
    /// When the range does not lie in the slice.
    #[must_use]
    #[expect(clippy::mut_from_ref, reason = "what the type is for; see Safety")]
    pub unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: the range lies in the slice, and the caller promises that it is alone there.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }

    /// The entries of `range`, to read.
    ///
    /// # Safety
    /// While the result is in use nobody may change any of these entries.
    ///
    /// # Panics
    /// When the range does not lie in the slice.
    #[must_use]
    pub unsafe fn read(&self, range: Range<usize>) -> &[T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: the range lies in the slice, and the caller promises that nobody writes there.
        unsafe { std::slice::from_raw_parts(self.start.add(range.start), range.len()) }
    }
}
