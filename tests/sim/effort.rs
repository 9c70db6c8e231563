//! Steps that are called off, and steps whose work is limited.

use weft::sim::params::Setting;
use weft::sim::{Canceller, StepError};

use crate::fixtures::{advance, every, rippled, solver_ids};

#[test]
fn local_global_iterations_end_where_the_work_is_used_up() {
    let run = |iterations: u32, millions: f64, area: bool| {
        let mut simulation = rippled("projective-dynamics", 20, 20);
        simulation.cloth.pin_here(0);
        simulation.parameters.timing.work_limit = millions;
        let settings = simulation.solver_mut().settings_mut();
        for (key, value) in [("iterations", Setting::Integer(iterations)), ("area", Setting::Toggle(area))] {
            let index = settings.index_of(key).expect("its own");
            settings.set(index, value).expect("in range");
        }
        let stats = simulation.step().expect("it ends with what it has");
        (simulation.cloth, stats.iterations, stats.exhausted)
    };
    for area in [false, true] {
        let (limited, iterations, exhausted) = run(1000, 0.1, area);
        assert!((1..100).contains(&iterations) && exhausted == 1, "{iterations}, {exhausted}");
        let (counted, as_many, exhausted) = run(iterations, 1000.0, area);
        assert_eq!((as_many, exhausted), (iterations, 0));
        assert_eq!(limited, counted, "the same as if so many had been asked for");
        let (_, half, _) = run(1000, 0.05, area);
        assert!(half < iterations || iterations == 1, "{half} with half the work, {iterations}");
    }
    // however little: one iteration
    let (_, iterations, exhausted) = run(1000, 0.01, true);
    assert_eq!((iterations, exhausted), (1, 1));
}

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
