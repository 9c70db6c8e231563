//! Steps that are called off, and steps whose work is limited.

use std::sync::atomic::Ordering;

use weft::scene::Scene;
use weft::sim::params::Setting;
use weft::sim::{CancelToken, Canceller, Simulation, StepError};

use crate::fixtures::{advance, every, rippled, set, solver_ids};

#[test]
fn a_step_that_was_called_off_leaves_no_trace() {
    every(solver_ids(), |solver| {
        let mut simulation = rippled(solver, 9, 9);
        simulation.state.cloth.pin_here(0);
        simulation.parameters.timing.time_step = 0.002;
        let mut undisturbed = rippled(solver, 9, 9);
        undisturbed.parameters = simulation.parameters;
        undisturbed.state.cloth = simulation.state.cloth.clone();
        advance(&mut simulation, 5);
        advance(&mut undisturbed, 5);
        let canceller = Canceller::default();
        simulation.cancel = canceller.token(7);
        canceller.cancel_through(7);
        assert_eq!(simulation.step(), Err(StepError::Cancelled), "{solver}");
        assert_eq!(simulation.state.cloth, undisturbed.state.cloth, "{solver}");
        // an order that comes later is not hit
        simulation.cancel = canceller.token(8);
        advance(&mut simulation, 5);
        advance(&mut undisturbed, 5);
        assert_eq!(simulation.state.cloth, undisturbed.state.cloth, "{solver}");
    });
}

#[test]
fn substeps_that_are_left_when_the_work_is_used_up_are_not_begun() {
    for solver in ["xpbd", "soft-constraints", "fast-mass-spring", "implicit-euler", "symplectic-euler"] {
        let run = |limit: f64| {
            let mut simulation = rippled(solver, 12, 12);
            simulation.state.cloth.pin_here(0);
            simulation.parameters.timing.substeps = 100;
            simulation.parameters.timing.work_limit = limit;
            let stats = simulation.step().expect("stable");
            (stats, simulation)
        };
        let (free, _) = run(1000.0);
        assert_eq!(free.exhausted, 0, "{solver}");
        let (bounded, simulation) = run(0.01);
        assert!(bounded.exhausted >= 50, "{solver}: {bounded:?}");
        let begun = bounded.substeps;
        assert!(begun >= 1 && 5 * begun < free.substeps, "{solver}: {begun} of {} substeps", free.substeps);
        assert!(bounded.iterations <= 1 + free.iterations / 5, "{solver}: {bounded:?}");
        assert!((simulation.time() - 0.005).abs() < 1e-12, "{solver}: the step ends on time: {}", simulation.time());
        // it went as far as its first substeps took it
        let before = rippled(solver, 12, 12).state.cloth;
        let moved = simulation.state.cloth.positions.iter().zip(&before.positions).map(|(a, b)| a.distance(*b));
        let farthest = moved.fold(0.0, f64::max);
        assert!(farthest > 0.0 && farthest < 1e-3, "{solver}: {farthest}");
    }
}

#[test]
fn no_factorisation_keeps_a_step_from_being_called_off() {
    let direct = |simulation: &mut Simulation| set(simulation, "linear_solver", Setting::Choice(1));
    let as_it_is = |_: &mut Simulation| {};
    type Prepare = fn(&mut Simulation);
    let cases: [(&str, u32, Prepare); 3] =
        [("implicit-euler", 81, direct), ("implicit-newton", 81, as_it_is), ("projective-dynamics", 129, as_it_is)];
    for (solver, size, prepare) in cases {
        let mut scene = Scene::load("hanging").expect("it comes along");
        for key in ["columns", "rows"] {
            scene.set(key, &size.to_string()).expect("in range");
        }
        scene.set_solver(solver).expect("registered");
        let mut simulation = scene.build().expect("valid");
        prepare(&mut simulation);
        let before = simulation.state.cloth.clone();
        let mut other = scene.build().expect("valid");
        prepare(&mut other);
        let (token, left) = CancelToken::after_checks(u64::MAX);
        other.cancel = token;
        other.step().expect("stable");
        let checks = u64::MAX - left.load(Ordering::Relaxed);
        println!("{solver}, {size}: {checks} checks");
        // between two of them there is at most a panel of the factor, of which a few vertices share
        // one
        let vertices = u64::from(size * size);
        assert!(checks > vertices / 32, "{solver}: {checks} checks for {vertices} vertices");
        for share in [0, 1, 2, 5, 9] {
            simulation.cancel = CancelToken::after_checks(share * checks / 10).0;
            assert_eq!(simulation.step(), Err(StepError::Cancelled), "{solver}, at {share} tenths of {checks}");
            assert_eq!(simulation.state.cloth, before, "{solver}, at {share} tenths of {checks}");
        }
        simulation.cancel = CancelToken::default();
        simulation.step().expect("stable");
        assert_eq!(simulation.state.cloth, other.state.cloth, "{solver}: nothing is left of what was called off");
    }
}

#[test]
fn a_step_is_called_off_in_the_search_for_contacts_as_well_and_leaves_no_trace() {
    let build = || {
        let mut scene = Scene::load("heap").expect("it comes along");
        ["columns", "rows"].into_iter().for_each(|key| scene.set(key, "61").expect("in range"));
        let mut simulation = scene.build().expect("valid");
        // it has begun to lie on itself
        advance(&mut simulation, 30);
        simulation
    };
    let (mut simulation, mut other) = (build(), build());
    let mut apart = build();
    apart.parameters.contact.self_contact = false;
    let checks = |simulation: &mut Simulation| {
        let (token, left) = CancelToken::after_checks(u64::MAX);
        simulation.cancel = token;
        simulation.step().expect("stable");
        u64::MAX - left.load(Ordering::Relaxed)
    };
    let (all, without) = (checks(&mut other), checks(&mut apart));
    println!("{all} checks, {without} without cloth on cloth");
    // at least one for a thousand vertices, and one after each stage
    assert!(all > without + 61 * 61 / 1000 + 3, "{all} checks, {without} without cloth on cloth");
    let before = simulation.state.cloth.clone();
    for share in 0..20 {
        simulation.cancel = CancelToken::after_checks(share * all / 20).0;
        assert_eq!(simulation.step(), Err(StepError::Cancelled), "at {share} twentieths of {all}");
        assert_eq!(simulation.state.cloth, before, "at {share} twentieths of {all}");
    }
    simulation.cancel = CancelToken::default();
    for _ in 0..3 {
        simulation.step().expect("stable");
    }
    other.cancel = CancelToken::default();
    for _ in 0..2 {
        other.step().expect("stable");
    }
    assert_eq!(simulation.state.cloth, other.state.cloth, "nothing is left of what was called off");
}
