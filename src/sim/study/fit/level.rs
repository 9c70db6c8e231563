//! The parameters nearest to the start that give a figure.
//!
//! From a step of each parameter follows the direction, in logarithms, in which the figure changes
//! most. Along it the target is bracketed by the secant and found by Brent's method (Brent 1973).
//! Where the figure is linear in the logarithms, no other parameters that give it are nearer to the
//! start.

use argmin::core::{CostFunction, Error, Executor};
use argmin::solver::brent::BrentRoot;

use super::End;
use super::search::{STEP, Search, end_of};
use crate::sim::Real;

/// Longest way at once, and share by which a secant is made longer so that it passes the target.
const STRIDE: Real = 1.5;
const BEYOND: Real = 1.3;
/// Longest way from the start.
const FARTHEST: Real = 14.0;
/// Way within which a root counts as found.
const FINE: Real = 1e-3;

/// The line along which the figure changes most, from the start towards the target.
struct Line<'s, 'p> {
    search: &'s Search<'p>,
    start: Vec<Real>,
    direction: Vec<Real>,
    tolerance: Real,
}

/// Looks for the nearest parameters.
pub fn nearest(search: &Search, target: Real) -> Result<End, End> {
    let tolerance = search.problem.tolerance(target);
    let start = search.start();
    let first = search.evaluate(&start)?.distance;
    if first.abs() <= tolerance {
        return Ok(End::Met);
    }
    let steps = search.steps()?;
    if let [(only, _)] = &steps[..]
        && only.distance.abs() <= tolerance
    {
        return Ok(End::Met);
    }
    let slopes: Vec<Real> = steps.iter().map(|(evaluation, step)| (evaluation.distance - first) / step).collect();
    let slope = slopes.iter().map(|slope| slope * slope).sum::<Real>().sqrt();
    let direction = slopes.iter().map(|of| -first.signum() * of / slope).collect();
    let line = Line { search, start, direction, tolerance };
    let Some([low, high]) = line.bracket(first, slope)? else { return Ok(End::Met) };
    line.root([low, high])
}

impl Line<'_, '_> {
    /// Logarithms of the parameters at some way from the start; each stays within its range.
    fn place(&self, way: Real) -> Vec<Real> {
        let variables = self.search.problem.variables.iter().zip(self.start.iter().zip(&self.direction));
        variables
            .map(|(variable, (start, along))| {
                let [low, high] = variable.ends();
                (start + way * along).clamp(low, high)
            })
            .collect()
    }

    /// The way at which every parameter that moves is at an end of its range.
    fn end(&self) -> Real {
        let variables = self.search.problem.variables.iter().zip(self.start.iter().zip(&self.direction));
        let ways = variables.filter(|(_, (_, along))| along.abs() > 1e-3).map(|(variable, (start, along))| {
            let [low, high] = variable.ends();
            if *along > 0.0 { (high - start) / along } else { (low - start) / along }
        });
        ways.fold(0.0, Real::max).min(FARTHEST)
    }

    /// Figure less target at some way; zero where the target is met.
    fn distance(&self, way: Real) -> Result<Real, End> {
        let distance = self.search.evaluate(&self.place(way))?.distance;
        Ok(if distance.abs() <= self.tolerance { 0.0 } else { distance })
    }

    /// Two ways with the target between them; none if it is met at one of them. `first` is the
    /// distance at the start, `slope` its change with the way.
    fn bracket(&self, first: Real, slope: Real) -> Result<Option<[Real; 2]>, End> {
        let end = self.end();
        let (mut before, mut left) = (0.0, first);
        let mut way = (first.abs() / slope).clamp(0.1 * STEP, STRIDE).min(end);
        loop {
            let distance = self.distance(way)?;
            if distance == 0.0 {
                return Ok(None);
            }
            if distance * left < 0.0 {
                return Ok(Some([before, way]));
            }
            if way >= end {
                return Err(End::OutOfReach);
            }
            let fall = (left - distance) / (way - before) * left.signum();
            let further = if fall > 0.0 { BEYOND * distance.abs() / fall } else { STRIDE };
            (before, left) = (way, distance);
            way = (way + further.clamp(0.1 * STEP, STRIDE)).min(end);
        }
    }

    /// The root between two ways.
    fn root(&self, [low, high]: [Real; 2]) -> Result<End, End> {
        let found = Executor::new(Crossing(self), BrentRoot::new(low, high, FINE)).timer(false).run();
        match found {
            Ok(found) if found.state.best_cost == 0.0 => Ok(End::Met),
            Ok(_) => Err(End::Jump),
            Err(error) => Err(end_of(error)),
        }
    }
}

/// The distance along a line, as argmin takes it.
struct Crossing<'l, 's, 'p>(&'l Line<'s, 'p>);

impl CostFunction for Crossing<'_, '_, '_> {
    type Param = Real;
    type Output = Real;

    fn cost(&self, way: &Real) -> Result<Real, Error> {
        Ok(self.0.distance(*way)?)
    }
}
