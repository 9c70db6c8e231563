//! Cloths that several tests use.

use weft::sim::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::solver::Stability;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

/// A flat cloth of 1 m² at height 1 m in a vacuum without a floor, 0.1 kg per vertex, with gravity.
pub fn square(solver: &str, columns: usize, rows: usize) -> Simulation {
    let pattern = Pattern::grid(columns, rows, 1.0, 1.0, Plane::Xz);
    let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 0.1, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("a registered solver"));
    simulation.parameters.contact.ground = false;
    simulation.cloth.positions.iter_mut().for_each(|x| x.y += 1.0);
    simulation.parameters.timing.time_step = 0.005;
    simulation
}

/// [`square`] with its positions and velocities disturbed by smooth waves, so that every spring is at work.
pub fn rippled(solver: &str, columns: usize, rows: usize) -> Simulation {
    let mut simulation = square(solver, columns, rows);
    let amplitude = 0.2 / columns as f64;
    let cloth = &mut simulation.cloth;
    for (i, (x, v)) in cloth.positions.iter_mut().zip(&mut cloth.velocities).enumerate() {
        let phase = i as f64;
        *x += Vec3::new((1.3 * phase).sin(), (2.1 * phase).cos(), (0.7 * phase).sin()) * amplitude;
        *v += Vec3::new((0.9 * phase).cos(), (1.7 * phase).sin(), (2.3 * phase).cos()) * 0.05;
    }
    simulation
}

/// Takes `count` steps.
pub fn advance(simulation: &mut Simulation, count: usize) {
    for _ in 0..count {
        simulation.step().unwrap_or_else(|error| panic!("{}: {error}", simulation.solver().info().id));
    }
}

/// The ids of the solvers that can be run without damping: explicit Euler explodes, as it says.
pub fn steady_solver_ids() -> impl Iterator<Item = &'static str> {
    let steady = solvers::REGISTRY.iter().filter(|entry| entry.info.stability != Stability::Damped);
    steady.map(|entry| entry.info.id)
}

/// The ids of all solvers.
pub fn solver_ids() -> impl Iterator<Item = &'static str> {
    solvers::REGISTRY.iter().map(|entry| entry.info.id)
}
