//! The table and the picture of an advice on solvers.

use crate::sim::Real;
use crate::sim::study::advice::{Advice, CandidateRow, Judged, Profile};

/// Columns of the table. Errors are relative to the motion of a step, `error` is with the weights
/// of the purpose; figures with `reference` are of the reference at the same time; scatter is a
/// share of the figure, `times` is beside the reference at the moment of the largest departure.
pub const ADVICE_HEADER: [&str; 29] = [
    "solver",
    "settings",
    "ms_per_frame",
    "cost_scatter",
    "error",
    "error_scatter",
    "stretch_error",
    "bending_error",
    "whole_error",
    "states",
    "momentum_drift",
    "run_s",
    "largest_stretch",
    "reference_stretch",
    "sag_m",
    "reference_sag_m",
    "decay_per_s",
    "reference_decay_per_s",
    "jitter_m",
    "truncated",
    "departs_by",
    "times_reference",
    "departs_at_s",
    "confirmed",
    "fails_after_s",
    "stage",
    "present",
    "front",
    "choice",
];

/// A row of the table, all of its numbers in full.
#[must_use]
pub fn advice_row(row: &CandidateRow, judged: Option<&Judged>, choice: &str, profile: &Profile) -> [String; 29] {
    let number = |value: Option<Real>| value.map_or_else(String::new, |value| format!("{value}"));
    let part = |of: fn(&crate::sim::study::advice::Parts) -> Real| number(row.error.as_ref().map(of));
    let own = row.run.map(|run| run.own);
    let reference = row.run.and_then(|run| run.reference);
    let farthest = row.farthest();
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    [
        row.candidate.solver.id.to_owned(),
        advice_settings(row),
        number(row.step.map(|step| 1e3 * step)),
        number(row.step.map(|_| row.scatter.cost)),
        number(row.error.map(|error| error.weighted(&profile.weights))),
        number(row.error.map(|_| row.scatter.error)),
        part(|error| error.stretch),
        part(|error| error.bending),
        part(|error| error.whole),
        row.states.to_string(),
        number(row.drift),
        number(row.run.map(|run| run.lasted)),
        number(own.map(|own| own.stretch)),
        number(reference.map(|reference| reference.stretch)),
        number(own.map(|own| own.sag)),
        number(reference.map(|reference| reference.sag)),
        number(own.and_then(|own| own.decay)),
        number(reference.and_then(|reference| reference.decay)),
        number(own.and_then(|own| own.jitter)),
        own.map_or_else(String::new, |own| own.truncated.to_string()),
        farthest.map_or_else(String::new, |farthest| farthest.way.describe().to_owned()),
        number(farthest.map(|farthest| farthest.times)),
        number(farthest.map(|farthest| farthest.time)),
        yes(row.again.is_some()),
        number(row.fails_after),
        row.stage.describe().to_owned(),
        yes(row.candidate.is_present),
        yes(judged.is_some_and(|judged| judged.is_on_front)),
        choice.to_owned(),
    ]
}

/// Settings of a row as `--set` takes them, with spaces between; empty for the solver as it is.
#[must_use]
pub fn advice_settings(row: &CandidateRow) -> String {
    let settings: Vec<String> = row.candidate.rung.0.iter().map(|(key, value)| format!("{key}={value}")).collect();
    settings.join(" ")
}

/// What an advice chooses the row for: take, cheaper, better, or nothing.
#[must_use]
pub fn advice_choice(advice: &Advice, row: usize) -> &'static str {
    let is = |choice: Option<usize>| choice.is_some_and(|at| advice.judged[at].row == row);
    match (is(advice.take), is(advice.cheaper), is(advice.better)) {
        (true, ..) => "take",
        (_, true, _) => "cheaper",
        (_, _, true) => "better",
        _ => "",
    }
}
