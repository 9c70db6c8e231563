//! What contact does where it is asked for the impossible: colliders inside the cloth, cloth through itself, jaws, odd sizes, broken meshes.
//! Nothing of it is an error: the cloth stays finite, no step takes for ever, and what is free of intersections stays so.

use weft::sim::contact::{Collider, Intersections, Shape, Solid, TableShape};
use weft::sim::model::material::Mass;
use weft::sim::model::motion::Path;
use weft::sim::pattern::Plane;
use weft::sim::solver_interface::Stability;
use weft::sim::{Grab, Pattern, Real, Simulation, Vec3, solvers};

use crate::fixtures::{advance, advance_free, assert_free, every, steady_solver_ids};

/// A square cloth of `size` [m] about the origin, `n` by `n` vertices, that cannot pass through itself.
fn cloth(solver: &str, n: usize, size: Real, plane: Plane) -> Simulation {
    from_pattern(solver, Pattern::grid(n, n, size, size, plane), size)
}

fn from_pattern(solver: &str, pattern: Pattern, size: Real) -> Simulation {
    let solver = solvers::build(solver).expect("a registered solver");
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    let middle = simulation.state.cloth.centroid();
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x -= middle);
    simulation.parameters.contact.ground = false;
    simulation.parameters.contact.self_contact = true;
    simulation.parameters.contact.thickness *= size.min(1.0);
    simulation.parameters.contact.layer_distance *= size.min(1.0);
    bear(&mut simulation);
    simulation
}

/// As many substeps as the method needs.
fn bear(simulation: &mut Simulation) {
    if simulation.solver().info().stability == Stability::Conditional
        && let Some(limit) = simulation.solver_critical_step()
    {
        let step = simulation.parameters.timing.time_step;
        simulation.parameters.timing.substeps = (step / (0.4 * limit)).ceil().clamp(1.0, 100.0) as u32;
    }
}

fn count(simulation: &Simulation) -> usize {
    Intersections::default().find(simulation.pattern(), &simulation.state.cloth.positions).len()
}

fn assert_near(simulation: &Simulation, size: Real) {
    for (x, v) in simulation.state.cloth.positions.iter().zip(&simulation.state.cloth.velocities) {
        assert!(x.is_finite() && v.is_finite() && x.length() < 20.0 * size, "a vertex is at {x}, with {v}");
    }
}

/// A ball of `m` by `2 m` faces; every third is turned round, one is left out if there is to be a `hole`, and some have no area.
fn bad_ball(m: u32, hole: bool) -> Shape {
    let columns = 2 * m;
    let at = |i: u32, j: u32| {
        let (a, b) = (f64::from(i) / f64::from(m) * std::f64::consts::PI, f64::from(j % columns) / f64::from(columns));
        let (b, r) = (b * std::f64::consts::TAU, 0.3);
        Vec3::new(r * a.sin() * b.cos(), r * a.cos(), r * a.sin() * b.sin())
    };
    let points = (0..=m).flat_map(|i| (0..columns).map(move |j| at(i, j))).collect();
    let vertex = |i: u32, j: u32| i * columns + j % columns;
    let mut triangles = Vec::new();
    for (i, j) in (0..m).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        let [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j), vertex(i + 1, j + 1)];
        triangles.extend([[a, b, c], [b, d, c]]);
    }
    for (number, triangle) in triangles.iter_mut().enumerate() {
        if number % 3 == 0 {
            triangle.swap(0, 1);
        }
    }
    triangles.extend([[0, 0, 1], [3, 4, 3]]);
    if hole {
        // near the bottom, away from the cloth
        triangles.remove((2 * columns * (m - 2)) as usize);
    }
    Shape::of_triangles(points, triangles)
}

#[test]
#[ignore = "full tier"]
fn a_collider_that_starts_inside_the_cloth_pushes_it_out() {
    let shapes = || {
        [
            Shape::Sphere { radius: 0.2 },
            Shape::Box { half_extents: Vec3::new(0.2, 0.1, 0.2) },
            Shape::Capsule { half_height: 0.2, radius: 0.1 },
            Shape::Cylinder { half_height: 0.15, radius: 0.2 },
        ]
    };
    every(steady_solver_ids(), |solver| {
        for shape in shapes() {
            let mut simulation = cloth(solver, 13, 1.0, Plane::Xz);
            simulation.state.cloth.pin_here(0);
            let collider = Collider::new(shape.clone(), Vec3::new(0.01, -0.03, 0.02));
            simulation.state.world.colliders.push(collider.clone());
            // at half a metre per second
            advance_free(&mut simulation, 90, "with a collider inside");
            assert_near(&simulation, 1.0);
            let solid = Solid::new(&collider, 0.01);
            for (i, x) in simulation.state.cloth.positions.iter().enumerate() {
                let inside = solid.nearest(*x).is_some_and(|surface| surface.distance < -1e-3);
                assert!(!inside, "{shape:?}: vertex {i} is still inside, at {x}");
            }
        }
    });
}

#[test]
fn a_cloth_that_starts_through_itself_gets_no_worse() {
    every(steady_solver_ids(), |solver| {
        // two sheets that cross along a line
        let sheet = Pattern::grid(9, 9, 0.5, 0.5, Plane::Xz);
        let mut simulation = from_pattern(solver, Pattern::join([&sheet, &sheet]), 0.5);
        for x in &mut simulation.state.cloth.positions[81..] {
            (x.x, x.y) = (x.x + 0.013, 0.3 * x.x + 0.011);
        }
        let start = count(&simulation);
        assert!(start > 10);
        let mut last = start;
        for step in 0..60 {
            advance(&mut simulation, 1);
            last = count(&simulation);
            assert!(last <= start, "step {step}: {last} pairs intersect, {start} did at the start");
        }
        assert_near(&simulation, 100.0);
        assert!(last <= start);
    });
}

#[test]
#[ignore = "full tier"]
fn pieces_that_coincide_exactly_do_no_harm() {
    every(steady_solver_ids(), |solver| {
        let sheet = Pattern::grid(9, 9, 0.5, 0.5, Plane::Xz);
        let mut simulation = from_pattern(solver, Pattern::join([&sheet, &sheet]), 0.5);
        simulation.parameters.contact.ground = true;
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.y += 0.1);
        let start = count(&simulation);
        assert!(start > 0);
        let mut last = start;
        for step in 0..40 {
            let stats = simulation.step().expect("stable");
            // sheets that lie in each other are moved apart by what sums keep, or touch wherever they meet
            let now = count(&simulation);
            assert!(now < start || stats.touching as usize > start, "{now} pairs intersect, {} touch", stats.touching);
            assert!(now <= last, "step {step}: {now} pairs intersect, {last} did before");
            last = now;
        }
        assert_near(&simulation, 1.0);
    });
}

#[test]
fn jaws_that_close_on_a_folded_cloth_leave_it_free_of_intersections() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = cloth(solver, 11, 1.0, Plane::Xz);
        // folded in two, with 2 cm between
        for x in &mut simulation.state.cloth.positions {
            if x.x > 0.0 {
                (x.x, x.y) = (-x.x, x.y + 0.03);
            }
        }
        let jaw = || Shape::Box { half_extents: Vec3::new(0.6, 0.1, 0.3) };
        let closing = |way: Real| {
            let points = vec![(0.0, Vec3::ZERO), (0.3, Vec3::Y * (0.115 * way)), (0.6, Vec3::ZERO)];
            let path = Some(Path::Waypoints { points, repeat: false });
            Collider { path, ..Collider::new(jaw(), Vec3::new(-0.2, 0.015 - 0.22 * way, 0.0)) }
        };
        simulation.state.world.colliders.extend([closing(1.0), closing(-1.0)]);
        simulation.state.grab = Some(Grab { vertex: 40, target: Vec3::new(0.0, 0.3, 0.0) });
        advance_free(&mut simulation, 50, "between the jaws");
        assert_near(&simulation, 1.0);
    });
}

#[test]
fn a_thickness_larger_than_a_cell_only_keeps_the_cloth_away() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = cloth(solver, 9, 0.4, Plane::Xz);
        // cells of 5 cm
        simulation.parameters.contact.thickness = 0.1;
        simulation.parameters.contact.layer_distance = 0.1;
        let table = &mut simulation.parameters.table;
        (table.table, table.table_shape, table.table_width) = (true, TableShape::Square, 0.25);
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.y += 0.72);
        advance_free(&mut simulation, 20, "with a thick skin");
        assert_near(&simulation, 1.0);
        let under =
            simulation.state.cloth.positions.iter().filter(|x| x.x.abs() < 0.1 && x.z.abs() < 0.1 && x.y < 0.69);
        assert_eq!(under.count(), 0, "vertices are nearer to the table than the thickness");
    });
}

#[test]
fn cloth_of_a_millimetre_and_of_a_kilometre_falls_on_a_ball_of_its_size() {
    every(steady_solver_ids(), |solver| {
        for size in [1e-3, 1e3] {
            let mut simulation = cloth(solver, 11, size, Plane::Xz);
            let ball = Collider::new(Shape::Sphere { radius: 0.3 * size }, Vec3::NEG_Y * (0.35 * size));
            simulation.state.world.colliders.push(ball);
            simulation.parameters.contact.ground = true;
            simulation.state.cloth.positions.iter_mut().for_each(|x| x.y += 0.75 * size);
            simulation.state.world.colliders[0].position.y += 0.75 * size;
            // as long as it takes to fall by its size, and as stiff as it is heavy
            simulation.parameters.timing.time_step = (1.0 / 60.0) * size.sqrt();
            let material = &mut simulation.parameters.material;
            (material.structural_stiffness, material.shear_stiffness) = (100.0 * size, 50.0 * size);
            (material.bend_stiffness, material.damping) = (size, 1e-3 * size.powf(1.5));
            bear(&mut simulation);
            advance_free(&mut simulation, 40, "at that size");
            assert_near(&simulation, size);
        }
    });
}

#[test]
fn of_a_distance_of_layers_beyond_a_cell_no_more_acts_than_an_edge_is_long() {
    // two sheets with cells of 2 cm, one of which falls on the other
    let run = |distance: Real| {
        let sheet = Pattern::grid(17, 17, 0.32, 0.32, Plane::Xz);
        let mut simulation = from_pattern("projective-dynamics", Pattern::join([&sheet, &sheet]), 0.32);
        simulation.parameters.contact.ground = true;
        simulation.parameters.contact.layer_distance = distance;
        for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
            *x += if i < 289 { Vec3::new(0.003, 0.01, 0.002) } else { Vec3::Y * 0.025 };
        }
        let mut pairs = 0;
        for _ in 0..60 {
            pairs = pairs.max(simulation.step().expect("stable").near_pairs);
        }
        assert_free(&simulation, "far apart");
        let height = |half: &[Vec3]| half.iter().map(|x| x.y).sum::<Real>() / 289.0;
        let apart = height(&simulation.state.cloth.positions[289..]) - height(&simulation.state.cloth.positions[..289]);
        (simulation.state.cloth.positions, pairs, apart)
    };
    let (far, pairs, apart) = run(0.1);
    assert!(run(0.04).0 == far, "what is beyond the length of an edge makes no difference");
    // 2 cm and diagonals
    assert!((0.015..0.03).contains(&apart), "{apart} m apart");
    assert!(pairs < 40 * 2 * 289, "{pairs} pairs");
    assert!(run(0.004).2 < 0.006);
}

#[test]
fn the_thickness_may_be_larger_than_the_cloth() {
    let mut simulation = cloth("fast-mass-spring", 11, 1e-3, Plane::Xz);
    simulation.parameters.contact.ground = true;
    (simulation.parameters.contact.thickness, simulation.parameters.contact.layer_distance) = (0.1, 0.1);
    simulation.state.cloth.positions.iter_mut().for_each(|x| x.y += 0.05);
    advance_free(&mut simulation, 60, "with a thickness of a hundred times its size");
    assert_near(&simulation, 1.0);
}

#[test]
#[ignore = "full tier"]
fn meshes_with_inverted_faces_holes_and_faces_without_area_hold_the_cloth() {
    every(steady_solver_ids(), |solver| {
        for hole in [false, true] {
            let mut simulation = cloth(solver, 13, 1.0, Plane::Xz);
            simulation.state.world.colliders.push(Collider::new(bad_ball(12, hole), Vec3::NEG_Y * 0.33));
            advance_free(&mut simulation, 40, "on a mesh with faults");
            assert_near(&simulation, 1.0);
            let middle = simulation.state.cloth.positions[6 * 13 + 6];
            assert!(middle.y > -0.06, "hole {hole}: it has fallen through, to {middle}");
            let inside = simulation.state.cloth.positions.iter().filter(|x| (**x - Vec3::NEG_Y * 0.33).length() < 0.27);
            assert_eq!(inside.count(), 0, "hole {hole}: vertices inside");
        }
    });
}

#[test]
#[ignore = "full tier"]
fn cutting_and_tearing_while_layers_touch_leaves_them_free_of_intersections() {
    every(steady_solver_ids(), |solver| {
        let sheet = Pattern::grid(11, 11, 0.5, 0.5, Plane::Xz);
        let mut simulation = from_pattern(solver, Pattern::join([&sheet, &sheet]), 0.5);
        simulation.parameters.contact.ground = true;
        for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
            *x += if i < 121 { Vec3::new(0.003, 0.01, 0.002) } else { Vec3::Y * 0.017 };
        }
        advance_free(&mut simulation, 10, "before");
        // across the upper one, and across a part of the lower one
        let across = |first: u32| (0..10).map(|k| [first + 11 * k + 5, first + 11 * (k + 1) + 5]).collect::<Vec<_>>();
        assert!(simulation.cut(&across(121)) > 0);
        assert_free(&simulation, "just cut");
        advance_free(&mut simulation, 10, "after a cut");
        assert!(simulation.cut(&across(0)[3..8]) > 0);
        advance_free(&mut simulation, 10, "after a second cut");
        // now torn: the upper one is pulled away sideways by a corner
        simulation.parameters.tearing.tearing = true;
        simulation.parameters.tearing.tear_strain = 0.05;
        simulation.state.grab = Some(Grab { vertex: 121, target: Vec3::new(-1.5, 0.3, 0.0) });
        let mut torn = 0;
        for _ in 0..25 {
            torn += simulation.step().expect("stable").torn;
            assert_free(&simulation, "while it tears");
        }
        assert!(torn > 0, "the test tears nothing");
        assert_near(&simulation, 10.0);
    });
}

#[test]
#[ignore = "full tier"]
fn crumpled_layers_that_are_torn_to_shreds_stay_free_of_intersections() {
    every(steady_solver_ids(), |solver| {
        for (round, grabbed) in [(0.0, 131), (1.0, 60)] {
            let sheet = Pattern::grid(11, 11, 0.5, 0.5, Plane::Xz);
            let mut simulation = from_pattern(solver, Pattern::join([&sheet, &sheet]), 0.5);
            simulation.parameters.contact.ground = true;
            for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
                let ripple = 1e-3 * (Real::from(i as u32) * (1.7 + round)).sin();
                *x += if i < 121 { Vec3::new(0.003, 0.01 + ripple, 0.002) } else { Vec3::Y * (0.017 + ripple) };
            }
            advance_free(&mut simulation, 5, "before");
            // weak cloth that is dragged to and fro: the shreds are crumpled, and their corners are split again
            let tearing = &mut simulation.parameters.tearing;
            (tearing.tearing, tearing.tear_strain, tearing.tear_resistance) = (true, 0.03, 0.5);
            let mut torn = 0;
            for step in 0..30 {
                let side = if step % 10 < 5 { 0.8 } else { -0.8 };
                simulation.state.grab =
                    Some(Grab { vertex: grabbed, target: Vec3::new(side, 0.3 - 0.2 * round, side * 0.5) });
                let stats = simulation.step().expect("stable");
                torn += stats.torn;
                // crack faces that touch could not be kept apart
                assert_eq!(stats.touching, 0, "step {step}: crack faces touch");
                assert_free(&simulation, "while it is torn to shreds");
            }
            assert!(torn > 30, "only {torn} vertices were split");
        }
    });
}
