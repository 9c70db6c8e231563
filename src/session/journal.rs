//! The journal of a session: for the time line, for recordings, and on the disk.

use std::sync::Arc;

use super::controls::Controls;
use super::recording::{Recording, Start};
use super::rising_wind::RisingWind;
use super::state::SessionCheckpoint;
use super::{Autosave, Command, Record, Session};
use crate::documents::why_not_written;
use crate::scene::InputError;
use crate::sim::Real;
use crate::sim::forces::air::AirMode;
use crate::sim::params::quote::quote;

/// The end of the sentence on an autosave that failed.
const TRIED_AGAIN: &str = "the state is not saved automatically, which is tried again";

/// A moment of the past before a command that leaves it.
struct Past {
    checkpoint: SessionCheckpoint,
    /// For recordings, if there is one.
    start: Option<Start>,
}

impl Session {
    /// Executes a command, and records it in the time line and in recordings.
    pub(super) fn execute(&mut self, command: &Command) -> Result<(), InputError> {
        let jumps = self.numbers.jumps;
        let effects = command.effects();
        let past = if effects.changes_cloth { self.past() } else { None };
        self.dispatch_and_suit(command.clone())?;
        self.leave(past);
        if self.numbers.jumps != jumps {
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

    /// Executes a command; a solver that suited the cloth before suits it afterwards, if the
    /// command says so.
    pub(super) fn dispatch_and_suit(&mut self, command: Command) -> Result<(), InputError> {
        let is_suited = command.effects().suits_solver && self.simulation.is_suited();
        self.dispatch(command)?;
        // only a wind that blows can rise
        if self.simulation.parameters.air.air != AirMode::Wind {
            self.state.rising_wind = RisingWind::default();
        }
        if is_suited {
            self.simulation.suit_solver();
        }
        Ok(())
    }

    /// Restores controls that were set at this instant.
    pub(super) fn restore_controls(&mut self, controls: &Arc<Controls>) {
        self.leave_past();
        self.set_controls(controls);
        self.recovery.failure = None;
        if std::mem::take(&mut self.recovery.stopped_by_failure) {
            self.state.paused = false;
        }
        if let Some(timeline) = &mut self.journal.timeline {
            timeline.note_controls(controls);
        }
        self.record_state();
    }

    fn note_command(&mut self, command: &Command) {
        // time can be stopped or resumed in the past as well
        if let Some(timeline) = self.journal.timeline.as_mut().filter(|timeline| !timeline.is_in_the_past()) {
            timeline.note_command(command);
        }
        self.journal.recordings.iter_mut().for_each(|recording| recording.note_command(command));
    }

    /// Notes that time was stopped or resumed by something else than a command for it, such as a
    /// seek or a failure.
    pub(super) fn note_pause(&mut self) {
        let pause = Command::Pause { on: self.state.paused };
        if let Some(timeline) = self.journal.timeline.as_mut().filter(|timeline| !timeline.is_in_the_past())
            && timeline.is_paused() != self.state.paused
        {
            timeline.note_command(&pause);
        }
        let others = self.journal.recordings.iter_mut().filter(|recording| recording.is_paused() != self.state.paused);
        others.for_each(|recording| recording.note_command(&pause));
    }

    /// The moment where the session stands, if the time line has gone on from there.
    fn past(&self) -> Option<Past> {
        self.journal.timeline.as_ref().filter(|timeline| timeline.is_in_the_past())?;
        let start = (!self.journal.recordings.is_empty()).then(|| self.start());
        Some(Past { checkpoint: self.checkpoint(), start })
    }

    /// The next event belongs to a moment of the past, from which another branch begins.
    fn leave(&mut self, past: Option<Past>) {
        let (Some(Past { checkpoint, start }), Some(timeline)) = (past, &mut self.journal.timeline) else { return };
        self.actions.undo_after(timeline.at());
        timeline.leave(checkpoint);
        if let Some(start) = start {
            self.journal.recordings.iter_mut().for_each(|recording| recording.note_state(start.clone()));
        }
    }

    /// The next event belongs to the present position on the time line; if that is in the past,
    /// another branch begins.
    pub(super) fn leave_past(&mut self) {
        let past = self.past();
        self.leave(past);
    }

    fn record_state(&mut self) {
        if !self.journal.recordings.is_empty() {
            let start = self.start();
            self.journal.recordings.iter_mut().for_each(|recording| recording.note_state(start.clone()));
        }
    }

    /// Notes a step of `dt` [s].
    pub(super) fn note_step(&mut self, dt: Real) {
        let checkpoint = || SessionCheckpoint::of(&self.simulation, self.numbers.generation, &self.state);
        if let Some(timeline) = &mut self.journal.timeline {
            timeline.note_step(dt, self.simulation.fingerprint(), checkpoint);
        }
        self.journal.recordings.iter_mut().for_each(|recording| recording.note_step(&self.simulation));
        self.save_change();
    }

    /// Notes that the cloth has gone to another state than by a step.
    fn note_jump(&mut self) {
        self.numbers.next_instant();
        let checkpoint = || SessionCheckpoint::of(&self.simulation, self.numbers.generation, &self.state);
        self.journal.timeline.iter_mut().for_each(|timeline| timeline.note_jump(checkpoint()));
        self.record_state();
    }

    /// Keeps the state on the disk from now on.
    pub fn keep_safe(&mut self, autosave: Autosave) {
        self.journal.autosave = Some(autosave);
    }

    /// Whether something happened that is to be on the disk and is not there yet.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.journal.is_unsaved && self.journal.autosave.is_some()
    }

    /// Notes that something has happened that is to be on the disk.
    pub(super) fn save_change(&mut self) {
        self.journal.is_unsaved = true;
        self.save();
    }

    /// Saves the state to the disk if it is due, and reports failures. An autosave that fails is
    /// tried again.
    pub fn save(&mut self) {
        if let Some((file, error)) = self.journal.recordings.in_file.as_mut().and_then(Recording::take_fault) {
            let (file, why) = (quote(&file.to_string_lossy()), why_not_written(&error));
            self.journal.recordings.in_file = None;
            let message = format!("{file}: the recording has stopped: {why}");
            self.log(&message);
            self.messages.message = Some(message);
            self.journal.recordings.fault = Some(format!("{file}: {why}"));
        }
        let Some(mut autosave) = self.journal.autosave.take() else { return };
        let had_fault = autosave.fault().is_some();
        let is_due = autosave.is_due();
        self.journal.is_unsaved |= autosave.take_lost();
        if self.journal.is_unsaved && is_due {
            autosave.save(|| self.snapshot());
            self.journal.is_unsaved = false;
        }
        match autosave.fault() {
            Some(fault) if !had_fault => {
                let note = format!("{fault}; {TRIED_AGAIN}");
                self.log(&note);
                self.messages.note = Some(note);
            }
            None if had_fault => {
                self.log("the state is saved automatically again");
                self.messages.note = self.messages.note.take().filter(|note| !note.ends_with(TRIED_AGAIN));
            }
            _ => {}
        }
        self.journal.autosave = Some(autosave);
    }

    /// Waits for an autosave that is being written.
    pub fn settle_autosave(&mut self) {
        self.journal.autosave.iter_mut().for_each(Autosave::settle);
    }

    /// Why the last state could not be saved automatically, if so: a sentence. It is tried again.
    #[must_use]
    pub fn autosave_fault(&self) -> Option<&str> {
        self.journal.autosave.as_ref().and_then(Autosave::fault)
    }
}
