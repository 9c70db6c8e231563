//! The studies of an experiment: advice, stability chart, convergence of a step.

use super::advice::advice_blocks;
use super::experiment::{CompassStudy, ConvergenceStudy};
use super::{Block, Experiment, Figure, Image, Table};
use crate::documents::{ChartRegion, Over, convergence_chart};
use crate::sim::Real;
use crate::sim::params::units::{power_of_ten, quantity, significant};
use crate::sim::study::convergence::{Curve, ErrorKind};

/// Height of the axes of the chart of convergence [points].
const HEIGHT: f64 = 230.0;
/// Errors to which iterations are counted, as powers of ten.
const ERRORS: [i32; 3] = [-2, -4, -6];

impl Experiment {
    /// Those that were made.
    pub(super) fn studies(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if let Some(study) = &self.advice {
            blocks.push(Block::Heading("Which solver?".to_owned()));
            blocks.extend(advice_blocks(study, "Cost and error of the solvers", false));
        }
        blocks.extend(self.stability.iter().flat_map(stability));
        blocks.extend(self.convergence.iter().flat_map(convergence));
        blocks
    }
}

fn stability(study: &CompassStudy) -> Vec<Block> {
    let CompassStudy { chart, command } = study;
    let sentences: Vec<String> = chart.regions.iter().map(|region| longest(study, region)).collect();
    let caption = "Stability by time step and stiffness: 300 steps of the scene from its start, at each point with the \
                   other parameters as they are. The shaded side of a border is unstable; a marker in a ring is \
                   the time step and the stiffness of the experiment.";
    vec![
        Block::Heading("Where it is stable".to_owned()),
        Block::Paragraph(sentences.join(" ")),
        Block::Figure(Figure {
            name: "stability".to_owned(),
            caption: caption.to_owned(),
            image: Image::Svg(chart.drawing().svg_element()),
            command: Some(command.clone()),
        }),
    ]
}

/// Up to which time step a method is stable, as a sentence.
fn longest(study: &CompassStudy, region: &ChartRegion) -> String {
    let chart = &study.chart.chart;
    let [step, stiffness] = region.present;
    let [shortest, last] = chart.time_steps;
    let at = format!("With springs of {}, {}", quantity(stiffness, "N/m"), region.name);
    let here = format!("the time step here is {}", quantity(step, "s"));
    match chart.longest_step(&region.region, stiffness) {
        None => format!("{at} is unstable at every step of the chart, from {} on; {here}.", quantity(shortest, "s")),
        Some(limit) if limit >= last => {
            format!("{at} is stable up to the longest step of the chart, {}; {here}.", quantity(last, "s"))
        }
        Some(limit) => format!("{at} is stable up to steps of {}; {here}.", quantity(limit, "s")),
    }
}

fn convergence(study: &ConvergenceStudy) -> Vec<Block> {
    let ConvergenceStudy { curves, time, command } = study;
    let begin = format!("the step that begins at t = {} s", significant(*time));
    let heading = Block::Heading("Convergence of a step".to_owned());
    if curves.is_empty() {
        let text = "None of the solvers minimises an energy in its step, so there is no minimum to converge to.";
        return vec![heading, Block::Paragraph(text.to_owned())];
    }
    let per_iteration = |curve: &Curve| {
        let last = curve.points.last().filter(|point| point.iteration > 0);
        last.map(|point| 1e3 * point.seconds / Real::from(point.iteration))
    };
    let to = |curve: &Curve, power: i32| {
        let first = curve.first_within(Real::powi(10.0, power), ErrorKind::Positions);
        first.map_or_else(|| "–".to_owned(), |point| point.iteration.to_string())
    };
    let row = |curve: &Curve| {
        let cost = per_iteration(curve).map_or_else(|| "–".to_owned(), significant);
        [vec![curve.name(), cost], ERRORS.map(|power| to(curve, power)).to_vec()].concat().into()
    };
    let errors = ERRORS.map(|power| format!("Iterations to {}", power_of_ten(power)));
    let most = curves.iter().flat_map(|curve| curve.points.last()).map(|point| point.iteration).max().unwrap_or(0);
    let table = Table {
        caption: format!(
            "Iterations until the distance to the solution of {begin} is this share of that of the inertial target; a \
             dash is more than {most}."
        ),
        head: [vec!["Method".to_owned(), "ms per iteration".to_owned()], errors.to_vec()].concat(),
        rows: curves.iter().map(row).collect(),
        command: Some(command.clone()),
    };
    let chart = convergence_chart(curves, Over::Iterations, ErrorKind::Positions, None);
    let figure = Figure {
        name: "convergence".to_owned(),
        caption: format!(
            "Distance to the solution of {begin} after each iteration, weighted by mass and relative to that of the \
             inertial target. Each method is measured against its own minimum."
        ),
        image: Image::Svg(chart.drawing(HEIGHT).svg_element()),
        command: Some(command.clone()),
    };
    vec![heading, Block::Table(table), Block::Figure(figure)]
}
