//! Numbers of every step of a run, and their plots.

use crate::documents::{Plot, PlotCurve, PlotStyle, real_time_rule};
use crate::sim::Real;
use crate::sim::quantities::{Numbers, Quantity};

/// Colours of the lanes, and of curves beside each other, told apart by all eyes (Okabe and Ito
/// 2008).
const COLOURS: [[u8; 3]; 4] = [[213, 94, 0], [0, 114, 178], [0, 158, 115], [204, 121, 167]];
const BLACK: [u8; 3] = [30, 32, 36];
/// Points of an exact curve, and how many times its start a displacement is drawn up to.
const POINTS: u32 = 400;
const BEYOND: Real = 1.5;

/// The quantities of a step that are plotted.
pub const PLOTTED: &[Quantity] = &{
    use Quantity::{Distance, Elastic, Energy, Kinetic, LargestDistance, Lowest, Potential, StepTime, Stretch, Time};
    [Time, Energy, Kinetic, Elastic, Potential, Stretch, StepTime, Distance, LargestDistance, Lowest]
};

/// Plots of a run: energies, stretch, cost and distance over time. Of lanes each plot has a curve
/// per lane.
#[must_use]
pub fn sample_plots(lanes: &[(&str, &[Numbers])]) -> Vec<Plot> {
    let samples = || lanes.iter().flat_map(|(_, samples)| *samples);
    let start = samples().map(|sample| sample[Quantity::Time]).fold(f64::INFINITY, f64::min);
    let end = samples().map(|sample| sample[Quantity::Time]).fold(f64::NEG_INFINITY, f64::max);
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
    let pairs = || lanes.iter().flat_map(|(_, samples)| samples.windows(2));
    let steps = pairs().map(|pair| pair[1][Quantity::Time] - pair[0][Quantity::Time]);
    let longest = steps.fold(0.0, Real::max);
    let cost = |curves: Vec<PlotCurve>| Plot {
        rule: (longest > 0.0).then(|| real_time_rule(longest)),
        ..plot("Time per step", "s", curves)
    };
    let curve = |name: &str, colour: [u8; 3], samples: &[Numbers], of: Quantity| PlotCurve {
        name: name.to_owned(),
        colour,
        faint: false,
        points: samples.iter().map(|sample| [sample[Quantity::Time], sample.shown(of) * prefix(of)]).collect(),
    };
    let of_lanes = |of: Quantity| -> Vec<PlotCurve> {
        lanes.iter().zip(COLOURS).map(|((name, samples), colour)| curve(name, colour, samples, of)).collect()
    };
    if let [(_, samples)] = lanes {
        let energies = [
            curve("total", BLACK, samples, Quantity::Energy),
            curve("kinetic", COLOURS[1], samples, Quantity::Kinetic),
            curve("elastic", COLOURS[0], samples, Quantity::Elastic),
            curve("potential", COLOURS[2], samples, Quantity::Potential),
        ];
        return vec![
            plot("Energy", "J", energies.to_vec()),
            plot("Stretch", "%", vec![curve("largest", COLOURS[0], samples, Quantity::Stretch)]),
            cost(vec![curve("all stages", COLOURS[1], samples, Quantity::StepTime)]),
        ];
    }
    let mut distances = of_lanes(Quantity::Distance);
    distances.retain(|curve| curve.points.iter().any(|point| point[1].is_finite()));
    vec![
        plot("Energy, total", "J", of_lanes(Quantity::Energy)),
        plot("Stretch, largest", "%", of_lanes(Quantity::Stretch)),
        cost(of_lanes(Quantity::StepTime)),
        plot("Distance to the first", "m", distances),
    ]
}

/// Plot of an oscillation: the displacement of the lowest vertex of each lane from the height at
/// `rest` [m], and the exact one by time [s].
#[must_use]
pub fn displacement_plot(lanes: &[(&str, &[Numbers])], rest: Real, exact: impl Fn(Real) -> Real) -> Plot {
    let times = || lanes.iter().flat_map(|(_, samples)| samples.iter().map(|sample| sample[Quantity::Time]));
    let end = times().fold(0.0, Real::max);
    let largest = exact(0.0).abs();
    let curve = |name: &str, colour: [u8; 3], points: Vec<[Real; 2]>| PlotCurve {
        name: name.to_owned(),
        colour,
        faint: false,
        points,
    };
    let of_lane = |((name, samples), colour): (&(&str, &[Numbers]), [u8; 3])| {
        let displacements = samples.iter().map(|sample| [sample[Quantity::Time], sample[Quantity::Lowest] - rest]);
        // one that diverges would hide the others
        let points = std::iter::once([0.0, exact(0.0)]).chain(displacements);
        curve(name, colour, points.take_while(|[_, value]| value.abs() < BEYOND * largest).collect())
    };
    let fine = (0..=POINTS).map(|at| end * Real::from(at) / Real::from(POINTS));
    let mut curves = vec![curve("exact", BLACK, fine.map(|time| [time, exact(time)]).collect())];
    curves.extend(lanes.iter().zip(COLOURS).map(of_lane));
    Plot {
        title: "Displacement".to_owned(),
        unit: "m".to_owned(),
        style: PlotStyle::Lines,
        curves,
        window: Plot::window(0.0, end, None),
        marks: Vec::new(),
        rule: None,
    }
}

/// Factor to the unit without prefix.
fn prefix(of: Quantity) -> f64 {
    if of.unit() == "ms" { 1e-3 } else { 1.0 }
}
