//! What can be taken back. One gesture is one act.
//!
//! A parameter, a setting, a solver or a fabric gets back what it had, and the cloth goes on moving. What changed the cloth itself, like a
//! pull, a cut or another scene, is taken back by going to the moment before it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::timeline::Point;
use super::{Command, Session};
use crate::scene::{InputError, Scalar, SolverSettings, collect_settings};
use crate::sim::Simulation;

/// Most acts that can be taken back.
const MOST: usize = 200;

/// What the panels set: parameters, the solver with its settings, and the look of the cloth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrangement {
    /// The common parameters, by key.
    pub parameters: BTreeMap<String, Scalar>,
    /// The solver's id.
    pub solver: String,
    /// Its settings, by key.
    pub settings: SolverSettings,
    /// The fabric's id; empty for none.
    pub fabric: String,
    /// The picture that is printed on the cloth.
    pub image: Option<String>,
}

impl Arrangement {
    /// What two arrangements differ in, in a word or two.
    fn difference(&self, other: &Self, simulation: &Simulation) -> String {
        if self.fabric != other.fabric {
            return "Fabric".to_owned();
        }
        if self.solver != other.solver {
            return "Solver".to_owned();
        }
        let changed = |a: &BTreeMap<String, Scalar>, b: &BTreeMap<String, Scalar>| {
            a.iter().find(|(key, value)| b.get(*key) != Some(value)).map(|(key, _)| key.clone())
        };
        let label = |key: String| {
            let own = simulation.solver().settings().params();
            let mut all = simulation.parameters.groups().flat_map(|group| group.params()).chain(own);
            all.find(|param| param.key == key).map_or(key.clone(), |param| param.label.to_owned())
        };
        let key = changed(&self.parameters, &other.parameters).or_else(|| changed(&self.settings, &other.settings));
        key.map_or_else(|| "Picture".to_owned(), label)
    }
}

/// How an act is taken back.
#[derive(Debug)]
enum Way {
    /// By what the panels had before; done again by what they had after it.
    Arrangements(Box<[Arrangement; 2]>),
    /// By letting the vertex go.
    Pinned(u32),
    /// By going to the moment before it. The moment to go to for doing it again is that in which it was taken back.
    Moments([Option<Point>; 2]),
}

#[derive(Debug)]
struct Act {
    /// What it was, in a word or two.
    name: String,
    way: Way,
    /// When it was done.
    at: Option<Point>,
}

/// What was done, and what was taken back.
#[derive(Debug, Default)]
pub(super) struct Acts {
    done: Vec<Act>,
    undone: Vec<Act>,
    /// Whether the next change of a parameter belongs to the last act.
    goes_on: bool,
    /// The gesture that has begun, with the moment before it.
    gesture: Option<(&'static str, Option<Point>)>,
}

/// What was before a command.
pub(super) struct Before {
    at: Option<Point>,
    arrangement: Option<Arrangement>,
    jumps: u64,
    vertices: usize,
    pinned: bool,
}

impl Acts {
    /// What can be taken back, and what can be done again.
    pub fn names(&self) -> [Option<String>; 2] {
        [&self.done, &self.undone].map(|acts| acts.last().map(|act| act.name.clone()))
    }

    /// The gesture is over.
    pub fn finish(&mut self) {
        self.goes_on = false;
    }

    fn push(&mut self, name: &str, way: Way, at: Option<Point>) {
        self.undone.clear();
        if self.done.len() == MOST {
            self.done.remove(0);
        }
        self.done.push(Act { name: name.to_owned(), way, at });
    }

    /// Forgets what was done after a point, which the session has left behind.
    pub fn forget_after(&mut self, point: Point) {
        self.done.retain(|act| act.at.is_none_or(|at| at <= point));
        self.undone.clear();
        self.goes_on = false;
    }
}

impl Session {
    /// What the panels have set.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        let groups = self.simulation.parameters.groups();
        Arrangement {
            parameters: groups.flat_map(collect_settings).collect(),
            solver: self.simulation.solver().info().id.to_owned(),
            settings: collect_settings(self.simulation.solver().settings()),
            fabric: self.scene.fabric.clone(),
            image: self.scene.image.clone(),
        }
    }

    /// Sets all that panels set.
    pub(super) fn arrange(&mut self, arrangement: &Arrangement) -> Result<(), InputError> {
        let Arrangement { parameters, solver, settings, fabric, image } = arrangement;
        let mut set = self.simulation.parameters;
        for (key, value) in parameters {
            let (group, _) =
                set.find_mut(key).ok_or_else(|| InputError::new("", format!("there is no parameter {key}")))?;
            group.set_text(key, &value.to_string()).map_err(|error| InputError::new("", error.to_string()))?;
        }
        if !self.simulation.set_solver(solver) {
            return Err(InputError::new("", format!("there is no solver \"{solver}\"")));
        }
        crate::scene::apply_settings(settings, self.simulation.solver_mut().settings_mut(), "")?;
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
        let pinned = |vertex: u32| self.simulation.cloth.pin_of(vertex).is_some();
        Before {
            at: self.timeline.as_ref().map(super::timeline::Timeline::at),
            arrangement: sets.then(|| self.arrangement()),
            jumps: self.jumps,
            vertices: self.simulation.cloth.len(),
            pinned: match command {
                Command::Grab { vertex, .. } | Command::Pin { vertex } | Command::Unpin { vertex } => pinned(*vertex),
                Command::MoveCollider { collider, .. } => {
                    self.simulation.world.grab.is_some_and(|grab| grab.collider == *collider)
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
                if self.simulation.cloth.len() > vertices
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
            Command::Restore if has_jumped => acts.push("Restore", moments, at),
            Command::Scene { .. } | Command::Open { .. } if has_jumped => acts.push("Scene", moments, at),
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
                let name = before.difference(&after, &self.simulation);
                self.acts.push(&name, Way::Arrangements(Box::new([before, after])), at);
            }
        }
    }

    /// Takes the last act back.
    pub(super) fn undo(&mut self) -> Result<(), InputError> {
        self.acts.finish();
        let Some(mut act) = self.acts.done.pop() else {
            return Err(InputError::new("", "there is nothing to take back"));
        };
        match &mut act.way {
            Way::Arrangements(both) => self.perform(&Command::Arrange { arrangement: both[0].clone() })?,
            Way::Pinned(vertex) => self.perform(&Command::Unpin { vertex: *vertex })?,
            Way::Moments([before, after]) => {
                *after = self.timeline.as_ref().map(super::timeline::Timeline::at);
                let paused = self.paused;
                self.go_to_point(*before)?;
                self.paused = paused && self.failure.is_none();
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
            return Err(InputError::new("", "there is nothing to do again"));
        };
        match &act.way {
            Way::Arrangements(both) => self.perform(&Command::Arrange { arrangement: both[1].clone() })?,
            Way::Pinned(vertex) => self.perform(&Command::Pin { vertex: *vertex })?,
            Way::Moments([_, after]) => {
                let paused = self.paused;
                self.go_to_point(*after)?;
                self.paused = paused;
            }
        }
        self.say(&format!("done again: {}", act.name));
        self.acts.done.push(act);
        Ok(())
    }
}
