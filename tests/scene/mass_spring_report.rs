//! The scenes of the report on fast mass-spring show what it found.

use weft::scene::Scene;
use weft::sim::{Simulation, Vec3};

use crate::papers::{lane, lowest, run_for};

/// Place of the lowest vertex of each piece [m].
fn ends(simulation: &Simulation) -> Vec<f64> {
    let of = simulation.pattern().piece_of_vertices();
    let positions = &simulation.state.cloth.positions;
    let ends = (0..3).map(|piece| {
        let ours = (0..of.len()).filter(|&vertex| of[vertex] == piece);
        ours.map(|vertex| positions[vertex].y).fold(f64::INFINITY, f64::min)
    });
    ends.collect()
}

#[test]
fn springs_of_all_lengths_are_stretched_by_the_same_share_per_strain() {
    let lengths = [0.25, 0.5, 1.0];
    for (number, stretched) in [lengths.map(|length| 1.225 * length), [1.225; 3]].into_iter().enumerate() {
        let mut simulation = lane("report-springs", number);
        let material = simulation.parameters.material;
        assert_eq!((material.structural_stiffness, material.damping), (8.0, 0.5));
        assert!(simulation.state.cloth.masses.iter().all(|mass| *mass == 1.0));
        let start = ends(&simulation);
        run_for(&mut simulation, 60.0, |_| {});
        for ((end, start), expected) in ends(&simulation).into_iter().zip(start).zip(stretched) {
            assert!((start - end - expected).abs() < 1e-3, "lane {number}: {} m, not {expected}", start - end);
        }
    }
}

/// How deep the left and the right half of the cloth come within two seconds [m].
fn deepest(mut simulation: Simulation) -> [f64; 2] {
    let mut deepest = [f64::INFINITY; 2];
    run_for(&mut simulation, 2.0, |now| {
        for (at, x) in now.state.cloth.positions.iter().enumerate().filter(|(at, _)| at % 11 != 5) {
            let half = &mut deepest[usize::from(at % 11 > 5)];
            *half = half.min(x.y);
        }
    });
    deepest
}

#[test]
fn the_unsymmetric_cloth_hangs_deepest_on_the_left_and_fails_at_33_milliseconds() {
    for (number, stiffness, step) in [(0, 100.0, 0.002), (1, 10_000.0, 0.002), (2, 100.0, 0.033), (3, 10_000.0, 0.033)]
    {
        let mut simulation = lane("report-euler", number);
        let parameters = &simulation.parameters;
        assert_eq!((parameters.material.structural_stiffness, parameters.timing.time_step), (stiffness, step));
        assert!(simulation.state.cloth.masses.iter().all(|mass| *mass == 1.0));
        let mut stretch = Vec::new();
        while simulation.time() < 2.0 && simulation.step().is_ok() {
            stretch.push(simulation.largest_stretch());
        }
        let most = stretch.iter().copied().fold(0.0, f64::max);
        match number {
            0 => assert!(simulation.time() > 1.99 && most > 2.0, "{most}"),
            1 => assert!(simulation.time() > 1.99 && most < 0.1, "{most}"),
            _ => assert!(simulation.time() < 1.0, "lane {number} holds for {} s", simulation.time()),
        }
    }
    let [left, right] = deepest(lane("report-euler", 0));
    assert!(left < right - 0.3, "{left} and {right} m");
    // with both diagonals neither half is the deeper one
    let mut scene = Scene::load("report-euler").expect("it comes with the program");
    scene.set("diagonals", "crossed").expect("a choice");
    let [left, right] = deepest(scene.build().expect("good"));
    assert!((left - right).abs() < 1e-6, "{left} and {right} m");
}

/// Positions after so many seconds.
fn after(name: &str, number: usize, seconds: f64) -> Vec<Vec3> {
    let mut simulation = lane(name, number);
    run_for(&mut simulation, seconds, |_| {});
    simulation.state.cloth.positions.clone()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
#[ignore = "full tier"]
fn newtons_method_holds_at_33_milliseconds_and_moves_nearly_as_semi_implicit_euler_at_2() {
    for number in [0, 1] {
        let mut simulation = lane("report-newton", number);
        run_for(&mut simulation, 5.0, |_| {});
    }
    let [newton, euler] = [2, 3].map(|number| after("report-newton", number, 1.0));
    let start = lane("report-newton", 2).state.cloth.positions.clone();
    let (apart, moved) = (farthest(&newton, &euler), farthest(&newton, &start));
    assert!(apart < 0.05 * moved, "{apart} m apart, {moved} m moved");
}

#[test]
#[ignore = "full tier"]
fn fast_mass_spring_holds_at_33_milliseconds_and_moves_as_newtons_method_does() {
    for number in [0, 1] {
        let mut simulation = lane("report-fast", number);
        assert_eq!(simulation.solver().info().id, "fast-mass-spring");
        let first = simulation.step().expect("stable").factorisations;
        let later: u32 = (0..150).map(|_| simulation.step().expect("stable").factorisations).sum();
        assert_eq!((first, later), (1, 0), "lane {number}");
    }
    let [fast, newton] = [0, 2].map(|number| after("report-fast", number, 1.0));
    let apart = farthest(&fast, &newton);
    assert!(apart < 0.005, "{apart} m");
    let start = lowest(&lane("report-fast", 0));
    assert!(start - fast.iter().map(|x| x.y).fold(f64::INFINITY, f64::min) > 1.0);
}
