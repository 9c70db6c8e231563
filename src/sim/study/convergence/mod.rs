//! Convergence of minimising methods within one step: the error of every iterate against the
//! converged solution.
//!
//! One step is frozen, and each method iterates on it from the inertial target `y`, as in its own
//! step. Two errors of the iterates `q_k` are measured, both 1 at `q_0 = y`:
//!
//! ```text
//! energy:    (E(q_k) - E(q*)) / (E(q_0) - E(q*))        Bouaziz et al. 2014, figure 12
//! distance:  |q_k - q*| / |q_0 - q*|,   |d|² = Σ m d²
//! ```
//!
//! `E` is the energy of the method itself, and `q*` its minimum, which is looked for from the last
//! iterate on ([`find_minimum`]). For a body under strain and volume constraints Newton's method on
//! the same energy is measured as well (Bouaziz et al. 2014, figure 12). Methods can have different
//! minima when cloth is compressed, and the energies of two objectives cannot be compared, so each
//! error is relative to the method's own. With contacts the local/global methods minimise no
//! energy, because of friction, and only the distance is measured.
//!
//! All iterations of a method have the same cost: the median of their times, repeated if that is
//! short. Work done once per step is not counted for any of them: the inertial target, the
//! ordering, the factor of a constant matrix, which is also the preconditioner of Newton's method.

mod cost;

use std::ops::ControlFlow;

pub use cost::{Cost, cost_of_errors};

pub use super::minimum::Reference;
use super::minimum::find_minimum;
use super::run::Interrupted;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::simulation::FrozenStep;
use crate::sim::solver_interface::{Capabilities, Group, Info, Keeps, Minimiser, Stability};
use crate::sim::solvers::REGISTRY;
use crate::sim::{Cloth, Real, Simulation, Solver, StepError, Vec3};

/// A motion is rounding up to this share of the coordinates.
const ROUNDING: Real = 1e-12;

/// Shortest measured time [s]; less would show other activity of the machine.
const GLANCE: Real = 0.3;

/// Newton's method on the energy of another method; no solver of its own.
static NEWTON_INFO: Info = Info {
    id: "newton",
    name: "Newton, same energy",
    group: Group::Implicit,
    source: "Bouaziz et al. 2014, figure 12",
    order: 1,
    stability: Stability::Proven("for a step that is solved"),
    cost: "per iteration a matrix of three unknowns per vertex and its factor",
    summary: "Reference for projective dynamics on a body: the exact Hessian, projected element by element where it is not positive definite, factored in every iteration.",
    formula: "∇²E dq = -∇E,  x' = x' + t dq",
    algorithm: "",
    capabilities: Capabilities::SPRINGS,
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[],
};

/// One step, to be taken by several methods.
pub struct Study {
    /// The step, with pins and hand as the methods hold them.
    steps: Vec<FrozenStep>,
    methods: Vec<Box<dyn Solver>>,
}

/// The errors of a method's iterates.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The method.
    pub solver: &'static Info,
    /// Key of its acceleration, if it has one.
    pub acceleration: Option<&'static str>,
    /// Key of the coordinates of its distances, if they are not the usual ones.
    pub coordinates: Option<&'static str>,
    /// The converged solution.
    pub reference: Reference,
    /// The start and every iterate, until the method was through.
    pub points: Vec<Point>,
}

impl Curve {
    /// Id of the method, with its coordinates and acceleration: `fast-mass-spring`,
    /// `fast-mass-spring:anderson`, `projective-dynamics:identity`.
    #[must_use]
    pub fn id(&self) -> String {
        let keys = self.coordinates.into_iter().chain(self.acceleration);
        keys.fold(self.solver.id.to_owned(), |id, key| format!("{id}:{key}"))
    }

    /// The first iterate with at most this error.
    #[must_use]
    pub fn first_within(&self, error: Real, of: ErrorKind) -> Option<&Point> {
        self.points.iter().find(|point| point.error(of).is_some_and(|of_point| of_point <= error))
    }

    /// Name of the method, with its coordinates and acceleration.
    #[must_use]
    pub fn name(&self) -> String {
        let coordinates = self.coordinates.map(|key| format!("{key} coordinates"));
        // most are called after people
        let capital = |key: &str| key[..1].to_uppercase() + &key[1..].replace('_', "-");
        let words = coordinates.into_iter().chain(self.acceleration.map(capital));
        words.fold(self.solver.name.to_owned(), |name, words| format!("{name}, {words}"))
    }
}

/// One of two errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorKind {
    /// Of the energy that the method minimises.
    #[default]
    Energy,
    /// Of the positions.
    Positions,
}

/// An iterate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Number of iterations.
    pub iteration: u32,
    /// Their time [s]; zero without a clock.
    pub seconds: Real,
    /// Error of the positions; 1 at the start.
    pub distance: Real,
    /// Error of the energy; 1 at the start. `None` where the method minimises none.
    pub energy: Option<Real>,
}

impl Point {
    const START: Self = Self { iteration: 0, seconds: 0.0, distance: 0.0, energy: None };

    /// One of its errors.
    #[must_use]
    pub const fn error(&self, of: ErrorKind) -> Option<Real> {
        match of {
            ErrorKind::Energy => self.energy,
            ErrorKind::Positions => Some(self.distance),
        }
    }
}

/// Ids of the methods that minimise, in menu order.
#[must_use]
pub fn methods() -> Vec<&'static str> {
    let minimises = |entry: &&crate::sim::solvers::Entry| (entry.build)().minimiser().is_some();
    REGISTRY.iter().filter(minimises).map(|entry| entry.info.id).collect()
}

impl Study {
    /// The next step of `simulation`, for those of the methods called `ids` that minimise, with the
    /// settings that they have there but for the number of iterations.
    #[must_use]
    pub fn of(simulation: &Simulation, ids: &[&str]) -> Self {
        let mut methods: Vec<_> = ids.iter().filter_map(|id| simulation.solver_like(id)).collect();
        methods.retain_mut(|solver| solver.minimiser().is_some());
        let mut steps: Vec<FrozenStep> = Vec::new();
        for method in &methods {
            if !steps.iter().any(|step| step.fits(method.as_ref())) {
                steps.push(simulation.freeze_for(method.as_ref()));
            }
        }
        Self { steps, methods }
    }

    /// [`of`](Self::of), and the method at work, or the first that can be accelerated if that
    /// cannot be, with every acceleration; if it is at work, also in every coordinates.
    #[must_use]
    pub fn comparing(simulation: &Simulation, ids: &[&str]) -> Self {
        let mut study = Self::of(simulation, ids);
        let mut families: Vec<_> =
            study.methods.iter().map(|solver| accelerated(simulation, solver.info().id)).collect();
        let is_at_work = |at: &usize| study.methods[*at].info().id == simulation.solver().info().id;
        let accelerated: Vec<usize> = (0..families.len()).filter(|at| families[*at].len() > 1).collect();
        if let Some(at) = accelerated.iter().copied().find(is_at_work).or(accelerated.first().copied()) {
            let mut family = families.swap_remove(at);
            if is_at_work(&at) {
                family.extend(in_coordinates(simulation, study.methods[at].info().id));
            }
            study.methods.splice(at..=at, family);
        }
        study
    }

    /// [`of`](Self::of), each method also in every other of its coordinates.
    #[must_use]
    pub fn in_all_coordinates(simulation: &Simulation, ids: &[&str]) -> Self {
        let mut study = Self::of(simulation, ids);
        let others: Vec<_> = study.methods.iter().map(|solver| in_coordinates(simulation, solver.info().id)).collect();
        let each = study.methods.into_iter().zip(others);
        study.methods = each.flat_map(|(method, others)| std::iter::once(method).chain(others)).collect();
        study
    }

    /// A curve per method, of up to `iterations`. `progress` hears the share that is done and the
    /// curves so far, and says whether to continue.
    ///
    /// # Errors
    /// [`Interrupted`] when `progress` ended it, or a step failed.
    pub fn measure(
        &mut self,
        iterations: u32,
        progress: &mut dyn FnMut(Real, &[Curve]) -> ControlFlow<()>,
    ) -> Result<Vec<Curve>, Interrupted> {
        let Self { steps, methods } = self;
        let count = methods.len() as Real;
        let vertices = steps.first().map_or(0, |step| step.state.cloth.len());
        let worth_it = ThreadPool::is_worth_it(vertices, usize::MAX, 1);
        ThreadPool::run(worth_it, |pool| {
            let mut curves = Vec::new();
            for (at, solver) in methods.iter_mut().enumerate() {
                let Some(step) = steps.iter().find(|step| step.fits(solver.as_ref())) else { continue };
                let (info, input) = (solver.info(), step.input(pool));
                let mut measure = |info: &'static Info, method: &mut dyn Minimiser, curves: &[Curve]| {
                    let mut go_on = |share: Real| match progress((at as Real + share) / count, curves) {
                        ControlFlow::Continue(()) => Ok(()),
                        ControlFlow::Break(()) => Err(StepError::Cancelled),
                    };
                    curve(step, info, method, iterations, &mut go_on, pool)
                        .map_err(|error| Interrupted::by(info.id, error))
                };
                let Some(method) = solver.minimiser().filter(|_| !input.partition.free.is_empty()) else {
                    let (reference, points) = (Reference::Newton, vec![Point::START]);
                    curves.push(Curve { solver: info, acceleration: None, coordinates: None, reference, points });
                    continue;
                };
                curves.push(measure(info, method, &curves)?);
                if let Some(mut newton) = method.newton(&input) {
                    curves.push(measure(&NEWTON_INFO, newton.as_mut(), &curves)?);
                }
            }
            Ok(curves)
        })
    }
}

/// The method called `id` with each of its accelerations; none if it does not minimise.
fn accelerated(simulation: &Simulation, id: &str) -> Vec<Box<dyn Solver>> {
    let with = |choice: usize| {
        let mut solver = simulation.solver_like(id)?;
        let method = solver.minimiser()?;
        let count = method.accelerations().len();
        if choice < count {
            method.accelerate(choice);
        }
        Some((solver, count))
    };
    let first = with(0);
    let others = 1..first.as_ref().map_or(0, |(_, count)| *count);
    first.into_iter().chain(others.filter_map(with)).map(|(solver, _)| solver).collect()
}

/// The method called `id`, without acceleration, in each of its coordinates but those chosen.
fn in_coordinates(simulation: &Simulation, id: &str) -> Vec<Box<dyn Solver>> {
    let with = |choice: Option<usize>| {
        let mut solver = simulation.solver_like(id)?;
        let method = solver.minimiser()?;
        let before = method.chosen_coordinates();
        let count = method.coordinates().len();
        if let Some(choice) = choice {
            method.accelerate(0);
            method.choose_coordinates(choice);
        }
        let differs = method.chosen_coordinates() != before;
        Some((solver, count, differs))
    };
    let count = with(None).map_or(0, |(_, count, _)| count);
    let others = (0..count).filter_map(|choice| with(Some(choice)).filter(|(.., differs)| *differs));
    others.map(|(solver, ..)| solver).collect()
}

/// Measures one method. `go_on` hears the share that is done, and fails to end it.
fn curve(
    step: &FrozenStep,
    solver: &'static Info,
    method: &mut dyn Minimiser,
    iterations: u32,
    go_on: &mut dyn FnMut(Real) -> Result<(), StepError>,
    pool: &ThreadPool,
) -> Result<Curve, StepError> {
    let (cloth, input) = (&step.state.cloth, step.input(pool));
    let mut start = Vec::new();
    input.predict(cloth, &mut start);
    // caches, and memory that is touched for the first time
    method.iterate(cloth, &input, &mut start.clone())?;
    let mut iterates = vec![start.clone()];
    let mut costs = Vec::new();
    let mut q = start;
    for done in 0..iterations {
        go_on(0.5 * Real::from(done) / Real::from(iterations))?;
        let iteration = method.iterate(cloth, &input, &mut q)?;
        iterates.push(q.clone());
        costs.push(iteration.seconds);
        if iteration.solved {
            break;
        }
    }
    let mut go_further = |share: Real| go_on(0.5 + 0.5 * share);
    let reference = find_minimum(method, (cloth, &input), &mut q, iterations, &mut go_further)?;

    let mut spent: Real = costs.iter().sum();
    while spent > 0.0 && spent < GLANCE {
        let mut q = iterates[0].clone();
        for _ in 1..iterates.len() {
            go_on(1.0)?;
            costs.push(method.iterate(cloth, &input, &mut q)?.seconds);
        }
        spent += costs[costs.len() + 1 - iterates.len()..].iter().sum::<Real>();
    }
    costs.sort_by(Real::total_cmp);
    let cost = costs.get(costs.len() / 2).copied().unwrap_or(0.0);
    let points = points(cloth, &iterates, &q, cost, |q| method.objective(cloth, &input, q));
    let (acceleration, coordinates) = (method.acceleration(), method.chosen_coordinates());
    Ok(Curve { solver, acceleration, coordinates, reference, points })
}

/// The errors of `iterates` relative to the first, where `end` is the solution [m] and each costs
/// so much [s].
fn points(
    cloth: &Cloth,
    iterates: &[Vec<Vec3>],
    end: &[Vec3],
    cost: Real,
    objective: impl Fn(&[Vec3]) -> Option<Real>,
) -> Vec<Point> {
    let distances: Vec<Real> = iterates.iter().map(|q| distance(cloth, q, end)).collect();
    let least = objective(end);
    let above: Vec<Option<Real>> = iterates.iter().map(|q| Some(objective(q)? - least?)).collect();
    // a step that moves nothing but the last digits has no error to speak of
    let moves = distances[0] > ROUNDING * distance(cloth, end, &vec![Vec3::ZERO; end.len()]);
    // rounding can take the last iterates below the minimum
    let relative = |error: Real, start: Real| if moves && start > 0.0 { error.max(0.0) / start } else { 0.0 };
    let point = |(iteration, at): (u32, usize)| Point {
        iteration,
        seconds: cost * Real::from(iteration),
        distance: relative(distances[at], distances[0]),
        energy: above[at].zip(above[0]).map(|(error, start)| relative(error, start)),
    };
    (0..).zip(0..iterates.len()).map(point).collect()
}

/// `√(Σ m |a - b|²)` over all vertices, positions in metres.
fn distance(cloth: &Cloth, a: &[Vec3], b: &[Vec3]) -> Real {
    let apart = a.iter().zip(b).zip(&cloth.masses).map(|((a, b), mass)| mass * a.distance_squared(*b));
    apart.sum::<Real>().sqrt()
}
