//! The thread pool's protocol in every order in which its threads can act: the queue is compiled
//! once more, with the atomics of `loom` in place of those of the standard library.

#![cfg(test)]

#[path = "../../../src/sim/exec/pool/queue.rs"]
#[allow(dead_code)]
mod queue;

/// Stands for `src/sim/exec/pool/sync.rs`.
mod sync {
    pub use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
    pub use loom::sync::{Arc, Condvar, Mutex};

    /// Short, so that the workers go to sleep as well.
    pub const PATIENCE: u32 = 1;

    pub fn pause(idle: &mut u32) {
        *idle += 1;
        loom::thread::yield_now();
    }
}

use loom::cell::UnsafeCell;
use queue::{Caller, WorkQueue};
use sync::Ordering;

/// Runs `work` with a pool of so many `workers` in all orders with at most three changes of threads
/// against their will.
fn in_every_order(workers: usize, work: impl Fn(&Caller) + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(if workers == 1 { 3 } else { 2 });
    model.check(move || {
        let (caller, worker) = WorkQueue::open();
        let serve = |_| {
            let worker = worker.clone();
            loom::thread::spawn(move || worker.serve())
        };
        let threads: Vec<_> = (0..workers).map(serve).collect();
        drop(worker);
        work(&caller);
        drop(caller);
        for thread in threads {
            thread.join().expect("no task panics");
        }
    });
}

/// Entries that a loop writes, each of them once; `loom` looks whether two threads are at one at
/// the same time.
struct Entries(Vec<UnsafeCell<u32>>);

// SAFETY: what is being checked.
unsafe impl Sync for Entries {}
// SAFETY: as above.
unsafe impl Send for Entries {}

impl Entries {
    fn new(count: usize) -> Self {
        Self((0..count).map(|_| UnsafeCell::new(0)).collect())
    }

    fn add(&self, at: usize, amount: u32) {
        // SAFETY: `loom` panics when it is not.
        self.0[at].with_mut(|entry| unsafe { *entry += amount });
    }

    fn get(&self, at: usize) -> u32 {
        // SAFETY: as above.
        self.0[at].with(|entry| unsafe { *entry })
    }
}

#[test]
fn every_task_is_run_once_and_is_done_when_the_loop_returns() {
    in_every_order(1, |caller| {
        let entries = Entries::new(3);
        caller.run(3, &|task| entries.add(task, 1), || {});
        assert_eq!([0, 1, 2].map(|task| entries.get(task)), [1; 3]);
    });
}

#[test]
fn a_loop_sees_what_the_loop_before_it_has_written() {
    in_every_order(1, |caller| {
        let entries = Entries::new(2);
        caller.run(2, &|task| entries.add(task, 1), || {});
        // the other's entry of the first loop
        let seen = Entries::new(2);
        caller.run(2, &|task| seen.add(task, entries.get(1 - task)), || {});
        assert_eq!([0, 1].map(|task| seen.get(task)), [1; 2]);
    });
}

#[test]
fn a_late_worker_never_takes_a_task_of_a_loop_that_is_gone() {
    in_every_order(1, |caller| {
        for round in 1..3 {
            // on the stack of this round alone
            let (entries, count) = (Entries::new(2), sync::AtomicUsize::new(0));
            caller.run(
                2,
                &|task| {
                    entries.add(task, round);
                    count.fetch_add(1, Ordering::Relaxed);
                },
                || {},
            );
            assert_eq!(count.load(Ordering::Relaxed), 2);
            assert_eq!([0, 1].map(|task| entries.get(task)), [round; 2]);
        }
    });
}

#[test]
fn two_workers_share_the_tasks() {
    in_every_order(2, |caller| {
        let entries = Entries::new(2);
        caller.run(2, &|task| entries.add(task, 1), || {});
        assert_eq!([0, 1].map(|task| entries.get(task)), [1; 2]);
    });
}

#[test]
fn workers_without_a_loop_are_dismissed() {
    in_every_order(2, |_| {});
}
