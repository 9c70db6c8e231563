//! Implicit Euler and Newton's method: what they spend, how far they come, and what they say when they do not.

use weft::scene::Scene;
use weft::sim::params::Setting;
use weft::sim::{CancelToken, Simulation, StepError, StepStats, Vec3};

use crate::fixtures::{advance, rippled, set, square};

/// A scene that comes along, with a grid of `size` vertices a side.
fn scene(name: &str, size: u32, solver: &str) -> Simulation {
    let mut scene = Scene::load(name).expect("it comes along");
    for key in ["columns", "rows"] {
        scene.set(key, &size.to_string()).expect("in range");
    }
    let mut simulation = scene.build().expect("valid");
    assert!(simulation.set_solver(solver));
    simulation
}

fn steps(simulation: &mut Simulation, count: usize) -> Vec<StepStats> {
    (0..count).map(|_| simulation.step().expect("stable")).collect()
}

#[test]
fn a_cloth_that_lies_still_is_not_factored_again() {
    for solver in ["implicit-euler", "implicit-newton"] {
        let mut simulation = square(solver, 12, 12);
        simulation.parameters.contact.ground = true;
        let thickness = simulation.parameters.contact.thickness;
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.y = thickness);
        advance(&mut simulation, 3);
        for stats in steps(&mut simulation, 10) {
            assert_eq!((stats.factorisations, stats.updates), (0, 0), "{solver}");
        }
        // it does lie on the floor
        assert!(simulation.state.cloth.positions.iter().all(|x| (x.y - thickness).abs() < 1e-3), "{solver}");
    }
}

#[test]
fn a_cloth_on_a_table_is_not_factored_again_though_its_contacts_go_over_from_sticking_to_sliding() {
    for (solver, count) in [("implicit-euler", 60), ("implicit-newton", 10)] {
        let mut simulation = scene("table", 41, "implicit-euler");
        advance(&mut simulation, 600);
        assert!(simulation.set_solver(solver));
        advance(&mut simulation, 1);
        let all = steps(&mut simulation, count);
        let factorisations: u32 = all.iter().map(|stats| stats.factorisations + stats.updates).sum();
        assert_eq!(factorisations, 0, "{solver}");
        let iterations = all.iter().map(|stats| stats.iterations).max().unwrap_or_default();
        assert!(iterations <= 60, "{solver}: {iterations} iterations");
    }
}

#[test]
fn a_run_that_is_resumed_in_mid_fall_has_the_factor_of_the_one_that_went_on() {
    // the factor holds other vertices than those that stick when the snapshot is taken
    for solver in ["implicit-euler", "implicit-newton"] {
        let mut whole = scene("table", 17, solver);
        advance(&mut whole, 60);
        for round in 0..8 {
            let mut resumed = scene("table", 17, solver);
            resumed.state = whole.state.clone();
            advance(&mut resumed, 7);
            advance(&mut whole, 7);
            assert_eq!(whole.state.cloth, resumed.state.cloth, "{solver}, round {round}");
        }
    }
}

/// A cloth on which conjugate gradients need more than a factorisation costs.
fn stiff() -> Simulation {
    let mut simulation = rippled("implicit-euler", 9, 9);
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    simulation.parameters.material.structural_stiffness = 1e6;
    simulation.parameters.material.shear_stiffness = 1e6;
    simulation.state.cloth.pin_here(0);
    set(&mut simulation, "residual_tolerance", Setting::Real(1e-10));
    simulation
}

#[test]
fn where_conjugate_gradients_cost_more_than_a_factorisation_the_step_is_factored() {
    let mut simulation = stiff();
    let all = steps(&mut simulation, 24);
    // the first try fails, and the next steps are factored without one
    assert!(all[0].iterations > 1 && all[0].factorisations == 2, "{:?}", all[0]);
    assert!(all[1..16].iter().all(|stats| (stats.iterations, stats.factorisations) == (1, 1)), "{all:?}");
    assert!(all[16].iterations > 1, "then they are tried again: {:?}", all[16]);
    assert!(all.iter().all(|stats| stats.unconverged == 0 && stats.residual <= 1e-10));

    // a soft cloth is never factored but for its preconditioner
    let mut soft = rippled("implicit-euler", 9, 9);
    let factorisations: u32 = steps(&mut soft, 10).iter().map(|stats| stats.factorisations).sum();
    assert_eq!(factorisations, 1);
}

#[test]
fn the_choice_between_gradients_and_factorisation_survives_a_snapshot() {
    let mut whole = stiff();
    advance(&mut whole, 5);
    let mut resumed = stiff();
    resumed.state = whole.state.clone();
    for _ in 0..15 {
        advance(&mut whole, 1);
        advance(&mut resumed, 1);
        assert_eq!(whole.state.cloth, resumed.state.cloth, "step {}", whole.steps());
    }
}

#[test]
fn newton_needs_few_iterations_where_cloth_buckles() {
    for (name, size, count, most) in [("hanging", 20, 40, 6.0), ("hanging", 40, 40, 6.0), ("table", 25, 40, 9.5)] {
        let mut simulation = scene(name, size, "implicit-newton");
        simulation.solver_mut().settings_mut().set_text("gradient_tolerance", "1e-9").expect("in range");
        simulation.solver_mut().settings_mut().set_text("newton_iterations", "50").expect("in range");
        let all = steps(&mut simulation, count);
        let mean = all.iter().map(|stats| f64::from(stats.iterations)).sum::<f64>() / count as f64;
        assert!(mean <= most, "{name}, {size}: {mean} iterations");
        let unconverged = all.iter().filter(|stats| stats.unconverged > 0).count();
        assert_eq!(unconverged, 0, "{name}, {size}");
        assert!(all.iter().all(|stats| stats.residual < 1e-8), "{name}, {size}");
    }
}

#[test]
fn a_step_that_ends_at_the_limit_of_iterations_says_that_it_did_not_converge() {
    let mut simulation = rippled("implicit-newton", 8, 8);
    simulation.state.cloth.pin_here(0);
    assert_eq!(steps(&mut simulation, 1)[0].unconverged, 0);
    set(&mut simulation, "newton_iterations", Setting::Integer(1));
    let stats = steps(&mut simulation, 1)[0];
    assert!(stats.unconverged == 1 && stats.residual > 1e-9, "{stats:?}");
}

#[test]
fn a_limit_of_work_ends_a_step_of_newton_with_what_it_has() {
    let run = |limit: f64| {
        let mut simulation = rippled("implicit-newton", 16, 16);
        simulation.state.cloth.pin_here(0);
        simulation.parameters.timing.time_step = 1.0 / 60.0;
        simulation.parameters.timing.work_limit = limit;
        let all = steps(&mut simulation, 5);
        (all, simulation.state.cloth)
    };
    let (all, cloth) = run(0.04);
    assert!(all.iter().all(|stats| (stats.exhausted, stats.unconverged) == (1, 1)), "{all:?}");
    assert!(all.iter().all(|stats| stats.iterations >= 1), "it does what it can: {all:?}");
    assert!(all.iter().all(|stats| stats.limits_reached().count() == 1), "and it says so: {all:?}");
    assert_eq!(cloth, run(0.04).1, "the limit is counted, not timed");
    let (all, _) = run(1000.0);
    assert!(all.iter().all(|stats| (stats.exhausted, stats.unconverged) == (0, 0)), "{all:?}");
}

#[test]
fn a_step_is_called_off_in_its_middle() {
    for solver in ["implicit-newton", "implicit-euler"] {
        let prepare = || {
            let mut simulation = rippled(solver, 41, 41);
            simulation.state.cloth.pin_here(0);
            simulation.parameters.timing.time_step = 1.0 / 60.0;
            simulation.parameters.timing.substeps = 200;
            simulation
        };
        let (mut simulation, mut undisturbed) = (prepare(), prepare());
        let before = simulation.state.cloth.clone();
        // in the middle of different iterations
        for checks in [1, 30, 333, 1000] {
            simulation.cancel = CancelToken::after_checks(checks).0;
            assert_eq!(simulation.step(), Err(StepError::Cancelled), "{solver}, {checks} checks");
            assert_eq!(simulation.state.cloth, before, "{solver}, {checks} checks");
        }
        // what it had in its caches shows nowhere
        simulation.cancel = CancelToken::default();
        for simulation in [&mut simulation, &mut undisturbed] {
            simulation.parameters.timing.substeps = 1;
            advance(simulation, 2);
        }
        assert_eq!(simulation.state.cloth, undisturbed.state.cloth, "{solver}");
    }
}

#[test]
fn adaptive_substeps_share_their_preconditioner() {
    let mut simulation = rippled("implicit-newton", 8, 8);
    simulation.state.cloth.pin_here(0);
    simulation.parameters.timing.adaptive = true;
    simulation.parameters.timing.tolerance = 1e-6;
    let all = steps(&mut simulation, 20);
    let tries: u32 = all.iter().map(|stats| stats.substeps / 2 + stats.rejected).sum();
    let factorisations: u32 = all.iter().map(|stats| stats.factorisations).sum();
    // a factor for the whole and one for its halves would be two for every try
    assert!(tries > 50 && 3 * factorisations < tries, "{factorisations} factorisations in {tries} tries");
}

#[test]
fn when_the_work_is_used_up_the_rest_of_an_adaptive_step_is_taken_at_once() {
    let mut simulation = rippled("symplectic-euler", 6, 6);
    simulation.state.cloth.pin_here(0);
    simulation.parameters.timing.adaptive = true;
    simulation.parameters.timing.tolerance = 1e-8;
    let free = steps(&mut simulation, 1)[0];
    assert_eq!(free.exhausted, 0);
    simulation.parameters.timing.work_limit = 0.01;
    let bounded = steps(&mut simulation, 1)[0];
    assert_eq!(bounded.exhausted, 1, "{bounded:?}");
    assert!(bounded.substeps < free.substeps, "{} and {} substeps", bounded.substeps, free.substeps);
    assert!((simulation.time() - 0.01).abs() < 1e-12, "both steps end on time: {}", simulation.time());
}

#[test]
fn a_stiff_cloth_falls_freely_though_newton_ends_before_its_steps_are_solved() {
    let mut simulation = rippled("implicit-newton", 16, 16);
    simulation.parameters.contact.ground = false;
    simulation.parameters.material.structural_stiffness = 1e5;
    set(&mut simulation, "newton_iterations", Setting::Integer(2));
    let mean = |simulation: &Simulation| {
        let cloth = &simulation.state.cloth;
        cloth.velocities.iter().sum::<Vec3>() / cloth.len() as f64
    };
    let start = mean(&simulation);
    let unconverged: u32 = steps(&mut simulation, 60).iter().map(|stats| stats.unconverged).sum();
    assert!(unconverged > 10, "{unconverged} steps were not solved");
    let falls = start - Vec3::Y * (9.8 * simulation.time());
    let off = mean(&simulation).distance(falls);
    assert!(off < 1e-9 * falls.length(), "off by {off} m/s");
}
