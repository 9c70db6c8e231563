//! The evaluations of a fit: none is made twice, and their number is limited.

use std::cell::RefCell;

use super::{End, Evaluation, Problem, Variable};
use crate::sim::{Real, StepError};

/// First step of a parameter, as a logarithm.
pub const STEP: Real = 0.5;
/// Relative difference below which a parameter has changed nothing.
const NOTHING: Real = 1e-5;

/// A search that is under way.
pub struct Search<'a> {
    pub problem: &'a Problem,
    after: RefCell<&'a mut dyn FnMut(&Evaluation)>,
    /// Evaluations with the logarithms of their parameters.
    made: RefCell<Vec<(Vec<Real>, Evaluation)>>,
}

impl<'a> Search<'a> {
    pub fn new(problem: &'a Problem, after: &'a mut dyn FnMut(&Evaluation)) -> Self {
        Self { problem, after: RefCell::new(after), made: RefCell::default() }
    }

    /// Logarithms of the parameters at the start.
    pub fn start(&self) -> Vec<Real> {
        self.problem.variables.iter().map(|variable| variable.start.ln()).collect()
    }

    /// The start with one parameter a first step away, within its range.
    pub fn beside(&self, variable: usize) -> (Vec<Real>, Real) {
        let mut place = self.start();
        let [low, high] = self.problem.variables[variable].ends();
        let step = if place[variable] + STEP <= high || high - place[variable] >= place[variable] - low {
            STEP.min(high - place[variable])
        } else {
            -STEP.min(place[variable] - low)
        };
        place[variable] += step;
        (place, step)
    }

    /// What parameters with these logarithms give.
    ///
    /// # Errors
    /// [`End`] when the search is over.
    pub fn evaluate(&self, logarithms: &[Real]) -> Result<Evaluation, End> {
        if let Some((_, known)) = self.made.borrow().iter().find(|(place, _)| place == logarithms) {
            return Ok(known.clone());
        }
        if self.problem.cancel.is_cancelled() {
            return Err(End::Cancelled);
        }
        if self.made.borrow().len() >= self.problem.most {
            return Err(End::Most);
        }
        let parameters = self.values(logarithms);
        let evaluation = match self.problem.evaluate(parameters) {
            Ok(evaluation) => evaluation.ok_or(End::NotMeasured)?,
            Err(StepError::Cancelled) => return Err(End::Cancelled),
            Err(error) => return Err(End::Failed(error)),
        };
        (*self.after.borrow_mut())(&evaluation);
        self.made.borrow_mut().push((logarithms.to_vec(), evaluation.clone()));
        Ok(evaluation)
    }

    /// Parameters with these logarithms: to the bit those of the start or of an end of the range,
    /// where they are that.
    fn values(&self, logarithms: &[Real]) -> Vec<Real> {
        let value = |(variable, at): (&Variable, &Real)| {
            let [low, high] = variable.range;
            if *at == variable.start.ln() { variable.start } else { at.exp().clamp(low, high) }
        };
        self.problem.variables.iter().zip(logarithms).map(value).collect()
    }

    /// Evaluates a step of each parameter, and returns those.
    ///
    /// # Errors
    /// [`End::NoEffect`] with the parameters that have changed nothing, or another when the search
    /// is over.
    pub fn steps(&self) -> Result<Vec<(Evaluation, Real)>, End> {
        let start = self.evaluate(&self.start())?;
        let mut steps = Vec::new();
        let mut idle = Vec::new();
        for variable in 0..self.problem.variables.len() {
            let (place, step) = self.beside(variable);
            let evaluation = self.evaluate(&place)?;
            let is_same = |a: Real, b: Real| (a - b).abs() <= NOTHING * a.abs();
            let figures = start.figures.iter().zip(&evaluation.figures);
            if figures.clone().all(|(a, b)| is_same(a.value, b.value)) && is_same(start.distance, evaluation.distance) {
                idle.push(variable);
            }
            steps.push((evaluation, step));
        }
        if idle.is_empty() { Ok(steps) } else { Err(End::NoEffect(idle)) }
    }

    /// All evaluations in their order.
    pub fn path(self) -> Vec<Evaluation> {
        self.made.into_inner().into_iter().map(|(_, evaluation)| evaluation).collect()
    }
}

/// The end of a search that a function called by a method of argmin has told.
pub fn end_of(error: argmin::core::Error) -> End {
    error.downcast::<End>().unwrap_or(End::Jump)
}
