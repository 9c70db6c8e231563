//! The stability laboratory, and table 1 of Kang.

use std::ops::ControlFlow;

use weft::scene::Scene;
use weft::sim::CancelToken;
use weft::sim::study::stability::{Criterion, Experiment, Finding, Vary, is_folded};

/// Largest stiffness of a row of table 1, by its name.
fn limit(solver: &str, variant: &str, mass: f64) -> Finding {
    let rows = Scene::load(Scene::TABLE_1).and_then(|scene| scene.table_1(Some(solver), true)).expect("it comes along");
    let row = rows.iter().find(|row| row.variant == variant && row.mass == mass);
    let row = row.unwrap_or_else(|| panic!("{solver} {variant} is no row"));
    let mut simulation = row.scene.build().expect("valid");
    Experiment::default().search(&mut simulation, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn the_limits_of_table_1_are_those_of_the_reference() {
    // `physics.md` section 2.2: from an independent implementation
    for (solver, variant, [one, two]) in [
        ("symplectic-euler", "", [5_795.0, 11_560.0]),
        ("harmonic-oscillator", "share=0.5", [8_667.0, 17_420.0]),
        ("harmonic-oscillator", "share=1", [3_649.0, 7_608.0]),
        ("jacobi-implicit", "raw,sweeps=0", [7_522.0, 15_100.0]),
        ("jacobi-implicit", "raw,sweeps=1", [64_490.0, 126_200.0]),
        ("jacobi-implicit", "raw,sweeps=2", [14_650.0, 29_290.0]),
        ("jacobi-implicit", "raw,sweeps=5", [161_000.0, 316_000.0]),
    ] {
        for (mass, expected) in [(1.0, one), (2.0, two)] {
            let found = limit(solver, variant, mass);
            let Finding::Limit(found) = found else { panic!("{solver} {variant}: {found:?}") };
            assert!((found / expected - 1.0).abs() < 0.05, "{solver} {variant}, {mass} kg: {found}, not {expected}");
        }
    }
}

#[test]
#[ignore = "full tier"]
fn the_chaotic_limits_of_table_1_have_the_order_of_magnitude_of_the_reference() {
    for (solver, variant, [one, two]) in [
        ("jacobi-implicit", "clamped,sweeps=0", [2.1e4, 4.5e4]),
        ("jacobi-implicit", "clamped,sweeps=2", [6e8, 2e8]),
        ("hybrid", "raw,share=0.5", [7.5e7, 2.5e8]),
    ] {
        for (mass, expected) in [(1.0, one), (2.0, two)] {
            let found = limit(solver, variant, mass);
            let Finding::Limit(found) = found else { panic!("{solver} {variant}: {found:?}") };
            assert!((0.1..10.0).contains(&(found / expected)), "{solver} {variant}, {mass} kg: {found}");
        }
    }
    // the reference says "more than 10¹⁰" of raw implicit Euler
    let found = limit("implicit-euler", "raw", 1.0);
    assert!(matches!(found, Finding::NoLimit) || matches!(found, Finding::Limit(k) if k > 1e9), "{found:?}");
}

#[test]
#[ignore = "full tier"]
fn clamped_blocks_meet_no_limit() {
    let variants =
        [("jacobi-implicit", "clamped,sweeps=1"), ("hybrid", "clamped,share=0.5"), ("implicit-euler", "clamped")];
    for (solver, variant) in variants {
        for mass in [1.0, 2.0] {
            assert_eq!(limit(solver, variant, mass), Finding::NoLimit, "{solver} {variant}, {mass} kg");
        }
    }
}

#[test]
fn a_search_leaves_the_simulation_as_it_was_and_can_be_called_off() {
    let mut scene = Scene::load("stability").expect("it comes along");
    scene.set_solver("symplectic-euler").expect("registered");
    let mut simulation = scene.build().expect("valid");
    simulation.step().expect("stable");
    let (cloth, material, timing) =
        (simulation.state.cloth.clone(), simulation.parameters.material, simulation.parameters.timing);
    for vary in [Vary::Stiffness, Vary::Step] {
        let experiment = Experiment { vary, ..Experiment::default() };
        let mut calls = 0;
        let found = experiment.search(&mut simulation, &mut |share| {
            assert!((0.0..=1.0).contains(&share));
            calls += 1;
            if calls == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((found, calls), (Finding::Cancelled, 3));
        assert_eq!(
            (&simulation.state.cloth, simulation.parameters.material, simulation.parameters.timing),
            (&cloth, material, timing)
        );
    }
}

#[test]
fn a_step_that_is_called_off_is_not_taken_for_one_that_failed() {
    let mut scene = Scene::load("stability").expect("it comes along");
    scene.set_solver("symplectic-euler").expect("registered");
    let mut simulation = scene.build().expect("valid");
    simulation.cancel = CancelToken::after_checks(1000).0;
    let found = Experiment::default().search(&mut simulation, &mut |_| ControlFlow::Continue(()));
    assert_eq!(found, Finding::Cancelled);
}

#[test]
fn the_longest_step_is_near_that_of_linear_theory() {
    let mut simulation = Scene::load("stability").and_then(|scene| scene.build()).expect("it comes along");
    let critical = simulation.critical_step();
    let experiment = Experiment { vary: Vary::Step, ..Experiment::default() };
    let found = experiment.search(&mut simulation, &mut |_| ControlFlow::Continue(()));
    let Finding::Limit(found) = found else { panic!("{found:?}") };
    assert!((found / critical - 1.0).abs() < 0.02, "{found} s, linear theory {critical} s");
}

#[test]
fn a_fold_along_a_line_of_vertices_is_seen_by_second_neighbours() {
    let mut simulation = Scene::load("stability").and_then(|scene| scene.build()).expect("it comes along");
    for row in 0..5 {
        for column in [3, 4] {
            simulation.state.cloth.positions[5 * row + column] = simulation.state.cloth.positions[5 * row + 4 - column];
        }
    }
    // structural and shear springs are as long as in the flat cloth
    assert!(simulation.largest_stretch() < 1e-12 && is_folded(&simulation));
}

#[test]
#[ignore = "full tier"]
fn a_cloth_that_hangs_from_two_corners_is_not_folded() {
    for stiffness in [5e2, 5e3, 5e5] {
        let mut scene = Scene::load("stability").expect("it comes along");
        scene.set_solver("implicit-euler").expect("registered");
        let mut simulation = scene.build().expect("valid");
        simulation.parameters.material.structural_stiffness = stiffness;
        simulation.parameters.material.shear_stiffness = stiffness;
        for _ in 0..4000 {
            simulation.step().expect("stable");
        }
        assert!(!is_folded(&simulation), "{stiffness} N/m");
    }
}

#[test]
fn a_cloth_that_is_folded_is_seen_to_be() {
    let mut simulation = Scene::load("stability").and_then(|scene| scene.build()).expect("it comes along");
    assert!(!is_folded(&simulation));
    // the last column laid over the one before it
    for row in 0..5 {
        simulation.state.cloth.positions[5 * row + 4] = simulation.state.cloth.positions[5 * row + 3];
    }
    assert!(is_folded(&simulation));
    // and in weightlessness it stays so, which only the stricter criterion counts as failure
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.material.structural_stiffness = 1e-6;
    simulation.parameters.material.shear_stiffness = 1e-6;
    let experiment = |criterion| Experiment { criterion, steps: 3, vary: Vary::Step, ..Experiment::default() };
    let mut search = |criterion| experiment(criterion).search(&mut simulation, &mut |_| ControlFlow::Continue(()));
    assert_eq!(search(Criterion::Box), Finding::NoLimit);
    assert!(matches!(search(Criterion::Folded), Finding::Limit(step) if step < 1e-4));
}
