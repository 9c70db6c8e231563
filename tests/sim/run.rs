//! What the ends of a run mean: done, out of bounds, failed, cancelled.

use std::ops::ControlFlow::{Break, Continue};

use weft::sim::study::run::{End, Interrupted, always, run};
use weft::sim::{CancelToken, Simulation, StepError};

use crate::fixtures::rippled;

/// A run of ten steps in which nobody looks at the cloth.
fn run_blind(simulation: &mut Simulation) -> End {
    run(simulation, 10, &mut always, |_, _| Continue(()))
}

#[test]
fn a_run_is_done_after_its_steps_or_when_it_has_seen_enough() {
    let mut simulation = rippled("symplectic-euler", 5, 5);
    assert_eq!((run_blind(&mut simulation), simulation.steps()), (End::Done, 10));
    let end: End =
        run(&mut simulation, 10, &mut always, |now, _| if now.steps() == 13 { Break(End::Done) } else { Continue(()) });
    assert_eq!((end, simulation.steps()), (End::Done, 13));
}

#[test]
fn a_run_is_stopped_in_the_state_that_left_the_bounds() {
    let mut simulation = rippled("symplectic-euler", 5, 5);
    let lowest = |now: &Simulation| now.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let bound = lowest(&simulation) - 0.01;
    let end = run(&mut simulation, 1000, &mut always, |now, _| {
        if lowest(now) < bound { Break(End::Stopped(now.steps())) } else { Continue(()) }
    });
    assert_eq!(end, End::Stopped(simulation.steps()), "the step that led there has been taken");
    assert!(lowest(&simulation) < bound);
}

#[test]
fn a_run_fails_in_the_state_before_the_step_that_failed() {
    let unstable = || {
        let mut simulation = rippled("symplectic-euler", 5, 5);
        simulation.parameters.material.structural_stiffness = 1e9;
        simulation.parameters.timing.time_step = 0.05;
        simulation
    };
    let (mut repeated, mut simulation) = (unstable(), unstable());
    let cause = loop {
        if let Err(cause) = repeated.step() {
            break cause;
        }
    };
    let mut seen = 0;
    let end: End = run(&mut simulation, 1000, &mut always, |_, _| {
        seen += 1;
        Continue(())
    });
    assert_eq!(end, End::Failed(cause.clone()));
    assert_eq!((seen, &simulation.state.cloth), (repeated.steps(), &repeated.state.cloth));
    assert_eq!(Interrupted::by("pbd", cause.clone()), Interrupted::Failed { solver: "pbd", cause });
}

#[test]
fn a_cancelled_run_is_no_failed_one_wherever_it_was_called_off() {
    // between two steps
    let mut simulation = rippled("implicit-euler", 5, 5);
    let mut asked = 0;
    let mut go_on = || {
        asked += 1;
        if asked > 3 { Break(()) } else { Continue(()) }
    };
    let end: End = run(&mut simulation, 10, &mut go_on, |_, _| Continue(()));
    assert_eq!((end, simulation.steps()), (End::Cancelled, 3));
    // within a step, which leaves no trace
    let before = simulation.state.cloth.clone();
    simulation.cancel = CancelToken::after_checks(1).0;
    assert_eq!((run_blind(&mut simulation), simulation.steps()), (End::Cancelled, 3));
    assert_eq!(simulation.state.cloth, before);
    assert_eq!(Interrupted::by("pbd", StepError::Cancelled), Interrupted::Cancelled);
    assert!(End::<()>::Cancelled.unless_cancelled().is_break());
}
