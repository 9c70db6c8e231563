//! What happened: numbers of every frame that was shown, and when solver, parameters or scene were changed.

use std::sync::Arc;

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::{App, IntoScheduleConfigs, Res, ResMut, Resource, RunFixedMainLoop};

use super::course::{Course, LaneNumbers, Mark, ProbeNumbers, Sample};
use super::session::{SessionHandle, TakeFrame};
use super::stepping::Throughput;
use crate::session::Frame;
use crate::sim::contact::Collider;
use crate::sim::forces::air::AirMode;
use crate::sim::measure::Probes;
use crate::sim::params::Setting;
use crate::sim::{Parameters, Vec3};

/// Most samples that are kept: beyond them every second of the older half goes.
const MOST: usize = 4000;

/// Energy that a method has added to a cloth to which nobody gave any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// Since when nobody has [s].
    pub since: f64,
    /// How much [J].
    pub energy: f64,
}

/// The course of the present run, and of one before that was kept to compare with.
#[derive(Resource, Debug, Default)]
pub struct History {
    /// Of the present run.
    pub now: Course,
    /// Kept.
    pub kept: Option<Course>,
    /// The simulated time that is shown, if that is a moment of the past [s].
    pub past: Option<f64>,
    /// What became of the last drawing that was saved, until something changes.
    pub message: Option<Result<String, String>>,
    /// Where the plots are of which a picture is wanted: left, top, right, bottom [points].
    pub picture: Option<[f32; 4]>,
    /// Energy that the method has added, if it has.
    pub gain: Option<Gain>,
    /// Since when nobody has touched the cloth: the time [s], the energy then [J], and the most that has moved or been stored since [J].
    quiet: Option<(f64, f64, f64)>,
    last: Option<Last>,
}

/// Share of the energy that moves by which it has to grow before it counts as added.
const GAIN: f64 = 0.05;

/// What the last frame was like.
#[derive(Debug)]
struct Last {
    generation: u64,
    steps: u64,
    solver: &'static str,
    settings: Vec<Setting>,
    parameters: Parameters,
    pins: Vec<(u32, Vec3)>,
    colliders: Arc<[Collider]>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<History>().add_systems(
        RunFixedMainLoop,
        (|session: Res<SessionHandle>, throughput: Res<Throughput>, mut history: ResMut<History>| {
            history.follow(&session.frame, throughput.real_time_factor, LaneNumbers::of(&session));
        })
        .after(TakeFrame)
        .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

impl History {
    /// Takes the numbers of a frame, if it is a new one, at a `speed` in simulated seconds per second.
    pub fn follow(&mut self, frame: &Frame, speed: f64, lanes: LaneNumbers) {
        let is_same = |last: &Last| {
            (last.generation, last.steps, last.parameters) == (frame.generation, frame.steps, frame.parameters)
                && last.solver == frame.solver.id
                && last.settings == frame.settings
        };
        self.past = (!frame.course.is_newest).then_some(frame.time);
        // moments of the past have been noted when they were the present
        if !frame.course.is_newest || self.last.as_ref().is_some_and(is_same) {
            return;
        }
        let sample = Sample { lanes, ..Sample::of(frame, speed, &self.now.probed) };
        let new = Last {
            generation: frame.generation,
            steps: frame.steps,
            solver: frame.solver.id,
            settings: frame.settings.clone(),
            parameters: frame.parameters,
            pins: frame.pins.clone(),
            colliders: Arc::clone(&frame.colliders),
        };
        let Some(last) = self.last.replace(new) else {
            self.now.samples.push_back(sample);
            return;
        };
        let mut is_quiet = last.pins == frame.pins && last.colliders == frame.colliders && !is_driven(frame);
        let went_back = self.now.samples.back().is_some_and(|sample| frame.time < sample.time);
        if last.generation != frame.generation {
            self.now = Course { probed: self.now.probed, ..Course::default() };
            is_quiet = false;
        } else if went_back {
            // what came after it is another future
            self.now.samples.retain(|sample| sample.time < frame.time);
            self.now.marks.retain(|mark| mark.time <= frame.time);
            is_quiet = false;
        } else if let Some(what) = last.change_to(frame) {
            // a slider that is dragged is one change
            self.now.marks.retain(|mark| mark.what != what || frame.time - mark.time > 0.5);
            self.now.marks.push(Mark { time: frame.time, what });
            self.message = None;
            is_quiet = false;
        }
        self.watch_energy(&sample, is_quiet);
        if last.steps != frame.steps || self.now.samples.is_empty() {
            self.now.samples.push_back(sample);
        }
        if self.now.samples.len() > MOST {
            let mut at = 0;
            self.now.samples.retain(|_| {
                at += 1;
                at > MOST / 2 || at % 2 == 0
            });
        }
    }

    /// Looks at these vertices from now on.
    pub fn set_probes(&mut self, probes: Probes) {
        let places = self.now.probed.iter().zip(&probes).enumerate();
        let changed: Vec<usize> = places.filter(|(_, (was, is))| was != is).map(|(place, _)| place).collect();
        for sample in &mut self.now.samples {
            changed.iter().for_each(|place| sample.probes[*place] = ProbeNumbers::default());
        }
        self.now.probed = probes;
    }

    /// Looks whether the energy has grown although nobody gave any.
    fn watch_energy(&mut self, sample: &Sample, is_quiet: bool) {
        let total = sample.total();
        if !is_quiet || !total.is_finite() {
            (self.quiet, self.gain) = (None, None);
            return;
        }
        let in_motion = sample.kinetic + sample.elastic;
        let (since, start, most) = self.quiet.get_or_insert((sample.time, total, in_motion));
        *most = most.max(in_motion);
        let energy = total - *start;
        self.gain = (energy > GAIN * *most && energy > 1e-6).then_some(Gain { since: *since, energy });
    }
}

/// Whether the hand, wind, colliders on their way or handles may give energy to the cloth.
fn is_driven(frame: &Frame) -> bool {
    let is_on_its_way = |collider: &Collider| collider.path.is_some() || collider.turn.is_some();
    // the place of a pin with a motion of its own says nothing of that
    let is_moved = |&(vertex, _): &(u32, Vec3)| frame.previous[vertex as usize] != frame.positions[vertex as usize];
    frame.grab.is_some()
        || frame.parameters.air.air == AirMode::Wind
        || frame.colliders.iter().any(is_on_its_way)
        || frame.pins.iter().any(is_moved)
}

impl Last {
    /// What is different in `frame`, in words.
    fn change_to(&self, frame: &Frame) -> Option<String> {
        if self.solver != frame.solver.id {
            return Some(frame.solver.name.to_owned());
        }
        let groups = self.parameters.groups().zip(frame.parameters.groups());
        for (before, after) in groups {
            for (index, param) in after.params().iter().enumerate() {
                if before.get(index) != after.get(index) {
                    return Some(param.caption(after.get(index)));
                }
            }
        }
        (self.settings != frame.settings).then(|| "Solver setting".to_owned())
    }
}
