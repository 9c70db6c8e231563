//! History of the session: numbers of every shown frame, and the times at which solver, parameters
//! or scene changed.

use std::sync::Arc;

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::{App, IntoScheduleConfigs, Res, ResMut, RunFixedMainLoop, Time};
use bevy::time::Real;

use super::samples::{Mark, ProbeNumbers, Sample, Series, csv};
use crate::app::desk::{Desk, ReportPart, Reported};
use crate::app::session::{SessionHandle, TakeFrame, letter};
use crate::documents::report::Experiment;
use crate::session::Frame;
use crate::sim::contact::Collider;
use crate::sim::forces::air::AirMode;
use crate::sim::measure::Probes;
use crate::sim::params::Setting;
use crate::sim::quantities::{Numbers, Quantity};
use crate::sim::{Parameters, Vec3};

/// Most samples that are kept: beyond them every second of the older half goes.
const MOST: usize = 4000;

/// Energy added by the method to a cloth without external work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// Start of the time without external work [s].
    pub since: f64,
    /// How much [J].
    pub energy: f64,
}

/// Averaging time of the speed of a lane [s].
const OVER: f64 = 1.0;

/// The samples of the present run, a series for each lane, and those of one before, kept to compare
/// with.
#[derive(bevy::prelude::Resource, Debug)]
pub struct History {
    /// Of the lanes, by their places; one at least.
    lanes: Vec<LaneHistory>,
    /// The chosen lane among them.
    chosen: usize,
    /// Kept: the place of each lane, and its series.
    pub kept: Vec<(usize, Series)>,
    /// The simulated time that is shown, if that is a moment of the past [s].
    pub past: Option<f64>,
    /// Result of saving the plots last, until something changes.
    pub message: Option<Result<String, String>>,
    /// Where the plots are of which a picture is wanted: left, top, right, bottom [points].
    pub picture: Option<[f32; 4]>,
}

/// The samples of a lane.
#[derive(Debug, Default)]
pub struct LaneHistory {
    /// Its number, which no other lane gets.
    number: u64,
    /// Its place among all.
    pub slot: usize,
    /// Whether it is the chosen one.
    pub is_chosen: bool,
    /// Name of its solver.
    pub solver: &'static str,
    /// Its numbers.
    pub series: Series,
    /// Energy that the method has added, if it has.
    pub gain: Option<Gain>,
    /// Since when nobody has touched the cloth: the time [s], the energy then [J], and the most
    /// that has moved or been stored since [J].
    quiet: Option<(f64, f64, f64)>,
    last: Option<Last>,
    /// When its speed was looked at [s], and the time that it had simulated by then [s].
    since: Option<(f64, f64)>,
    /// Simulated seconds per second.
    speed: f64,
}

/// Share of the energy that moves by which it has to grow before it counts as added.
const GAIN: f64 = 0.05;

/// The last frame, to find changes.
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
        (|session: Res<SessionHandle>, time: Res<Time<Real>>, desk: Res<Desk>, mut history: ResMut<History>| {
            let speed = desk.throughput.real_time_factor;
            history.follow(&session, speed, time.elapsed_secs_f64());
        })
        .after(TakeFrame)
        .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

impl Default for History {
    fn default() -> Self {
        let lanes = vec![LaneHistory::default()];
        Self { lanes, chosen: 0, kept: Vec::new(), past: None, message: None, picture: None }
    }
}

impl History {
    /// The samples of the chosen lane.
    #[must_use]
    pub fn now(&self) -> &Series {
        &self.lanes[self.chosen].series
    }

    /// Energy that the method of the chosen lane has added, if it has.
    #[must_use]
    pub fn gain(&self) -> Option<Gain> {
        self.lanes[self.chosen].gain
    }

    /// The lanes, by their places.
    #[must_use]
    pub fn lanes(&self) -> &[LaneHistory] {
        &self.lanes
    }

    /// Keeps the present series to compare with.
    pub fn keep(&mut self) {
        self.kept = self.lanes.iter().map(|lane| (lane.slot, lane.series.clone())).collect();
    }

    /// All numbers as a table: of several lanes each row begins with the lane and its solver.
    #[must_use]
    pub fn csv(&self) -> String {
        if self.lanes.len() == 1 {
            return csv(&[], &[(Vec::new(), self.now())]);
        }
        let cells = |lane: &LaneHistory| vec![letter(lane.slot).to_string(), lane.solver.to_owned()];
        let all_series: Vec<_> = self.lanes.iter().map(|lane| (cells(lane), &lane.series)).collect();
        csv(&["lane", "solver"], &all_series)
    }

    /// Takes the numbers of all frames that are new, at a `speed` of the chosen lane in simulated
    /// seconds per second; `clock` is the real time [s].
    pub fn follow(&mut self, session: &SessionHandle, speed: f64, clock: f64) {
        let views = session.lanes();
        let probed = self.now().probed;
        self.lanes.retain(|lane| views.iter().any(|view| view.number == lane.number));
        for view in &views {
            let at = self.lanes.iter().position(|lane| lane.number == view.number).unwrap_or_else(|| {
                let series = Series { probed, ..Series::default() };
                self.lanes.push(LaneHistory { number: view.number, series, ..LaneHistory::default() });
                self.lanes.len() - 1
            });
            let lane = &mut self.lanes[at];
            let frame = view.frame;
            (lane.slot, lane.is_chosen, lane.solver) = (view.slot, view.is_chosen, frame.solver.name);
            let speed = if view.is_chosen { speed } else { lane.pace(frame, clock) };
            let vertices = probed.map(|vertex| session.counterpart(view.slot, vertex?));
            let distance = session.distance(view.slot).filter(|_| frame.failure.is_none());
            let is_changed = lane.follow(frame, || {
                let mut sample = Sample::of(frame, speed, &vertices);
                let distance = distance.map_or([f64::NAN; 2], |distance| distance.both());
                (sample.numbers[Quantity::Distance], sample.numbers[Quantity::LargestDistance]) = distance.into();
                sample
            });
            if view.is_chosen {
                self.past = (!frame.timeline.is_newest).then_some(frame.time);
                if is_changed {
                    self.message = None;
                }
            }
        }
        self.lanes.sort_by_key(|lane| lane.slot);
        let chosen = views.iter().find(|view| view.is_chosen).map(|view| view.number);
        self.chosen = self.lanes.iter().position(|lane| Some(lane.number) == chosen).unwrap_or(0);
    }

    /// Looks at these vertices from now on.
    pub fn set_probes(&mut self, probes: Probes) {
        for lane in &mut self.lanes {
            lane.set_probes(probes);
        }
    }
}

impl LaneHistory {
    /// Its speed in simulated seconds per second, averaged.
    fn pace(&mut self, frame: &Frame, clock: f64) -> f64 {
        let present = (clock, frame.totals.time);
        let (since, simulated) = *self.since.get_or_insert(present);
        if clock - since >= OVER {
            self.speed = (frame.totals.time - simulated).max(0.0) / (clock - since);
            self.since = Some(present);
        }
        self.speed
    }

    /// Takes the numbers of a frame, if it is a new one. Returns whether a change was noted.
    fn follow(&mut self, frame: &Frame, sample: impl FnOnce() -> Sample) -> bool {
        let is_same = |last: &Last| {
            (last.generation, last.steps, last.parameters) == (frame.generation, frame.steps, frame.parameters)
                && last.solver == frame.solver.id
                && last.settings == frame.settings
        };
        // moments of the past have been noted when they were the present
        if !frame.timeline.is_newest || self.last.as_ref().is_some_and(is_same) {
            return false;
        }
        let sample = sample();
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
            self.series.samples.push_back(sample);
            return false;
        };
        let mut is_quiet = last.pins == frame.pins && last.colliders == frame.colliders && !is_driven(frame);
        let went_back = self.series.samples.back().is_some_and(|sample| frame.time < sample.time());
        let change = last.change_to(frame);
        let is_changed = change.is_some();
        if last.generation != frame.generation {
            self.series = Series { probed: self.series.probed, ..Series::default() };
            is_quiet = false;
        } else if went_back {
            // samples after it belong to another future
            self.series.samples.retain(|sample| sample.time() < frame.time);
            self.series.marks.retain(|mark| mark.time <= frame.time);
            is_quiet = false;
        } else if let Some(what) = change {
            // a slider that is dragged is one change
            self.series.marks.retain(|mark| mark.what != what || frame.time - mark.time > 0.5);
            self.series.marks.push(Mark { time: frame.time, what });
            is_quiet = false;
        }
        self.watch_energy(&sample, is_quiet);
        if last.steps != frame.steps || self.series.samples.is_empty() {
            self.series.samples.push_back(sample);
        }
        self.thin();
        is_changed
    }

    /// Forgets every second sample of the older half, once there are too many.
    fn thin(&mut self) {
        if self.series.samples.len() > MOST {
            let mut at = 0;
            self.series.samples.retain(|_| {
                at += 1;
                at > MOST / 2 || at % 2 == 0
            });
        }
    }

    /// Looks at these vertices from now on.
    fn set_probes(&mut self, probes: Probes) {
        let places = self.series.probed.iter().zip(&probes).enumerate();
        let changed: Vec<usize> = places.filter(|(_, (was, is))| was != is).map(|(place, _)| place).collect();
        for sample in &mut self.series.samples {
            changed.iter().for_each(|place| sample.probes[*place] = ProbeNumbers::default());
        }
        self.series.probed = probes;
    }

    /// Detects growth of the energy without external work.
    fn watch_energy(&mut self, sample: &Sample, is_quiet: bool) {
        let total = sample.numbers[Quantity::Energy];
        if !is_quiet || !total.is_finite() {
            (self.quiet, self.gain) = (None, None);
            return;
        }
        let in_motion = sample.numbers[Quantity::Kinetic] + sample.numbers[Quantity::Elastic];
        let (since, start, most) = self.quiet.get_or_insert((sample.time(), total, in_motion));
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
    /// The change in `frame`, in words.
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

impl ReportPart for History {
    /// The numbers of each lane up to its time.
    fn add_to(&self, experiment: &mut Experiment, about: &Reported) {
        for (run, slot) in experiment.lanes.iter_mut().zip(about.slots) {
            let Some(lane) = self.lanes().iter().find(|lane| lane.slot == *slot) else { continue };
            let own = lane.series.samples.iter().map(|own| own.numbers);
            let is_within = |own: &Numbers| own[Quantity::Time] <= run.time + 1e-9 && own[Quantity::Time] > 0.0;
            run.samples = own.filter(is_within).collect();
        }
    }
}
