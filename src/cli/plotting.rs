//! `--plot`: energies, stretch and cost of every step as a plot in a file.

use std::path::Path;

use crate::scene::{Figure, InputError, Plot, PlotCurve, PlotStyle, Scene, write_whole};
use crate::session::{Frame, captions};
use crate::sim::{Simulation, StepStats};

/// Colours of the lanes, and of curves beside each other, told apart by all eyes (Okabe and Ito
/// 2008).
const COLOURS: [[u8; 3]; 4] = [[213, 94, 0], [0, 114, 178], [0, 158, 115], [204, 121, 167]];
const BLACK: [u8; 3] = [30, 32, 36];

/// Plotted numbers of a step.
struct Row {
    /// Simulated time [s].
    time: f64,
    /// Total, kinetic, elastic and potential energy [J].
    energies: [f64; 4],
    /// Largest stretch [%].
    stretch: f64,
    /// Computing time of the step [s].
    cost: f64,
    /// Distance to the first lane [m].
    distance: f64,
}

/// A file of plots, of one run or of lanes.
pub(super) struct PlotFile<'a> {
    file: &'a str,
    is_svg: bool,
    lanes: Vec<Vec<Row>>,
}

impl<'a> PlotFile<'a> {
    /// Of so many lanes.
    ///
    /// # Errors
    /// When the name of the file ends neither in .svg nor in .pdf.
    pub(super) fn new(file: &'a str, lanes: usize) -> Result<Self, InputError> {
        let ending = Path::new(file).extension().unwrap_or_default().to_ascii_lowercase();
        let is_svg = match ending.to_str() {
            Some("svg") => true,
            Some("pdf") => false,
            _ => return Err(InputError::new(file, "is no name of a plot; let it end in .svg or .pdf")),
        };
        Ok(Self { file, is_svg, lanes: (0..lanes).map(|_| Vec::new()).collect() })
    }

    /// Notes a step of a lane, and its distance to the first one [m] if that is known.
    pub(super) fn note(&mut self, lane: usize, simulation: &Simulation, stats: &StepStats, distance: Option<f64>) {
        let energy = simulation.energy();
        let known = |value: Option<f64>| value.unwrap_or(f64::NAN);
        self.lanes[lane].push(Row {
            time: simulation.time(),
            energies: [known(energy.total()), energy.kinetic, known(energy.elastic), energy.potential],
            stretch: 100.0 * simulation.largest_stretch(),
            cost: stats.total_seconds(),
            distance: known(distance),
        });
    }

    /// Writes the file. `frames` are the last ones of the lanes, which tell their names.
    ///
    /// # Errors
    /// When the disk fails.
    pub(super) fn finish(self, scene: &Scene, frames: &[Frame]) -> std::io::Result<()> {
        let names = captions(&frames.iter().collect::<Vec<_>>());
        let title = if scene.title.is_empty() { &scene.name } else { &scene.title };
        let title = if let [name] = &names[..] { format!("{title}, {name}") } else { title.clone() };
        let figure = Figure { title, plots: self.plots(&names) };
        write_whole(Path::new(self.file), |out| {
            if self.is_svg { out.write_all(figure.svg().as_bytes()) } else { out.write_all(&figure.pdf()) }
        })
    }

    fn plots(&self, names: &[String]) -> Vec<Plot> {
        let rows = || self.lanes.iter().flatten();
        let start = rows().map(|row| row.time).fold(f64::INFINITY, f64::min);
        let end = rows().map(|row| row.time).fold(f64::NEG_INFINITY, f64::max);
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
        let curve = |name: &str, colour: [u8; 3], rows: &[Row], value: &dyn Fn(&Row) -> f64| PlotCurve {
            name: name.to_owned(),
            colour,
            faint: false,
            points: rows.iter().map(|row| [row.time, value(row)]).collect(),
        };
        let of_lanes = |value: &dyn Fn(&Row) -> f64| -> Vec<PlotCurve> {
            let lanes = self.lanes.iter().zip(names).zip(COLOURS);
            lanes.map(|((rows, name), colour)| curve(name, colour, rows, value)).collect()
        };
        if let [rows] = &self.lanes[..] {
            let kinds = ["total", "kinetic", "elastic", "potential"];
            let colours = [BLACK, COLOURS[1], COLOURS[0], COLOURS[2]];
            let energies = (0..4).map(|kind| curve(kinds[kind], colours[kind], rows, &|row| row.energies[kind]));
            return vec![
                plot("Energy", "J", energies.collect()),
                plot("Stretch", "%", vec![curve("largest", COLOURS[0], rows, &|row| row.stretch)]),
                plot("Time per step", "s", vec![curve("all stages", COLOURS[1], rows, &|row| row.cost)]),
            ];
        }
        let mut distances = of_lanes(&|row| row.distance);
        distances.retain(|curve| curve.points.iter().any(|point| point[1].is_finite()));
        vec![
            plot("Energy, total", "J", of_lanes(&|row| row.energies[0])),
            plot("Stretch, largest", "%", of_lanes(&|row| row.stretch)),
            plot("Time per step", "s", of_lanes(&|row| row.cost)),
            plot("Distance to the first", "m", distances),
        ]
    }
}
