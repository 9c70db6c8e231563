//! What a fit prints: its path, and the result to be pasted.

use std::fmt::Write;

use serde_json::json;

use crate::cli::output::{Failure, print, print_json};
use crate::sim::params::quote::number;
use crate::sim::params::units::significant;
use crate::sim::study::fit::{End, Evaluation, Fit, Problem, Variable};

/// Prints the fit, and fails if it has no answer.
pub(super) fn output(problem: &Problem, fit: &Fit, is_json: bool) -> Result<(), Failure> {
    let sentence = fit.sentence(problem);
    match is_json {
        true => print_json(&json(problem, fit, &sentence))?,
        false => print(&text(problem, fit, &sentence))?,
    }
    match fit.end {
        End::Cancelled => Err(Failure::Interrupted(sentence)),
        _ if fit.is_answer() => Ok(()),
        _ => Err(Failure::Ran(sentence)),
    }
}

/// The parameters as arguments.
fn arguments(problem: &Problem, evaluation: &Evaluation) -> String {
    let pairs = problem.variables.iter().zip(&evaluation.parameters);
    let pairs =
        pairs.map(|(variable, value)| format!("--set {}={}", variable.param.key, number(Variable::shortened(*value))));
    pairs.collect::<Vec<_>>().join(" ")
}

fn text(problem: &Problem, fit: &Fit, sentence: &str) -> String {
    let mut text = format!("{:<10}", "evaluation");
    let heading = |key: &str, unit: &str| if unit.is_empty() { key.to_owned() } else { format!("{key} [{unit}]") };
    let headings: Vec<String> =
        problem.variables.iter().map(|variable| heading(variable.param.key, variable.param.unit)).collect();
    for heading in &headings {
        let _ = write!(text, "  {heading:>12}");
    }
    let _ = writeln!(text, "  {:>16} {:>8} {:>16}", problem.test.id(), "±", "distance");
    for (number, evaluation) in (1..).zip(&fit.path) {
        let is_best = fit.best == Some(number - 1);
        let _ = write!(text, "{:<10}", format!("{number}{}", if is_best { " *" } else { "" }));
        for (heading, value) in headings.iter().zip(&evaluation.parameters) {
            let width = heading.chars().count().max(12);
            let _ = write!(text, "  {:>width$}", significant(*value));
        }
        let (figure, spread) = evaluation.figure();
        let spread = spread.map_or("–".to_owned(), significant);
        let distance = problem.distance(evaluation.distance);
        let moving = if evaluation.moving() > 0 { "  not converged" } else { "" };
        let _ = writeln!(text, "  {:>16} {spread:>8} {distance:>16}{moving}", problem.value(figure));
    }
    let Some(best) = fit.best().filter(|_| !matches!(fit.end, End::NoEffect(_))) else { return text };
    let _ = writeln!(text, "\n{}", arguments(problem, best));
    // a fault is told on standard error
    if fit.is_answer() {
        let _ = writeln!(text, "{sentence}");
    }
    text
}

fn json(problem: &Problem, fit: &Fit, sentence: &str) -> serde_json::Value {
    let row = |evaluation: &Evaluation| {
        let named = problem.variables.iter().zip(&evaluation.parameters);
        let parameters: serde_json::Map<String, serde_json::Value> =
            named.map(|(variable, value)| (variable.param.key.to_owned(), json!(value))).collect();
        let (figure, spread) = evaluation.figure();
        json!({
            "parameters": parameters,
            "figure": figure,
            "spread": spread,
            "distance": evaluation.distance,
            "at_rest": evaluation.moving() == 0,
        })
    };
    json!({
        "test": problem.test.id(),
        "unit": problem.test.unit(),
        "answer": fit.is_answer(),
        "sentence": sentence,
        "arguments": fit.best().map(|best| arguments(problem, best)),
        "result": fit.best().map(row),
        "path": fit.path.iter().map(row).collect::<Vec<_>>(),
    })
}
