//! A pass through a lesson.

use super::{Lesson, LessonSessions, Measured, Reading, Seen, Step};
use crate::scene::InputError;
use crate::sim::Real;

/// Measured end of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The choice that the measurement makes the right one, if there were any.
    pub right: Option<usize>,
    /// What was measured and why.
    pub reason: String,
}

/// A pass through a lesson: which step, what was predicted, what has been measured.
#[derive(Debug)]
pub struct Walk {
    lesson: Lesson,
    at: usize,
    /// Number of steps whose condition has been met.
    passed: usize,
    /// Number of stages so far.
    stages: u64,
    longest_steps: Vec<Real>,
    measured: Option<Measured>,
    predicted: Option<usize>,
    outcome: Option<Outcome>,
    readings: Vec<Reading>,
}

impl Walk {
    /// The beginning of a lesson, with the sessions of its first step.
    ///
    /// # Errors
    /// [`InputError`] when they cannot be built.
    pub fn begin(lesson: Lesson) -> Result<(Self, LessonSessions), InputError> {
        Self::begin_at(lesson, 0)
    }

    /// The lesson from a step on, of which those before count as passed.
    ///
    /// # Errors
    /// [`InputError`] when there is no such step, or its sessions cannot be built.
    pub fn begin_at(lesson: Lesson, at: usize) -> Result<(Self, LessonSessions), InputError> {
        if at >= lesson.steps.len() {
            let count = lesson.steps.len();
            return Err(InputError::new("", format!("there is no step {}; the lesson has {count}", at + 1)));
        }
        let mut walk = Self {
            lesson,
            at: 0,
            passed: at,
            stages: 0,
            longest_steps: Vec::new(),
            measured: None,
            predicted: None,
            outcome: None,
            readings: Vec::new(),
        };
        let stage = walk.go_to(at)?;
        Ok((walk, stage))
    }

    /// The lesson.
    #[must_use]
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// Place of the step, from 0.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The step.
    #[must_use]
    pub fn step(&self) -> &Step {
        &self.lesson.steps[self.at]
    }

    /// The choice that was predicted, if any.
    #[must_use]
    pub fn predicted(&self) -> Option<usize> {
        self.predicted
    }

    /// Whether a prediction is still to be made.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.step().predict.is_some() && self.predicted.is_none()
    }

    /// The end of the step, once its condition is met.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The parts of the condition with their values.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Whether it can go on: the condition of the step is met now, or was before.
    #[must_use]
    pub fn can_go_on(&self) -> bool {
        self.at < self.passed
    }

    /// Whether the step is the last one.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.at + 1 == self.lesson.steps.len()
    }

    /// The next step, with its sessions; none while it cannot go on, and at the end.
    ///
    /// # Errors
    /// [`InputError`] when they cannot be built.
    pub fn go_on(&mut self) -> Result<Option<LessonSessions>, InputError> {
        if !self.can_go_on() || self.is_last() {
            return Ok(None);
        }
        self.go_to(self.at + 1).map(Some)
    }

    /// The step before, with its sessions; the first one has none.
    ///
    /// # Errors
    /// [`InputError`] when they cannot be built.
    pub fn go_back(&mut self) -> Result<Option<LessonSessions>, InputError> {
        self.at.checked_sub(1).map(|before| self.go_to(before)).transpose()
    }

    /// The same step from its start, with the prediction to be made.
    ///
    /// # Errors
    /// [`InputError`] when its sessions cannot be built.
    pub fn begin_anew(&mut self) -> Result<LessonSessions, InputError> {
        self.go_to(self.at)
    }

    /// The same step from its start, with the prediction that was made.
    ///
    /// # Errors
    /// [`InputError`] when its sessions cannot be built.
    pub fn begin_again(&mut self) -> Result<LessonSessions, InputError> {
        let predicted = self.predicted;
        let stage = self.go_to(self.at)?;
        self.predicted = predicted;
        Ok(stage)
    }

    /// Predicts what will happen. Where it has already happened, the step begins again, with these
    /// sessions.
    ///
    /// # Errors
    /// [`InputError`] when they cannot be built.
    pub fn predict(&mut self, choice: usize, seen: &Seen) -> Result<Option<LessonSessions>, InputError> {
        self.predicted = Some(choice);
        let has_moved = self.measured.as_ref().is_some_and(|measured| measured.has_moved(seen));
        if has_moved { self.begin_again().map(Some) } else { Ok(None) }
    }

    fn go_to(&mut self, at: usize) -> Result<LessonSessions, InputError> {
        let stage = LessonSessions::build(&self.lesson, at, self.stages)?;
        self.stages += 1;
        self.at = at;
        self.longest_steps.clone_from(&stage.longest_steps);
        (self.measured, self.predicted, self.outcome) = (None, None, None);
        self.readings.clear();
        Ok(stage)
    }

    /// Takes the frames of the lanes of the step. Returns whether its condition is met by them and
    /// was not before.
    pub fn follow(&mut self, seen: &Seen) -> bool {
        let measured = self.measured.get_or_insert_with(|| Measured::begin(seen, &self.longest_steps));
        measured.follow(seen);
        if self.outcome.is_some() {
            return false;
        }
        let step = &self.lesson.steps[self.at];
        self.readings = step.until.readings(measured, seen);
        let asks = step.predict.is_some() && self.predicted.is_none();
        if asks || !step.until.is_met(measured, seen) {
            return false;
        }
        let choices = step.predict.iter().flat_map(|predict| &predict.choices);
        let right = choices.enumerate().find(|(_, choice)| choice.when.is_met(measured, seen)).map(|(at, _)| at);
        let reason = step.reason(|quantity, lane| measured.value(quantity, lane, seen));
        self.outcome = Some(Outcome { right, reason });
        self.passed = self.passed.max(self.at + 1);
        true
    }

    /// Simulated time until the condition of the step can be met, if that is a matter of time and it
    /// has not been met [s].
    #[must_use]
    pub fn time_left(&self, seen: &Seen) -> Option<Real> {
        let measured = self.measured.as_ref().filter(|_| self.outcome.is_none())?;
        self.step().until.time_left(measured, seen)
    }

    /// The parts of what the reason says that the present measurements do not confirm.
    #[must_use]
    pub fn broken(&self, seen: &Seen) -> Vec<Reading> {
        let Some(measured) = &self.measured else { return Vec::new() };
        let broken = self.step().holds.iter().filter(|condition| !condition.is_met(measured, seen));
        broken.flat_map(|condition| condition.readings(measured, seen)).collect()
    }

    /// The choices that the present measurements make right.
    #[must_use]
    pub fn right_choices(&self, seen: &Seen) -> Vec<usize> {
        let Some(measured) = &self.measured else { return Vec::new() };
        let choices = self.step().predict.iter().flat_map(|predict| &predict.choices).enumerate();
        choices.filter(|(_, choice)| choice.when.is_met(measured, seen)).map(|(at, _)| at).collect()
    }
}
