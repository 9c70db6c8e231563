//! Whoever goes on from a saved state goes on with the same bits.

use weft::sim::forces::air::AirMode;
use weft::sim::{Canceller, Grab, Path, Pin, Simulation, Vec3};

use super::choices;
use crate::fixtures::{advance, every, rippled};

/// A cloth that falls on a floor, with a pin that moves, wind, a hand and a limit of stretch.
fn busy(solver: &str) -> Simulation {
    let mut simulation = rippled(solver, 8, 8);
    simulation.parameters.contact.ground = true;
    simulation.parameters.air.air = AirMode::Wind;
    simulation.parameters.stretch.limit_stretch = true;
    simulation.parameters.material.damping = 0.2;
    simulation.parameters.timing.theta = 0.55;
    simulation.state.cloth.positions.iter_mut().for_each(|x| x.y -= 0.9);
    let origin = simulation.state.cloth.positions[0];
    let path = Path::Oscillation { amplitude: Vec3::splat(0.05), frequency: Vec3::splat(2.0), phase: Vec3::ZERO };
    simulation.state.cloth.pin(Pin { vertex: 0, origin, motion: Some(path.into()) });
    simulation.state.grab = Some(Grab { vertex: 30, target: simulation.state.cloth.positions[30] + Vec3::Y * 0.2 });
    simulation
}

#[test]
fn a_state_and_the_state_of_its_copy_have_the_same_future() {
    every(choices(), |choice| {
        for adaptive in [false, true] {
            let mut whole = busy(choice.solver);
            let theta = whole.parameters.timing.theta;
            choice.apply(&mut whole);
            whole.parameters.timing.theta = theta;
            whole.parameters.timing.adaptive = adaptive;
            advance(&mut whole, 20);
            for round in 0..4 {
                let mut resumed = Simulation::resume(&whole.checkpoint());
                match round {
                    // what is done between steps before and after the state was taken
                    0 => {}
                    1 => [&mut whole, &mut resumed].into_iter().for_each(|of| of.state.cloth.pin_here(9)),
                    2 => {
                        whole.state.cloth.velocities.iter_mut().for_each(|v| *v *= 0.9);
                        resumed = Simulation::resume(&whole.checkpoint());
                        for of in [&mut whole, &mut resumed] {
                            of.state.cloth.velocities.iter_mut().for_each(|v| *v *= 1.07);
                            of.state.grab = None;
                        }
                    }
                    _ => {
                        for of in [&mut whole, &mut resumed] {
                            assert!(of.cut(&[[18, 19], [19, 20], [20, 21]]) > 0);
                        }
                    }
                }
                advance(&mut whole, 7);
                advance(&mut resumed, 7);
                assert_eq!(whole.state.cloth, resumed.state.cloth, "adaptive: {adaptive}, round {round}");
            }
        }
    });
}

#[test]
fn a_step_that_is_called_off_leaves_no_trace() {
    every(choices(), |choice| {
        let mut simulation = busy(choice.solver);
        choice.apply(&mut simulation);
        advance(&mut simulation, 5);
        let mut plain = Simulation::resume(&simulation.checkpoint());
        let canceller = Canceller::default();
        let free = std::mem::replace(&mut simulation.cancel, canceller.token(7));
        canceller.cancel_through(7);
        assert!(simulation.step().is_err());
        simulation.cancel = free;
        advance(&mut simulation, 5);
        advance(&mut plain, 5);
        assert_eq!(simulation.state.cloth, plain.state.cloth);
    });
}
