//! The journal of a session: for the time line, for recordings, and on the disk.

use super::recording::Recording;
use super::{Autosave, Command, Record, Session};
use crate::scene::{InputError, why_not_written};

impl Session {
    /// Executes a command, and records it in the time line and in recordings.
    pub(super) fn execute(&mut self, command: &Command) -> Result<(), InputError> {
        let jumps = self.jumps;
        let effects = command.effects();
        if effects.changes_cloth {
            self.leave_past();
        }
        let is_suited = effects.suits_solver && self.simulation.is_suited();
        self.dispatch(command.clone())?;
        // before the values are recorded, so that a replay has the same
        if is_suited {
            self.simulation.suit_solver();
        }
        if self.jumps != jumps {
            self.note_jump();
        } else {
            match effects.record {
                Record::Command => self.note_command(command),
                Record::Values => self.note_command(&Command::Arrange { arrangement: self.arrangement() }),
                Record::Nothing => {}
            }
        }
        Ok(())
    }

    fn note_command(&mut self, command: &Command) {
        // time can be stopped or resumed in the past as well
        if let Some(timeline) = self.timeline.as_mut().filter(|timeline| !timeline.is_in_the_past()) {
            timeline.note_command(command);
        }
        self.recordings.iter_mut().for_each(|recording| recording.note_command(command));
    }

    /// The next event belongs to the present position on the time line; if that is in the past,
    /// another branch begins.
    pub(super) fn leave_past(&mut self) {
        let Some(mut timeline) = self.timeline.take() else { return };
        let at = timeline.at();
        if timeline.leave(|| self.session_state()) {
            self.actions.forget_after(at);
            self.record_state();
        }
        self.timeline = Some(timeline);
    }

    fn record_state(&mut self) {
        let mut recordings = std::mem::take(&mut self.recordings);
        recordings.iter_mut().for_each(|recording| recording.note_state(self.start()));
        self.recordings = recordings;
    }

    /// Notes that the cloth has gone to another state than by a step.
    fn note_jump(&mut self) {
        if let Some(mut timeline) = self.timeline.take() {
            timeline.note_jump(self.session_state());
            self.timeline = Some(timeline);
        }
        self.record_state();
    }

    /// Keeps the state on the disk from now on.
    pub fn keep_safe(&mut self, autosave: Autosave) {
        self.autosave = Some(autosave);
    }

    /// Whether something happened that is to be on the disk and is not there yet.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.is_unsaved && self.autosave.is_some()
    }

    /// Saves the state to the disk if it is due, and reports failures.
    pub fn save(&mut self) {
        if let Some((file, error)) = self.recordings.in_file.as_mut().and_then(Recording::take_fault) {
            let message = format!("{}: the recording has stopped: {}", file.display(), why_not_written(&error));
            self.recordings.in_file = None;
            self.log(&message);
            self.message = Some(message.clone());
            self.recording_fault = Some(message);
        }
        let Some(mut autosave) = self.autosave.take() else { return };
        if self.is_unsaved && autosave.is_due() {
            autosave.save(|| self.snapshot());
            self.is_unsaved = false;
        }
        if let Some(error) = autosave.take_fault() {
            let message = format!(
                "{}: the session is not saved automatically: {}",
                autosave.file().display(),
                why_not_written(&error)
            );
            self.log(&message);
            self.message = Some(message);
        } else {
            self.autosave = Some(autosave);
        }
    }
}
