//! Recording of a session, for repetition and comparison: an initial state, every command with its
//! place among the steps, and a hash of the state after each step.
//!
//! It is text, an object per line: `begin` with the program and the state, `command`, `step` with
//! the hash, `positions` now and then, and `state` if the cloth went to another state than by a
//! step: another scene, a reset, a moment of the past.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::Command;
use super::state::SessionState;
use crate::documents::AppendedFile;
use crate::scene::{InputError, Snapshot, SolverSettings, build_solver};
use crate::sim::math::fingerprint::fingerprint;
use crate::sim::params::quote::{quote, quote_within};
use crate::sim::{Real, Simulation, Vec3};

/// Version of the format.
pub(super) const VERSION: u32 = 1;
/// Steps from one line with positions to the next.
const POSITIONS_EVERY: u64 = 300;
/// Most that a run with another build of the program may differ by [m].
pub const TOLERANCE: Real = 1e-6;
/// How a recording comes about, for messages about one that cannot be.
pub(super) const MEND: &str = "write it with --record or Files, Record";

/// A state to begin with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The simulation, with the scene that it came from.
    pub(super) snapshot: Snapshot,
    #[serde(flatten)]
    pub(super) state: SessionState,
    /// Solvers that were at work before, with their settings.
    #[serde(default)]
    pub(super) idle_solvers: BTreeMap<String, SolverSettings>,
}

impl Start {
    /// Whether its parts fit together: those of the snapshot by [`Snapshot::check`], and the others
    /// likewise.
    ///
    /// # Errors
    /// [`InputError`] without a place, with the fault.
    pub fn check(&self) -> Result<(), InputError> {
        self.snapshot.check()?;
        self.state.check(self.snapshot.size())?;
        let idle = |(id, settings): (&String, &SolverSettings)| build_solver(id, settings, "idle_solvers").map(drop);
        self.idle_solvers.iter().try_for_each(idle)
    }
}

/// A line of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Line {
    Begin {
        /// [`VERSION`].
        recording: u32,
        /// Version and fingerprint of the program.
        build: String,
        state: Box<Start>,
    },
    State(Box<Start>),
    Command(Command),
    /// The hash of the state after it, in hexadecimal digits.
    Step(String),
    Positions(Vec<Vec3>),
}

impl Line {
    /// Reads a line at `place` of a recording, and checks it as far as it can be checked before it
    /// is reached.
    pub(super) fn parse(text: &str, place: &str) -> Result<Self, InputError> {
        let line: Self = serde_json::from_str(text).map_err(|error| {
            InputError::new(place, format!("not a line of a recording: {}; {MEND}", quote_within(&error.to_string())))
        })?;
        match &line {
            // the content of another version cannot be judged
            Self::Begin { recording, .. } if *recording != VERSION => {
                let message = format!("recording version {recording} is not known; this is version {VERSION}");
                return Err(InputError::new(place, message));
            }
            Self::Begin { state, .. } | Self::State(state) => state
                .check()
                .map_err(|error| InputError::new(place, format!("the state in it cannot be: {error}; {MEND}")))?,
            Self::Command(command) => command.check().map_err(|error| InputError::new(place, error.message()))?,
            Self::Step(hash) if u64::from_str_radix(hash, 16).is_err() => {
                let message = format!("\"{}\" is no hash of a state in hexadecimal digits; {MEND}", quote(hash));
                return Err(InputError::new(place, message));
            }
            Self::Step(_) | Self::Positions(_) => {}
        }
        Ok(line)
    }

    /// The text that [`parse`](Self::parse) reads back, and the end of the line.
    fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a line has only string keys and finite numbers") + "\n"
    }
}

/// Where a recording goes.
#[derive(Debug)]
enum Sink {
    Memory(String),
    File { path: PathBuf, file: AppendedFile },
}

/// A recording that grows.
#[derive(Debug)]
pub struct Recording {
    sink: Sink,
    steps: u64,
    /// Whether the last step has its positions.
    is_complete: bool,
    /// Whether time stands still where it is repeated.
    is_paused: bool,
}

pub(super) fn digits(hash: u64) -> String {
    format!("{hash:016x}")
}

impl Recording {
    /// One in memory.
    pub(super) fn new(build: &str, start: Start) -> Self {
        Self::begin(Sink::Memory(String::new()), build, start)
    }

    /// One in the file `path`, which has each line as soon as that is there.
    pub(super) fn to_file(path: &Path, build: &str, start: Start) -> io::Result<Self> {
        let file = AppendedFile::create(path)?;
        Ok(Self::begin(Sink::File { path: path.to_owned(), file }, build, start))
    }

    fn begin(sink: Sink, build: &str, start: Start) -> Self {
        let mut recording = Self { sink, steps: 0, is_complete: true, is_paused: start.state.paused };
        recording.push(&Line::Begin { recording: VERSION, build: build.to_owned(), state: Box::new(start) });
        recording
    }

    fn push(&mut self, line: &Line) {
        let line = line.to_text();
        match &mut self.sink {
            Sink::Memory(text) => *text += &line,
            Sink::File { file, .. } => file.push(line),
        }
    }

    /// Whether time stands still at the end of it.
    pub(super) fn is_paused(&self) -> bool {
        self.is_paused
    }

    pub(super) fn note_command(&mut self, command: &Command) {
        if let Command::Pause { on } = command {
            self.is_paused = *on;
        }
        self.push(&Line::Command(command.clone()));
    }

    pub(super) fn note_state(&mut self, start: Start) {
        self.is_paused = start.state.paused;
        self.push(&Line::State(Box::new(start)));
        self.is_complete = true;
    }

    /// Notes a step to a state with this hash.
    pub(super) fn note_hash(&mut self, hash: u64) {
        self.push(&Line::Step(digits(hash)));
        self.steps += 1;
        self.is_complete = false;
    }

    pub(super) fn note_step(&mut self, simulation: &Simulation) {
        self.note_hash(simulation.fingerprint());
        if self.steps.is_multiple_of(POSITIONS_EVERY) {
            self.note_positions(simulation);
        }
    }

    /// Notes the positions of the last step before the session goes elsewhere.
    pub(super) fn complete(&mut self, simulation: &Simulation) {
        if !self.is_complete {
            self.note_positions(simulation);
        }
    }

    fn note_positions(&mut self, simulation: &Simulation) {
        self.push(&Line::Positions(simulation.state.cloth.positions.clone()));
        self.is_complete = true;
    }

    /// The text so far, of a session whose simulation this is; none of one in a file.
    pub(super) fn text(&self, simulation: &Simulation) -> Option<String> {
        let Sink::Memory(text) = &self.sink else { return None };
        let last = (!self.is_complete).then(|| Line::Positions(simulation.state.cloth.positions.clone()).to_text());
        Some(text.clone() + &last.unwrap_or_default())
    }

    /// Why its file could not be written, once.
    pub(super) fn take_fault(&mut self) -> Option<(&Path, io::Error)> {
        let Sink::File { path, file } = &mut self.sink else { return None };
        file.take_fault().map(|error| (path.as_path(), error))
    }

    /// Ends it, and waits until it is on the disk.
    pub(super) fn end(mut self, simulation: &Simulation) -> Result<(), (PathBuf, io::Error)> {
        self.complete(simulation);
        match self.sink {
            Sink::Memory(_) => Ok(()),
            Sink::File { path, mut file } => file.close().map_err(|error| (path, error)),
        }
    }
}

/// The recordings of a session.
#[derive(Debug, Default)]
pub(super) struct Recordings {
    /// The one that is begun and ended by hand.
    pub in_memory: Option<Recording>,
    /// The one that goes to a file as long as the session is there.
    pub in_file: Option<Recording>,
    /// Why that does not go to its file any more.
    pub fault: Option<String>,
}

impl Recordings {
    /// Whether none is being made.
    pub fn is_empty(&self) -> bool {
        self.in_memory.is_none() && self.in_file.is_none()
    }

    /// Those that are being made.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Recording> {
        self.in_memory.iter_mut().chain(&mut self.in_file)
    }
}

/// Which program this is: its version and a fingerprint of its file. Another build may round
/// otherwise.
#[must_use]
pub fn program() -> String {
    // the file is large, and may be another one once it is built anew
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
        let words = bytes.chunks(8).map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        format!("{} {}", env!("CARGO_PKG_VERSION"), digits(fingerprint(words)))
    });
    PROGRAM.clone()
}
