//! Early ends of a run: Ctrl+C, and `--timeout`.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::sim::{CancelToken, Canceller};

/// Calls the steps of a run off when its time is over, or when the user wants it to end.
pub(super) struct Interruption {
    canceller: Canceller,
    by_user: Arc<AtomicBool>,
}

impl Interruption {
    /// Listens from now on. A second Ctrl+C ends the program at once.
    pub fn listen(timeout: Option<Duration>) -> Self {
        let canceller = Canceller::default();
        let by_user = Arc::new(AtomicBool::new(false));
        if let Some(timeout) = timeout {
            let canceller = canceller.clone();
            thread::spawn(move || {
                thread::sleep(timeout);
                canceller.cancel_through(0);
            });
        }
        let (told, calls_off) = (Arc::clone(&by_user), canceller.clone());
        // it fails where Ctrl+C is ignored, as shells have it for jobs in the background: then it
        // is to stay so
        let _ = ctrlc::try_set_handler(move || {
            if told.swap(true, Ordering::Relaxed) {
                exit(130);
            }
            calls_off.cancel_through(0);
        });
        Self { canceller, by_user }
    }

    /// Calls the steps off for another reason.
    pub fn call_off(&self) {
        self.canceller.cancel_through(0);
    }

    /// For the simulation that runs.
    pub fn token(&self) -> CancelToken {
        self.canceller.token(0)
    }

    /// Whether the user has ended the run.
    pub fn is_by_user(&self) -> bool {
        self.by_user.load(Ordering::Relaxed)
    }
}
