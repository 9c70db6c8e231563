//! The windows of stability of the harmonic oscillator (Kang, figure 2): where the map of a step is
//! stable, as an area, and the runs that were tried, as markers.

use super::Limits;
use super::chart::{Axis, Chart, Scale};
use super::item::{Form, Item, Pen};
use super::look::solver_colour;
use super::page::{Drawing, Key, Sign};
use crate::sim::Real;
use crate::sim::solver_interface::Solver;
use crate::sim::solvers::HarmonicOscillator;
use crate::sim::study::windows::Pair;

/// Height of the axes on a page [points].
const HEIGHT: f64 = 360.0;
/// Largest damping ratio and step in periods.
const MOST: [Real; 2] = [0.3, 9.0];
/// Columns of the area, and resolution of its steps in periods.
const COLUMNS: u32 = 150;
const RESOLUTION: Real = 0.01;
/// Columns and rows of runs.
const RUNS: [u32; 2] = [12, 45];

/// Steps in periods by damping ratio at which a pair was tried, and whether it held.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowsChart {
    /// Share of the impulses.
    pub share: Real,
    /// Damping ratio, step in periods, outcome.
    pub runs: Vec<(Real, Real, bool)>,
}

impl WindowsChart {
    /// Damping ratio and step in periods of all runs of a chart.
    pub fn places() -> impl Iterator<Item = [Real; 2]> {
        let [columns, rows] = RUNS;
        let at = |number: u32, count: u32, most: Real| (Real::from(number) + 0.5) / Real::from(count) * most;
        (0..columns).flat_map(move |x| (0..rows).map(move |y| [at(x, columns, MOST[0]), at(y, rows, MOST[1])]))
    }

    /// The chart on a page.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let solver = HarmonicOscillator::default();
        let colour = solver_colour(solver.info().id);
        let width = MOST[0] / Real::from(COLUMNS);
        let mut items: Vec<Item> = (0..COLUMNS)
            .flat_map(|column| {
                let left = Real::from(column) * width;
                let pair = Pair { share: self.share, damping_ratio: left + 0.5 * width };
                pair.windows(MOST[1], RESOLUTION).into_iter().map(move |[low, high]| {
                    let right = left + width;
                    let points = vec![[left, low], [right, low], [right, high], [left, high]];
                    Item::Area { points, colour, opacity: 0.35 }
                })
            })
            .collect();
        items.extend(self.runs.iter().map(|&(ratio, periods, holds)| {
            let form = if holds { Form::Disc } else { Form::Ring };
            Item::Marker { at: [ratio, periods], form, size: 0.7, colour, share: 1.0 }
        }));
        let axis = |name: &str, high: Real| Axis {
            name: name.to_owned(),
            limits: Limits { low: 0.0, high },
            scale: Scale::Linear(1.0),
        };
        let axes = [axis("Damping ratio ξ", MOST[0]), axis("Step in periods, μ = h/h_c", MOST[1])];
        let key = |name: &str, sign: Sign| Key { name: name.to_owned(), sign };
        let legend = vec![
            key("stable by the map of a step", Sign::Line(Pen::new(colour, 6.0))),
            key("held for 600 steps", Sign::Marker(Form::Disc, colour)),
            key("failed", Sign::Marker(Form::Ring, colour)),
        ];
        let title = format!("Windows of stability of a pair, share {}", self.share);
        Chart { title, axes, items, legend }.drawing(HEIGHT)
    }
}
