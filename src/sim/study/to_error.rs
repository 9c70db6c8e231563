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
//! and stay there. `q*` is found by Newton's method down to rounding if the method minimises the
//! incremental potential, and otherwise by many accelerated iterations of the method itself;
//! friction is fixed at its value at `q*`, so that there is an energy with contacts as well. The
//! time is that of a whole step with so many iterations by the clock, from its prediction to its
//! end, without the factor of the matrix, which all local/global methods share. The least of a few
//! runs counts.

use std::ops::ControlFlow;

use crate::sim::exec::pool::ThreadPool;
use crate::sim::simulation::FrozenStep;
use crate::sim::solver_interface::{Info, Minimiser, StepStage};
use crate::sim::solvers::ImplicitNewton;
use crate::sim::study::run::Interrupted;
use crate::sim::{Cloth, Real, Simulation, Solver, SolverState, StepError, StepInput, Vec3};

/// Most iterations that are made for an error.
const MOST: u32 = 2000;
/// Most iterations on the way to a minimum: Newton's, and those of a method that Newton's cannot
/// help.
const NEWTON: u32 = 200;
const OWN: u32 = 1500;
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

/// A method under test.
struct Method {
    solver: Box<dyn Solver>,
    acceleration: Option<usize>,
    carried: SolverState,
}

impl Method {
    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        let minimiser = self.solver.minimiser()?;
        if let Some(acceleration) = self.acceleration {
            minimiser.accelerate(acceleration);
        }
        Some(minimiser)
    }
}

/// Runs `simulation` for so many `steps`, and measures the iterations and time of each of the
/// methods `ids` for each of `errors` in every step. `progress` hears the share that is done, and
/// says whether to continue.
///
/// # Errors
/// [`Interrupted`] when `progress` ended it, or a step failed.
pub fn to_error(
    simulation: &mut Simulation,
    ids: &[&str],
    errors: &[Real],
    steps: u32,
    progress: &mut dyn FnMut(Real) -> ControlFlow<()>,
) -> Result<Vec<Cost>, Interrupted> {
    let mut methods = Vec::new();
    let mut costs = Vec::new();
    for id in ids {
        let Some(mut plain) = simulation.solver_like(id) else { continue };
        let Some(minimiser) = plain.minimiser() else { continue };
        let choices = minimiser.accelerations();
        let accelerations = if choices.is_empty() { vec![None] } else { (0..choices.len()).map(Some).collect() };
        for acceleration in accelerations {
            let Some(solver) = simulation.solver_like(id) else { continue };
            for &error in errors {
                costs.push(Cost {
                    solver: solver.info(),
                    acceleration: acceleration.map(|at| choices[at].key),
                    error,
                    iterations: Vec::new(),
                    milliseconds: Vec::new(),
                });
            }
            methods.push(Method { solver, acceleration, carried: SolverState::default() });
        }
    }
    let (id, count) = (simulation.solver().info().id, methods.len() as Real);
    for step in 0..steps {
        let worth_it = ThreadPool::is_worth_it(simulation.state.cloth.len(), usize::MAX, 1);
        let mut frozen = simulation.freeze();
        for (at, method) in methods.iter_mut().enumerate() {
            let share = Real::from(step) + at as Real / count;
            if progress(share / Real::from(steps)).is_break() {
                return Err(Interrupted::Cancelled);
            }
            let solver = method.solver.info().id;
            if !frozen.fits(method.solver.as_ref()) {
                frozen = simulation.freeze_for(method.solver.as_ref());
            }
            let found = ThreadPool::run(worth_it, |pool| measure(&frozen, method, errors, pool));
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

/// Iterations and milliseconds for each error.
fn measure(
    step: &FrozenStep,
    method: &mut Method,
    errors: &[Real],
    pool: &ThreadPool,
) -> Result<Vec<(Real, Real)>, StepError> {
    let (cloth, input) = (&step.state.cloth, step.input(pool));
    let nothing = vec![(0.0, 0.0); errors.len()];
    let mut start = Vec::new();
    input.predict(cloth, &mut start);
    let end = minimum(cloth, &input, method, &start)?;
    let Some(minimiser) = method.minimiser() else { return Ok(nothing) };
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
fn time(step: &FrozenStep, method: &mut Method, count: u32, pool: &ThreadPool) -> Result<(Real, Real), StepError> {
    let input = step.input(pool);
    if let Some(minimiser) = method.minimiser() {
        minimiser.limit_iterations(count.max(1));
    }
    let carried = &mut method.carried;
    let mut least = Real::INFINITY;
    for _ in 0..RUNS {
        let mut cloth = step.state.cloth.clone();
        let stats = method.solver.step(&mut cloth, carried, &input)?;
        least = least.min(stats.total_seconds() - stats.seconds[StepStage::Factor as usize]);
    }
    Ok((Real::from(count), 1e3 * least))
}

/// Where the step of a method ends when it is solved.
fn minimum(cloth: &Cloth, input: &StepInput, method: &mut Method, start: &[Vec3]) -> Result<Vec<Vec3>, StepError> {
    let mut q = start.to_vec();
    let Some(own) = method.solver.minimiser() else { return Ok(q) };
    let mut newton = ImplicitNewton::default();
    newton.settings.gradient_tolerance = 0.0;
    let by_newton = own.minimises_potential(input);
    if !by_newton && let Some(last) = own.accelerations().len().checked_sub(1) {
        own.accelerate(last);
    }
    let (most, way): (u32, &mut dyn Minimiser) = if by_newton { (NEWTON, &mut newton) } else { (OWN, own) };
    for _ in 0..most {
        if way.iterate(cloth, input, &mut q)?.solved {
            break;
        }
    }
    Ok(q)
}
