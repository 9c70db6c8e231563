//! Scenes of the papers with so few vertices that a formula says where they are.

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
