//! Rows of CSV.

use crate::sim::solver::Stage;
use crate::sim::study::convergence::Curve;
use crate::sim::{Simulation, StepStats};

/// Column names of [`csv_row`].
#[must_use]
pub fn csv_header() -> Vec<String> {
    let fixed = [
        "step",
        "time_s",
        "kinetic_J",
        "elastic_J",
        "potential_J",
        "max_strain",
        "substeps",
        "rejected",
        "iterations",
        "residual",
        "unconverged",
        "factorisations",
        "updates",
        "indefinite",
        "exhausted",
        "torn",
        "layer_pairs",
        "too_many_pairs",
        "held_back",
        "given_up_m",
        "touching",
        "waiting",
        "intersections",
    ];
    let stages = Stage::ALL.iter().map(|stage| format!("{}_ms", stage.name()));
    fixed.into_iter().map(str::to_owned).chain(stages).chain(["total_ms".to_owned()]).collect()
}

/// One row: the state after a step, and the statistics of the step. Unknown values are empty: an
/// elastic energy that the solver does not have, intersecting pairs that were not counted.
#[must_use]
pub fn csv_row(simulation: &Simulation, stats: &StepStats, intersections: Option<usize>) -> Vec<String> {
    let energy = simulation.energy();
    let state = [
        simulation.steps().to_string(),
        simulation.time().to_string(),
        energy.kinetic.to_string(),
        energy.elastic.map_or_else(String::new, |elastic| elastic.to_string()),
        energy.potential.to_string(),
        simulation.largest_stretch().to_string(),
        stats.substeps.to_string(),
        stats.rejected.to_string(),
        stats.iterations.to_string(),
        stats.residual.to_string(),
        stats.unconverged.to_string(),
        stats.factorisations.to_string(),
        stats.updates.to_string(),
        stats.indefinite.to_string(),
        stats.exhausted.to_string(),
        stats.torn.to_string(),
        stats.layer_pairs.to_string(),
        stats.too_many_pairs.to_string(),
        stats.held_back.to_string(),
        stats.given_up.to_string(),
        stats.touching.to_string(),
        stats.waiting.to_string(),
        intersections.map_or_else(String::new, |count| count.to_string()),
    ];
    let times =
        stats.seconds.iter().chain([&stats.total_seconds()]).map(|s| format!("{:.4}", 1e3 * s)).collect::<Vec<_>>();
    state.into_iter().chain(times).collect()
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
