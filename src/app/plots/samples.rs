//! A run in numbers: a sample per frame that was shown, and a table of all.

use std::collections::VecDeque;

use crate::session::Frame;
use crate::sim::measure::{MOST_PROBES, Probes};
use crate::sim::quantities::{Numbers, Quantity};
use crate::sim::solver_interface::StepStage;

/// The quantities of a frame that are plotted.
const PLOTTED: &[Quantity] = &{
    use Quantity::{
        AirWork, Elastic, Energy, HandWork, Iterations, Kinetic, MeanStretch, Potential, Residual, StepTime, Stretch,
        Time,
    };
    [Time, Kinetic, Elastic, Potential, HandWork, AirWork, Stretch, MeanStretch, StepTime, Iterations, Residual, Energy]
};

/// Numbers of one frame. Unknown ones are NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// The plotted quantities, and the distance to the lane that the others are measured against.
    pub numbers: Numbers,
    /// Time of each stage of the last step, in the order of [`StepStage::ALL`] [ms].
    pub stages: [f64; StepStage::ALL.len()],
    /// The time step: time for a step in real time [ms].
    pub tick_ms: f64,
    /// Simulated seconds per second.
    pub speed: f64,
    /// Of the vertices that are looked at, by their places.
    pub probes: [ProbeNumbers; MOST_PROBES],
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
        let there = |vertex: &u32| (*vertex as usize) < frame.positions.len();
        let mut numbers = Numbers::of(PLOTTED, frame);
        if numbers[Quantity::Residual] == 0.0 {
            numbers[Quantity::Residual] = f64::NAN;
        }
        Self {
            numbers,
            stages: frame.stats.seconds.map(|seconds| 1e3 * seconds),
            tick_ms: 1e3 * frame.parameters.timing.time_step,
            speed,
            probes: probed.map(|vertex| {
                vertex.filter(there).map_or_else(ProbeNumbers::default, |vertex| ProbeNumbers::of(frame, vertex))
            }),
        }
    }

    /// Simulated time [s].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.numbers[Quantity::Time]
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
/// names these. Columns have the names of those of `weft run --csv`. A cell is empty where a number
/// is not known.
#[must_use]
pub fn csv(first: &[&str], all_series: &[(Vec<String>, &Series)]) -> String {
    let distance = (!first.is_empty()).then(|| "rms_mm".to_owned());
    let probed = all_series.first().map(|(_, series)| series.probed).unwrap_or_default();
    let probed: Vec<(usize, u32)> =
        probed.iter().enumerate().filter_map(|(place, vertex)| Some((place, (*vertex)?))).collect();
    let of_vertex =
        |(_, vertex): &(usize, u32)| ["x_m", "y_m", "z_m", "speed_m/s"].map(|what| format!("vertex_{vertex}_{what}"));
    let stages = StepStage::ALL.map(|stage| format!("{}_ms", stage.name()));
    let names = first.iter().map(|name| (*name).to_owned()).chain(PLOTTED.iter().map(|of| of.column())).chain(stages);
    let names = names.chain(["real_time_factor".to_owned()]).chain(distance.clone());
    let mut table = csv::Writer::from_writer(Vec::new());
    // a text in memory takes every row
    let _ = table.write_record(names.chain(probed.iter().flat_map(of_vertex)));
    for (begin, series) in all_series {
        for sample in &series.samples {
            let distance = distance.is_some().then(|| 1e3 * sample.numbers[Quantity::Distance]);
            let of_probes = probed.iter().flat_map(|(place, _)| {
                let probe = &sample.probes[*place];
                probe.position.into_iter().chain([probe.speed])
            });
            let numbers = PLOTTED.iter().map(|of| sample.numbers[*of]).chain(sample.stages).chain([sample.speed]);
            let cell = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
            let cells = numbers.chain(distance).chain(of_probes).map(cell);
            let _ = table.write_record(begin.iter().cloned().chain(cells));
        }
    }
    String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default()
}
