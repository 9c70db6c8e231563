//! Rows of CSV.

use std::io::{self, Write};

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

/// Writes the curves of methods as CSV, a row per iterate, the start included: its cost, its error
/// of positions and, if the method minimises one, of the energy. With each curve come the columns
/// and rows of its cloth, if that is a grid.
///
/// # Errors
/// When it cannot be written.
pub fn write_convergence<'a>(
    curves: impl IntoIterator<Item = (Option<[u32; 2]>, &'a Curve)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let header = ["solver", "columns", "rows", "iteration", "milliseconds", "relative_error", "relative_energy"];
    writer.write_record(header)?;
    for (grid, curve) in curves {
        let [columns, rows] = grid.map_or([const { String::new() }; 2], |grid| grid.map(|count| count.to_string()));
        for point in &curve.points {
            writer.write_record([
                &curve.id(),
                &columns,
                &rows,
                &point.iteration.to_string(),
                &format!("{:.6}", 1e3 * point.seconds),
                &point.distance.to_string(),
                &point.energy.map_or_else(String::new, |energy| energy.to_string()),
            ])?;
        }
    }
    writer.flush()
}
