//! What the solvers that minimise the incremental potential have in common.

use weft::sim::Clock;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::forces::IsometricBending;
use weft::sim::measure::Potential;
use weft::sim::model::partition::Partition;
use weft::sim::params::Setting;
use weft::sim::{Simulation, StepInput, Vec3, WorkBudget};

use crate::fixtures::{advance, farthest, rippled};

/// A pinned cloth after some motion, about to take a long step by `solver` with `count` iterations.
fn mid_motion(solver: &str, setting: &str, count: u32) -> Simulation {
    let mut simulation = rippled("implicit-newton", 8, 7);
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(7);
    simulation.parameters.material.structural_stiffness = 800.0;
    simulation.parameters.material.shear_stiffness = 400.0;
    simulation.parameters.material.damping = 0.05;
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    advance(&mut simulation, 15);
    assert!(simulation.set_solver(solver));
    let settings = simulation.solver_mut().settings_mut();
    let index = settings.index_of(setting).expect("its own");
    settings.set(index, Setting::Integer(count)).expect("in range");
    simulation
}

/// The potential of the step from `before` to `q`.
fn potential(before: &Simulation, q: &[Vec3]) -> f64 {
    let dt = before.parameters.timing.time_step;
    let mut partition = Partition::default();
    partition.update(&before.state.cloth, None, before.time(), dt);
    let external: Vec<Vec3> = before.state.cloth.masses.iter().map(|m| Vec3::NEG_Y * (9.8 * m)).collect();
    let input = StepInput {
        pressed: &[],
        dt,
        preconditioner_dt: dt,
        pattern: before.pattern(),
        material: &before.parameters.material,
        partition: &partition,
        bending: &IsometricBending::default(),
        external: &external,
        contacts: &[],
        contact_rows: &[],
        clock: Clock::default(),
        budget: &WorkBudget::unlimited(),
        pool: &ThreadPool::alone(),
    };
    let mut target = Vec::new();
    input.predict(&before.state.cloth, &mut target);
    Potential { cloth: &before.state.cloth, input: &input, target: &target, holds: &[] }.value(q)
}

#[test]
fn many_local_global_iterations_reach_the_minimiser_of_newton() {
    let mut newton = mid_motion("implicit-newton", "newton_iterations", 50);
    let mut local_global = mid_motion("fast-mass-spring", "iterations", 1000);
    let start = newton.state.cloth.positions.clone();
    advance(&mut newton, 1);
    advance(&mut local_global, 1);
    let pairs = || newton.state.cloth.positions.iter().zip(&local_global.state.cloth.positions);
    let apart = pairs().map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let moved = farthest(&newton.state.cloth.positions, &start);
    assert!(apart < 1e-6 * moved, "{apart:e} m apart after a motion of {moved} m");
}

#[test]
fn no_iteration_raises_the_objective() {
    let both = [
        ("fast-mass-spring", "iterations"),
        ("projective-dynamics", "iterations"),
        ("implicit-newton", "newton_iterations"),
        ("vertex-block-descent", "iterations"),
    ];
    for (solver, setting) in both {
        let values: Vec<f64> = (1..=12)
            .map(|count| {
                let before = mid_motion(solver, setting, count);
                let mut after = mid_motion(solver, setting, count);
                advance(&mut after, 1);
                potential(&before, &after.state.cloth.positions)
            })
            .collect();
        assert!(values.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{solver}: {values:?}");
        assert!(values[11] < values[0], "{solver}: it descends at all");
    }
}

#[test]
fn newton_converges_quadratically_where_no_spring_is_compressed() {
    let residual = |count: u32| {
        let mut simulation = rippled("implicit-newton", 6, 6);
        // stretched by a fifth, so that every block is exact
        simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= Vec3::new(1.25, 1.0, 1.2));
        simulation.parameters.timing.time_step = 1.0 / 60.0;
        for vertex in [0, 5, 30, 35] {
            simulation.state.cloth.pin_here(vertex);
        }
        simulation.parameters.material.structural_stiffness = 300.0;
        let settings = simulation.solver_mut().settings_mut();
        let wanted = [("newton_iterations", Setting::Integer(count)), ("gradient_tolerance", Setting::Real(1e-12))];
        for (key, value) in wanted {
            let index = settings.index_of(key).expect("its own");
            settings.set(index, value).expect("in range");
        }
        simulation.step().expect("stable").residual
    };
    let residuals: Vec<f64> = (1..=6).map(residual).collect();
    // the number of correct digits doubles, until the few springs that are compressed after all and rounding end it
    let scale = residuals[0];
    for pair in residuals.windows(2).filter(|pair| pair[0] > 1e-5 * scale) {
        let ratio = (pair[1] / scale) / (pair[0] / scale).powi(2);
        assert!(ratio < 2.0, "{residuals:?}");
    }
    assert!(residuals[5] < 1e-9, "{residuals:?}");
}

#[test]
fn raw_blocks_of_a_compressed_cloth_are_indefinite_and_the_step_says_so() {
    let step = |blocks: &str, compression: f64| {
        let mut simulation = rippled("implicit-euler", 6, 6);
        simulation.state.cloth.pin_here(0);
        simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= compression);
        simulation.parameters.material.structural_stiffness = 1e5;
        simulation.solver_mut().settings_mut().set_text("blocks", blocks).expect("a choice");
        let stats = simulation.step().expect("it is solved all the same");
        assert!(simulation.state.cloth.positions.iter().all(|x| x.is_finite()));
        stats.indefinite
    };
    assert_eq!((step("raw", 0.5), step("clamped", 0.5)), (1, 0));
    assert_eq!(step("raw", 1.3), 0, "nothing is indefinite about a stretched cloth");
}

#[test]
fn newton_stops_at_rounding_where_the_tolerance_is_out_of_reach() {
    let mut simulation = rippled("implicit-newton", 6, 6);
    // stretched, so that the iteration is quadratic and only rounding can hold it up
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= Vec3::new(1.25, 1.0, 1.2));
    [0, 5, 30, 35].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    simulation.parameters.material.structural_stiffness = 1e8;
    simulation.parameters.material.shear_stiffness = 1e8;
    let stats = simulation.step().expect("stable");
    assert!(stats.iterations < 40, "{} iterations, {:e} N left", stats.iterations, stats.residual);
    assert!(stats.residual > 1e-9, "the tolerance is in reach after all: {:e} N", stats.residual);
}
