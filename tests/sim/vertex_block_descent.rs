//! Vertex block descent minimises what Newton's method does, one vertex at a time, and never goes up.

use weft::scene::Scene;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::material::DampingModel;
use weft::sim::params::Setting;
use weft::sim::{Grab, Simulation, Vec3};

use crate::fixtures::{advance, farthest, rippled, set};

/// The potential of every iterate of the next step from where it starts.
fn potentials(simulation: &Simulation, iterations: usize) -> (Vec<f64>, Vec<Vec3>) {
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let (cloth, input) = (&frozen.state.cloth, frozen.input(&pool));
    let mut solver = simulation.solver_like("vertex-block-descent").expect("registered");
    let method = solver.minimiser().expect("it minimises");
    let mut q = Vec::new();
    method.start(cloth, &input, &mut q).expect("it can be computed");
    let mut values = vec![method.objective(cloth, &input, &q).expect("it has one")];
    for _ in 0..iterations {
        method.iterate(cloth, &input, &mut q).expect("it can be computed");
        values.push(method.objective(cloth, &input, &q).expect("it has one"));
    }
    (values, q)
}

#[test]
fn the_potential_falls_with_every_iteration_whatever_acts_on_the_cloth() {
    let scene = |name: &str, steps: usize| {
        let mut scene = Scene::load(name).expect("it comes along");
        if name != "mesh" {
            ["columns", "rows"].iter().for_each(|key| scene.set(key, "14").expect("in range"));
        }
        let mut simulation = scene.build().expect("valid");
        advance(&mut simulation, steps);
        simulation
    };
    let mut moved = scene("hanging", 20);
    moved.state.grab = Some(Grab { vertex: 100, target: moved.state.cloth.positions[100] + Vec3::new(0.1, 0.3, 0.2) });
    moved.parameters.material.damping = 0.1;
    moved.parameters.material.damping_model = DampingModel::AlongSpring;
    let mut squeezed = rippled("implicit-newton", 12, 12);
    squeezed.state.cloth.positions.iter_mut().for_each(|x| *x *= 0.4);
    squeezed.parameters.material.structural_stiffness = 1e5;
    squeezed.parameters.timing.time_step = 1.0 / 30.0;
    let cases = [
        ("in the wind", scene("flag", 40)),
        ("on a table", scene("table", 60)),
        ("an irregular mesh on a figure", scene("mesh", 40)),
        ("in a hand, damped", moved),
        ("squeezed and stiff", squeezed),
    ];
    for (name, simulation) in cases {
        let (values, _) = potentials(&simulation, 40);
        let size = values[0].abs();
        assert!(values.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12 * size), "{name}: {values:?}");
        assert!(values[40] < values[0], "{name}: it descends at all");
    }
}

#[test]
fn many_iterations_come_to_the_minimum_of_newton() {
    for law in [DampingModel::Isotropic, DampingModel::AlongSpring] {
        let mut simulation = rippled("implicit-newton", 6, 6);
        simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= Vec3::new(1.2, 1.0, 1.2));
        [0, 5, 30, 35].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        simulation.parameters.material.damping = 0.1;
        simulation.parameters.material.damping_model = law;
        simulation.parameters.material.structural_stiffness = 300.0;
        let (_, q) = potentials(&simulation, 600);
        let before = simulation.state.cloth.positions.clone();
        advance(&mut simulation, 1);
        let (apart, moved) = (farthest(&q, &simulation.state.cloth.positions), farthest(&before, &q));
        assert!(apart < 1e-6 * moved, "{law:?}: {apart:e} m apart after a motion of {moved} m");
    }
}

#[test]
fn a_free_cloth_keeps_its_momentum_with_two_iterations_of_a_stiff_step() {
    let mut simulation = rippled("vertex-block-descent", 8, 8);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.material.structural_stiffness = 1e5;
    set(&mut simulation, "iterations", Setting::Integer(2));
    let momentum = crate::promises::momentum;
    let (before, start) = (momentum(&simulation), simulation.state.cloth.velocities.clone());
    advance(&mut simulation, 20);
    let drift = momentum(&simulation).distance(before) / before.length();
    // what rounding of the positions makes of velocities
    assert!(drift < 1e-9, "{drift:e}");
    assert!(simulation.state.cloth.velocities.iter().zip(&start).any(|(a, b)| a.distance(*b) > 0.01), "springs act");
}

#[test]
fn the_residual_sees_the_motion_of_the_whole() {
    let after = |iterations| {
        let mut simulation = rippled("vertex-block-descent", 12, 12);
        simulation.parameters.material.structural_stiffness = 1e4;
        simulation.parameters.timing.time_step = 1.0 / 30.0;
        set(&mut simulation, "iterations", Setting::Integer(iterations));
        // its lowest vertices are in the way of the whole
        let cloth = &mut simulation.state.cloth;
        cloth.velocities.fill(Vec3::Y * -3.0);
        let low = cloth.positions.iter().map(|x| x.y).fold(f64::MAX, f64::min);
        cloth.positions.iter_mut().for_each(|x| x.y += 0.01 - low);
        let stats = simulation.step().expect("a step");
        (simulation.state.cloth.positions.iter().sum::<Vec3>() / simulation.state.cloth.len() as f64, stats.residual)
    };
    for iterations in 1..12 {
        let (before, (now, residual)) = (after(iterations).0, after(iterations + 1));
        let shift = now.distance(before);
        assert!(shift <= 1.5 * residual, "{iterations}: {shift:e} m, and the residual is {residual:e} m");
    }
}
