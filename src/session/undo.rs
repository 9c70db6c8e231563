//! Taking actions back, and doing them again.

use super::actions::{Action, UndoMethod};
use super::arrangement::{Arrangement, PanelValues};
use super::timeline::{Point, Timeline};
use super::{Command, Scope, Session};
use crate::scene::{InputError, apply_settings, build_solver};
use crate::sim::params::quote::quote;

/// State of the panels and the time line before a command.
pub(super) struct Before {
    at: Option<Point>,
    values: Option<PanelValues>,
    jumps: u64,
    vertices: usize,
    pinned: bool,
}

impl Session {
    /// The values of all panels.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        Arrangement::of(&self.simulation.parameters, self.simulation.solver(), &self.scene)
    }

    fn panel_values(&self) -> PanelValues {
        PanelValues::of(&self.simulation, &self.scene)
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
        if (&self.scene.fabric, &self.scene.image) != (fabric, image) {
            self.scene.fabric.clone_from(fabric);
            self.scene.image.clone_from(image);
            self.share_scene();
        }
        Ok(())
    }

    /// Notes the values that a command may change.
    pub(super) fn before(&self, command: &Command) -> Before {
        let pinned = |vertex: u32| self.simulation.state.cloth.pin_of(vertex).is_some();
        Before {
            at: self.timeline.as_ref().map(Timeline::at),
            values: command.effects().sets.then(|| self.panel_values()),
            jumps: self.jumps,
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
        let Before { at, values, jumps, vertices, pinned } = before;
        let shared = command.effects().scope != Scope::Chosen;
        let has_jumped = self.jumps != jumps;
        let moments = UndoMethod::Moments([at, None]);
        let actions = &mut self.actions;
        let goes_on = std::mem::take(&mut actions.goes_on);
        match command {
            Command::Grab { .. } => actions.gesture = Some((if pinned { "Moved pin" } else { "Pull" }, at)),
            Command::MoveCollider { .. } if !pinned => actions.gesture = Some(("Moved collider", at)),
            Command::MoveHandle { .. } if !pinned => actions.gesture = Some(("Moved handle", at)),
            Command::Release | Command::ReleaseCollider => {
                if let Some((name, at)) = actions.gesture.take() {
                    actions.push(name, shared, UndoMethod::Moments([at, None]), at);
                }
            }
            Command::Cut { begin, .. } => {
                if *begin || actions.gesture.is_none() {
                    actions.gesture = Some(("Cut", at));
                }
                if self.simulation.state.cloth.len() > vertices
                    && let Some((name, Some(at))) = actions.gesture
                    && actions.done.last().is_none_or(|last| last.at != Some(at))
                {
                    actions.push(name, shared, UndoMethod::Moments([Some(at), None]), Some(at));
                }
            }
            Command::Pin { vertex } if !pinned => actions.push("Pin", shared, UndoMethod::Pinned(*vertex), at),
            Command::Unpin { .. } if pinned => actions.push("Unpin", shared, moments, at),
            Command::Iron => actions.push("Iron", shared, moments, at),
            Command::Reset if has_jumped => actions.push("Reset", shared, moments, at),
            Command::Mend { .. } if has_jumped => actions.push("Mend", shared, moments, at),
            Command::Restore if has_jumped => actions.push("Restore", shared, moments, at),
            Command::Scene { .. } | Command::Open { .. } if has_jumped => actions.push("Scene", shared, moments, at),
            // after a blow-up it goes back to before that
            Command::Solver { .. } if has_jumped => {
                let Some(before) = values else { return };
                let both = Box::new([before, self.panel_values()]);
                self.actions.push("Solver", shared, UndoMethod::Either([at, None], both), at);
            }
            Command::Edit { edit } if has_jumped => actions.push(edit.name(), shared, moments, at),
            _ if has_jumped => actions.push("Cloth", shared, moments, at),
            // moves of the hand within a gesture of another kind
            Command::Move { .. }
            | Command::MoveCollider { .. }
            | Command::MoveHandle { .. }
            | Command::Pause { .. } => actions.goes_on = goes_on,
            // nothing was done, or it is no action of its own
            Command::Pin { .. }
            | Command::Unpin { .. }
            | Command::Reset
            | Command::Mend { .. }
            | Command::Restore
            | Command::Edit { .. }
            | Command::Scene { .. }
            | Command::Open { .. }
            | Command::Step
            | Command::Undo
            | Command::Redo
            | Command::GoTo { .. }
            | Command::DropLeft
            | Command::Finish
            | Command::Dismiss => {}
            Command::Set { .. }
            | Command::Fabric { .. }
            | Command::Solver { .. }
            | Command::Wind { .. }
            | Command::Table { .. }
            | Command::Arrange { .. } => {
                if let Some(before) = values {
                    self.note_values(matches!(command, Command::Set { .. }), shared, goes_on, before, at);
                }
            }
        }
    }

    /// Notes that panels have changed values. A parameter of a gesture that `goes_on` belongs to
    /// the last action.
    fn note_values(&mut self, of_parameter: bool, shared: bool, goes_on: bool, before: PanelValues, at: Option<Point>) {
        let after = self.panel_values();
        let actions = &mut self.actions;
        actions.goes_on = goes_on || of_parameter;
        if before == after {
            return;
        }
        if goes_on
            && of_parameter
            && let Some(Action { method: UndoMethod::Values(both), .. }) = actions.done.last_mut()
        {
            both[1] = after;
            actions.undone.clear();
            return;
        }
        let name = before.difference(&after);
        actions.push(&name, shared, UndoMethod::Values(Box::new([before, after])), at);
    }

    /// Takes the last action back.
    pub(super) fn undo(&mut self) -> Result<(), InputError> {
        self.actions.finish();
        let Some(mut action) = self.actions.done.pop() else {
            return Err(InputError::new("", "nothing to undo"));
        };
        match &mut action.method {
            UndoMethod::Values(both) => self.execute(&Command::Arrange { arrangement: both[0].arrangement() })?,
            UndoMethod::Pinned(vertex) => self.execute(&Command::Unpin { vertex: *vertex })?,
            UndoMethod::Either([before, _], both) if !self.keeps(*before) => {
                self.execute(&Command::Arrange { arrangement: both[0].arrangement() })?;
            }
            UndoMethod::Moments([before, after]) | UndoMethod::Either([before, after], _) => {
                *after = self.timeline.as_ref().map(Timeline::at);
                self.seek_action(*before)?;
            }
        }
        self.log(&format!("took back: {}", action.name));
        self.actions.undone.push(action);
        Ok(())
    }

    /// Redoes the action that was undone last.
    pub(super) fn redo(&mut self) -> Result<(), InputError> {
        self.actions.finish();
        let Some(action) = self.actions.undone.pop() else {
            return Err(InputError::new("", "nothing to redo"));
        };
        match &action.method {
            UndoMethod::Values(both) => self.execute(&Command::Arrange { arrangement: both[1].arrangement() })?,
            UndoMethod::Pinned(vertex) => self.execute(&Command::Pin { vertex: *vertex })?,
            UndoMethod::Either([_, after], both) if !self.keeps(*after) => {
                self.execute(&Command::Arrange { arrangement: both[1].arrangement() })?;
            }
            UndoMethod::Moments([_, after]) | UndoMethod::Either([_, after], _) => self.seek_action(*after)?,
        }
        self.log(&format!("done again: {}", action.name));
        self.actions.done.push(action);
        Ok(())
    }

    /// Whether a moment is still kept.
    fn keeps(&self, point: Option<Point>) -> bool {
        point.zip(self.timeline.as_ref()).is_some_and(|(point, timeline)| timeline.holds(point))
    }

    /// Goes to the moment before or after an action; time continues if it did before.
    fn seek_action(&mut self, point: Option<Point>) -> Result<(), InputError> {
        let paused = self.paused;
        self.seek_point(point)?;
        self.paused = paused && self.failure.is_none();
        Ok(())
    }
}
