//! What happened: numbers of every frame that was shown, and when solver, parameters or scene were changed.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Arc;

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::{App, IntoScheduleConfigs, Res, ResMut, Resource, RunFixedMainLoop};

use super::session::{SessionHandle, TakeFrame};
use super::stepping::Throughput;
use crate::session::Frame;
use crate::sim::contact::Collider;
use crate::sim::forces::air::AirMode;
use crate::sim::measure::stretch;
use crate::sim::params::Setting;
use crate::sim::solver::Stage;
use crate::sim::{Parameters, Vec3};

/// Most samples that are kept: beyond them every second of the older half goes.
const MOST: usize = 4000;

/// Numbers of one frame. What is not known is not a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Simulated time [s].
    pub time: f64,
    /// Energies [J].
    pub kinetic: f64,
    /// Elastic energy [J].
    pub elastic: f64,
    /// Of weight [J].
    pub potential: f64,
    /// Work of the hand since time zero [J].
    pub hand_work: f64,
    /// Work of the air since time zero [J].
    pub air_work: f64,
    /// Largest stretch of a thread [%].
    pub stretch: f64,
    /// Mean of what the threads are stretched by, those that are compressed among them [%].
    pub mean_stretch: f64,
    /// What each stage of the last step took, in the order of [`Stage::ALL`] [ms].
    pub stages: [f64; Stage::ALL.len()],
    /// The time step: what a step may take in real time [ms].
    pub tick_ms: f64,
    /// Simulated seconds per second.
    pub speed: f64,
    /// Iterations of the last step.
    pub iterations: f64,
    /// Its residual, in the solver's measure.
    pub residual: f64,
    /// Height of the vertex that is followed [m].
    pub probe_height: f64,
    /// Its speed [m/s].
    pub probe_speed: f64,
}

impl Sample {
    /// All three energies together [J].
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.potential
    }

    /// What the last step took [ms].
    #[must_use]
    pub fn step_ms(&self) -> f64 {
        self.stages.iter().sum()
    }
}

/// A change at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Simulated time [s].
    pub time: f64,
    /// What was changed.
    pub what: String,
}

/// The course of a run.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// By rising time.
    pub samples: VecDeque<Sample>,
    /// Likewise.
    pub marks: Vec<Mark>,
}

impl Course {
    /// A table of all samples, with a first line of names and units. A cell is empty where a number is not known.
    #[must_use]
    pub fn csv(&self) -> String {
        let first = "time [s],kinetic [J],elastic [J],potential [J],work of the hand [J],work of the air [J],largest stretch [%],mean stretch [%]";
        let stages = Stage::ALL.map(|stage| format!("{} [ms]", stage.name())).join(",");
        let last = "step [ms],real-time factor,iterations,residual,probe height [m],probe speed [m/s]";
        let mut text = format!("{first},{stages},{last}\n");
        for s in &self.samples {
            let front = [s.time, s.kinetic, s.elastic, s.potential, s.hand_work, s.air_work, s.stretch, s.mean_stretch];
            let back = [s.step_ms(), s.speed, s.iterations, s.residual, s.probe_height, s.probe_speed];
            let row = front.iter().chain(&s.stages).chain(&back);
            let cells: Vec<String> = row.map(|x| if x.is_finite() { x.to_string() } else { String::new() }).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }

    /// The sample nearest to a time [s].
    #[must_use]
    pub fn at(&self, time: f64) -> Option<&Sample> {
        let next = self.samples.partition_point(|sample| sample.time < time);
        let around = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|at| self.samples.get(at));
        around.min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
    }
}

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
    /// The vertex that is followed.
    pub probe: Option<u32>,
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
            history.follow(&session.frame, throughput.real_time_factor);
        })
        .after(TakeFrame)
        .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

impl History {
    /// Takes the numbers of a frame, if it is a new one, at a `speed` in simulated seconds per second.
    pub fn follow(&mut self, frame: &Frame, speed: f64) {
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
        self.probe = self.probe.filter(|&vertex| (vertex as usize) < frame.positions.len());
        let sample = Sample::of(frame, speed, self.probe);
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
            self.now = Course::default();
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

    /// Follows a vertex from now on, or none.
    pub fn set_probe(&mut self, vertex: Option<u32>) {
        self.probe = vertex;
        for sample in &mut self.now.samples {
            (sample.probe_height, sample.probe_speed) = (f64::NAN, f64::NAN);
        }
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
                    return Some(format!("{} {}", param.label, param.show(after.get(index))));
                }
            }
        }
        (self.settings != frame.settings).then(|| "Solver setting".to_owned())
    }
}

impl Sample {
    fn of(frame: &Frame, speed: f64, probe: Option<u32>) -> Self {
        let energy = frame.readouts.energy;
        let stats = &frame.stats;
        let step = frame.parameters.timing.time_step;
        let probe = probe.map(|vertex| (frame.previous[vertex as usize], frame.positions[vertex as usize]));
        let (sum, count) = stretch(&frame.pattern, &frame.positions)
            .fold((0.0, 0), |(sum, count), (_, strain)| (sum + strain, count + 1));
        Self {
            time: frame.time,
            kinetic: energy.kinetic,
            elastic: energy.elastic.unwrap_or(f64::NAN),
            potential: energy.potential,
            hand_work: frame.readouts.hand_work,
            air_work: frame.readouts.air_work,
            stretch: 100.0 * frame.readouts.largest_stretch,
            mean_stretch: if count > 0 { 100.0 * sum / f64::from(count) } else { f64::NAN },
            stages: stats.seconds.map(|seconds| 1e3 * seconds),
            tick_ms: 1e3 * step,
            speed,
            iterations: f64::from(stats.iterations),
            residual: if stats.residual > 0.0 { stats.residual } else { f64::NAN },
            probe_height: probe.map_or(f64::NAN, |(_, now)| now.y),
            probe_speed: probe.map_or(f64::NAN, |(before, now)| before.distance(now) / step),
        }
    }
}
