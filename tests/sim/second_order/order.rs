//! The order that is stated is the one that is measured: with pins that move, damping, air, and steps of changing length.

use weft::sim::forces::air::AirMode;
use weft::sim::step::timing::{Rule, Scheme};
use weft::sim::{Path, Pin, Simulation, Vec3};

use super::{choose, solvers};
use crate::fixtures::{Named, advance, every};
use crate::promises::smooth;

/// What the cloth is tried with.
#[derive(Clone, Copy, PartialEq)]
enum With {
    Nothing,
    Damping,
    MovingPins,
    Air,
    Wind,
    UnevenSteps,
}

impl Named for With {
    fn name(&self) -> String {
        match self {
            Self::Nothing => "plain",
            Self::Damping => "damping",
            Self::MovingPins => "moving pins",
            Self::Air => "air",
            Self::Wind => "wind",
            Self::UnevenSteps => "uneven steps",
        }
        .to_owned()
    }
}

const ALL: [With; 6] = [With::Nothing, With::Damping, With::MovingPins, With::Air, With::Wind, With::UnevenSteps];

fn cloth(solver: &str, with: With, count: usize) -> Simulation {
    let mut simulation = smooth(solver, count);
    match with {
        With::Nothing | With::UnevenSteps => {}
        With::Damping => simulation.parameters.material.damping = 0.3,
        With::MovingPins => {
            simulation.parameters.material.damping = 0.3;
            let origin = simulation.state.cloth.positions[4];
            let amplitude = Vec3::new(0.03, 0.02, 0.04);
            let path = Path::Oscillation { amplitude, frequency: Vec3::new(2.0, 1.5, 1.0), phase: Vec3::ZERO };
            simulation.state.cloth.pin(Pin { vertex: 4, origin, motion: Some(path.into()) });
        }
        With::Air | With::Wind => {
            let air = &mut simulation.parameters.air;
            air.air = if with == With::Air { AirMode::Still } else { AirMode::Wind };
            // lift jumps where the cloth turns its other side to the wind
            (air.drag, air.lift) = (0.02, 0.0);
        }
    }
    simulation
}

/// Positions after `count` steps over 0.2 s; of uneven ones every second is longer by half than the one before.
fn run(simulation: &mut Simulation, with: With, count: usize) -> Vec<Vec3> {
    let step = simulation.parameters.timing.time_step;
    for number in 0..count {
        let share = if with == With::UnevenSteps { [1.2, 0.8][number % 2] } else { 1.0 };
        simulation.parameters.timing.time_step = step * share;
        advance(simulation, 1);
    }
    simulation.state.cloth.positions.clone()
}

/// Two fine runs of a method of first order, extrapolated to a step of no length.
fn exact(with: With) -> Vec<Vec3> {
    let with = if with == With::UnevenSteps { With::Nothing } else { with };
    let [coarse, fine] = [10_000, 20_000].map(|count| run(&mut cloth("symplectic-euler", with, count), with, count));
    fine.iter().zip(&coarse).map(|(fine, coarse)| *fine * 2.0 - *coarse).collect()
}

#[test]
#[ignore = "full tier"]
fn the_measured_order_is_the_stated_one_of_the_scheme() {
    every(ALL, |with| {
        let exact = exact(with);
        for solver in solvers() {
            for (scheme, theta) in
                [(Scheme::Euler, 0.5), (Scheme::Theta, 0.5), (Scheme::Theta, 0.7), (Scheme::Bdf2, 0.5)]
            {
                let errors = [100, 200, 400].map(|count| {
                    let mut simulation = cloth(solver, with, count);
                    choose(&mut simulation, scheme, theta);
                    let positions = run(&mut simulation, with, count);
                    let apart = positions.iter().zip(&exact).map(|(a, b)| a.distance_squared(*b));
                    (apart.sum::<f64>().sqrt(), simulation.order())
                });
                let [coarse, medium, close] = errors.map(|error| error.0);
                let stated = f64::from(errors[0].1);
                let orders = [(coarse / medium).log2(), (medium / close).log2()];
                assert!(
                    orders.iter().all(|order| (order - stated).abs() < 0.2),
                    "{solver}, {scheme:?}, {theta}: {orders:?}, stated {stated}, errors {coarse:e} {medium:e} {close:e} m"
                );
            }
        }
    });
}

#[test]
fn what_is_stated_depends_on_solver_and_scheme() {
    let order = |solver: &str, scheme, theta| {
        let mut simulation = smooth(solver, 100);
        choose(&mut simulation, scheme, theta);
        (simulation.order(), simulation.rule())
    };
    for solver in solvers() {
        assert_eq!(order(solver, Scheme::Euler, 0.5), (1, Rule::Own));
        assert_eq!(order(solver, Scheme::Theta, 1.0), (1, Rule::Own), "that is implicit Euler");
        assert_eq!(order(solver, Scheme::Theta, 0.6), (1, Rule::Theta(0.6)));
        assert_eq!(order(solver, Scheme::Theta, 0.5), (2, Rule::Theta(0.5)));
        assert_eq!(order(solver, Scheme::Bdf2, 0.5), (2, Rule::Bdf2));
    }
    assert_eq!(order("xpbd", Scheme::Bdf2, 0.5), (1, Rule::Own), "it knows no schemes");
}
