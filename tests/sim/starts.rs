//! Where the iterations of a step start: the inertial target, or the last positions.

use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, farthest, set};

const LOCAL_GLOBAL: [&str; 2] = ["fast-mass-spring", "projective-dynamics"];

/// A flat cloth of 1 m² and 0.15 kg in a vacuum, held at two corners; it swings down.
fn falling(solver: &str, n: usize, start: usize, iterations: u32) -> Simulation {
    let pattern = Pattern::grid(n, n, 1.0, 1.0, Plane::Xz);
    let solver = solvers::build(solver).expect("registered");
    let mut simulation = Simulation::new(pattern, Default::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    [0, n as u32 - 1].into_iter().for_each(|corner| simulation.state.cloth.pin_here(corner));
    set(&mut simulation, "starting_point", Setting::Choice(start));
    set(&mut simulation, "iterations", Setting::Integer(iterations));
    simulation
}

/// The largest kinetic energy of the first second [J].
fn swing(simulation: &mut Simulation) -> f64 {
    let kinetic = |simulation: &Simulation| {
        let cloth = &simulation.state.cloth;
        cloth.masses.iter().zip(&cloth.velocities).map(|(m, v)| 0.5 * m * v.length_squared()).sum::<f64>()
    };
    (0..60).fold(0.0, |most, _| {
        advance(simulation, 1);
        most.max(kinetic(simulation))
    })
}

#[test]
fn few_iterations_from_the_target_damp_less_than_from_the_last_positions() {
    every(LOCAL_GLOBAL, |solver| {
        let of = |start, iterations| swing(&mut falling(solver, 15, start, iterations));
        let [target, last] = [0, 1].map(|start| of(start, 2));
        let [target_10, last_10] = [0, 1].map(|start| of(start, 10));
        println!("{solver}: 2 iterations {target:.4} and {last:.4} J, 10 iterations {target_10:.4} and {last_10:.4} J");
        assert!(target > 2.0 * last, "2 iterations: {target} and {last} J");
        assert!(target_10 / last_10 < 0.5 * target / last, "10 iterations: {target_10} and {last_10} J");
    });
}

#[test]
fn at_convergence_both_starts_are_the_same_motion() {
    every(LOCAL_GLOBAL, |solver| {
        let [target, last] = [0, 1].map(|start| {
            let mut simulation = falling(solver, 5, start, 1000);
            // not flat, where compressed springs have several minima
            simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= Vec3::new(1.02, 1.0, 1.02));
            advance(&mut simulation, 3);
            simulation.state.cloth.positions
        });
        let apart = farthest(&target, &last);
        println!("{solver}: {apart:e} m");
        assert!(apart < 1e-10, "{apart:e} m");
    });
}

#[test]
fn one_iteration_from_the_target_keeps_two_fifths_of_the_motion_on_every_mesh() {
    let kept = [0, 1].map(|start| {
        [5, 9, 17].map(|n| {
            let of = |iterations| swing(&mut falling("projective-dynamics", n, start, iterations));
            of(1) / of(1000)
        })
    });
    println!("share of the kinetic energy with 5², 9², 17² vertices: {:?}, from the last {:?}", kept[0], kept[1]);
    for (target, last) in kept[0].into_iter().zip(kept[1]) {
        assert!((target - 0.38).abs() < 0.03 && target > 15.0 * last, "{target} and {last}");
    }
    assert!(kept[1].is_sorted(), "from the last positions a larger mesh keeps more: {:?}", kept[1]);
}
