//! Contact with colliders.

use std::borrow::Cow;
use std::iter::once;

use proptest::prelude::*;
use weft::sim::contact::{Collider, ContactSettings, Obstacles, Shape, Solid, Table, TableShape};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::partition::Partition;
use weft::sim::{Cloth, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, square, steady_solver_ids};
use crate::pairing::paired;

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Plane { normal: Vec3::Y },
        Shape::Sphere { radius: 0.3 },
        Shape::Box { half_extents: Vec3::new(0.3, 0.1, 0.2) },
        Shape::Capsule { half_height: 0.2, radius: 0.1 },
        Shape::Cylinder { half_height: 0.05, radius: 0.3 },
    ]
}

/// A soft 9×9 cloth over a collider at the origin, with steps that every solver bears.
fn over(solver: &str, collider: Collider, height: f64) -> Simulation {
    let mut simulation = square(solver, 9, 9);
    simulation.parameters.timing.time_step = 0.005;
    simulation.parameters.material.structural_stiffness = 300.0;
    simulation.parameters.material.shear_stiffness = 100.0;
    simulation.state.world.colliders.push(collider);
    let shift = Vec3::new(-0.5, height - 1.0, -0.5);
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x += shift);
    simulation
}

#[test]
#[ignore = "full tier"]
fn no_vertex_is_inside_a_collider_after_a_step() {
    every(paired(steady_solver_ids(), shapes(), 2), |(solver, shape)| {
        let collider = Collider::new(shape.clone(), Vec3::ZERO).rotated(Vec3::new(0.2, 0.0, 0.3));
        let mut simulation = over(solver, collider.clone(), 0.6);
        let thickness = simulation.parameters.contact.thickness;
        let solid = Solid::new(&collider, thickness);
        let mut touched = false;
        for _ in 0..200 {
            simulation.step().expect("stable");
            for x in &simulation.state.cloth.positions {
                if let Some(surface) = solid.nearest(*x) {
                    touched = true;
                    let distance = surface.distance;
                    assert!(distance > 0.9 * thickness, "{solver}, {shape:?}: {distance} m from the surface");
                }
            }
        }
        assert!(touched, "{solver}, {shape:?}: the cloth never arrived");
    });
}

#[test]
fn a_fast_cloth_does_not_pass_through_a_thin_box() {
    every(steady_solver_ids(), |solver| {
        let plate = Collider::new(Shape::Box { half_extents: Vec3::new(2.0, 0.005, 2.0) }, Vec3::ZERO);
        let mut simulation = over(solver, plate, 0.4);
        simulation.state.cloth.velocities.iter_mut().for_each(|v| v.y = -60.0);
        for _ in 0..20 {
            simulation.step().expect("stable");
        }
        let lowest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0, "{solver}: a vertex is at {lowest} m");
    });
}

#[test]
fn a_vertex_that_friction_stops_at_once_stays_where_its_path_first_touches() {
    let ball = Collider::new(Shape::Sphere { radius: 0.3 }, Vec3::ZERO);
    let contact = ContactSettings { thickness: 0.008, friction: 1000.0, ..ContactSettings::default() };
    let touched = Vec3::new(1.0, 1.0, 0.0).normalize() * 0.308;
    // ends in the thickness, from near and from afar, and in the ball
    for (before, after) in [(0.004, 2e-4), (0.02, 2e-4), (0.02, 0.015)] {
        let from = touched + Vec3::Y * before;
        let mut cloth = Cloth::at_rest(vec![from], vec![0.01]);
        let (mut obstacles, mut partition) = (Obstacles::default(), Partition::default());
        partition.update(&cloth, None, 0.0, 0.01);
        obstacles.update(|| once(Cow::Borrowed(&ball)), None, &contact, 0.0, 0.01);
        cloth.positions[0] = touched - Vec3::Y * after;
        cloth.velocities[0] = (cloth.positions[0] - from) / 0.01;
        obstacles.resolve(&[from], &partition, &mut cloth, 0.01, &ThreadPool::alone());
        let off = cloth.positions[0].distance(touched);
        assert!(off < 3e-4, "from {before} m above to {after} m below: {off} m away");
    }
}

/// Speed along an incline [m/s] of a cloth that has slid for a second from rest.
fn slide(solver: &str, incline: f64, friction: f64) -> f64 {
    let normal = Vec3::new(incline.sin(), incline.cos(), 0.0);
    let mut simulation = over(solver, Collider::new(Shape::Plane { normal }, Vec3::ZERO), 0.0);
    simulation.parameters.contact.friction = friction;
    let along = Vec3::new(normal.y, -normal.x, 0.0);
    let lift = normal * simulation.parameters.contact.thickness;
    for x in &mut simulation.state.cloth.positions {
        *x = along * x.x + Vec3::Z * x.z + lift;
    }
    for _ in 0..200 {
        simulation.step().expect("stable");
    }
    simulation.state.cloth.mean_velocity().dot(along)
}

/// Some of the approximate methods lose momentum by nature.
fn falls_freely(solver: &str) -> bool {
    solvers::build(solver).expect("registered").info().keeps.free_fall
}

#[test]
fn a_cloth_sticks_to_an_incline_below_the_angle_of_friction_and_slides_as_coulomb_says_above() {
    let (g, incline) = (9.8, 0.5_f64);
    every(steady_solver_ids(), |solver| {
        let stuck = slide(solver, incline, 1.2 * incline.tan());
        assert!(stuck.abs() < 1e-3, "{solver}: creeps at {stuck} m/s");
        for friction in [0.0, 0.2, 0.4] {
            let expected = g * (incline.sin() - friction * incline.cos());
            let speed = slide(solver, incline, friction);
            if !falls_freely(solver) {
                assert!((0.3 * expected..expected).contains(&speed), "{solver}, μ = {friction}: {speed} m/s");
                continue;
            }
            assert!(
                (speed - expected).abs() < 0.03 * expected,
                "{solver}, μ = {friction}: {speed} m/s, not {expected}"
            );
        }
    });
}

#[test]
fn a_cloth_that_slides_over_the_floor_is_stopped_though_its_springs_are_strained() {
    // methods that make momentum of their own have none to lose
    let keeps_momentum = |id: &&str| solvers::build(id).expect("registered").info().keeps.momentum;
    every(steady_solver_ids().filter(keeps_momentum), |solver| {
        let mut simulation = over(solver, Collider::new(Shape::Plane { normal: Vec3::Y }, Vec3::ZERO), 0.0);
        simulation.parameters.contact.friction = 0.4;
        let height = simulation.parameters.contact.thickness;
        let start = simulation.state.cloth.positions.clone();
        // strained far beyond what friction holds, as a cloth is that has crumpled
        for (i, (x, v)) in
            simulation.state.cloth.positions.iter_mut().zip(&mut simulation.state.cloth.velocities).enumerate()
        {
            let phase = i as f64;
            *x = start[i].with_y(height) + Vec3::new((1.3 * phase).sin(), 0.0, (2.1 * phase).cos()) * 0.01;
            *v = Vec3::X * 0.1;
        }
        // all of it would stop within 25 ms
        let steps = (0.25 / simulation.parameters.timing.time_step).ceil() as usize;
        advance(&mut simulation, steps);
        let speed = simulation.state.cloth.mean_velocity().x;
        assert!(speed.abs() < 0.01, "{solver}: it goes on at {speed} m/s");
    });
}

#[test]
fn restitution_gives_back_its_share_of_the_approach() {
    let mut simulation = over("symplectic-euler", Collider::new(Shape::Plane { normal: Vec3::Y }, Vec3::ZERO), 0.1);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.contact.restitution = 0.5;
    simulation.parameters.contact.friction = 0.0;
    simulation.state.cloth.velocities.iter_mut().for_each(|v| *v = Vec3::new(0.3, -2.0, 0.0));
    for _ in 0..40 {
        simulation.step().expect("stable");
    }
    for v in &simulation.state.cloth.velocities {
        assert!(v.distance(Vec3::new(0.3, 1.0, 0.0)) < 1e-9, "{v}");
    }
}

#[test]
fn a_draped_cloth_comes_to_rest_and_does_not_stretch_at_the_edge() {
    for solver in ["implicit-euler", "fast-mass-spring"] {
        for table_shape in [TableShape::Round, TableShape::Square] {
            let mut simulation = square(solver, 21, 21);
            simulation.parameters.timing.time_step = 1.0 / 60.0;
            simulation.parameters.mass.vertex_mass = 0.15 / 441.0;
            simulation.parameters.table = Table { table: true, table_shape, table_width: 0.5, table_height: 0.6 };
            simulation.state.cloth.positions.iter_mut().for_each(|x| *x += Vec3::new(-0.5, -0.3, -0.5));
            for _ in 0..360 {
                simulation.step().expect("stable");
            }
            let (stretch, kinetic) = (simulation.largest_stretch(), simulation.energy().kinetic);
            // the response after the step alone leaves 100 % here
            assert!(stretch < 0.12, "{solver}, {table_shape:?}: stretched by {stretch}");
            assert!(kinetic < 1e-4, "{solver}, {table_shape:?}: still moving with {kinetic} J");
            let lowest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            assert!((0.1..0.5).contains(&lowest), "{solver}: the edge hangs at {lowest} m");
        }
    }
}

#[test]
fn the_table_can_be_put_under_and_taken_away_while_the_cloth_moves() {
    let mut simulation = square("fast-mass-spring", 11, 11);
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x += Vec3::new(-0.5, -0.2, -0.5));
    simulation.parameters.table.table = true;
    advance(&mut simulation, 200);
    let middle = simulation.state.cloth.positions[60].y;
    assert!((0.6..0.65).contains(&middle), "{middle}");
    simulation.parameters.table.table = false;
    advance(&mut simulation, 60);
    assert!(simulation.state.cloth.positions[60].y < 0.4);
}

proptest! {
    #[test]
    fn the_nearest_surface_is_where_moving_by_the_distance_leads(
        which in 0_usize..5,
        x in [-0.5_f64..0.5, -0.5_f64..0.5, -0.5_f64..0.5].prop_map(Vec3::from),
        turn in [-3.0_f64..3.0, -3.0_f64..3.0, -3.0_f64..3.0].prop_map(Vec3::from),
    ) {
        let collider = Collider::new(shapes()[which].clone(), Vec3::new(0.1, -0.2, 0.3)).rotated(turn);
        let solid = Solid::new(&collider, 5.0);
        let surface = solid.nearest(x).expect("within reach");
        prop_assert!((surface.normal.length() - 1.0).abs() < 1e-9);
        let foot = solid.nearest(x - surface.normal * surface.distance).expect("within reach");
        prop_assert!(foot.distance.abs() < 1e-6, "{} m off", foot.distance);
    }
}

#[test]
fn what_lies_on_the_floor_leaves_it_as_if_nothing_had_been_there() {
    // Bouaziz et al. 2014, section 6: one-sided planes do not stick
    every(["projective-dynamics", "fast-mass-spring", "implicit-newton", "symplectic-euler"], |solver| {
        let mut simulation = square(solver, 5, 5);
        simulation.parameters.contact.ground = true;
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.y = 0.02);
        advance(&mut simulation, 100);
        let lies = simulation.state.cloth.positions[12].y;
        assert!(lies <= 2.0 * simulation.parameters.contact.thickness, "{solver}: {lies} m over the floor");
        simulation.state.cloth.velocities.fill(Vec3::Y);
        advance(&mut simulation, 15);
        let speed = 1.0 - 9.8 * 15.0 * simulation.parameters.timing.time_step;
        for (x, v) in simulation.state.cloth.positions.iter().zip(&simulation.state.cloth.velocities) {
            assert!((v.y - speed).abs() < 1e-4 && x.y > lies + 0.04, "{solver}: {x}, {v}, not {speed} m/s");
        }
    });
}
