//! Recordings of a session, and their repetition.

use super::Session;
use super::recording::{Line, Recording, Start, VERSION, digits, program};
use super::timeline::{Event, Timeline};
use crate::scene::{InputError, apply_settings};
use crate::sim::{Real, Vec3};

impl Session {
    /// Keeps from now on what is done.
    pub fn start_recording(&mut self) {
        self.recording = Some(Recording::new(&program(), self.start()));
    }

    /// Whether what is done is kept.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// The recording so far, if there is one.
    #[must_use]
    pub fn recorded(&self) -> Option<String> {
        self.recording.as_ref().map(|recording| recording.text(&self.simulation))
    }

    /// Ends the recording and returns it.
    pub fn end_recording(&mut self) -> Option<String> {
        let text = self.recorded();
        self.recording = None;
        text
    }

    /// A recording of the way that is kept, up to the newest moment. It goes along it, and comes back to where it stands.
    ///
    /// # Errors
    /// [`InputError`] when no way is kept, or it was called off.
    pub fn record_way(&mut self) -> Result<String, InputError> {
        let none = || InputError::new("", "nothing is kept that could be recorded");
        let timeline = self.timeline.as_ref().ok_or_else(none)?;
        let (at, events) = (timeline.at(), timeline.events());
        let present = self.saved();
        let told = (std::mem::take(&mut self.previous), self.stats, self.failure.take());
        let way = self.write_way(events);
        self.load(&present);
        (self.previous, self.stats, self.failure) = told;
        if let Some(timeline) = &mut self.timeline {
            timeline.stand_at(at);
        }
        way
    }

    fn write_way(&mut self, events: Vec<Event>) -> Result<String, InputError> {
        let mut recording: Option<Recording> = None;
        for event in events {
            match (event, &mut recording) {
                (Event::State(point), recording) => {
                    self.go_to_point(Some(point))?;
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
        let newest = self.timeline.as_ref().map(Timeline::newest);
        self.go_to_point(newest)?;
        Ok(recording.map(|recording| recording.text(&self.simulation)).unwrap_or_default())
    }

    /// The present as a state to begin with.
    #[must_use]
    pub fn start(&self) -> Start {
        Start {
            snapshot: self.snapshot(),
            defaults: self.defaults.clone(),
            paused: self.paused,
            ironing: self.ironing.left(),
            knife: self.knife.clone(),
            idle_solvers: self
                .simulation
                .idle_settings()
                .map(|(id, all)| (id.to_owned(), crate::scene::collect_settings(all)))
                .collect(),
        }
    }

    /// A session that begins with a state.
    ///
    /// # Errors
    /// [`InputError`] when the state cannot be.
    pub fn resume(start: &Start) -> Result<Self, InputError> {
        let (scene, mut simulation) = start.snapshot.restore()?;
        for (id, settings) in &start.idle_solvers {
            let at_work = simulation.solver().info().id;
            if simulation.set_solver(id) {
                apply_settings(settings, simulation.solver_mut().settings_mut(), id)?;
                simulation.set_solver(at_work);
            }
        }
        // changing the solver forgets what it starts from
        start.snapshot.warm(&mut simulation);
        let mut session = Self::new(scene, simulation);
        session.defaults = start.defaults.clone();
        session.share_scene();
        session.paused = start.paused;
        session.ironing.set_left(start.ironing);
        session.knife = start.knife.clone();
        Ok(session)
    }
}

/// A recording to be repeated.
#[derive(Debug)]
pub struct Replay {
    file: String,
    lines: Vec<Line>,
    /// Which program wrote it.
    pub build: String,
    /// Number of steps in it.
    pub steps: u64,
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
        /// Where that was compared: the step, the vertex that is farthest off, and its distance [m].
        farthest: Option<(u64, u32, Real)>,
    },
}

impl Replay {
    /// Reads a recording. A last line that is not whole is left out: the program was killed while it wrote. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] with file and line.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(whole.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            lines.push(Line::parse(line, &format!("{file}, line {number}"))?);
        }
        let mend = "is no recording: it does not begin with the state to begin with; write one with --record";
        let Some(Line::Begin { recording, build, .. }) = lines.first() else {
            return Err(InputError::new(file, mend));
        };
        if *recording != VERSION {
            let message = format!("recording version {recording} is not known; this is version {VERSION}");
            return Err(InputError::new(file, message));
        }
        let steps = lines.iter().filter(|line| matches!(line, Line::Step(_))).count() as u64;
        Ok(Self { file: file.to_owned(), build: build.clone(), lines, steps })
    }

    /// Repeats it, and compares every step. `prepare` sees each session that it begins, and `follow` the number of every step; what it
    /// returns says whether to go on. Differences of up to `tolerance` [m] are allowed for.
    ///
    /// # Errors
    /// [`InputError`] when a state or a command in it cannot be.
    pub fn run(
        &self,
        tolerance: Real,
        mut prepare: impl FnMut(&mut Session),
        mut follow: impl FnMut(u64) -> bool,
    ) -> Result<Verdict, InputError> {
        let mut session: Option<Session> = None;
        let (mut step, mut first, mut largest): (u64, Option<u64>, Real) = (0, None, 0.0);
        for (number, line) in (1..).zip(&self.lines) {
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
                    if let Some(notice) = session.notice() {
                        return Err(InputError::new(place(), notice.to_owned()));
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
                    if !follow(step) {
                        break;
                    }
                }
                Line::Positions(positions) => {
                    let Some(session) = &session else { continue };
                    let (vertex, distance) = farthest(positions, &session.simulation.cloth.positions);
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

/// The vertex that is farthest from its place in the other list, and how far [m]; infinitely where one list is longer.
fn farthest(a: &[Vec3], b: &[Vec3]) -> (u32, Real) {
    if a.len() != b.len() {
        return (a.len().min(b.len()) as u32, Real::INFINITY);
    }
    let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    (0..).zip(distances).fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most })
}
