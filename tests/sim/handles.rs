//! Handles that jump: a cloth comes to rest below its pins, wherever they go.

use weft::sim::contact::{Collider, Shape};
use weft::sim::pattern::Plane;
use weft::sim::study::contact_laws::step_in;
use weft::sim::{Grab, Motion, Path, Pattern, Pin, Real, Simulation, Turn, Vec3, solvers};

use crate::fixtures::{advance, assert_free, every, steady_solver_ids};

const SIDE: usize = 12;
/// When a handle begins to jump, and how long that takes [s].
const START: Real = 0.2;
const JUMP: Real = 0.001;
/// By how much more than without a jump it may be stretched.
const STRETCH: Real = 0.02;

/// A square of 1 m that hangs from its upper edge, which moves so.
fn hanging(solver: &str, motion: &Motion, self_contact: bool) -> Simulation {
    let pattern = Pattern::grid(SIDE, SIDE, 1.0, 1.0, Plane::Xy);
    let mut simulation = Simulation::new(pattern, Default::default(), solvers::build(solver).expect("registered"));
    let contact = &mut simulation.parameters.contact;
    (contact.ground, contact.self_contact) = (false, self_contact);
    let cloth = &mut simulation.state.cloth;
    for vertex in 0..SIDE as u32 {
        let origin = cloth.positions[vertex as usize];
        cloth.pin(Pin { vertex, origin, motion: Some(motion.clone()) });
    }
    step_in(&mut simulation, 1.0 / 60.0);
    simulation
}

fn far_away() -> Motion {
    let points = vec![(START, Vec3::ZERO), (START + JUMP, Vec3::new(8.0, 6.0, 0.0))];
    Path::Waypoints { points, repeat: false }.into()
}

fn half_a_turn() -> Motion {
    let turns = vec![(START, 0.0), (START + JUMP, 0.5)];
    Motion { path: None, turn: Some(Turn { axis: Vec3::Y, center: None, turns, repeat: false, swing: None }) }
}

/// Steps until a while after the jump, and asserts that the cloth hangs as the one that did not jump.
fn jump_and_hang([simulation, still]: [&mut Simulation; 2]) {
    advance(simulation, 41);
    advance(still, 41);
    let [after, rest] = [simulation.largest_stretch(), still.largest_stretch()];
    assert!(after < rest + STRETCH, "a stretch of {after}, {rest} without a jump");
    let positions = &simulation.state.cloth.positions;
    let top = positions[0].y;
    let highest = positions.iter().map(|x| x.y - top).fold(Real::MIN, Real::max);
    assert!(highest < 1e-3, "it stands {highest} m above its pins");
}

#[test]
fn a_cloth_whose_pins_jump_hangs_from_them_as_before() {
    every(steady_solver_ids(), |solver| {
        for motion in [far_away(), half_a_turn()] {
            for self_contact in [false, true] {
                let [mut jumps, mut still] =
                    [&motion, &Motion::default()].map(|motion| hanging(solver, motion, self_contact));
                jump_and_hang([&mut jumps, &mut still]);
            }
        }
    });
}

#[test]
fn a_path_that_starts_again_elsewhere_carries_the_cloth_along() {
    let points = vec![(0.0, Vec3::ZERO), (1.0, Vec3::X * 0.5)];
    let motion = Path::Waypoints { points, repeat: true }.into();
    let mut simulation = hanging("fast-mass-spring", &motion, false);
    for _ in 0..150 {
        advance(&mut simulation, 1);
        let stretch = simulation.largest_stretch();
        assert!(stretch < 0.05, "a stretch of {stretch}");
    }
}

#[test]
fn a_path_beyond_what_can_be_stored_is_an_error_that_names_the_handle() {
    let path = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (1.0, Vec3::X * 1e19)], repeat: false };
    let motion = Motion { path: Some(path), ..Motion::default() };
    let mut simulation = hanging("fast-mass-spring", &motion, false);
    let error = simulation.step().expect_err("it is out of range").to_string();
    assert!(error.contains("from the origin"), "{error}");
}

#[test]
fn pins_that_jump_apart_are_no_failure_of_a_solver() {
    every(steady_solver_ids(), |solver| {
        for self_contact in [false, true] {
            let mut simulation = hanging(solver, &Motion::default(), self_contact);
            if simulation.solver_critical_step().is_some() {
                // such a solver follows only within its step
                continue;
            }
            let origin = simulation.state.cloth.positions[0] - Vec3::X * 10.0;
            simulation.state.cloth.pin(Pin::fixed(0, origin));
            advance(&mut simulation, 30);
        }
    });
}

#[test]
fn a_mouse_that_jumps_is_no_failure_of_a_solver() {
    every(steady_solver_ids(), |solver| {
        for self_contact in [false, true] {
            let mut simulation = hanging(solver, &Motion::default(), self_contact);
            let vertex = simulation.state.cloth.len() as u32 - 1;
            for target in [Vec3::new(10.0, 0.0, 0.0), Vec3::new(-10.0, 0.0, 3.0)] {
                simulation.state.grab = Some(Grab { vertex, target });
                advance(&mut simulation, 30);
            }
        }
    });
}

#[test]
fn no_jump_leads_a_cloth_through_a_collider() {
    let mut simulation = hanging("fast-mass-spring", &far_away(), true);
    let wall = Shape::Plane { normal: Vec3::NEG_X };
    simulation.state.world.colliders.push(Collider::new(wall, Vec3::X * 3.0));
    advance(&mut simulation, 120);
    assert_free(&simulation, "at the wall");
    let farthest = simulation.state.cloth.positions.iter().map(|x| x.x).fold(Real::MIN, Real::max);
    // springs of many times their length press it into the wall
    assert!(farthest < 3.05, "a vertex is at {farthest} m");
}
