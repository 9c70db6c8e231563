//! Taking acts back, and doing them again.

use super::acts::{Act, Way};
use super::arrangement::Arrangement;
use super::timeline::{Point, Timeline};
use super::{Command, Session};
use crate::scene::{InputError, apply_settings, build_solver};
use crate::sim::params::quote::quote;

/// What was before a command.
pub(super) struct Before {
    at: Option<Point>,
    arrangement: Option<Arrangement>,
    jumps: u64,
    vertices: usize,
    pinned: bool,
}

impl Session {
    /// What the panels have set.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        Arrangement::of(&self.simulation.parameters, self.simulation.solver(), &self.scene)
    }

    /// Sets all that panels set.
    pub(super) fn arrange(&mut self, arrangement: &Arrangement) -> Result<(), InputError> {
        let Arrangement { parameters, solver, settings, fabric, image } = arrangement;
        let mut set = self.simulation.parameters;
        for (key, value) in parameters {
            let (group, _) = set
                .find_mut(key)
                .ok_or_else(|| InputError::new("", format!("there is no parameter {}", quote(key))))?;
            group.set_text(key, &value.to_string()).map_err(|error| InputError::new("", error.to_string()))?;
        }
        // what cannot be set is to change nothing
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

    /// Looks at what a command may change.
    pub(super) fn before(&self, command: &Command) -> Before {
        let sets = matches!(
            command,
            Command::Set { .. }
                | Command::Fabric { .. }
                | Command::Solver { .. }
                | Command::Wind { .. }
                | Command::Table { .. }
                | Command::Arrange { .. }
        );
        let pinned = |vertex: u32| self.simulation.state.cloth.pin_of(vertex).is_some();
        Before {
            at: self.timeline.as_ref().map(Timeline::at),
            arrangement: sets.then(|| self.arrangement()),
            jumps: self.jumps,
            vertices: self.simulation.state.cloth.len(),
            pinned: match command {
                Command::Grab { vertex, .. } | Command::Pin { vertex } | Command::Unpin { vertex } => pinned(*vertex),
                Command::MoveCollider { collider, .. } => {
                    self.simulation.state.world.grab.is_some_and(|grab| grab.collider == *collider)
                }
                _ => false,
            },
        }
    }

    /// Notes what a command has done, to take it back.
    pub(super) fn note_act(&mut self, command: &Command, before: Before) {
        let Before { at, arrangement, jumps, vertices, pinned } = before;
        let has_jumped = self.jumps != jumps;
        let moments = Way::Moments([at, None]);
        let acts = &mut self.acts;
        let goes_on = std::mem::take(&mut acts.goes_on);
        match command {
            Command::Grab { .. } => acts.gesture = Some((if pinned { "Moved pin" } else { "Pull" }, at)),
            Command::MoveCollider { .. } if !pinned => acts.gesture = Some(("Moved collider", at)),
            Command::Release | Command::ReleaseCollider => {
                if let Some((name, at)) = acts.gesture.take() {
                    acts.push(name, Way::Moments([at, None]), at);
                }
            }
            Command::Cut { begin, .. } => {
                if *begin || acts.gesture.is_none() {
                    acts.gesture = Some(("Cut", at));
                }
                if self.simulation.state.cloth.len() > vertices
                    && let Some((name, Some(at))) = acts.gesture
                    && acts.done.last().is_none_or(|last| last.at != Some(at))
                {
                    acts.push(name, Way::Moments([Some(at), None]), Some(at));
                }
            }
            Command::Pin { vertex } if !pinned => acts.push("Pin", Way::Pinned(*vertex), at),
            Command::Unpin { .. } if pinned => acts.push("Unpin", moments, at),
            Command::Iron => acts.push("Iron", moments, at),
            Command::Reset if has_jumped => acts.push("Reset", moments, at),
            Command::Mend { .. } if has_jumped => acts.push("Mend", moments, at),
            Command::Restore if has_jumped => acts.push("Restore", moments, at),
            Command::Scene { .. } | Command::Open { .. } if has_jumped => acts.push("Scene", moments, at),
            // after a blow-up it goes back to before that
            Command::Solver { .. } if has_jumped => {
                let Some(before) = arrangement else { return };
                let both = Box::new([before, self.arrangement()]);
                self.acts.push("Solver", Way::Either([at, None], both), at);
            }
            _ if has_jumped => acts.push("Cloth", moments, at),
            // moves of the hand within a gesture of another kind
            Command::Move { .. } | Command::MoveCollider { .. } | Command::Pause { .. } => acts.goes_on = goes_on,
            _ => {
                let Some(before) = arrangement else { return };
                let after = self.arrangement();
                let acts = &mut self.acts;
                acts.goes_on = goes_on || matches!(command, Command::Set { .. });
                if before == after {
                    return;
                }
                if goes_on
                    && matches!(command, Command::Set { .. })
                    && let Some(Act { way: Way::Arrangements(both), .. }) = acts.done.last_mut()
                {
                    both[1] = after;
                    acts.undone.clear();
                    return;
                }
                let name = before.difference(&after);
                self.acts.push(&name, Way::Arrangements(Box::new([before, after])), at);
            }
        }
    }

    /// Takes the last act back.
    pub(super) fn undo(&mut self) -> Result<(), InputError> {
        self.acts.finish();
        let Some(mut act) = self.acts.done.pop() else {
            return Err(InputError::new("", "nothing to undo"));
        };
        match &mut act.way {
            Way::Arrangements(both) => self.perform(&Command::Arrange { arrangement: both[0].clone() })?,
            Way::Pinned(vertex) => self.perform(&Command::Unpin { vertex: *vertex })?,
            Way::Either([before, _], both) if !self.keeps(*before) => {
                self.perform(&Command::Arrange { arrangement: both[0].clone() })?;
            }
            Way::Moments([before, after]) | Way::Either([before, after], _) => {
                *after = self.timeline.as_ref().map(Timeline::at);
                self.go_to_act(*before)?;
            }
        }
        self.say(&format!("took back: {}", act.name));
        self.acts.undone.push(act);
        Ok(())
    }

    /// Does again what was taken back last.
    pub(super) fn redo(&mut self) -> Result<(), InputError> {
        self.acts.finish();
        let Some(act) = self.acts.undone.pop() else {
            return Err(InputError::new("", "nothing to redo"));
        };
        match &act.way {
            Way::Arrangements(both) => self.perform(&Command::Arrange { arrangement: both[1].clone() })?,
            Way::Pinned(vertex) => self.perform(&Command::Pin { vertex: *vertex })?,
            Way::Either([_, after], both) if !self.keeps(*after) => {
                self.perform(&Command::Arrange { arrangement: both[1].clone() })?;
            }
            Way::Moments([_, after]) | Way::Either([_, after], _) => self.go_to_act(*after)?,
        }
        self.say(&format!("done again: {}", act.name));
        self.acts.done.push(act);
        Ok(())
    }

    /// Whether a moment is still kept.
    fn keeps(&self, point: Option<Point>) -> bool {
        point.zip(self.timeline.as_ref()).is_some_and(|(point, timeline)| timeline.holds(point))
    }

    /// Goes to the moment before or after an act; time goes on if it did.
    fn go_to_act(&mut self, point: Option<Point>) -> Result<(), InputError> {
        let paused = self.paused;
        self.go_to_point(point)?;
        self.paused = paused && self.failure.is_none();
        Ok(())
    }
}
