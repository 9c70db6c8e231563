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
//! `E` is the energy of the method itself, and `q*` its minimum. For springs alone it is found by
//! Newton's method, started from the method's last iterate, down to rounding; also for a body under
//! strain and volume constraints, for which Newton's method is measured as well (Bouaziz et al.
//! 2014, figure 12). For other mixes of constraints, and with contacts, which every method treats
//! differently, it is found by many more iterations of the method itself. Methods can have
//! different minima when cloth is compressed, and the energies of two objectives cannot be
//! compared, so each error is relative to the method's own. With contacts the local/global methods
//! minimise no energy, because of friction, and only the distance is measured.
//!
//! All iterations of a method have the same cost: the median of their times, repeated if that is
//! short. Work done once per step is not counted for any of them: the inertial target, the
//! ordering, the factor of a constant matrix, which is also the preconditioner of Newton's method.

use std::ops::ControlFlow;

use crate::sim::exec::pool::ThreadPool;
use crate::sim::simulation::FrozenStep;
use crate::sim::solver_interface::{Capabilities, Group, Info, Keeps, Minimiser, Stability};
use crate::sim::solvers::{ImplicitNewton, REGISTRY};
use crate::sim::study::run::Interrupted;
use crate::sim::{Cloth, Real, Simulation, Solver, Vec3};

/// Most Newton iterations on the way to a converged solution.
const NEWTON: u32 = 200;
/// Iterations to a converged solution that Newton's method cannot find: so many times those
/// measured, and at least.
const LONGER: u32 = 20;
const LONG: u32 = 2000;

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
    /// The converged solution.
    pub reference: Reference,
    /// The start and every iterate, until the method was through.
    pub points: Vec<Point>,
}

impl Curve {
    /// Id of the method, with its acceleration: `fast-mass-spring`, `fast-mass-spring:anderson`.
    #[must_use]
    pub fn id(&self) -> String {
        self.acceleration.map_or_else(|| self.solver.id.to_owned(), |key| format!("{}:{key}", self.solver.id))
    }

    /// Name of the method, with its acceleration.
    #[must_use]
    pub fn name(&self) -> String {
        let words = |key: &str| key.replace('_', "-");
        self.acceleration
            .map_or_else(|| self.solver.name.to_owned(), |key| format!("{}, {}", self.solver.name, words(key)))
    }
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
}

/// Where a converged solution comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Newton's method, down to rounding.
    Newton,
    /// So many iterations of the method itself.
    Iterations(u32),
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
    /// cannot be, with every acceleration.
    #[must_use]
    pub fn comparing(simulation: &Simulation, ids: &[&str]) -> Self {
        let mut study = Self::of(simulation, ids);
        let at_work = simulation.solver().info().id;
        let mut choices: Vec<usize> = study
            .methods
            .iter_mut()
            .map(|solver| solver.minimiser().map_or(0, |method| method.accelerations().len()))
            .collect();
        let accelerated = |at: &usize| choices[*at] > 0;
        let own = study.methods.iter().position(|solver| solver.info().id == at_work).filter(accelerated);
        let Some(chosen) = own.or_else(|| (0..choices.len()).find(accelerated)) else { return study };
        let id = study.methods[chosen].info().id;
        let count = std::mem::take(&mut choices[chosen]);
        let all = (0..count).filter_map(|choice| {
            let mut solver = simulation.solver_like(id)?;
            solver.minimiser()?.accelerate(choice);
            Some(solver)
        });
        study.methods.splice(chosen..=chosen, all);
        study
    }

    /// A curve per method, of up to `iterations`. `progress` hears the share that is done, and says
    /// whether to continue.
    ///
    /// # Errors
    /// [`Interrupted`] when `progress` ended it, or a step failed.
    pub fn measure(
        &mut self,
        iterations: u32,
        progress: &mut dyn FnMut(Real) -> ControlFlow<()>,
    ) -> Result<Vec<Curve>, Interrupted> {
        let Self { steps, methods } = self;
        let count = methods.len() as Real;
        let vertices = steps.first().map_or(0, |step| step.state.cloth.len());
        let worth_it = ThreadPool::is_worth_it(vertices, usize::MAX, 1);
        ThreadPool::run(worth_it, |pool| {
            let mut curves = Vec::new();
            for (at, solver) in methods.iter_mut().enumerate() {
                let mut tell = |share: Real| progress((at as Real + share) / count);
                let info = solver.info();
                let Some(step) = steps.iter().find(|step| step.fits(solver.as_ref())) else { continue };
                let held = step.input(pool).partition.free.is_empty();
                let Some(method) = solver.minimiser().filter(|_| !held) else {
                    let (reference, points) = (Reference::Newton, vec![Point::START]);
                    curves.push(Curve { solver: info, acceleration: None, reference, points });
                    continue;
                };
                let newton = || method.newton(&step.input(pool));
                let (mut reference, own) = (newton(), newton());
                let last = reference.as_mut().map(|newton| newton.as_mut() as &mut dyn Minimiser);
                curves.push(measure(step, info, method, last, iterations, &mut tell, pool)?);
                if let (Some(mut own), Some(mut last)) = (own, reference) {
                    curves.push(measure(
                        step,
                        &NEWTON_INFO,
                        own.as_mut(),
                        Some(last.as_mut()),
                        iterations,
                        &mut tell,
                        pool,
                    )?);
                }
            }
            Ok(curves)
        })
    }
}

fn measure(
    step: &FrozenStep,
    info: &'static Info,
    method: &mut dyn Minimiser,
    newton: Option<&mut dyn Minimiser>,
    iterations: u32,
    progress: &mut dyn FnMut(Real) -> ControlFlow<()>,
    pool: &ThreadPool,
) -> Result<Curve, Interrupted> {
    let (cloth, input) = (&step.state.cloth, step.input(pool));
    let failed = |error| Interrupted::by(info.id, error);
    let mut go_on = |share: Real| match progress(share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Interrupted::Cancelled),
    };

    let mut start = Vec::new();
    input.predict(cloth, &mut start);
    // caches, and memory that is touched for the first time
    method.iterate(cloth, &input, &mut start.clone()).map_err(failed)?;
    let mut iterates = vec![start.clone()];
    let mut costs = Vec::new();
    let mut q = start;
    for done in 0..iterations {
        go_on(0.5 * Real::from(done) / Real::from(iterations))?;
        let iteration = method.iterate(cloth, &input, &mut q).map_err(failed)?;
        iterates.push(q.clone());
        costs.push(iteration.seconds);
        if iteration.solved {
            break;
        }
    }

    // on from the last iterate to the converged solution
    let mut of_springs = ImplicitNewton::default();
    of_springs.settings.gradient_tolerance = 0.0;
    let longer = (LONGER * iterations).max(LONG);
    let (most, reference, last): (_, _, &mut dyn Minimiser) = match newton {
        _ if method.minimises_potential(&input) => (NEWTON, Reference::Newton, &mut of_springs),
        Some(newton) => (NEWTON, Reference::Newton, newton),
        None => (longer, Reference::Iterations(longer), &mut *method),
    };
    for done in 0..most {
        go_on(0.5 + 0.5 * Real::from(done) / Real::from(most))?;
        if last.iterate(cloth, &input, &mut q).map_err(failed)?.solved {
            break;
        }
    }

    let mut spent: Real = costs.iter().sum();
    while spent > 0.0 && spent < GLANCE {
        let mut q = iterates[0].clone();
        for _ in 1..iterates.len() {
            go_on(1.0)?;
            costs.push(method.iterate(cloth, &input, &mut q).map_err(failed)?.seconds);
        }
        spent += costs[costs.len() + 1 - iterates.len()..].iter().sum::<Real>();
    }
    costs.sort_by(Real::total_cmp);
    let cost = costs.get(costs.len() / 2).copied().unwrap_or(0.0);
    let objective = |q: &[Vec3]| method.objective(cloth, &input, q);
    let points = points(cloth, &iterates, &q, cost, objective);
    Ok(Curve { solver: info, acceleration: method.acceleration(), reference, points })
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
