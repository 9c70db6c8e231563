//! Convergence of a step: the error of the iterates of several methods, over iterations or time.

use super::Limits;
use super::chart::{Axis, Chart, Scale};
use super::item::{Item, Pen};
use super::page::{Key, Sign};
use crate::sim::Real;
use crate::sim::study::convergence::{Curve, ErrorKind, Point};

/// Smallest drawn error, as a power of ten: invisible, but above rounding.
const LOWEST: f64 = -10.0;

/// What is along the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The number of iterations.
    Iterations,
    /// Their time, logarithmic.
    Milliseconds,
}

/// The errors of the methods: a colour for each solver, dashes for its accelerations. The solver at
/// work is drawn boldly.
#[must_use]
pub fn convergence_chart(curves: &[Curve], over: Over, of: ErrorKind, at_work: Option<&str>) -> Chart {
    let points: Vec<Vec<[f64; 2]>> = curves.iter().map(|curve| points(curve, over, of)).collect();
    let all = || points.iter().flatten();
    let lowest = all().map(|point| point[1].floor()).fold(-1.0, f64::min).max(LOWEST);
    let across = match over {
        Over::Iterations => {
            let high = all().map(|point| point[0]).fold(1.0, f64::max);
            let limits = Limits { low: 0.0, high };
            Axis { name: "Iterations".to_owned(), limits, scale: Scale::Linear(1.0) }
        }
        Over::Milliseconds => {
            let limits = Limits::of_decades(all().map(|point| point[0]));
            Axis { name: "Milliseconds".to_owned(), limits, scale: Scale::Logarithmic("") }
        }
    };
    let limits = Limits { low: lowest, high: 0.0 };
    let up = Axis { name: "Relative error".to_owned(), limits, scale: Scale::Logarithmic("") };
    let pen = |at: usize| {
        let curve = &curves[at];
        // how many of this solver come before
        let place = curves[..at].iter().filter(|other| other.solver.id == curve.solver.id).count();
        let width = if at_work == Some(curve.solver.id) { 3.0 } else { 1.4 };
        Pen::of_solver(curve.solver.id, place, width)
    };
    let legend = (0..curves.len()).map(|at| Key { name: curves[at].name(), sign: Sign::Line(pen(at)) }).collect();
    let lines = points.into_iter().enumerate();
    let items = lines.map(|(at, points)| Item::Line { name: curves[at].name(), points, pen: pen(at) }).collect();
    Chart { title: "Error of the iterates".to_owned(), axes: [across, up], items, legend }
}

/// The iterates of a method as they are drawn, as far as they have an error above zero.
fn points(curve: &Curve, over: Over, of: ErrorKind) -> Vec<[f64; 2]> {
    let known = curve.points.iter().map_while(|point| Some((point, point.error(of).filter(|error| *error > 0.0)?)));
    let place = |(point, error): (&Point, Real)| {
        let x = match over {
            Over::Iterations => Real::from(point.iteration),
            // the start has no time
            Over::Milliseconds if point.seconds > 0.0 => (1e3 * point.seconds).log10(),
            Over::Milliseconds => return None,
        };
        Some([x, error.log10()])
    };
    known.filter_map(place).collect()
}
