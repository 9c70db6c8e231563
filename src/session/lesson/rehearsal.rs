//! A lesson without a window: each step is met by its own commands.

use super::{Lesson, LessonSessions, Outcome, Reading, Seen, Walk};
use crate::scene::InputError;
use crate::session::{Command, Frame, Lane, Lanes, Scope};
use crate::sim::Real;

/// Simulated time in which a step has to meet its condition [s].
const LONGEST: Real = 30.0;

/// A lesson on the thread of its caller.
pub struct Rehearsal {
    walk: Walk,
    lanes: Lanes,
}

/// Measured end of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub number: usize,
    /// Whether the condition was met.
    pub is_met: bool,
    /// Ticks until then.
    pub ticks: u64,
    /// Simulated time until then [s].
    pub seconds: Real,
    /// The parts of the condition with their values.
    pub readings: Vec<Reading>,
    /// The end of the step, if the condition was met.
    pub outcome: Option<Outcome>,
    /// All choices that the measurement makes right; there is to be one.
    pub right: Vec<usize>,
    /// What the reason says and the measurement does not.
    pub broken: Vec<Reading>,
}

fn on_stage(stage: LessonSessions) -> Result<Lanes, InputError> {
    let count = stage.sessions.len();
    Lanes::new(stage.sessions).ok_or_else(|| InputError::new("", format!("{count} lanes are too many")))
}

impl Rehearsal {
    /// The beginning of a lesson.
    ///
    /// # Errors
    /// [`InputError`] when its first step cannot be built.
    pub fn begin(lesson: Lesson) -> Result<Self, InputError> {
        Self::begin_at(lesson, 0)
    }

    /// The lesson from a step on, of which those before count as passed.
    ///
    /// # Errors
    /// [`InputError`] when there is no such step, or it cannot be built.
    pub fn begin_at(lesson: Lesson, at: usize) -> Result<Self, InputError> {
        let (walk, stage) = Walk::begin_at(lesson, at)?;
        let mut begun = Self { walk, lanes: on_stage(stage)? };
        begun.look();
        Ok(begun)
    }

    /// The pass through the lesson.
    #[must_use]
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    /// The lanes of the step.
    #[must_use]
    pub fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// Gives `read` the frames of all lanes with the walk.
    fn with<T>(&mut self, read: impl FnOnce(&mut Walk, &Seen) -> T) -> T {
        let frames: Vec<Frame> = self.lanes.lanes().iter().map(|lane| lane.session().frame(0)).collect();
        let frames: Vec<&Frame> = frames.iter().collect();
        let distance = |lane| self.lanes.distance(lane).map(|distance| distance.root_mean_square);
        let distances: Vec<Option<Real>> = (0..frames.len()).map(distance).collect();
        read(&mut self.walk, &Seen { frames: &frames, distances: &distances })
    }

    /// Looks at the lanes; returns whether the condition of the step is met now and was not before.
    pub fn look(&mut self) -> bool {
        self.with(Walk::follow)
    }

    /// Predicts what will happen.
    ///
    /// # Errors
    /// [`InputError`] when the step has to begin again and cannot be built.
    pub fn predict(&mut self, choice: usize) -> Result<(), InputError> {
        let stage = self.with(|walk, seen| walk.predict(choice, seen))?;
        self.take(stage)
    }

    /// Executes a command as the window does: parameters are set in the first lane, the hand is on
    /// all.
    ///
    /// # Errors
    /// [`InputError`] when it cannot be executed.
    pub fn apply(&mut self, command: &Command) -> Result<(), InputError> {
        match command.effects().scope {
            Scope::Chosen => self.lanes.apply_to(0, command),
            _ => self.lanes.apply(command),
        }
    }

    /// A tick of all lanes; returns whether the condition of the step is met now and was not
    /// before.
    ///
    /// # Errors
    /// [`InputError`] when the tick was stopped.
    pub fn tick(&mut self) -> Result<bool, InputError> {
        self.lanes.tick().map_err(|stopped| InputError::new("", stopped.to_string()))?;
        Ok(self.look())
    }

    /// Goes to the next step; returns whether there is one, and the condition of this one is met.
    ///
    /// # Errors
    /// [`InputError`] when it cannot be built.
    pub fn go_on(&mut self) -> Result<bool, InputError> {
        let stage = self.walk.go_on()?;
        let is_there = stage.is_some();
        self.take(stage)?;
        Ok(is_there)
    }

    /// Goes to the step before; returns whether there is one.
    ///
    /// # Errors
    /// [`InputError`] when it cannot be built.
    pub fn go_back(&mut self) -> Result<bool, InputError> {
        let stage = self.walk.go_back()?;
        let is_there = stage.is_some();
        self.take(stage)?;
        Ok(is_there)
    }

    fn take(&mut self, stage: Option<LessonSessions>) -> Result<(), InputError> {
        if let Some(stage) = stage {
            self.lanes = on_stage(stage)?;
            self.look();
        }
        Ok(())
    }

    /// Meets the condition of the step by its own commands, after a prediction if there is one to
    /// make.
    ///
    /// # Errors
    /// [`InputError`] when a command cannot be executed.
    pub fn show(&mut self, prediction: usize) -> Result<StepReport, InputError> {
        if self.walk.asks() {
            self.predict(prediction)?;
        }
        let (ticks, clock) = (self.lanes.ticks(), self.lanes.clock());
        for command in self.walk.step().show.clone() {
            self.apply(&command)?;
        }
        let mut is_met = self.look();
        while !is_met && self.lanes.clock() - clock < LONGEST && self.is_running() {
            is_met = self.tick()?;
        }
        Ok(StepReport {
            number: self.walk.at() + 1,
            is_met,
            ticks: self.lanes.ticks() - ticks,
            seconds: self.lanes.clock() - clock,
            readings: self.walk.readings().to_vec(),
            outcome: self.walk.outcome().cloned(),
            right: self.with(|walk, seen| walk.right_choices(seen)),
            broken: self.with(|walk, seen| walk.broken(seen)),
        })
    }

    fn is_running(&self) -> bool {
        self.lanes.lanes().iter().any(Lane::is_running)
    }

    /// Walks through a lesson to its end, or to the first step whose condition is not met, and
    /// gives `tell` the report of each step.
    ///
    /// # Errors
    /// [`InputError`] when a step cannot be built, or a command not be executed.
    pub fn walk_through(
        lesson: Lesson,
        prediction: usize,
        tell: &mut dyn FnMut(&Walk, &StepReport),
    ) -> Result<bool, InputError> {
        let mut rehearsal = Self::begin(lesson)?;
        loop {
            let report = rehearsal.show(prediction)?;
            tell(&rehearsal.walk, &report);
            if !report.is_met {
                return Ok(false);
            }
            if !rehearsal.go_on()? {
                return Ok(true);
            }
        }
    }
}
