//! Steps that are called off, and steps whose work is limited.

use std::time::{Duration, Instant};

use weft::scene::Scene;
use weft::sim::params::Setting;
use weft::sim::{Canceller, Simulation, StepError};

use crate::fixtures::{advance, every, rippled, set, solver_ids};

#[test]
fn a_step_that_was_called_off_leaves_no_trace() {
    every(solver_ids(), |solver| {
        let mut simulation = rippled(solver, 9, 9);
        simulation.cloth.pin_here(0);
        simulation.parameters.timing.time_step = 0.002;
        let mut undisturbed = rippled(solver, 9, 9);
        undisturbed.parameters = simulation.parameters;
        undisturbed.restore(simulation.cloth.clone(), 0.0, 0);
        advance(&mut simulation, 5);
        advance(&mut undisturbed, 5);
        let canceller = Canceller::default();
        simulation.cancel = canceller.token(7);
        canceller.cancel_through(7);
        assert_eq!(simulation.step(), Err(StepError::Cancelled), "{solver}");
        assert_eq!(simulation.cloth, undisturbed.cloth, "{solver}");
        // an order that comes later is not hit
        simulation.cancel = canceller.token(8);
        advance(&mut simulation, 5);
        advance(&mut undisturbed, 5);
        assert_eq!(simulation.cloth, undisturbed.cloth, "{solver}");
    });
}

#[test]
fn substeps_that_are_left_when_the_work_is_used_up_are_not_begun() {
    for solver in ["xpbd", "soft-constraints", "fast-mass-spring", "implicit-euler", "symplectic-euler"] {
        let run = |limit: f64| {
            let mut simulation = rippled(solver, 12, 12);
            simulation.cloth.pin_here(0);
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
        let before = rippled(solver, 12, 12).cloth;
        let moved = simulation.cloth.positions.iter().zip(&before.positions).map(|(a, b)| a.distance(*b));
        let farthest = moved.fold(0.0, f64::max);
        assert!(farthest > 0.0 && farthest < 1e-3, "{solver}: {farthest}");
    }
}

/// The time from calling a step off to its end, the longest of several moments, each the shortest of three tries: another process may
/// take the processor.
fn longest_wait(simulation: &mut Simulation) -> Duration {
    let mut order = 0;
    let mut longest = Duration::ZERO;
    for milliseconds in [1, 4, 10, 20, 40, 70, 100, 150, 200, 300, 450, 700] {
        let tries = (0..3).map(|_| {
            order += 1;
            let canceller = Canceller::default();
            simulation.cancel = canceller.token(order);
            std::thread::scope(|scope| {
                let calling = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(milliseconds));
                    canceller.cancel_through(order);
                    Instant::now()
                });
                let done = simulation.step();
                let ended = Instant::now();
                let called = calling.join().expect("it calls");
                // a step that was done before is no cause to wait
                if done == Err(StepError::Cancelled) { ended.duration_since(called) } else { Duration::ZERO }
            })
        });
        longest = longest.max(tries.min().unwrap_or_default());
    }
    longest
}

#[test]
fn no_factorisation_keeps_a_step_from_being_called_off() {
    let direct = |simulation: &mut Simulation| set(simulation, "linear_solver", Setting::Choice(1));
    let as_it_is = |_: &mut Simulation| {};
    type Prepare = fn(&mut Simulation);
    let cases: [(&str, u32, Prepare); 4] = [
        ("implicit-euler", 81, direct),
        ("implicit-euler", 129, direct),
        ("implicit-newton", 81, as_it_is),
        ("projective-dynamics", 257, as_it_is),
    ];
    let mut all = Vec::new();
    for (solver, size, prepare) in cases {
        let mut scene = Scene::load("hanging").expect("it comes along");
        for key in ["columns", "rows"] {
            scene.set(key, &size.to_string()).expect("in range");
        }
        scene.set_solver(solver).expect("registered");
        let mut simulation = scene.build().expect("valid");
        prepare(&mut simulation);
        all.push((solver, size, longest_wait(&mut simulation)));
    }
    println!("{all:?}");
    // a tenth of a second on a machine that has nothing else to do
    assert!(all.iter().all(|(.., wait)| *wait < Duration::from_millis(500)), "{all:?}");
}
