//! Ticks, steps and commands of a session.

use std::sync::Arc;

use super::timeline::Timeline;
use super::{Command, Failure, Session};
use crate::sim::step::timing::Rule;
use crate::sim::{Observe, StepError, StepStats};

impl Session {
    /// A tick: the commands that are due, and one time step unless time is stopped. Returns the
    /// statistics of the step, if there was one.
    ///
    /// # Errors
    /// [`StepError`] when the step failed. A cancelled step leaves no trace: the tick has not
    /// passed.
    pub fn tick(&mut self) -> Result<Option<StepStats>, StepError> {
        self.run_script();
        let step = if self.state.paused { None } else { Some(self.step()?) };
        self.script.pass_tick();
        // due commands must not wait for another tick, which may never come
        self.run_script();
        Ok(step)
    }

    fn run_script(&mut self) {
        while let Some(command) = self.script.next_due() {
            self.apply(command);
        }
    }

    /// One time step.
    pub(super) fn step(&mut self) -> Result<StepStats, StepError> {
        if let Some(failure) = &self.recovery.failure {
            return Err(failure.cause.clone());
        }
        self.leave_past();
        self.keep_checkpoint();
        let (started, time) = ((self.simulation.clock.0)(), self.simulation.time());
        let result = self.advance().or_else(|cause| self.go_on_without_device(cause));
        self.totals.stepping_seconds += (self.simulation.clock.0)() - started;
        match &result {
            Ok(stats) => {
                self.numbers.next_instant();
                let dt = self.simulation.time() - time;
                self.totals.add(&self.simulation, stats, dt);
                self.note_step(dt);
                // while the way is kept, as in the window
                if self.journal.timeline.is_some() && self.messages.offer.is_none() && self.messages.message.is_none() {
                    self.messages.offer = self.messages.corner_hint.look(&self.simulation, self.numbers.generation);
                }
            }
            Err(StepError::Cancelled) => {}
            Err(cause) => {
                let failure = Failure::of(&self.simulation, cause.clone(), &self.recovery.checkpoints, &self.last_step);
                let id = self.simulation.solver().info().id;
                self.log(&format!("{id} failed at t = {:.4} s: {cause}", failure.time));
                self.recovery.failure = Some(Arc::new(failure));
                self.recovery.stopped_by_failure = !self.state.paused;
                self.state.paused = true;
                self.note_pause();
            }
        }
        result
    }

    /// What a run without a window says of a step that failed by `error`: when, why, and what may help.
    #[must_use]
    pub fn describe_failure(&self, error: &StepError) -> String {
        let (solver, time) = (self.simulation.solver().info().id, self.simulation.time());
        let scheme = if self.simulation.rule() == Rule::Own { "" } else { " scheme=euler," };
        format!(
            "{solver} failed at t = {time:.4} s: {error}; the state before that step was kept. \
             Try a smaller time step, more substeps,{scheme} or another solver"
        )
    }

    /// Keeps a state to go back to, if the last one is old enough. Of a session with a time line it
    /// is the last one there.
    pub(super) fn keep_checkpoint(&mut self) {
        if self.recovery.checkpoints.is_due(self.simulation.time()) {
            let known = self.journal.timeline.as_ref().and_then(Timeline::key_here);
            let checkpoint = known.unwrap_or_else(|| Arc::new(self.checkpoint()));
            self.recovery.checkpoints.keep(checkpoint);
        }
    }

    /// Moves the cloth by one time step.
    pub(super) fn advance(&mut self) -> Result<StepStats, StepError> {
        self.last_step.start.clone_from(&self.simulation.state.cloth.positions);
        self.simulation.observe =
            Observe { residual: self.watch.residuals, air_work: self.watch.air_work, probes: self.watch.probes };
        let ironed = self.state.ironing.press(&mut self.simulation);
        self.state.rising_wind.blow(&mut self.simulation);
        let time = self.simulation.time();
        let result = self.simulation.step();
        let step = self.simulation.time() - time;
        self.state.rising_wind.rise(&mut self.simulation, step);
        self.state.ironing.lift(&mut self.simulation, ironed);
        if let Ok(stats) = &result {
            self.last_step.pass(time, *stats);
            self.follow_tears();
            self.state.hand_work += self.work_of_step();
            self.state.air_work += stats.air_work;
        }
        result
    }

    /// Work of the hand in the last step [J]: its force at the end times the displacement of its
    /// vertex.
    fn work_of_step(&self) -> f64 {
        let Some(grab) = self.simulation.state.grab else { return 0.0 };
        let held = grab.vertex as usize;
        let way = self.simulation.state.cloth.positions[held] - self.last_step.previous[held];
        self.simulation.reaction(grab.vertex).map_or(0.0, |force| force.dot(way))
    }

    /// Executes `command`. An impossible one changes nothing and leaves a message.
    pub fn apply(&mut self, command: Command) {
        let done = match &command {
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::GoTo { step } => self.go_to(*step),
            Command::DropLeft => {
                self.journal.timeline.iter_mut().for_each(Timeline::drop_left);
                Ok(())
            }
            Command::Finish => {
                self.actions.finish();
                Ok(())
            }
            _ => {
                let before = self.before(&command);
                let done = self.execute(&command);
                if done.is_ok() {
                    self.note_action(&command, before);
                }
                done
            }
        };
        if let Err(error) = done {
            self.log(&error.to_string());
            self.messages.message = Some(error.to_string());
        }
        // once a failure is overcome, time resumes
        if self.recovery.failure.is_none() && std::mem::take(&mut self.recovery.stopped_by_failure) {
            self.state.paused = false;
        }
        self.note_pause();
        self.save_change();
    }

    /// Gives vertices that were torn off the place from which those that they were torn off from
    /// came.
    pub(super) fn follow_tears(&mut self) {
        let pattern = self.simulation.pattern();
        for &parent in &pattern.parents()[self.last_step.previous.len() - pattern.whole_len()..] {
            self.last_step.previous.push(self.last_step.previous[parent as usize]);
        }
    }
}
