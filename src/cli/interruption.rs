//! Early ends of a run: Ctrl+C, SIGTERM, SIGHUP, and `--timeout`.

use std::process::exit;
use std::sync::Arc;
#[cfg(unix)]
use std::sync::Once;
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
    /// Listens from now on. A second signal ends the program at once.
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
        on_signals(move || {
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

    /// Whether the user has ended the run, for another thread.
    #[cfg(feature = "app")]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.by_user)
    }

    /// Whether the user has ended the run.
    pub fn is_by_user(&self) -> bool {
        self.by_user.load(Ordering::Relaxed)
    }
}

/// Calls `end` for Ctrl+C, SIGTERM and SIGHUP, but for those that are ignored: shells have the first
/// so for jobs in the background, `nohup` the last.
#[cfg(unix)]
fn on_signals(end: impl FnMut() + Send + 'static) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| set_handler(end));
}

#[cfg(unix)]
fn set_handler(end: impl FnMut() + Send + 'static) {
    let signals = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
    // SAFETY: the only handler that is set is "ignore", and none but this function sets another
    let ignore = |signal: libc::c_int| unsafe { libc::signal(signal, libc::SIG_IGN) };
    let ignored: Vec<libc::c_int> = signals.into_iter().filter(|it| ignore(*it) == libc::SIG_IGN).collect();
    // this sets all three, whatever they were
    let _ = ctrlc::set_handler(end);
    for signal in ignored {
        ignore(signal);
    }
}

#[cfg(not(unix))]
fn on_signals(end: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(end);
}
