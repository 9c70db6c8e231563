//! What happens to a cloth from outside: floors, pins, hands, cuts, sudden changes.

use weft::scene::Scene;
use weft::sim::contact::{Collider, Shape};
use weft::sim::forces::air::AirMode;
use weft::sim::step::timing::Scheme;
use weft::sim::{Grab, Simulation, Vec3};

use super::{choices, choose, solvers};
use crate::fixtures::{Named, advance, every, farthest, rippled, square};
use crate::promises::momentum;

/// A cloth above a floor at the height zero.
fn over_floor(height: f64) -> Simulation {
    let mut simulation = square("fast-mass-spring", 7, 7);
    simulation.parameters.contact.ground = true;
    simulation.parameters.timing.time_step = 0.01;
    simulation.state.cloth.positions.iter_mut().for_each(|x| x.y = height);
    simulation
}

#[test]
fn what_a_floor_stops_does_not_bounce() {
    every(choices(), |choice| {
        let mut simulation = over_floor(0.2);
        choice.apply(&mut simulation);
        simulation.state.cloth.velocities.iter_mut().for_each(|v| v.y = -5.0);
        let mut landed = false;
        for step in 0..100 {
            advance(&mut simulation, 1);
            let fastest = simulation.state.cloth.velocities.iter().map(|v| v.y).fold(f64::NEG_INFINITY, f64::max);
            assert!(fastest < 0.02, "step {step}: {fastest} m/s upwards");
            landed |= fastest > -0.01;
        }
        assert!(landed);
        let lowest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0, "{lowest} m");
    });
}

#[test]
fn a_cloth_that_lies_on_the_floor_lies_still() {
    every(choices(), |choice| {
        let mut simulation = over_floor(0.05);
        choice.apply(&mut simulation);
        advance(&mut simulation, 200);
        let before = simulation.state.cloth.positions.clone();
        advance(&mut simulation, 200);
        let way = farthest(&simulation.state.cloth.positions, &before);
        assert!(way < 1e-5, "{way} m in 2 s");
    });
}

#[test]
fn friction_holds_a_cloth_on_an_incline_as_with_implicit_euler() {
    let slide = |solver: &str, scheme, theta| {
        let mut simulation = square(solver, 7, 7);
        choose(&mut simulation, scheme, theta);
        simulation.parameters.timing.time_step = 0.01;
        simulation.parameters.contact.friction = 0.6;
        let tilt = 0.35;
        let (sine, cosine) = f64::sin_cos(tilt);
        let normal = Vec3::new(-sine, cosine, 0.0);
        simulation.state.world.colliders.push(Collider::new(Shape::Plane { normal }, Vec3::ZERO));
        let lift = simulation.parameters.contact.thickness + 1e-4;
        let rest = simulation.pattern().rest_positions().to_vec();
        for (x, at) in simulation.state.cloth.positions.iter_mut().zip(rest) {
            *x = Vec3::new(cosine, sine, 0.0) * at.x + normal * lift + Vec3::Z * at.z;
        }
        advance(&mut simulation, 100);
        let before = simulation.state.cloth.centroid();
        advance(&mut simulation, 200);
        simulation.state.cloth.centroid().distance(before)
    };
    every(choices(), |choice| {
        let (euler, scheme) =
            (slide(choice.solver, Scheme::Euler, 0.5), slide(choice.solver, choice.scheme, choice.theta));
        // 2 s: creeping by h² g sin(0.35) a step would be 7 cm
        assert!(scheme < euler + 1e-3, "{scheme} m, implicit Euler {euler} m");
    });
}

#[test]
fn a_vertex_that_is_let_go_goes_on_as_fast_as_it_was_moved() {
    every(choices(), |choice| {
        let mut simulation = square(choice.solver, 6, 6);
        choice.apply(&mut simulation);
        simulation.parameters.gravity.gravity = 0.0;
        let material = &mut simulation.parameters.material;
        (material.structural_stiffness, material.shear_stiffness, material.damping) = (1.0, 1.0, 0.0);
        let start = simulation.state.cloth.positions[14];
        // a hand that moves fast and is stopped at once
        simulation.state.grab = Some(Grab { vertex: 14, target: start + Vec3::Y * 0.3 });
        advance(&mut simulation, 8);
        simulation.state.grab = Some(Grab { vertex: 14, target: simulation.state.cloth.positions[14] });
        advance(&mut simulation, 1);
        let held = simulation.state.cloth.velocities[14];
        simulation.state.grab = None;
        advance(&mut simulation, 1);
        let change = simulation.state.cloth.velocities[14].distance(held);
        assert!(change < 0.1, "changed by {change} m/s");
    });
}

#[test]
fn a_velocity_that_is_changed_between_steps_is_changed_and_nothing_else() {
    every(choices(), |choice| {
        let flight = |push: Vec3| {
            let mut simulation = rippled(choice.solver, 6, 6);
            choice.apply(&mut simulation);
            advance(&mut simulation, 5);
            simulation.state.cloth.velocities.iter_mut().for_each(|v| *v += push);
            advance(&mut simulation, 5);
            simulation.state.cloth
        };
        // seen from who moves along, the cloth moves as without
        let push = Vec3::new(3.0, -1.0, 2.0);
        let (pushed, free) = (flight(push), flight(Vec3::ZERO));
        for i in 0..free.len() {
            assert!(pushed.velocities[i].distance(free.velocities[i] + push) < 1e-6);
            assert!(pushed.positions[i].distance(free.positions[i] + push * 0.025) < 1e-6);
        }
    });
}

#[test]
fn positions_that_are_put_somewhere_start_anew() {
    every(solvers(), |solver| {
        let mut moved = rippled(solver, 6, 6);
        choose(&mut moved, Scheme::Bdf2, 0.5);
        advance(&mut moved, 5);
        assert!(moved.state.previous.of(&moved.state.cloth).is_some());
        moved.state.cloth.positions[7].y += 0.01;
        assert!(moved.state.previous.of(&moved.state.cloth).is_none());
        let mut fresh = rippled(solver, 6, 6);
        choose(&mut fresh, Scheme::Euler, 0.5);
        fresh.state.cloth = moved.state.cloth.clone();
        advance(&mut moved, 1);
        advance(&mut fresh, 1);
        // that step is one of implicit Euler
        let apart = moved.state.cloth.positions.iter().zip(&fresh.state.cloth.positions).map(|(a, b)| a.distance(*b));
        assert!(apart.fold(0.0, f64::max) < 1e-12);
    });
}

#[test]
fn a_step_that_is_more_than_twice_as_long_starts_anew_and_others_hold() {
    every(solvers(), |solver| {
        for (ratio, anew) in [(2.0, false), (2.1, true)] {
            let mut long = rippled(solver, 6, 6);
            choose(&mut long, Scheme::Bdf2, 0.5);
            advance(&mut long, 5);
            let mut euler = rippled(solver, 6, 6);
            euler.state.cloth = long.state.cloth.clone();
            long.parameters.timing.time_step *= ratio;
            euler.parameters.timing.time_step *= ratio;
            advance(&mut long, 1);
            advance(&mut euler, 1);
            let apart =
                long.state.cloth.positions.iter().zip(&euler.state.cloth.positions).map(|(a, b)| a.distance(*b));
            assert_eq!(apart.fold(0.0, f64::max) < 1e-12, anew, "{ratio}");
        }
        // steps of any length below that, one after the other
        let mut uneven = rippled(solver, 6, 6);
        choose(&mut uneven, Scheme::Bdf2, 0.5);
        uneven.state.cloth.pin_here(0);
        for step in 0..300 {
            uneven.parameters.timing.time_step = 0.01 * [1.0, 2.0, 1.0, 0.3, 0.6, 1.2][step % 6];
            advance(&mut uneven, 1);
        }
        assert!(uneven.largest_stretch() < 0.5, "{}", uneven.largest_stretch());
    });
}

#[test]
fn a_change_of_solver_or_scheme_makes_no_jump() {
    every(choices(), |choice| {
        let mut simulation = rippled("fast-mass-spring", 7, 7);
        simulation.state.cloth.pin_here(0);
        for from in choices() {
            from.apply(&mut simulation);
            advance(&mut simulation, 3);
            let before = simulation.state.cloth.clone();
            choice.apply(&mut simulation);
            assert_eq!(simulation.state.cloth, before);
            advance(&mut simulation, 1);
            for i in 1..before.len() {
                let step = simulation.parameters.timing.time_step;
                let expected = before.positions[i] + before.velocities[i] * step;
                let off = simulation.state.cloth.positions[i].distance(expected);
                assert!(off < 5e-3, "from {}: vertex {i} is off by {off} m", from.name());
            }
        }
    });
}

#[test]
fn strong_air_stops_a_cloth_and_throws_it_back_by_less_than_a_third() {
    every(choices(), |choice| {
        let mut simulation = square(choice.solver, 6, 6);
        choice.apply(&mut simulation);
        simulation.parameters.gravity.gravity = 0.0;
        let air = &mut simulation.parameters.air;
        // as much as would use up a velocity of 1 m/s several times within a step
        (air.air, air.drag, air.lift) = (AirMode::Still, 10.0, 0.0);
        simulation.parameters.timing.time_step = 0.05;
        simulation.state.cloth.velocities.iter_mut().for_each(|v| v.y = 3.0);
        for _ in 0..60 {
            advance(&mut simulation, 1);
            let back = simulation.state.cloth.velocities.iter().map(|v| -v.y).fold(0.0, f64::max);
            assert!(back < 1.0, "{back} m/s backwards");
        }
        let fastest = simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(fastest < 0.01, "{fastest} m/s");
    });
}

#[test]
fn a_cloth_tears_by_any_scheme() {
    every(choices(), |choice| {
        let mut scene = Scene::load("tearing").expect("it comes with the program");
        let settings = [
            ("columns", "9"),
            ("rows", "8"),
            ("time_step", "0.0005"),
            ("mass_model", "per_vertex"),
            ("vertex_mass", "0.002"),
            ("tear_strain", "0.012"),
        ];
        for (key, value) in settings {
            scene.set(key, value).expect("in range");
        }
        let mut simulation = scene.build().expect("good");
        choice.apply(&mut simulation);
        simulation.state.grab = Some(Grab { vertex: 44, target: simulation.state.cloth.positions[44] + Vec3::X });
        let mut torn = 0;
        for _ in 0..500 {
            let before = momentum(&simulation);
            torn += simulation.step().unwrap_or_else(|error| panic!("{error}")).torn;
            let change = momentum(&simulation).distance(before);
            assert!(change < 0.2, "a step changes the momentum by {change} kg·m/s");
        }
        assert!(torn > 10, "{torn} vertices");
        assert!(simulation.state.cloth.positions.iter().all(|x| x.length() < 20.0));
    });
}
