//! Time: pause and resume, a step forwards or backwards, another moment of the session.

use super::SessionHandle;
use crate::session::Command;

impl SessionHandle {
    /// Whether time stands still, as the panels show it.
    #[must_use]
    pub fn paused(&self) -> bool {
        // a lane that blew up stops itself, and not the others
        self.edited().paused && !(self.frame().failure.is_some() && self.others_run())
    }

    /// Pauses or resumes.
    pub fn pause(&mut self, on: bool) {
        self.edited_mut().paused = on;
        let order = self.send(Command::Pause { on });
        self.edited_mut().order = order;
    }

    /// One time step on: along the way that is known, or a new one.
    pub fn step_forth(&mut self) {
        if self.frame().timeline.is_newest { self.step_once() } else { self.go_by(1) }
    }

    /// One time step of the chosen lane, and then time stands still.
    pub fn step_once(&mut self) {
        if !self.edited().paused {
            self.pause(true);
        }
        self.send(Command::Step);
    }

    /// Goes to the moment after a step of the session, where time stands still. While one is being
    /// gone to, only the last that is wanted counts.
    pub fn go_to(&mut self, step: u64) {
        self.edited_mut().paused = true;
        if let Some((_, wanted)) = &mut self.going {
            *wanted = Some(step);
            return;
        }
        self.take_others_to(step);
        let order = self.send(Command::GoTo { step });
        self.edited_mut().order = order;
        self.going = Some((order, None));
    }

    /// Whether a moment is being gone to.
    #[must_use]
    pub fn is_going(&self) -> bool {
        self.going.is_some()
    }

    /// Goes a number of steps along the way that the session has gone, back or forth.
    pub fn go_by(&mut self, steps: i64) {
        let timeline = &self.frame().timeline;
        let place = timeline.place().saturating_add_signed(steps).min(timeline.len());
        if place != timeline.place() {
            let step = timeline.step_at(place);
            self.go_to(step);
        }
    }

    /// Undoes the last action, or redoes the last undone one.
    pub fn undo_or_redo(&mut self, redo: bool) {
        if self.undo_lane_action(redo) {
            return;
        }
        let order = self.send(if redo { Command::Redo } else { Command::Undo });
        self.edited_mut().order = order;
    }
}
