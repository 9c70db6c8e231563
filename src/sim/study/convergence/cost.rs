//! Cost of an error: iterations and milliseconds of minimising methods until they come so near the
//! minimum of a step.
//!
//! A simulation continues with its own solver. Every step is frozen, and each method computes it
//! from the same state, with as many iterations as needed to reach an energy of
//!
//! ```text
//! (E(q_k) - E(q*)) / (E(y) - E(q*)) ≤ error,    y the inertial target        Bouaziz et al. 2014, figure 12
//! ```
//!
//! and stay there. `q*` is the minimum near the inertial target; friction is fixed at its value
//! there, so that there is an energy with contacts as well. The time is that of a whole step with so
//! many iterations by the clock, from its prediction to its end, without the factor of the matrix,
//! which all local/global methods share. The least of a few runs counts.

use std::ops::ControlFlow;

use super::accelerated;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::simulation::FrozenStep;
use crate::sim::solver_interface::{Info, Minimiser, StepStage};
use crate::sim::study::minimum::find_minimum;
use crate::sim::study::run::Interrupted;
use crate::sim::{Real, Simulation, Solver, SolverState, StepError, Vec3};

/// Most iterations that are made for an error.
const MOST: u32 = 2000;
/// Times that a step is run to be timed.
const RUNS: usize = 3;

/// Iterations and time of one method for one error.
#[derive(Debug, Clone)]
pub struct Cost {
    /// The method.
    pub solver: &'static Info,
    /// Key of its acceleration, if it can be accelerated.
    pub acceleration: Option<&'static str>,
    /// The error of the energy.
    pub error: Real,
    /// Iterations, a step each; infinite where the error was not reached.
    pub iterations: Vec<Real>,
    /// Milliseconds, a step each; likewise.
    pub milliseconds: Vec<Real>,
}

/// A method under test, with what it carries from step to step.
type Method = (Box<dyn Solver>, SolverState);

/// Runs `simulation` for so many `steps`, and measures the iterations and time of each of the
/// methods `ids`, with each of its accelerations, for each of `errors` in every step. `progress`
/// hears the share that is done, and says whether to continue.
///
/// # Errors
/// [`Interrupted`] when `progress` ended it, or a step failed.
pub fn cost_of_errors(
    simulation: &mut Simulation,
    ids: &[&str],
    errors: &[Real],
    steps: u32,
    progress: &mut dyn FnMut(Real) -> ControlFlow<()>,
) -> Result<Vec<Cost>, Interrupted> {
    let solvers = ids.iter().flat_map(|id| accelerated(simulation, id));
    let mut methods: Vec<Method> = solvers.map(|solver| (solver, SolverState::default())).collect();
    let mut costs = Vec::new();
    for (solver, _) in &mut methods {
        let info = solver.info();
        let acceleration = solver
            .minimiser()
            .and_then(|method| method.acceleration().or(method.accelerations().first().map(|none| none.key)));
        let cost = |&error: &Real| Cost {
            solver: info,
            acceleration,
            error,
            iterations: Vec::new(),
            milliseconds: Vec::new(),
        };
        costs.extend(errors.iter().map(cost));
    }
    let (id, count) = (simulation.solver().info().id, methods.len() as Real);
    for step in 0..steps {
        let worth_it = ThreadPool::is_worth_it(simulation.state.cloth.len(), usize::MAX, 1);
        let mut frozen = simulation.freeze();
        for (at, method) in methods.iter_mut().enumerate() {
            let share = (Real::from(step) + at as Real / count) / Real::from(steps);
            let mut go_on = || if progress(share).is_break() { Err(StepError::Cancelled) } else { Ok(()) };
            let solver = method.0.info().id;
            if !frozen.fits(method.0.as_ref()) {
                frozen = simulation.freeze_for(method.0.as_ref());
            }
            let found = ThreadPool::run(worth_it, |pool| measure(&frozen, method, errors, &mut go_on, pool));
            let found = found.map_err(|error| Interrupted::by(solver, error))?;
            for (cost, (iterations, milliseconds)) in costs[at * errors.len()..].iter_mut().zip(found) {
                cost.iterations.push(iterations);
                cost.milliseconds.push(milliseconds);
            }
        }
        simulation.step().map_err(|error| Interrupted::by(id, error))?;
    }
    Ok(costs)
}

/// Iterations and milliseconds for each error. `go_on` fails to end it.
fn measure(
    step: &FrozenStep,
    method: &mut Method,
    errors: &[Real],
    go_on: &mut dyn FnMut() -> Result<(), StepError>,
    pool: &ThreadPool,
) -> Result<Vec<(Real, Real)>, StepError> {
    let (cloth, input) = (&step.state.cloth, step.input(pool));
    let nothing = vec![(0.0, 0.0); errors.len()];
    let Some(minimiser) = method.0.minimiser() else { return Ok(nothing) };
    let mut start = Vec::new();
    input.predict(cloth, &mut start);
    let mut end = start.clone();
    find_minimum(minimiser, (cloth, &input), &mut end, 0, &mut |_| go_on())?;
    // so that the next question is about this step
    minimiser.iterate(cloth, &input, &mut start.clone())?;
    let energy =
        |minimiser: &dyn Minimiser, q: &[Vec3]| minimiser.objective_near(cloth, &input, q, &end).unwrap_or(Real::NAN);
    let least = energy(minimiser, &end);
    let high = energy(minimiser, &start) - least;
    if high.is_nan() || high <= 0.0 {
        return Ok(nothing);
    }
    let smallest = errors.iter().copied().fold(1.0, Real::min);
    let error = |minimiser: &dyn Minimiser, q: &[Vec3]| (energy(minimiser, q) - least) / high;

    // iterates until the smallest error is reached, which is looked for now and then
    let mut q = start;
    minimiser.start(cloth, &input, &mut q)?;
    let mut iterates = vec![q.clone()];
    let mut next_look = 8;
    for iteration in 1..=MOST {
        let done = minimiser.iterate(cloth, &input, &mut q)?.solved;
        iterates.push(q.clone());
        if done || iteration == next_look {
            next_look += next_look / 2;
            if done || error(minimiser, &q) <= smallest {
                break;
            }
        }
    }
    let found: Vec<Option<u32>> = errors
        .iter()
        .map(|wanted| first_within(iterates.len(), |at| error(minimiser, &iterates[at]) <= *wanted))
        .collect();
    found
        .into_iter()
        .map(|count| count.map_or(Ok((Real::INFINITY, Real::INFINITY)), |count| time(step, method, count, pool)))
        .collect()
}

/// The first of `count` iterates that `is_within` an error, if any is. No iteration raises the
/// energy, so it is found by halves.
fn first_within(count: usize, is_within: impl Fn(usize) -> bool) -> Option<u32> {
    let (mut below, mut reached) = (0, count - 1);
    if !is_within(reached) {
        return None;
    }
    while below < reached {
        let middle = usize::midpoint(below, reached);
        if is_within(middle) {
            reached = middle;
        } else {
            below = middle + 1;
        }
    }
    Some(reached as u32)
}

/// So many iterations, at least one, with the time of the step that makes them [ms].
fn time(
    step: &FrozenStep,
    (solver, carried): &mut Method,
    count: u32,
    pool: &ThreadPool,
) -> Result<(Real, Real), StepError> {
    let input = step.input(pool);
    if let Some(minimiser) = solver.minimiser() {
        minimiser.limit_iterations(count.max(1));
    }
    let mut least = Real::INFINITY;
    for _ in 0..RUNS {
        let mut cloth = step.state.cloth.clone();
        let stats = solver.step(&mut cloth, carried, &input)?;
        least = least.min(stats.total_seconds() - stats.seconds[StepStage::Factor as usize]);
    }
    Ok((Real::from(count), 1e3 * least))
}
