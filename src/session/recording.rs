//! What happened in a session, so that it can be repeated and compared: a state to begin with, every command with its place among the steps,
//! and a hash of the state after each step.
//!
//! It is text, an object per line: `begin` with the program and the state, `command`, `step` with the hash, `positions` now and then, and
//! `state` where the cloth went to another state than by a step: another scene, a reset, a moment of the past.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Command;
use crate::scene::{InputError, Scene, Snapshot, SolverSettings};
use crate::sim::fingerprint::fingerprint;
use crate::sim::quote::quote_within;
use crate::sim::topology::cut_path::CutPath;
use crate::sim::{Real, Simulation, Vec3};

/// Version of the format.
pub(super) const VERSION: u32 = 1;
/// Steps from one line with positions to the next.
const POSITIONS_EVERY: u64 = 300;
/// Most that a run with another build of the program may differ by [m].
pub const TOLERANCE: Real = 1e-6;

/// A state to begin with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The simulation.
    pub(super) snapshot: Snapshot,
    /// The scene as it was loaded.
    pub(super) defaults: Scene,
    /// Whether time stood still.
    #[serde(default)]
    pub(super) paused: bool,
    /// Time that the cloth is to be ironed for [s].
    #[serde(default)]
    pub(super) ironing: Real,
    /// The knife, within a stroke.
    #[serde(default)]
    pub(super) knife: CutPath,
    /// Solvers that were at work before, with their settings.
    #[serde(default)]
    pub(super) idle_solvers: BTreeMap<String, SolverSettings>,
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
    pub(super) fn parse(text: &str, place: &str) -> Result<Self, InputError> {
        serde_json::from_str(text).map_err(|error| {
            let mend = "write it with --record or File, Record";
            InputError::new(place, format!("not a line of a recording: {}; {mend}", quote_within(&error.to_string())))
        })
    }
}

/// A recording that grows.
#[derive(Debug)]
pub struct Recording {
    text: String,
    steps: u64,
    /// Whether the last step has its positions.
    is_complete: bool,
}

pub(super) fn digits(hash: u64) -> String {
    format!("{hash:016x}")
}

impl Recording {
    pub(super) fn new(build: &str, start: Start) -> Self {
        let mut recording = Self { text: String::new(), steps: 0, is_complete: true };
        recording.push(&Line::Begin { recording: VERSION, build: build.to_owned(), state: Box::new(start) });
        recording
    }

    fn push(&mut self, line: &Line) {
        self.text += &serde_json::to_string(line).expect("a line has only string keys and finite numbers");
        self.text.push('\n');
    }

    pub(super) fn note_command(&mut self, command: &Command) {
        self.push(&Line::Command(command.clone()));
    }

    pub(super) fn note_state(&mut self, start: Start) {
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
        self.is_complete = self.steps.is_multiple_of(POSITIONS_EVERY);
        if self.is_complete {
            self.push(&Line::Positions(simulation.cloth.positions.clone()));
        }
    }

    /// The text so far, of a session whose simulation this is.
    pub(super) fn text(&self, simulation: &Simulation) -> String {
        let mut text = self.text.clone();
        if !self.is_complete {
            let last = Line::Positions(simulation.cloth.positions.clone());
            text += &serde_json::to_string(&last).expect("positions are finite");
            text.push('\n');
        }
        text
    }
}

/// Which program this is: its version and a fingerprint of its file. Another build may round otherwise.
#[must_use]
pub fn program() -> String {
    let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let words = bytes.chunks(8).map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    format!("{} {}", env!("CARGO_PKG_VERSION"), digits(fingerprint(words)))
}
