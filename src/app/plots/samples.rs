//! A run in numbers: a sample per frame that was shown, and a table of all.

use std::collections::VecDeque;

use crate::session::Frame;
use crate::sim::measure::{MOST_PROBES, Probes};
use crate::sim::solver::Stage;

/// Numbers of one frame. Unknown ones are NaN.
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
    /// Largest stretch of a spring [%].
    pub stretch: f64,
    /// Mean stretch of the springs, compressed ones included [%].
    pub mean_stretch: f64,
    /// Time of each stage of the last step, in the order of [`Stage::ALL`] [ms].
    pub stages: [f64; Stage::ALL.len()],
    /// The time step: time for a step in real time [ms].
    pub tick_ms: f64,
    /// Simulated seconds per second.
    pub speed: f64,
    /// Iterations of the last step.
    pub iterations: f64,
    /// Its residual, in the solver's measure.
    pub residual: f64,
    /// Of the vertices that are looked at, by their places.
    pub probes: [ProbeNumbers; MOST_PROBES],
    /// Root of the mean square of the distance to the lane that the others are measured against
    /// [mm].
    pub distance: f64,
}

/// Numbers of a vertex that is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbeNumbers {
    /// Where it is [m].
    pub position: [f64; 3],
    /// How fast it is [m/s].
    pub speed: f64,
}

impl Default for ProbeNumbers {
    fn default() -> Self {
        Self { position: [f64::NAN; 3], speed: f64::NAN }
    }
}

impl ProbeNumbers {
    /// Of a vertex after the last step of `frame`; its speed is the way of that step over its time.
    fn of(frame: &Frame, vertex: u32) -> Self {
        let (before, now) = (frame.previous[vertex as usize], frame.positions[vertex as usize]);
        Self { position: now.to_array(), speed: before.distance(now) / frame.parameters.timing.time_step }
    }
}

impl Sample {
    /// Of a frame at a `speed` in simulated seconds per second, with the vertices that are
    /// `probed`.
    pub(super) fn of(frame: &Frame, speed: f64, probed: &Probes) -> Self {
        let energy = frame.readouts.energy;
        let stats = &frame.stats;
        let step = frame.parameters.timing.time_step;
        let there = |vertex: &u32| (*vertex as usize) < frame.positions.len();
        Self {
            time: frame.time,
            kinetic: energy.kinetic,
            elastic: energy.elastic.unwrap_or(f64::NAN),
            potential: energy.potential,
            hand_work: frame.readouts.hand_work,
            air_work: frame.readouts.air_work,
            stretch: 100.0 * frame.readouts.largest_stretch,
            mean_stretch: 100.0 * frame.readouts.mean_stretch,
            stages: stats.seconds.map(|seconds| 1e3 * seconds),
            tick_ms: 1e3 * step,
            speed,
            iterations: f64::from(stats.iterations),
            residual: if stats.residual > 0.0 { stats.residual } else { f64::NAN },
            probes: probed.map(|vertex| {
                vertex.filter(there).map_or_else(ProbeNumbers::default, |vertex| ProbeNumbers::of(frame, vertex))
            }),
            distance: f64::NAN,
        }
    }

    /// All three energies together [J].
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.potential
    }

    /// Computing time of the last step [ms].
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
    /// Name of the change.
    pub what: String,
}

/// The samples of a run.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// By rising time.
    pub samples: VecDeque<Sample>,
    /// Likewise.
    pub marks: Vec<Mark>,
    /// The vertices that are looked at.
    pub probed: Probes,
}

/// A table of all samples of some series, each with the cells that its rows begin with; `first`
/// names these. A cell is empty where a number is not known.
#[must_use]
pub fn csv(first: &[&str], all_series: &[(Vec<String>, &Series)]) -> String {
    let fixed = [
        "time [s]",
        "kinetic [J]",
        "elastic [J]",
        "potential [J]",
        "work of the hand [J]",
        "work of the air [J]",
        "largest stretch [%]",
        "mean stretch [%]",
    ];
    let last = ["step [ms]", "real-time factor", "iterations", "residual"];
    let distance = (!first.is_empty()).then(|| "distance [mm]".to_owned());
    let probed = all_series.first().map(|(_, series)| series.probed).unwrap_or_default();
    let probed: Vec<(usize, u32)> =
        probed.iter().enumerate().filter_map(|(place, vertex)| Some((place, (*vertex)?))).collect();
    let of_vertex = |(_, vertex): &(usize, u32)| {
        let vertex = *vertex;
        [("x", "m"), ("y", "m"), ("z", "m"), ("speed", "m/s")]
            .map(|(what, unit)| format!("{what} of vertex {vertex} [{unit}]"))
    };
    let stages = Stage::ALL.map(|stage| format!("{} [ms]", stage.name()));
    let names = first.iter().chain(&fixed).map(|name| (*name).to_owned()).chain(stages);
    let names = names.chain(last.map(str::to_owned)).chain(distance.clone()).chain(probed.iter().flat_map(of_vertex));
    let mut table = csv::Writer::from_writer(Vec::new());
    // a text in memory takes every row
    let _ = table.write_record(names);
    for (begin, series) in all_series {
        for s in &series.samples {
            let front = [s.time, s.kinetic, s.elastic, s.potential, s.hand_work, s.air_work, s.stretch, s.mean_stretch];
            let back = [s.step_ms(), s.speed, s.iterations, s.residual];
            let distance = distance.is_some().then_some(&s.distance);
            let of_probes = probed.iter().flat_map(|(place, _)| {
                let probe = &s.probes[*place];
                probe.position.iter().chain([&probe.speed])
            });
            let numbers = front.iter().chain(&s.stages).chain(&back).chain(distance).chain(of_probes);
            let cell = |x: &f64| if x.is_finite() { x.to_string() } else { String::new() };
            let _ = table.write_record(begin.iter().cloned().chain(numbers.map(cell)));
        }
    }
    String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default()
}
