//! The sessions of a step: built anew, so that a step never depends on what was done before it.

use super::{Lesson, Step, Target};
use crate::scene::InputError;
use crate::session::{Command, Session};
use crate::sim::Real;

/// Numbers of the cloths of lessons begin here, so that none is one of another session.
const FIRST_CLOTH: u64 = 1 << 32;

/// The sessions of a step, one per lane.
pub struct LessonSessions {
    /// The sessions, the reference first.
    pub sessions: Vec<Session>,
    /// Longest stable step of symplectic Euler of each [s].
    pub longest_steps: Vec<Real>,
}

impl LessonSessions {
    /// Builds the sessions of a step; `number` is another one for every stage.
    ///
    /// # Errors
    /// [`InputError`] with lesson and step, for a scene, command or lane that cannot be.
    pub fn build(lesson: &Lesson, at: usize, number: u64) -> Result<Self, InputError> {
        let step = &lesson.steps[at];
        let place = format!("assets/lessons/{}.ron, step {}", lesson.id, at + 1);
        let built = build(lesson, step).map_err(|error| InputError::new(place, error.to_string()))?;
        Ok(built.numbered(number))
    }

    fn numbered(mut self, number: u64) -> Self {
        for session in &mut self.sessions {
            session.begin_cloths_at(FIRST_CLOTH + (number << 16));
        }
        self
    }
}

fn build(lesson: &Lesson, step: &Step) -> Result<LessonSessions, InputError> {
    let scene = lesson.scene()?;
    let simulation = scene.build()?;
    let mut first = Session::new(scene, simulation);
    for command in lesson.arrange.iter().chain(&step.arrange) {
        first.apply(command.clone());
        if let Some(message) = first.message() {
            return Err(InputError::new("", message));
        }
    }
    first.take_as_scene();
    while first.simulation().time() < step.ahead {
        if let Err(error) = first.tick() {
            return Err(InputError::new("", format!("the time ahead: {error}")));
        }
    }
    first.apply(Command::Pause { on: true });
    let start = first.start();
    let lane = |lane: &String| {
        let mut session = Session::resume(&start)?.set_as(lane)?;
        session.take_as_scene();
        session.apply(Command::Pause { on: true });
        Ok(session)
    };
    let others = step.lanes.iter().map(lane).collect::<Result<Vec<_>, InputError>>()?;
    let vertices = first.simulation().state.cloth.len();
    let is_beyond = |target: &&Target| matches!(target, Target::Vertex(vertex) if *vertex as usize >= vertices);
    if let Some(Target::Vertex(vertex)) = step.points.iter().find(is_beyond) {
        return Err(InputError::new("", format!("vertex {vertex} does not exist; the cloth has {vertices} vertices")));
    }
    let sessions: Vec<Session> = std::iter::once(first).chain(others).collect();
    // a mass that was set takes effect in a step, or in a simulation that is built with it
    let longest_step = |session: &Session| Ok(session.scene().build()?.critical_step());
    let longest_steps = sessions.iter().map(longest_step).collect::<Result<_, InputError>>()?;
    Ok(LessonSessions { sessions, longest_steps })
}
