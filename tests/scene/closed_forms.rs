//! Scenes of the papers with so few vertices that a formula says where they are.

use std::f64::consts::{FRAC_PI_6, TAU};

use weft::scene::Scene;
use weft::sim::Simulation;

use crate::papers::{lane, run_for};

/// Heights of the line of vertices of figure 3 above the middle [m].
fn middle(simulation: &Simulation) -> [f64; 2] {
    [2, 3].map(|vertex| simulation.state.cloth.positions[vertex].y - 1.2)
}

#[test]
fn incompatible_springs_meet_in_the_middle_with_projective_dynamics_alone() {
    let scene = Scene::load("pd-figure-3").expect("it comes with the program");
    let lanes = scene.all_lanes();
    let ended = |number: usize, iterations: u32, start: f64| {
        let mut scene = scene.in_lane(&lanes[number]).expect("a good lane");
        scene.set("iterations", &iterations.to_string()).expect("in range");
        let mut simulation = scene.build().expect("good");
        assert_eq!(simulation.pattern().springs().rest_lengths[1], 0.5);
        [2, 3].into_iter().for_each(|vertex| simulation.state.cloth.positions[vertex].y += start);
        run_for(&mut simulation, 0.5, |_| {});
        middle(&simulation)
    };
    for iterations in [1, 2, 51] {
        for start in [0.0, 0.2] {
            // on the circle of one spring or of the other, which are 50 cm from the middle
            let beside = ended(1, iterations, start);
            assert!(beside.iter().all(|x| (x.abs() - 0.5).abs() < 1e-9), "{iterations} iterations: {beside:?}");
            let agreed = ended(0, iterations, start);
            assert!(agreed.iter().all(|x| x.abs() < 1e-6), "{iterations} iterations: {agreed:?}");
        }
    }
    let few = ended(2, 10, 0.0);
    assert!(few.iter().all(|x| (0.4..0.5).contains(&x.abs())), "{few:?}");
    // with ever more iterations XPBD comes to the middle as well
    let many = ended(2, 1000, 0.0);
    assert!(many.iter().all(|x| x.abs() < 0.05), "{many:?}");
}

/// Angle of the flap from its rest [rad], and its distances from the two ends of the edge [m].
fn flap(simulation: &Simulation) -> (f64, [f64; 2]) {
    let x = &simulation.state.cloth.positions;
    let from_edge = x[3] - x[0].midpoint(x[1]);
    (from_edge.y.atan2(from_edge.x) - FRAC_PI_6, [0, 1].map(|end| x[3].distance(x[end])))
}

#[test]
fn a_flap_with_hard_distances_turns_as_the_damped_oscillator_of_its_frequency() {
    for (number, frequency, zeta) in [(0, 1.0, 0.1), (1, 1.0, 0.3), (2, 1.0, 1.0), (3, 2.0, 0.1)] {
        let mut simulation = lane("soft-hinge", number);
        assert!((flap(&simulation).0 + TAU / 6.0).abs() < 1e-12, "60 degrees from its rest");
        let omega = TAU * frequency;
        let exact = |t: f64| {
            let decay = (-zeta * omega * t).exp();
            let damped = omega * f64::sqrt(1.0 - zeta * zeta);
            let turn = if zeta < 1.0 {
                (damped * t).cos() + zeta * omega / damped * (damped * t).sin()
            } else {
                1.0 + omega * t
            };
            -TAU / 6.0 * decay * turn
        };
        let (mut apart, mut stretched, length) = (0.0_f64, 0.0_f64, f64::sqrt(0.4 * 0.4 + 0.3 * 0.3));
        run_for(&mut simulation, 2.0, |now| {
            let (angle, lengths) = flap(now);
            apart = apart.max((angle - exact(now.time())).abs());
            stretched = lengths.iter().fold(stretched, |most, now| most.max((now - length).abs()));
        });
        assert!(apart.to_degrees() < 1.0, "lane {number}: {} degrees from the oscillator", apart.to_degrees());
        assert!(stretched < 1e-4, "lane {number}: {stretched} m");
    }
}
