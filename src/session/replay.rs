//! Recordings of a session, and their repetition.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Session;
use super::recording::{Line, MEND, Recording, Start, digits, program};
use super::state::SessionState;
use super::timeline::{Event, Timeline};
use crate::documents::why_not_written;
use crate::scene::{InputError, build_solver};
use crate::sim::{Real, Vec3};

impl Session {
    /// Starts a recording in memory.
    pub fn start_recording(&mut self) {
        self.journal.recordings.in_memory = Some(Recording::new(&program(), self.start()));
    }

    /// Whether there is a recording in memory.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.journal.recordings.in_memory.is_some()
    }

    /// The recording so far, if there is one.
    #[must_use]
    pub fn recorded(&self) -> Option<String> {
        self.journal.recordings.in_memory.as_ref()?.text(&self.simulation)
    }

    /// Ends the recording and returns it.
    pub fn end_recording(&mut self) -> Option<String> {
        let text = self.recorded();
        self.journal.recordings.in_memory = None;
        text
    }

    /// Records to `file` from now on, as things happen: whatever ends the program leaves a
    /// recording up to there.
    ///
    /// # Errors
    /// [`InputError`] when the file cannot be made.
    pub fn record_to(&mut self, file: &Path) -> Result<(), InputError> {
        let recording = Recording::to_file(file, &program(), self.start());
        let failed = |error| InputError::new(file.to_string_lossy(), why_not_written(&error));
        self.journal.recordings.in_file = Some(recording.map_err(failed)?);
        Ok(())
    }

    /// Why the recording does not go to its file any more, if that could not be written: a sentence.
    #[must_use]
    pub fn recording_fault(&self) -> Option<&str> {
        self.journal.recordings.fault.as_deref()
    }

    /// Ends the recording that goes to a file, if there is one, and waits until it is on the disk.
    ///
    /// # Errors
    /// [`InputError`] when the disk fails.
    pub fn end_record_file(&mut self) -> Result<(), InputError> {
        let Some(recording) = self.journal.recordings.in_file.take() else { return Ok(()) };
        let failed =
            |(path, error): (PathBuf, std::io::Error)| InputError::new(path.to_string_lossy(), why_not_written(&error));
        recording.end(&self.simulation).map_err(failed)
    }

    /// A recording of the way that is kept, up to the newest moment. It goes along it, and comes
    /// back to where it stands.
    ///
    /// # Errors
    /// [`InputError`] when no way is kept, or it was called off.
    pub fn record_way(&mut self) -> Result<String, InputError> {
        let none = || InputError::new("", "the time line has nothing to record");
        let timeline = self.journal.timeline.as_ref().ok_or_else(none)?;
        let (at, events) = (timeline.at(), timeline.events());
        let present = self.checkpoint();
        let (last_step, recovery) = (std::mem::take(&mut self.last_step), std::mem::take(&mut self.recovery));
        let way = self.write_way(events);
        self.return_to(&present);
        (self.last_step, self.recovery) = (last_step, recovery);
        if let Some(timeline) = &mut self.journal.timeline {
            timeline.stand_at(at);
        }
        way
    }

    fn write_way(&mut self, events: Vec<Event>) -> Result<String, InputError> {
        let mut recording: Option<Recording> = None;
        for event in events {
            match (event, &mut recording) {
                (Event::State(point), recording) => {
                    self.seek_point(Some(point))?;
                    let start = self.start();
                    match recording {
                        Some(recording) => recording.note_state(start),
                        None => *recording = Some(Recording::new(&program(), start)),
                    }
                }
                (Event::Command(command), Some(recording)) => recording.note_command(&command),
                (Event::Step(hash), Some(recording)) => recording.note_hash(hash),
                (_, None) => {}
            }
        }
        let newest = self.journal.timeline.as_ref().map(Timeline::newest);
        self.seek_point(newest)?;
        Ok(recording.and_then(|recording| recording.text(&self.simulation)).unwrap_or_default())
    }

    /// The present as a state to begin with.
    #[must_use]
    pub fn start(&self) -> Start {
        let idle_solvers = self.simulation.idle_settings();
        let idle_solvers = idle_solvers.map(|(id, all)| (id.to_owned(), crate::scene::collect_settings(all)));
        Start { snapshot: self.snapshot(), state: self.state.clone(), idle_solvers: idle_solvers.collect() }
    }

    /// A session that begins with a state.
    ///
    /// # Errors
    /// [`InputError`] when the state cannot be.
    pub fn resume(start: &Start) -> Result<Self, InputError> {
        start.check()?;
        let (scene, mut simulation) = start.snapshot.restore()?;
        for (id, settings) in &start.idle_solvers {
            simulation.keep_solver(build_solver(id, settings, "idle_solvers")?);
        }
        let mut session = Self::new(scene, simulation);
        let mut state = SessionState { scene: session.state.scene, ..start.state.clone() };
        // a scene in a file has no name, but the snapshot has
        Arc::make_mut(&mut state.defaults).name.clone_from(&state.scene.name);
        session.state = state;
        Ok(session)
    }
}

/// A recording to be repeated.
#[derive(Debug)]
pub struct Replay {
    file: String,
    /// Each with its number in the file.
    lines: Vec<(usize, Line)>,
    /// Which program wrote it.
    pub build: String,
    /// Number of steps in it.
    pub steps: u64,
    /// The number of the last line, if it was cut off and left out.
    pub cut_off: Option<usize>,
}

/// How a repetition compares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// Every step had the same bits.
    Identical,
    /// Some bits differed, but no vertex by more than was allowed.
    Within {
        /// The largest distance [m].
        distance: Real,
    },
    /// A vertex went elsewhere.
    Diverged {
        /// The first step with other bits, from 1.
        step: u64,
        /// Where that was compared: the step, the vertex that is farthest off, and its distance
        /// [m].
        farthest: Option<(u64, u32, Real)>,
    },
}

impl Replay {
    /// Reads a recording. A last line that is not whole is left out: the program was killed while
    /// it wrote. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] with file and line.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let (mut lines, mut cut_off) = (Vec::new(), None);
        let ends = text.split_inclusive('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (number, line) in ends.map(|(before, line)| (before + 1, line)) {
            match Line::parse(line, &format!("{file}, line {number}")) {
                Ok(line) => lines.push((number, line)),
                // an object that was cut off anywhere is none, so that this was not the whole line
                Err(_) if !line.ends_with('\n') && !is_object(line) => cut_off = Some(number),
                Err(error) => return Err(error),
            }
        }
        let Some((_, Line::Begin { build, .. })) = lines.first() else {
            let message = if cut_off.is_some() && lines.is_empty() {
                "is no recording: its first state was cut off; write one with --record"
            } else {
                "is no recording: it does not begin with a state; write one with --record"
            };
            return Err(InputError::new(file, message));
        };
        let build = build.clone();
        let steps = lines.iter().filter(|(_, line)| matches!(line, Line::Step(_))).count() as u64;
        Ok(Self { file: file.to_owned(), build, lines, steps, cut_off })
    }

    /// Repeats it, and compares every step. `prepare` sees each new session, and `follow` the
    /// number of every step and the session after it; its result says whether to continue.
    /// Differences of up to `tolerance` [m] are allowed.
    ///
    /// # Errors
    /// [`InputError`] when a state or a command in it is impossible.
    pub fn run(
        &self,
        tolerance: Real,
        mut prepare: impl FnMut(&mut Session),
        mut follow: impl FnMut(u64, &Session) -> bool,
    ) -> Result<Verdict, InputError> {
        let mut session: Option<Session> = None;
        let (mut step, mut first, mut largest): (u64, Option<u64>, Real) = (0, None, 0.0);
        for (number, line) in &self.lines {
            let place = || format!("{}, line {number}", self.file);
            let at_line = |error: InputError| InputError::new(place(), error.to_string());
            match line {
                Line::Begin { state, .. } | Line::State(state) => {
                    let mut begun = Session::resume(state).map_err(at_line)?;
                    prepare(&mut begun);
                    session = Some(begun);
                }
                Line::Command(command) => {
                    let session = session.as_mut().ok_or_else(|| InputError::new(place(), "comes before the state"))?;
                    session.apply(command.clone());
                    if let Some(message) = session.message() {
                        return Err(InputError::new(place(), message.to_owned()));
                    }
                }
                Line::Step(hash) => {
                    let session = session.as_mut().ok_or_else(|| InputError::new(place(), "comes before the state"))?;
                    step += 1;
                    if session.advance().is_err() {
                        return Ok(Verdict::Diverged { step: first.unwrap_or(step), farthest: None });
                    }
                    if digits(session.simulation.fingerprint()) != *hash {
                        first.get_or_insert(step);
                    }
                    if !follow(step, session) {
                        break;
                    }
                }
                Line::Positions(positions) => {
                    let Some(session) = &session else { continue };
                    let vertices = session.simulation.state.cloth.len();
                    if first.is_none() && positions.len() != vertices {
                        let message =
                            format!("there are {} positions, but the cloth has {vertices} vertices", positions.len());
                        return Err(InputError::new(place(), format!("{message}; {MEND}")));
                    }
                    let (vertex, distance) = farthest(positions, &session.simulation.state.cloth.positions);
                    largest = largest.max(distance);
                    if let Some(first) = first.filter(|_| distance > tolerance) {
                        return Ok(Verdict::Diverged { step: first, farthest: Some((step, vertex, distance)) });
                    }
                }
            }
        }
        Ok(match first {
            None => Verdict::Identical,
            Some(_) if largest > 0.0 && largest <= tolerance => Verdict::Within { distance: largest },
            Some(step) => Verdict::Diverged { step, farthest: None },
        })
    }
}

/// Whether a text is a whole object of JSON, whatever is in it.
fn is_object(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// The vertex that is farthest from its place in the other list, and how far [m]; infinitely where
/// one list is longer.
fn farthest(a: &[Vec3], b: &[Vec3]) -> (u32, Real) {
    if a.len() != b.len() {
        return (a.len().min(b.len()) as u32, Real::INFINITY);
    }
    let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    (0..).zip(distances).fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most })
}
