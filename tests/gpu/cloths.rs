//! Cloths that several tests use.

use weft::scene::Scene;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Solver, SolverState, Vec3, solvers};

/// The solvers of this folder.
pub const IDS: [&str; 2] = ["gpu-projective-dynamics", "gpu-vertex-block-descent"];

pub fn set(simulation: &mut Simulation, key: &str, value: Setting) {
    let settings = simulation.solver_mut().settings_mut();
    let index = settings.index_of(key).expect("its own");
    settings.set(index, value).expect("in range");
}

/// Sets the iterations of a step.
pub fn iterations(simulation: &mut Simulation, count: u32) {
    set(simulation, "iterations", Setting::Integer(count));
}

pub fn advance(simulation: &mut Simulation, steps: usize) {
    for step in 0..steps {
        simulation.step().unwrap_or_else(|error| panic!("step {step}: {error}"));
    }
}

/// A square metre of cotton held at two corners, in a sixtieth of a second per step, in smooth motion.
pub fn hanging(solver: &str, side: usize) -> Simulation {
    let pattern = Pattern::grid(side, side, 1.0, 1.0, Plane::Xz);
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    for (x, v) in simulation.state.cloth.positions.iter_mut().zip(&mut simulation.state.cloth.velocities) {
        // stretched, so that there is one minimum
        *v = Vec3::new(x.x - 0.5, -0.3 * x.z, x.z) * 0.4;
        *x = Vec3::new(1.05 * x.x, 0.02 * (5.0 * x.z).sin(), 1.05 * x.z);
    }
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(side as u32 - 1);
    simulation
}

/// A scene that comes along, on its way for `steps` steps by `solver`.
pub fn scene(name: &str, solver: &str, steps: usize) -> Simulation {
    let mut scene = Scene::load(name).expect("it comes along");
    scene.set_solver(solver).expect("registered");
    let mut simulation = scene.build().expect("valid");
    advance(&mut simulation, steps);
    simulation
}

/// The solver called `id` with so many iterations.
pub fn solver(id: &str, count: u32) -> Box<dyn Solver> {
    let mut solver = solvers::build(id).expect("registered");
    let settings = solver.settings_mut();
    let key = if settings.index_of("iterations").is_some() { "iterations" } else { "newton_iterations" };
    settings.set_text(key, &count.to_string()).expect("in range");
    solver
}

/// `fast-mass-spring` at convergence.
pub fn converged() -> Box<dyn Solver> {
    let mut solver = solver("fast-mass-spring", 1000);
    solver.settings_mut().set_text("acceleration", "quasi_newton").expect("there is one");
    solver
}

/// Where the next step of `simulation` leads by `solver`, with the contacts that it would be given [m].
pub fn next(simulation: &Simulation, solver: &mut dyn Solver) -> Vec<Vec3> {
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let mut cloth = frozen.state.cloth.clone();
    solver.step(&mut cloth, &mut SolverState::default(), &frozen.input(&pool)).expect("it can be computed");
    cloth.positions
}

/// How far it is from the inertial target to `q`, at most [m].
pub fn way(simulation: &Simulation, q: &[Vec3]) -> f64 {
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let mut target = Vec::new();
    frozen.input(&pool).predict(&frozen.state.cloth, &mut target);
    apart(&target, q)
}

/// The largest distance between the same vertex of two cloths [m].
pub fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}
