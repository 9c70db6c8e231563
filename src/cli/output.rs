//! Common output of the commands: failures, printing, the progress bar and the clock.

use std::io::{self, Write};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::documents::{Table, why_not_written};
use crate::scene::InputError;
use crate::sim::Clock;
use crate::sim::Real;
use crate::sim::params::quote::{is_hidden, plain_lines, quote};

/// Why a command failed.
pub(super) enum Failure {
    /// Bad input: exit status 2.
    Input(InputError),
    /// It ran and failed: exit status 1.
    Ran(String),
    /// Ctrl+C: exit status 130, as a shell has it for a program that this signal ends.
    Interrupted(String),
}

impl Failure {
    /// The exit status, and the sentence for standard error.
    pub fn status(&self) -> (u8, String) {
        match self {
            Self::Ran(message) => (1, message.clone()),
            Self::Input(error) => (2, error.to_string()),
            Self::Interrupted(message) => (130, message.clone()),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

/// Writes a line for the user to standard error. Names in it may come from any file.
pub(super) fn report(message: &str) {
    eprintln!("weft: {}", plain_lines(message));
}

/// Writes lines to standard output, without the control characters of names in them. A reader that
/// has gone away (`weft solvers | head`) is no error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    print_file(&plain_lines(text))
}

/// Writes the text of a file to standard output, with its tabs; it is free of foreign control
/// characters already.
pub(super) fn print_file(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(not_written("standard output", &error)),
        _ => Ok(()),
    }
}

/// Writes JSON to standard output.
pub(super) fn print_json(rows: &serde_json::Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(rows).map_err(|error| Failure::Ran(error.to_string()))?;
    // outside strings there is nothing to escape
    let escape = |text: String, c: char| match c {
        '\n' => text + "\n",
        c if is_hidden(c) => text + &format!("\\u{:04x}", u32::from(c)),
        c => text + c.encode_utf8(&mut [0; 4]),
    };
    print(&(text.chars().fold(String::with_capacity(text.len()), escape) + "\n"))
}

/// A bar that counts `what` up to `length`. Shown on a terminal only; indicatif hides it elsewhere.
pub(super) fn counting_bar(length: u64, what: &str) -> ProgressBar {
    bar(length, &format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left"))
}

/// A bar that shows the share that is done.
pub(super) fn share_bar(ticks: u64) -> ProgressBar {
    bar(ticks, "{bar:40} {percent} %, {eta} left")
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

/// A clock for the times in step statistics.
pub(super) fn clock() -> Clock {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Clock(|| START.elapsed().as_secs_f64())
}

/// The middle of sorted values.
pub(super) fn median(sorted: &[Real]) -> Real {
    let n = sorted.len();
    0.5 * (sorted[(n - 1) / 2] + sorted[n / 2])
}

/// The failure of writing `file`.
pub(super) fn not_written(file: impl AsRef<Path>, error: &io::Error) -> Failure {
    Failure::Ran(format!("{}: {}", quote(&file.as_ref().to_string_lossy()), why_not_written(error)))
}

/// A table with `header` in a file.
pub(super) fn open_table(file: impl AsRef<Path>, header: &[String]) -> Result<Table, Failure> {
    Table::create(file.as_ref(), header).map_err(|error| not_written(file, &error))
}

/// A time that can be waited for.
pub(super) fn timeout(seconds: f64) -> Result<Duration, InputError> {
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| InputError::new("--timeout", "needs a number of seconds above 0"))
}
