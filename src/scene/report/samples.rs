//! Numbers of every step of a run, and their plots.

use crate::scene::{Plot, PlotCurve, PlotStyle};
use crate::sim::study::correspondence::Distance;
use crate::sim::{Simulation, StepStats};

/// Colours of the lanes, and of curves beside each other, told apart by all eyes (Okabe and Ito
/// 2008).
const COLOURS: [[u8; 3]; 4] = [[213, 94, 0], [0, 114, 178], [0, 158, 115], [204, 121, 167]];
const BLACK: [u8; 3] = [30, 32, 36];

/// Numbers of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Simulated time [s].
    pub time: f64,
    /// Total, kinetic, elastic and potential energy [J]; NaN where it is not known.
    pub energies: [f64; 4],
    /// Largest stretch of a structural spring [%].
    pub stretch: f64,
    /// Computing time of a step [s].
    pub cost: f64,
    /// Distance to the first lane [m]: root of the mean square over the vertices, and the largest;
    /// NaN where it is not known.
    pub distance: [f64; 2],
}

impl Sample {
    /// The state after a step, and its distance to that of the first lane.
    #[must_use]
    pub fn of(simulation: &Simulation, stats: &StepStats, distance: Option<&Distance>) -> Self {
        let energy = simulation.energy();
        let known = |value: Option<f64>| value.unwrap_or(f64::NAN);
        Self {
            time: simulation.time(),
            energies: [known(energy.total()), energy.kinetic, known(energy.elastic), energy.potential],
            stretch: 100.0 * simulation.largest_stretch(),
            cost: stats.total_seconds(),
            distance: distance.map_or([f64::NAN; 2], |distance| [distance.root_mean_square, distance.largest]),
        }
    }
}

/// Plots of a run: energies, stretch, cost and distance over time. Of lanes each plot has a curve
/// per lane.
#[must_use]
pub fn sample_plots(lanes: &[(&str, &[Sample])]) -> Vec<Plot> {
    let samples = || lanes.iter().flat_map(|(_, samples)| *samples);
    let start = samples().map(|sample| sample.time).fold(f64::INFINITY, f64::min);
    let end = samples().map(|sample| sample.time).fold(f64::NEG_INFINITY, f64::max);
    let window = Plot::window(start, end, None);
    let plot = |title: &str, unit: &str, curves: Vec<PlotCurve>| Plot {
        title: title.to_owned(),
        unit: unit.to_owned(),
        style: PlotStyle::Lines,
        curves,
        window,
        marks: Vec::new(),
        rule: None,
    };
    let curve = |name: &str, colour: [u8; 3], samples: &[Sample], value: &dyn Fn(&Sample) -> f64| PlotCurve {
        name: name.to_owned(),
        colour,
        faint: false,
        points: samples.iter().map(|sample| [sample.time, value(sample)]).collect(),
    };
    let of_lanes = |value: &dyn Fn(&Sample) -> f64| -> Vec<PlotCurve> {
        let lanes = lanes.iter().zip(COLOURS);
        lanes.map(|((name, samples), colour)| curve(name, colour, samples, value)).collect()
    };
    if let [(_, samples)] = lanes {
        let kinds = ["total", "kinetic", "elastic", "potential"];
        let colours = [BLACK, COLOURS[1], COLOURS[0], COLOURS[2]];
        let energies = (0..4).map(|kind| curve(kinds[kind], colours[kind], samples, &|sample| sample.energies[kind]));
        return vec![
            plot("Energy", "J", energies.collect()),
            plot("Stretch", "%", vec![curve("largest", COLOURS[0], samples, &|sample| sample.stretch)]),
            plot("Time per step", "s", vec![curve("all stages", COLOURS[1], samples, &|sample| sample.cost)]),
        ];
    }
    let mut distances = of_lanes(&|sample| sample.distance[0]);
    distances.retain(|curve| curve.points.iter().any(|point| point[1].is_finite()));
    vec![
        plot("Energy, total", "J", of_lanes(&|sample| sample.energies[0])),
        plot("Stretch, largest", "%", of_lanes(&|sample| sample.stretch)),
        plot("Time per step", "s", of_lanes(&|sample| sample.cost)),
        plot("Distance to the first", "m", distances),
    ]
}
