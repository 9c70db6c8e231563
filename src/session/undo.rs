//! Taking actions back, and doing them again.

use std::sync::Arc;

use super::actions::{Action, Gesture, UndoMethod};
use super::arrangement::Arrangement;
use super::controls::Controls;
use super::timeline::{Point, Timeline};
use super::{Command, Scope, Session};
use crate::scene::{InputError, apply_settings, build_solver};
use crate::sim::params::quote::quote;

/// State of the panels and the time line before a command.
pub(super) struct Before {
    at: Option<Point>,
    instant: u64,
    controls: Option<Controls>,
    jumps: u64,
    vertices: usize,
    pinned: bool,
}

impl Session {
    /// The values of all panels.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        Arrangement::of(&self.simulation.parameters, self.simulation.solver(), &self.state.scene)
    }

    /// Sets all that panels set.
    pub(super) fn arrange(&mut self, arrangement: &Arrangement) -> Result<(), InputError> {
        let Arrangement { parameters, solver, settings, fabric, image } = arrangement;
        let mut set = self.simulation.parameters;
        for (key, value) in parameters {
            let (group, _) = set
                .find_mut(key)
                .ok_or_else(|| InputError::new("", format!("there is no parameter {}", quote(key))))?;
            value.put(key, group).map_err(|error| InputError::new("", error.to_string()))?;
        }
        // an impossible value must change nothing
        build_solver(solver, settings, "")?;
        self.simulation.set_solver(solver);
        apply_settings(settings, self.simulation.solver_mut().settings_mut(), "")?;
        self.simulation.parameters = set;
        self.set_look(fabric, image.as_ref());
        Ok(())
    }

    /// Where the session stands on its time line.
    fn here(&self) -> Option<Point> {
        self.journal.timeline.as_ref().map(Timeline::at)
    }

    /// Notes the values that a command may change.
    pub(super) fn before(&self, command: &Command) -> Before {
        let pinned = |vertex: u32| self.simulation.state.cloth.pin_of(vertex).is_some();
        Before {
            at: self.here(),
            instant: self.numbers.instant,
            controls: self.controls_of(command),
            jumps: self.numbers.jumps,
            vertices: self.simulation.state.cloth.len(),
            pinned: match command {
                Command::Grab { vertex, .. } | Command::Pin { vertex } | Command::Unpin { vertex } => pinned(*vertex),
                Command::MoveCollider { collider, .. } => {
                    self.simulation.state.world.grab.is_some_and(|grab| grab.collider == *collider)
                }
                Command::MoveHandle { .. } => self.moved_handle.is_some(),
                _ => false,
            },
        }
    }

    /// Notes a command as an action, for undo.
    pub(super) fn note_action(&mut self, command: &Command, before: Before) {
        let goes_on = std::mem::take(&mut self.actions.goes_on);
        let (has_jumped, pinned) = (self.numbers.jumps != before.jumps, before.pinned);
        match command {
            Command::Grab { .. } => self.begin_gesture(if pinned { "Moved pin" } else { "Pull" }, &before),
            Command::MoveCollider { .. } if !pinned => self.begin_gesture("Moved collider", &before),
            Command::MoveHandle { .. } if !pinned => self.begin_gesture("Moved handle", &before),
            Command::Release | Command::ReleaseCollider => {
                let now = Before { at: self.here(), instant: self.numbers.instant, ..before };
                self.divide_gesture(&now);
            }
            Command::Cut { begin, .. } => self.note_cut(command, *begin, &before),
            Command::Unpin { .. } if pinned => self.note_moments("Unpin", command, &before),
            Command::Iron => self.note_moments("Iron", command, &before),
            // they depend on the last good state as well
            Command::Mend { .. } if has_jumped => self.note_moments("Mend", None, &before),
            Command::Restore if has_jumped => self.note_moments("Restore", None, &before),
            Command::Reset | Command::ResetHeld if has_jumped => self.note_moments("Reset", command, &before),
            Command::Scene { .. } | Command::Open { .. } if has_jumped => self.note_moments("Scene", command, &before),
            Command::Edit { edit } if has_jumped => self.note_moments(edit.name(), command, &before),
            // after a blow-up it goes back to before that
            Command::Solver { .. } if has_jumped => self.note_controls("Solver", command, before),
            _ if has_jumped => self.note_moments("Cloth", command, &before),
            // moves of the hand within a gesture of another kind
            Command::Move { .. }
            | Command::MoveCollider { .. }
            | Command::MoveHandle { .. }
            | Command::Pause { .. } => self.actions.goes_on = goes_on,
            // nothing was done, or it is no action of its own
            Command::Unpin { .. }
            | Command::Reset
            | Command::ResetHeld
            | Command::Mend { .. }
            | Command::Restore
            | Command::Edit { .. }
            | Command::Scene { .. }
            | Command::Step
            | Command::Undo
            | Command::Redo
            | Command::GoTo { .. }
            | Command::DropLeft
            | Command::Finish
            | Command::Dismiss => {}
            Command::Pin { .. } => self.note_controls("Pin", command, before),
            Command::Set { .. } => self.note_parameter(command, goes_on, before),
            Command::Fabric { .. }
            | Command::Solver { .. }
            | Command::Wind { .. }
            | Command::Table { .. }
            | Command::Open { .. }
            | Command::Arrange { .. } => self.note_controls("", command, before),
        }
    }

    /// Notes an action that was done at a moment, with the numbers of the instants around it.
    fn push_action(&mut self, name: &str, shared: bool, method: UndoMethod, at: Option<Point>, instants: [u64; 2]) {
        self.actions.push(Action { name: name.to_owned(), method, shared, number: 0, at, instants });
    }

    /// Notes an action that is undone by going back, and redone by these commands.
    fn note_moments<'a>(&mut self, name: &str, again: impl Into<Option<&'a Command>>, before: &Before) {
        self.divide_gesture(before);
        let again = again.into();
        let shared = again.is_none_or(|command| command.effects().scope != Scope::Chosen);
        let method = UndoMethod::Moments([before.at, self.here()], again.cloned().into_iter().collect());
        self.push_action(name, shared, method, before.at, [before.instant, self.numbers.instant]);
    }

    /// Notes that controls have changed, if they have; without a name it is that of what changed.
    fn note_controls(&mut self, name: &str, command: &Command, mut before: Before) {
        let Some(controls) = before.controls.take() else { return };
        let after = self.controls_like(&controls);
        if controls.is_like(&after) {
            return;
        }
        self.divide_gesture(&before);
        let name = if name.is_empty() { controls.values.difference(&after.values) } else { name.to_owned() };
        let both = [controls, after].map(Arc::new);
        // a pin that is pinned anew has no command that brings its motion back
        let method = if self.numbers.jumps != before.jumps || before.pinned {
            UndoMethod::Either([before.at, self.here()], both)
        } else {
            UndoMethod::Controls(both)
        };
        let shared = command.effects().scope != Scope::Chosen;
        self.push_action(&name, shared, method, before.at, [before.instant, self.numbers.instant]);
    }

    /// Notes a parameter. One of a gesture that `goes_on` belongs to the last action.
    fn note_parameter(&mut self, command: &Command, goes_on: bool, before: Before) {
        self.actions.goes_on = true;
        let after = before.controls.as_ref().map(|before| (before, self.controls_like(before)));
        let Some((_, after)) = after.filter(|(before, after)| !before.is_like(after)) else { return };
        if goes_on
            && self.actions.gesture.is_none()
            && let Some(Action { method: UndoMethod::Controls(both), instants, .. }) = self.actions.done.last_mut()
        {
            (both[1], instants[1]) = (Arc::new(after), self.numbers.instant);
            self.actions.undone.clear();
            return;
        }
        self.note_controls("", command, before);
    }

    fn begin_gesture(&mut self, name: &'static str, before: &Before) {
        self.end_gesture(before.at, before.instant);
        self.actions.gesture = Some(Gesture::new(name, before.at, before.instant));
    }

    /// Notes the gesture of the hand, if there is one, as an action up to a moment.
    fn end_gesture(&mut self, until: Option<Point>, instant: u64) {
        if let Some(gesture) = self.actions.gesture.take_if(|gesture| gesture.name != Gesture::CUT) {
            let method = UndoMethod::Moments([gesture.at, until], Vec::new());
            self.push_action(gesture.name, true, method, gesture.at, [gesture.instant, instant]);
        }
    }

    /// Ends the gesture before an action within it; what is held still begins another one, so that
    /// each part is undone in turn.
    fn divide_gesture(&mut self, before: &Before) {
        let name = self.actions.gesture.as_ref().map(|gesture| gesture.name);
        self.end_gesture(before.at, before.instant);
        let name = name.filter(|name| *name != Gesture::CUT && self.holds_something());
        self.actions.gesture = name.map(|name| Gesture::new(name, self.here(), self.numbers.instant));
    }

    fn holds_something(&self) -> bool {
        let state = &self.simulation.state;
        state.grab.is_some() || state.world.grab.is_some() || self.moved_handle.is_some()
    }

    /// Notes a cut of the gesture of cutting, which is an action once the cloth has torn.
    fn note_cut(&mut self, command: &Command, begin: bool, before: &Before) {
        let has_torn = self.simulation.state.cloth.len() > before.vertices;
        let goes_on = !begin && self.actions.gesture.as_ref().is_some_and(|gesture| gesture.name == Gesture::CUT);
        if !goes_on {
            self.end_gesture(before.at, before.instant);
            self.actions.gesture = Some(Gesture::new(Gesture::CUT, before.at, before.instant));
        }
        let (here, instant) = (self.here(), self.numbers.instant);
        let Some(gesture) = &mut self.actions.gesture else { return };
        gesture.commands.push(command.clone());
        let Some(at) = gesture.at.filter(|_| has_torn) else { return };
        let (commands, instants) = (gesture.commands.clone(), [gesture.instant, instant]);
        let method = UndoMethod::Moments([Some(at), here], commands);
        let is_noted = std::mem::replace(&mut gesture.is_noted, true);
        match self.actions.done.last_mut().filter(|_| is_noted) {
            Some(last) => (last.method, last.instants) = (method, instants),
            None => self.push_action(Gesture::CUT, true, method, Some(at), instants),
        }
    }

    /// Undoes the last action.
    pub(super) fn undo(&mut self) -> Result<(), InputError> {
        self.actions.finish();
        let Some(mut action) = self.actions.done.pop() else {
            return Err(InputError::new("", "nothing to undo"));
        };
        let here = self.here();
        let is_instant = action.instants == [self.numbers.instant; 2];
        match &mut action.method {
            UndoMethod::Either(_, both) if is_instant => self.restore_controls(&both[0]),
            UndoMethod::Either(moments, both) if !self.keeps(moments[0]) => {
                self.switch_controls(both, 0, &mut action.instants)?;
                *moments = [self.here(), here];
            }
            UndoMethod::Controls(both) => self.switch_controls(both, 0, &mut action.instants)?,
            UndoMethod::Moments([before, after], _) | UndoMethod::Either([before, after], _) => {
                let instant = self.numbers.instant;
                self.seek_action(*before, action.instants[0])?;
                (*after, action.instants[1]) = (here, instant);
                self.actions.end_before(*before);
            }
        }
        self.log(&format!("took back: {}", action.name));
        self.actions.undone.push(action);
        self.move_gesture();
        Ok(())
    }

    /// Redoes the action that was undone last.
    pub(super) fn redo(&mut self) -> Result<(), InputError> {
        self.actions.finish();
        let Some(mut action) = self.actions.undone.pop() else {
            return Err(InputError::new("", "nothing to redo"));
        };
        let (here, instant) = (self.here(), self.numbers.instant);
        match &mut action.method {
            UndoMethod::Moments(moments, commands) if instant != action.instants[0] && !commands.is_empty() => {
                for command in commands.iter() {
                    self.execute(command)?;
                }
                *moments = [here, self.here()];
                (action.at, action.instants) = (here, [instant, self.numbers.instant]);
            }
            UndoMethod::Either(_, both) if action.instants == [instant; 2] => {
                self.restore_controls(&both[1]);
                action.at = here;
            }
            UndoMethod::Either(moments, both) if instant != action.instants[0] || !self.keeps(moments[1]) => {
                self.switch_controls(both, 1, &mut action.instants)?;
                (*moments, action.at) = ([here, self.here()], here);
            }
            UndoMethod::Moments(moments, _) | UndoMethod::Either(moments, _) => {
                let after = moments[1];
                self.seek_action(after, action.instants[1])?;
                (moments[0], action.instants[0], action.at) = (here, instant, here.min(after));
                self.actions.end_before(action.at);
            }
            UndoMethod::Controls(both) => {
                self.switch_controls(both, 1, &mut action.instants)?;
                action.at = here;
            }
        }
        self.log(&format!("done again: {}", action.name));
        self.actions.done.push(action);
        self.move_gesture();
        Ok(())
    }

    /// Goes to the controls before an action, the first of `both`, or after it: to the bit at the
    /// instant at which they were set, otherwise by a command, and `both` become what there was and
    /// what there is.
    fn switch_controls(
        &mut self,
        both: &mut [Arc<Controls>; 2],
        to: usize,
        instants: &mut [u64; 2],
    ) -> Result<(), InputError> {
        if *instants == [self.numbers.instant; 2] {
            self.restore_controls(&both[to]);
            return Ok(());
        }
        let (left, instant) = (self.controls_like(&both[to]), self.numbers.instant);
        self.execute(&both[to].command())?;
        let now = self.controls_like(&left);
        (both[to], both[1 - to]) = (Arc::new(now), Arc::new(left));
        (instants[to], instants[1 - to]) = (self.numbers.instant, instant);
        Ok(())
    }

    /// A gesture that undo, redo or a seek came in between begins there.
    pub(super) fn move_gesture(&mut self) {
        let is_held = self.holds_something();
        let (at, instant) = (self.here(), self.numbers.instant);
        self.actions.gesture = self.actions.gesture.take().filter(|gesture| is_held && gesture.name != Gesture::CUT);
        if let Some(gesture) = &mut self.actions.gesture {
            (gesture.at, gesture.instant) = (at, instant);
        }
    }

    /// Whether a moment is still kept.
    fn keeps(&self, point: Option<Point>) -> bool {
        point.zip(self.journal.timeline.as_ref()).is_some_and(|(point, timeline)| timeline.holds(point))
    }

    /// Goes to the moment before or after an action, at an instant of this number; time continues
    /// if it did before.
    fn seek_action(&mut self, point: Option<Point>, instant: u64) -> Result<(), InputError> {
        let paused = self.state.paused;
        self.seek_point(point)?;
        self.numbers.instant = instant;
        self.state.paused = paused && self.recovery.failure.is_none();
        Ok(())
    }
}
