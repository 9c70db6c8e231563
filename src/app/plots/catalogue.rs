//! Catalogue of plots: their curves and names.

use egui::Color32;

use super::samples::Sample;
use crate::documents::PlotStyle;
use crate::sim::quantities::Quantity;
use crate::sim::solver_interface::StepStage;

/// Colours of curves, told apart by all eyes (Okabe and Ito 2008, lightened for a dark ground).
const BLUE: Color32 = Color32::from_rgb(86, 180, 233);
const ORANGE: Color32 = Color32::from_rgb(230, 159, 0);
const GREEN: Color32 = Color32::from_rgb(0, 190, 140);
const WHITE: Color32 = Color32::from_rgb(225, 227, 232);
const YELLOW: Color32 = Color32::from_rgb(240, 228, 66);
const RED: Color32 = Color32::from_rgb(220, 110, 60);
const PINK: Color32 = Color32::from_rgb(204, 121, 167);

/// A number of a sample.
#[derive(Clone, Copy)]
pub enum Value {
    /// A measured quantity, in the unit in which it is shown.
    Of(Quantity),
    /// Another one.
    Own(fn(&Sample) -> f64),
}

impl Value {
    /// In a sample.
    pub fn of(self, sample: &Sample) -> f64 {
        match self {
            Self::Of(quantity) => sample.numbers.shown(quantity),
            Self::Own(value) => value(sample),
        }
    }
}

/// A curve: its name and colour, and its value in a sample.
pub struct Curve {
    pub(super) name: &'static str,
    pub(super) colour: Color32,
    pub(super) value: Value,
}

/// Subject of a plot.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    /// The chosen lane.
    Cloth,
    /// Differences between lanes.
    Lanes,
    /// The vertices that are looked at, a curve each.
    Vertices,
}

/// A plot.
pub struct PlotKind {
    /// Name of its button.
    pub name: &'static str,
    /// Help of its button.
    pub help: &'static str,
    pub(super) title: &'static str,
    /// Unit of the axis, without prefix, and how much of it one of the values is.
    pub(super) unit: (&'static str, f64),
    pub(super) style: PlotStyle,
    pub(super) curves: &'static [Curve],
    pub(super) of: Of,
    /// Sum of all curves, if it has a meaning: its name, and its value in a sample.
    pub(super) whole: Option<(&'static str, Value)>,
}

/// All plots.
pub const PLOTS: &[PlotKind] = &[
    PlotKind {
        name: "energy",
        help: "Energies by kind, and their sum",
        title: "Energy",
        unit: ("J", 1.0),
        style: PlotStyle::Lines,
        curves: &[
            Curve { name: "total", colour: WHITE, value: Value::Of(Quantity::Energy) },
            Curve { name: "kinetic", colour: BLUE, value: Value::Of(Quantity::Kinetic) },
            Curve { name: "elastic", colour: ORANGE, value: Value::Of(Quantity::Elastic) },
            Curve { name: "potential", colour: GREEN, value: Value::Of(Quantity::Potential) },
        ],
        of: Of::Cloth,
        whole: None,
    },
    PlotKind {
        name: "work",
        help: "Work done on the cloth by the hand and the air since the start. Work in minus energy stored = energy lost to damping.",
        title: "Work",
        unit: ("J", 1.0),
        style: PlotStyle::Lines,
        curves: &[
            Curve { name: "hand", colour: PINK, value: Value::Of(Quantity::HandWork) },
            Curve { name: "air", colour: YELLOW, value: Value::Of(Quantity::AirWork) },
        ],
        of: Of::Cloth,
        whole: Some(("hand and air", Value::Own(|s| s.numbers[Quantity::HandWork] + s.numbers[Quantity::AirWork]))),
    },
    PlotKind {
        name: "stretch",
        help: "Strain of the structural springs: the largest, and the mean",
        title: "Stretch",
        unit: ("%", 1.0),
        style: PlotStyle::Lines,
        curves: &[
            Curve { name: "largest", colour: ORANGE, value: Value::Of(Quantity::Stretch) },
            Curve { name: "mean", colour: BLUE, value: Value::Of(Quantity::MeanStretch) },
        ],
        of: Of::Cloth,
        whole: None,
    },
    PlotKind {
        name: "step",
        help: "Time of each stage of a step, stacked. The dashed line is the time step of the scene, 16.7 ms for one frame at 60 Hz; above it the cloth is slower than real time. It is on the axis once steps take a tenth of it",
        title: "Time per step",
        unit: ("s", 1e-3),
        style: PlotStyle::Stacked,
        curves: &[
            Curve {
                name: "forces",
                colour: BLUE,
                value: Value::Own(|s| sum(s, &[StepStage::External, StepStage::Assemble])),
            },
            Curve { name: "factor", colour: PINK, value: Value::Own(|s| sum(s, &[StepStage::Factor])) },
            Curve { name: "local", colour: YELLOW, value: Value::Own(|s| sum(s, &[StepStage::Local])) },
            Curve { name: "solve", colour: ORANGE, value: Value::Own(|s| sum(s, &[StepStage::Solve])) },
            Curve {
                name: "contact",
                colour: GREEN,
                value: Value::Own(|s| sum(s, &[StepStage::Contact, StepStage::Detection, StepStage::Truncation])),
            },
            Curve {
                name: "other",
                colour: RED,
                value: Value::Own(|s| sum(s, &[StepStage::Stretch, StepStage::Tearing])),
            },
        ],
        of: Of::Cloth,
        whole: Some(("all stages", Value::Of(Quantity::StepTime))),
    },
    PlotKind {
        name: "speed",
        help: "Real-time factor: simulated seconds per second, averaged over about a second",
        title: "Real-time factor",
        unit: ("× real time", 1.0),
        style: PlotStyle::Lines,
        curves: &[Curve { name: "speed", colour: BLUE, value: Value::Own(|s| s.speed) }],
        of: Of::Cloth,
        whole: None,
    },
    PlotKind {
        name: "iterations",
        help: "Iterations, or sweeps, of the solver per step",
        title: "Iterations or sweeps",
        unit: ("", 1.0),
        style: PlotStyle::Lines,
        curves: &[Curve { name: "iterations", colour: GREEN, value: Value::Of(Quantity::Iterations) }],
        of: Of::Cloth,
        whole: None,
    },
    PlotKind {
        name: "residual",
        help: "Residual of the equations after a step, in the solver's own measure",
        title: "Residual",
        unit: ("", 1.0),
        style: PlotStyle::Logarithmic,
        curves: &[Curve { name: "residual", colour: ORANGE, value: Value::Of(Quantity::Residual) }],
        of: Of::Cloth,
        whole: None,
    },
    PlotKind {
        name: "distance",
        help: "Distance of each lane from the reference: root mean square over the vertices",
        title: "Distance",
        unit: ("m", 1e-3),
        style: PlotStyle::Lines,
        curves: &[Curve { name: "distance", colour: BLUE, value: Value::Own(|s| 1e3 * s.numbers[Quantity::Distance]) }],
        of: Of::Lanes,
        whole: None,
    },
    PlotKind {
        name: "height",
        help: "Height of the inspected vertices; a click on the cloth adds one",
        title: "Height",
        unit: ("m", 1.0),
        style: PlotStyle::Lines,
        curves: &[
            Curve { name: "1", colour: GREEN, value: Value::Own(|s| s.probes[0].position[1]) },
            Curve { name: "2", colour: BLUE, value: Value::Own(|s| s.probes[1].position[1]) },
            Curve { name: "3", colour: PINK, value: Value::Own(|s| s.probes[2].position[1]) },
            Curve { name: "4", colour: RED, value: Value::Own(|s| s.probes[3].position[1]) },
        ],
        of: Of::Vertices,
        whole: None,
    },
    PlotKind {
        name: "velocity",
        help: "Speed of the inspected vertices",
        title: "Speed of vertices",
        unit: ("m/s", 1.0),
        style: PlotStyle::Lines,
        curves: &[
            Curve { name: "1", colour: GREEN, value: Value::Own(|s| s.probes[0].speed) },
            Curve { name: "2", colour: BLUE, value: Value::Own(|s| s.probes[1].speed) },
            Curve { name: "3", colour: PINK, value: Value::Own(|s| s.probes[2].speed) },
            Curve { name: "4", colour: RED, value: Value::Own(|s| s.probes[3].speed) },
        ],
        of: Of::Vertices,
        whole: None,
    },
];

fn sum(sample: &Sample, stages: &[StepStage]) -> f64 {
    stages.iter().map(|stage| sample.stages[*stage as usize]).sum()
}
