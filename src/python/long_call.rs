//! Long calls: the work is done beside the thread that gets Python's signals, which looks for them
//! meanwhile. Ctrl+C cancels the work, and its exception is raised.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::UnusableError;

/// How often signals are looked for.
pub const LOOK: Duration = Duration::from_millis(20);

/// The exception of work that panicked.
pub fn panicked(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message");
    UnusableError::new_err(format!("the library has a fault: {text}"))
}

/// Does short work on this thread, without the lock of the interpreter.
pub fn here<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|payload| panicked(payload.as_ref()))
}

/// Does `work` on another thread, and calls `cancel` when a signal raises an exception here, which is
/// then the error. Waits for the end of the work in any case.
pub fn beside<T: Send>(py: Python<'_>, cancel: impl Fn(), work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let (caller, done) = (thread::current(), AtomicBool::new(false));
    let mut interrupted = None;
    let ended = thread::scope(|scope| {
        let run = || {
            let result = catch_unwind(AssertUnwindSafe(work));
            done.store(true, Ordering::Release);
            caller.unpark();
            result
        };
        let worker = thread::Builder::new().name("weft".to_owned()).spawn_scoped(scope, run);
        let worker = worker.map_err(|error| UnusableError::new_err(format!("no thread can be started: {error}")))?;
        while !done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(LOOK));
            if interrupted.is_none()
                && let Err(error) = py.check_signals()
            {
                cancel();
                interrupted = Some(error);
            }
        }
        worker.join().and_then(|result| result).map_err(|payload| panicked(payload.as_ref()))
    });
    interrupted.map_or(ended, Err)
}
