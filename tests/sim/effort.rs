//! Steps that are called off, and steps whose work is limited.

use weft::sim::{Canceller, StepError};

use crate::fixtures::{advance, every, rippled, solver_ids};

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
