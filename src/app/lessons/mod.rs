//! Lessons in the window: the user's lanes are put aside, those of the steps come in their place,
//! and leaving brings all back.

mod arrangement;
mod camera;
pub mod card;
mod gizmos;

use std::sync::OnceLock;

use bevy::prelude::*;

use super::desk::{OpenWindows, Shown};
use super::pace::Pace;
use super::plots::history::History;
use super::probes::Probes;
use super::session::SessionHandle;
use super::window::preferences::{Preferences, save_soon};
use crate::scene::InputError;
use crate::session::Command;
use crate::session::lesson::{Lesson, LessonSessions, Seen, Target, Walk};

/// The lesson that is walked through, if any.
#[derive(Resource, Default)]
pub struct Lessons {
    running: Option<Running>,
    /// Why a lesson or a step of it cannot be shown.
    fault: Option<String>,
    /// Ids of the lessons that were gone through to their end, the first one first.
    done: Vec<String>,
}

/// A lesson, and all that comes back after it.
struct Running {
    walk: Walk,
    /// The lesson after it, if there is one.
    next: Option<&'static Lesson>,
    windows: OpenWindows,
    history: History,
    probes: Probes,
    pace: Pace,
}

pub(super) fn plugin(app: &mut App) {
    let done = app.world().get_resource::<Preferences>().map(|preferences| preferences.lessons.clone());
    app.insert_resource(Lessons { done: done.unwrap_or_default(), ..Lessons::default() })
        .add_plugins((camera::plugin, gizmos::plugin))
        .add_systems(Update, remember);
}

/// Remembers the lessons that were gone through.
fn remember(lessons: Res<Lessons>, mut preferences: ResMut<Preferences>, mut commands: Commands) {
    if preferences.lessons != lessons.done {
        preferences.lessons.clone_from(&lessons.done);
        save_soon(&mut commands);
    }
}

impl Lessons {
    /// The lesson that is walked through.
    #[must_use]
    pub fn walk(&self) -> Option<&Walk> {
        self.running.as_ref().map(|running| &running.walk)
    }

    /// Ids of the lessons that were gone through to their end.
    #[must_use]
    pub fn done(&self) -> &[String] {
        &self.done
    }

    /// The lesson has been gone through to its end.
    fn note_done(&mut self) {
        let id = self.walk().map(|walk| walk.lesson().id.clone());
        let is_new = |id: &String| !self.done.contains(id);
        if let Some(id) = id.filter(is_new) {
            self.done.push(id);
        }
    }

    /// The lesson after it, if there is one.
    #[must_use]
    pub fn next(&self) -> Option<&'static Lesson> {
        self.running.as_ref().and_then(|running| running.next)
    }

    /// The vertices that its step points at.
    pub fn vertices(&self) -> impl Iterator<Item = u32> {
        let points = self.walk().map(|walk| &walk.step().points[..]).unwrap_or_default();
        points.iter().filter_map(|target| if let Target::Vertex(vertex) = target { Some(*vertex) } else { None })
    }
}

/// Begins a lesson, in place of one that is being walked through.
pub fn begin(shown: &mut Shown, lesson: Lesson) {
    if let Err(error) = begin_at(shown, lesson, 0) {
        shown.states.of::<Lessons>().fault = Some(error.to_string());
    }
}

/// The same from a step on, counted from 0.
///
/// # Errors
/// [`InputError`] when the step cannot be built; then nothing has changed.
pub fn begin_at(shown: &mut Shown, lesson: Lesson, at: usize) -> Result<(), InputError> {
    shown.with(|lessons, shown| start(lessons, shown, lesson, at))
}

fn start(lessons: &mut Lessons, shown: &mut Shown, lesson: Lesson, at: usize) -> Result<(), InputError> {
    let (id, number) = (lesson.id.clone(), lesson.number);
    let (walk, stage) = Walk::begin_at(lesson, at)?;
    end(lessons, shown);
    shown.session.put_in_place(stage.sessions);
    let (desk, states) = (&mut *shown.desk, &mut shown.states);
    lessons.running = Some(Running {
        walk,
        next: all().iter().find(|lesson| lesson.number > number),
        windows: std::mem::take(&mut desk.windows),
        history: std::mem::take(states.of::<History>()),
        probes: std::mem::take(states.of::<Probes>()),
        pace: std::mem::take(&mut desk.pace),
    });
    info!("began lesson {id}");
    Ok(())
}

/// All lessons in their order; the files are read once.
pub fn all() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| Lesson::all().unwrap_or_default())
}

/// Leaves the lesson: lanes, plots, probes and open panels are as they were before it.
pub fn leave(shown: &mut Shown) {
    shown.with(end);
}

fn end(lessons: &mut Lessons, shown: &mut Shown) {
    lessons.fault = None;
    let Some(running) = lessons.running.take() else { return };
    let Running { windows, history, probes, pace, walk, .. } = running;
    shown.session.bring_back();
    (shown.desk.windows, shown.desk.pace) = (windows, pace);
    *shown.states.of::<History>() = history;
    *shown.states.of::<Probes>() = probes;
    info!("left lesson {}", walk.lesson().id);
}

/// An answer or a button of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A choice of the prediction.
    Predict(usize),
    /// The step before.
    Back,
    /// The step from its start.
    Again,
    /// The step's own commands.
    ShowMe,
    /// The next step, or the end.
    Next,
    /// The lesson after this one.
    NextLesson,
    /// The end.
    Leave,
}

/// Takes the frames of all lanes. Time stands still once the condition of the step is met.
pub fn follow(lessons: &mut Lessons, shown: &mut Shown) {
    let Some(running) = &mut lessons.running else { return };
    let walk = &mut running.walk;
    if with_seen(shown.session, |seen| walk.follow(seen)) && !shown.session.paused() {
        shown.session.pause(true);
    }
    // what else the condition asks for may take longer
    let left = with_seen(shown.session, |seen| walk.time_left(seen)).filter(|left| *left > 1e-6);
    shown.desk.pace.until = left.map(|left| shown.session.frame().time + left);
}

/// Gives `read` the frames of all lanes.
fn with_seen<T>(session: &SessionHandle, read: impl FnOnce(&Seen) -> T) -> T {
    let lanes = session.lanes();
    let frames: Vec<_> = lanes.iter().map(|lane| &**lane.frame).collect();
    let distance = |lane| session.distance(lane).map(|distance| distance.root_mean_square);
    let distances: Vec<_> = (0..frames.len()).map(distance).collect();
    read(&Seen { frames: &frames, distances: &distances })
}

/// Does what a button of the card asks for.
pub fn take(lessons: &mut Lessons, shown: &mut Shown, turn: Turn) {
    let Some(running) = &mut lessons.running else { return };
    let walk = &mut running.walk;
    let stage: Result<Option<LessonSessions>, InputError> = match turn {
        Turn::Predict(choice) => with_seen(shown.session, |seen| walk.predict(choice, seen)),
        Turn::Back => walk.go_back(),
        Turn::Again => walk.begin_anew().map(Some),
        Turn::ShowMe => walk.begin_again().map(Some),
        Turn::Next if !walk.is_last() => walk.go_on(),
        Turn::NextLesson => {
            lessons.note_done();
            return go_to_next(lessons, shown);
        }
        Turn::Next => {
            lessons.note_done();
            return end(lessons, shown);
        }
        Turn::Leave => return end(lessons, shown),
    };
    let commands: Vec<Command> = if turn == Turn::ShowMe { walk.step().show.clone() } else { Vec::new() };
    match stage {
        Ok(Some(stage)) => {
            shown.session.put_in_place(stage.sessions);
            with_seen(shown.session, |seen| running.walk.follow(seen));
        }
        Ok(None) => {}
        Err(error) => lessons.fault = Some(error.to_string()),
    }
    shown.session.give(commands);
}

/// Begins the lesson after the present one.
fn go_to_next(lessons: &mut Lessons, shown: &mut Shown) {
    if let Some(next) = lessons.next()
        && let Err(error) = start(lessons, shown, next.clone(), 0)
    {
        lessons.fault = Some(error.to_string());
    }
}
