//! Fit: parameters of a fabric with which a textile test gives a target.
//!
//! Parameters are positive and change by factors, so they are looked for by their logarithms, within
//! their ranges and a factor of a hundred about the start. Every evaluation has the same starts, so
//! that two of them differ by their parameters alone.
//!
//! * A *figure* is met by a line or a surface of several parameters. Of all that meet it those
//!   nearest to the start, in logarithms, are looked for.
//! * A *curve* of force over strain and a *shape* of a drape are met as nearly as possible.

mod least;
mod level;
mod problem;
mod scan;
mod search;
mod variable;
mod words;

pub use problem::{Evaluation, Problem, Target};
pub use scan::{Scan, ScanFault};
pub use variable::{Variable, VariableFault};

use crate::sim::StepError;
use search::Search;

/// Parameters that were tried, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// All evaluations in their order.
    pub path: Vec<Evaluation>,
    /// Number of the one nearest to the target, at rest if one is; none without an evaluation.
    pub best: Option<usize>,
    /// How it ended.
    pub end: End,
}

/// How a fit ended.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum End {
    /// The target is met.
    #[error("met")]
    Met,
    /// No parameters around give a smaller distance.
    #[error("least")]
    Least,
    /// The target was not met in the evaluations that were allowed.
    #[error("too few evaluations")]
    Most,
    /// It was called off.
    #[error("called off")]
    Cancelled,
    /// No parameters in the range give the target.
    #[error("out of reach")]
    OutOfReach,
    /// The figure jumps over the target, as a drape does where a fold is added.
    #[error("jump")]
    Jump,
    /// These parameters, by their numbers, change nothing.
    #[error("no effect")]
    NoEffect(Vec<usize>),
    /// The solver knows no forces, or the test has no such target.
    #[error("not measured")]
    NotMeasured,
    /// A step failed with the parameters tried last.
    #[error("{0}")]
    Failed(StepError),
}

/// Looks for the parameters. `after` sees every evaluation.
pub fn fit(problem: &Problem, after: &mut dyn FnMut(&Evaluation)) -> Fit {
    let search = Search::new(problem, after);
    let found = match problem.target {
        Target::Figure(target) => level::nearest(&search, target),
        Target::Curve(_) | Target::Shape(_) => least::least(&search),
    };
    let end = found.unwrap_or_else(|end| end);
    let path = search.path();
    let best = match end {
        // the parameters that met it, not others that did by the way
        End::Met => path.len().checked_sub(1),
        _ => nearest(&path),
    };
    Fit { path, best, end }
}

/// Number of the evaluation that is nearest to the target, at rest if one is.
#[must_use]
pub fn nearest(path: &[Evaluation]) -> Option<usize> {
    let distance = |at: &usize| path[*at].distance.abs();
    let is_moving = |at: &usize| path[*at].moving() > 0;
    let order = |a: &usize, b: &usize| distance(a).total_cmp(&distance(b));
    (0..path.len()).min_by(|a, b| is_moving(a).cmp(&is_moving(b)).then(order(a, b)))
}
