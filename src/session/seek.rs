//! Going to another moment of the session.

use super::Session;
use super::actions::Actions;
use super::timeline::{Done, Keeping, Point, Timeline};
use crate::scene::InputError;
use crate::sim::StepError;

impl Session {
    /// Keeps from now on the way that the session goes, so that it can go back.
    pub fn keep_time(&mut self, keeping: Keeping) {
        let present = self.checkpoint();
        self.journal.timeline = Some(Timeline::new(keeping, present));
        // the way begins here
        self.actions = Actions::default();
    }

    /// Goes to the moment after a step, by its number; time stands still there.
    pub(super) fn go_to(&mut self, step: u64) -> Result<(), InputError> {
        let point = self.journal.timeline.as_ref().and_then(|timeline| timeline.point_of(step));
        let is_here = point.is_some() && point == self.journal.timeline.as_ref().map(Timeline::at);
        self.seek_point(point)?;
        if !is_here {
            self.numbers.next_instant();
            self.move_gesture();
        }
        self.state.paused = true;
        self.recovery.stopped_by_failure = false;
        self.log(&format!("went to t = {:.4} s", self.simulation.time()));
        Ok(())
    }

    /// Repeats the last step, if the time line has it, for the measurements in frames.
    pub(super) fn tell_again(&mut self) {
        let here = self.journal.timeline.as_ref().map(Timeline::at);
        let (paused, jumps, message) = (self.state.paused, self.numbers.jumps, self.messages.message.take());
        // where it cannot be taken, frames tell it after the next one
        let _ = self.seek_point(here);
        (self.state.paused, self.numbers.jumps, self.messages.message) = (paused, jumps, message);
    }

    /// Goes to a point of the way that is still kept.
    pub(super) fn seek_point(&mut self, point: Option<Point>) -> Result<(), InputError> {
        let none = "this run has no time line, so it cannot go back to another moment; leave the command out, or use the window";
        let timeline = self.journal.timeline.as_mut().ok_or_else(|| InputError::new("", none))?;
        let gone = || InputError::new("", "that moment is too long ago; it is not recorded any more");
        let point = point.filter(|point| timeline.holds(*point)).ok_or_else(gone)?;
        let (from, saved) = timeline.key_before(point).ok_or_else(gone)?;
        let commands = timeline.commands_between(from, point);
        let Self { journal, simulation, .. } = self;
        journal.recordings.iter_mut().for_each(|recording| recording.complete(simulation));
        self.return_to(&saved);
        let report = std::mem::replace(&mut self.report, |_| {});
        let repeated = self.repeat(from, point, commands);
        self.report = report;
        if repeated.is_err() {
            // called off on the way: it stands at the state that it began from
            self.return_to(&saved);
        }
        if let Some(timeline) = &mut self.journal.timeline {
            timeline.stand_at(if repeated.is_ok() { point } else { from });
        }
        self.keep_checkpoint();
        Ok(())
    }

    /// Takes the steps and obeys the commands between two points again.
    fn repeat(&mut self, from: Point, to: Point, commands: Vec<(u64, Done)>) -> Result<(), StepError> {
        let mut commands = commands.into_iter().peekable();
        for step in from.step..=to.step {
            while let Some((_, command)) = commands.next_if(|(at, _)| *at == step) {
                match command {
                    // a command refused then changes nothing now either
                    Done::Command(command) => drop(self.dispatch_and_suit(command)),
                    Done::Controls(controls) => self.set_controls(&controls),
                }
            }
            if step < to.step {
                self.advance()?;
            }
        }
        Ok(())
    }
}
