//! The parameters with the least distance from a curve or a shape, by the simplex of Nelder and Mead
//! (1965).

use argmin::core::{CostFunction, Error, Executor, TerminationReason, TerminationStatus};
use argmin::solver::neldermead::NelderMead;
use argmin_math::{ArgminAdd, ArgminMul, ArgminSub};

use super::search::{Search, end_of};
use super::{End, Scan, Target, Variable};
use crate::sim::Real;

/// Standard deviation of the costs of a simplex at which it is small enough.
const FINE: Real = 5e-4;
/// Cost of a way of one from the start: of parameters that give the same, the nearest are taken.
const NEAR: Real = 1e-5;
/// Cost of a place beside the range; nothing is simulated there.
const BESIDE: Real = 1e3;

/// Looks for the least distance.
pub fn least(search: &Search) -> Result<End, End> {
    search.steps()?;
    let beside = (0..search.problem.variables.len()).map(|variable| search.beside(variable).0);
    let simplex = std::iter::once(search.start()).chain(beside).map(Place).collect();
    let method = NelderMead::new(simplex).with_sd_tolerance(FINE).map_err(end_of)?;
    // evaluations are limited by the search
    let found = Executor::new(Cost(search), method).timer(false).run().map_err(end_of)?;
    match found.state.termination_status {
        TerminationStatus::Terminated(TerminationReason::SolverConverged) => Ok(End::Least),
        _ => Err(End::Most),
    }
}

/// The distance as a share, as argmin takes it.
struct Cost<'s, 'p>(&'s Search<'p>);

impl CostFunction for Cost<'_, '_> {
    type Param = Place;
    type Output = Real;

    fn cost(&self, Place(logarithms): &Place) -> Result<Real, Error> {
        let problem = self.0.problem;
        let ends = problem.variables.iter().map(Variable::ends);
        let beside: Real = logarithms.iter().zip(ends).map(|(at, [low, high])| (at - at.clamp(low, high)).abs()).sum();
        if beside > 0.0 {
            return Ok(BESIDE * (1.0 + beside));
        }
        let distance = self.0.evaluate(logarithms)?.distance;
        let unit = if matches!(problem.target, Target::Shape(_)) { Scan::RADIUS } else { 1.0 };
        let way: Real = logarithms.iter().zip(self.0.start()).map(|(at, start)| (at - start).powi(2)).sum();
        Ok(distance.abs() / unit + NEAR * way)
    }
}

/// Logarithms of parameters. argmin has these operations for lists of its own only together with
/// random numbers.
#[derive(Debug, Clone, PartialEq)]
struct Place(Vec<Real>);

impl ArgminAdd<Self, Self> for Place {
    fn add(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }
}

impl ArgminSub<Self, Self> for Place {
    fn sub(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }
}

impl ArgminMul<Real, Self> for Place {
    fn mul(&self, factor: &Real) -> Self {
        Self(self.0.iter().map(|a| a * factor).collect())
    }
}
