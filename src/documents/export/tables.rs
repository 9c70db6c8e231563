//! Rows of CSV.

use crate::sim::quantities::{Quantity, Reading};
use crate::sim::solver_interface::StepStage;
use crate::sim::study::convergence::Curve;

/// Column names of [`csv_row`].
#[must_use]
pub fn csv_header() -> Vec<String> {
    let stages = StepStage::ALL.iter().map(|stage| format!("{}_ms", stage.name()));
    Quantity::COLUMNS.iter().map(|quantity| quantity.column()).chain(stages).chain(["total_ms".to_owned()]).collect()
}

/// One row: the state after a step, and the statistics of the step. Unknown values are empty: an
/// elastic energy that the solver does not have, intersecting pairs that were not counted.
#[must_use]
pub fn csv_row(now: &dyn Reading) -> Vec<String> {
    let numbers = Quantity::COLUMNS.iter().map(|quantity| quantity.value(now).map_or(String::new(), |x| x.to_string()));
    let seconds = now.stats().seconds.into_iter().chain([now.stats().total_seconds()]);
    numbers.chain(seconds.map(|seconds| format!("{:.4}", 1e3 * seconds))).collect()
}

/// Column names of [`convergence_rows`].
pub const CONVERGENCE_HEADER: [&str; 7] =
    ["solver", "columns", "rows", "iteration", "milliseconds", "relative_error", "relative_energy"];

/// A row per iterate, the start included: its cost, its error of positions and, if the method
/// minimises one, of the energy. `grid` gives the columns and rows of a cloth that is a grid.
pub fn convergence_rows(curve: &Curve, grid: Option<[u32; 2]>) -> impl Iterator<Item = [String; 7]> + '_ {
    let [columns, rows] = grid.map_or([const { String::new() }; 2], |grid| grid.map(|count| count.to_string()));
    curve.points.iter().map(move |point| {
        [
            curve.id(),
            columns.clone(),
            rows.clone(),
            point.iteration.to_string(),
            format!("{:.6}", 1e3 * point.seconds),
            point.distance.to_string(),
            point.energy.map_or_else(String::new, |energy| energy.to_string()),
        ]
    })
}
