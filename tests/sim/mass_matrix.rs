//! Lumped and consistent mass of projective dynamics.

use weft::sim::exec::pool::ThreadPool;
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Real, Simulation, Vec3, solvers};

use crate::fixtures::{advance, farthest, set};

const LUMPED: usize = 0;
const CONSISTENT: usize = 1;
const H: Real = 1.0 / 60.0;

/// A flat cloth of springs in a vacuum, held at two corners unless it is free, with so many iterations per step.
fn cloth(n: usize, mass: usize, iterations: u32, free: bool) -> Simulation {
    let pattern = Pattern::grid(n, n, 1.0, 1.0, Plane::Xz);
    let solver = solvers::build("projective-dynamics").expect("registered");
    let mut simulation = Simulation::new(pattern, Default::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = H;
    if !free {
        [0, n as u32 - 1].into_iter().for_each(|corner| simulation.state.cloth.pin_here(corner));
    }
    set(&mut simulation, "mass_matrix", Setting::Choice(mass));
    set(&mut simulation, "iterations", Setting::Integer(iterations));
    simulation
}

/// Moves every vertex at another velocity.
fn ripple(simulation: &mut Simulation) {
    for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
        let phase = i as Real;
        *v = Vec3::new((0.9 * phase).cos(), (1.7 * phase).sin(), (2.3 * phase).cos()) * 0.5;
    }
}

#[test]
fn a_step_with_consistent_mass_is_in_balance_with_the_mass_matrix_of_the_book() {
    let mut simulation = cloth(6, CONSISTENT, 1000, true);
    ripple(&mut simulation);
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= 1.05);
    simulation.parameters.material.damping = 0.0;
    let before = simulation.state.cloth.clone();
    let mut target = Vec::new();
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    frozen.input(&pool).predict(&before, &mut target);
    let pattern = simulation.pattern().clone();
    let springs = pattern.springs();
    let stiffness = simulation.parameters.material.stiffness_by_family();
    advance(&mut simulation, 1);
    let after = &simulation.state.cloth.positions;

    let n = after.len();
    let away: Vec<Vec3> = (0..n).map(|i| after[i] - before.positions[i] - before.velocities[i] * H).collect();
    let rest = pattern.rest_positions();
    let [mut mass, mut forces] = [vec![Vec3::ZERO; n], vec![Vec3::ZERO; n]];
    let total: Real = before.masses.iter().sum();
    let area = |t: [u32; 3]| {
        let [a, b, c] = t.map(|vertex| rest[vertex as usize]);
        (b - a).cross(c - a).length() / 2.0
    };
    let whole: Real = pattern.cloth_triangles().map(area).sum();
    for triangle in pattern.cloth_triangles() {
        let twelfth = area(triangle) * total / whole / 12.0;
        let corners = triangle.map(|vertex| vertex as usize);
        for i in corners {
            mass[i] += corners.iter().map(|&j| away[j] * if i == j { 2.0 } else { 1.0 }).sum::<Vec3>() * twelfth;
        }
    }
    for i in 0..n {
        forces[i] += (target[i] - before.positions[i] - before.velocities[i] * H) * before.masses[i];
    }
    for (e, ends) in springs.ends.iter().enumerate() {
        let [i, j] = ends.map(|end| end as usize);
        let d = after[i] - after[j];
        let pull = d * (stiffness[springs.families[e] as usize] * (1.0 - springs.rest_lengths[e] / d.length()) * H * H);
        forces[i] -= pull;
        forces[j] += pull;
    }
    let size = forces.iter().map(|f| f.length()).fold(0.0, Real::max);
    let lumped: Vec<Vec3> = away.iter().zip(&before.masses).map(|(away, m)| *away * *m).collect();
    let [error, other] = [&mass, &lumped].map(|mass| farthest(mass, &forces));
    println!("{error:e} of {size:e}, with lumped mass {other:e}");
    assert!(error < 1e-5 * size && other > 0.1 * size, "{error:e} and {other:e} of {size:e}");
}

#[test]
fn consistent_mass_keeps_momentum_and_falls_freely() {
    let mut simulation = cloth(7, CONSISTENT, 2, true);
    ripple(&mut simulation);
    let mean = |simulation: &Simulation| {
        let cloth = &simulation.state.cloth;
        let momentum: Vec3 = cloth.masses.iter().zip(&cloth.velocities).map(|(m, v)| *v * *m).sum();
        momentum / cloth.masses.iter().sum::<Real>()
    };
    let start = mean(&simulation);
    advance(&mut simulation, 30);
    let error = (mean(&simulation) - start - Vec3::new(0.0, -9.8 * 0.5, 0.0)).length();
    assert!(error < 1e-9, "{error:e} m/s");
}

#[test]
fn lumped_and_consistent_mass_look_the_same() {
    // of the way that the lowest point falls in a second
    let apart = |n: usize| {
        let [a, b] = [LUMPED, CONSISTENT].map(|mass| {
            let mut simulation = cloth(n, mass, 50, false);
            advance(&mut simulation, 60);
            simulation.state.cloth.positions
        });
        let fallen = a.iter().map(|x| -x.y).fold(0.0, Real::max);
        let square: Real = a.iter().zip(&b).map(|(a, b)| a.distance_squared(*b)).sum();
        ((square / a.len() as Real).sqrt() / fallen, fallen)
    };
    let of = [9, 17].map(apart);
    println!("rms, of the fall [m]: {of:?}");
    assert!(of[0].0 < 0.05 && of[1].0 < 0.05, "{of:?}");
    assert!(of.iter().all(|(_, fallen)| *fallen > 0.3), "{of:?}");
}
