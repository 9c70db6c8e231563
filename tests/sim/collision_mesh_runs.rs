//! Cloth and colliders made of triangles, with every solver: nothing passes, whatever the shape and the motion.

use weft::scene::{Scene, Snapshot};
use weft::sim::contact::{Collider, Intersections, Shape};
use weft::sim::model::motion::{Path, Turn};
use weft::sim::pattern::Plane;
use weft::sim::{Grab, Real, Simulation, Vec3};

use crate::colliders::{ball, bear, cloth, mesh};
use crate::fixtures::{advance, every, farthest, steady_solver_ids};

/// A pyramid without a floor, with its tip at the origin: an open sheet with sharp edges, a rim below and a needle of two triangles on top.
fn spike() -> Shape {
    let base = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)].map(|(x, z)| Vec3::new(x, -0.3, z));
    let needle = [Vec3::Y * 0.1, Vec3::new(0.002, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.002)];
    let points: Vec<Vec3> = [Vec3::ZERO].into_iter().chain(base).chain(needle).collect();
    mesh(points, vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [0, 5, 6], [0, 5, 7]])
}

/// Counts of triangles that intersect: among the cloth, and with colliders.
fn counts(simulation: &Simulation, search: &mut Intersections) -> [usize; 2] {
    simulation.find_intersections(search).map(<[_]>::len)
}

/// Takes `count` steps, each of which ends free. Returns how often a collider has waited.
fn advance_free(simulation: &mut Simulation, count: usize) -> u32 {
    let (mut search, mut waited) = (Intersections::default(), 0);
    assert_eq!(counts(simulation, &mut search), [0; 2], "the start");
    for step in 0..count {
        let stats = simulation.step().unwrap_or_else(|error| panic!("{error}"));
        let found = counts(simulation, &mut search);
        assert_eq!(found, [0; 2], "{}, step {step}: {stats:?}", simulation.solver().info().id);
        waited += stats.waiting;
    }
    waited
}

/// A cloth of 1 m, `n` by `n`, that cannot pass through itself, around the origin.
fn guarded(solver: &str, n: usize) -> Simulation {
    let mut simulation = cloth(solver, n, Plane::Xz);
    simulation.parameters.contact.self_contact = true;
    bear(&mut simulation);
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    simulation
}

#[test]
fn a_coarse_cloth_that_falls_on_a_spike_and_is_dragged_over_it_is_not_pierced() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = guarded(solver, 9);
        simulation.state.world.colliders.push(Collider::new(spike(), Vec3::new(0.03, -0.13, 0.02)));
        advance_free(&mut simulation, 30);
        // the hand wants a corner to come through from above
        simulation.state.grab = Some(Grab { vertex: 0, target: Vec3::new(0.2, -0.6, 0.1) });
        advance_free(&mut simulation, 20);
    });
}

#[test]
#[ignore = "full tier"]
fn a_mesh_that_turns_and_moves_fast_does_not_pass_through_the_cloth() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = guarded(solver, 9);
        let turn = Turn {
            axis: Vec3::new(0.2, 0.3, 1.0),
            center: None,
            turns: vec![(0.0, 0.0), (1.0, 2.0)],
            repeat: true,
            swing: None,
        };
        let path =
            Path::Oscillation { amplitude: Vec3::new(0.0, 0.3, 0.1), frequency: Vec3::splat(2.0), phase: Vec3::ZERO };
        let collider = Collider::new(spike(), Vec3::new(0.03, -0.5, 0.02));
        simulation.state.world.colliders.push(Collider { path: Some(path), turn: Some(turn), ..collider });
        let (points, triangles) = ball(2);
        let path = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (0.2, Vec3::NEG_Y * 10.0)], repeat: false };
        let thrown = Collider::new(mesh(points, triangles), Vec3::new(-0.2, 1.0, 0.1));
        simulation.state.world.colliders.push(Collider { path: Some(path), ..thrown });
        simulation.state.cloth.pin_here(0);
        simulation.state.cloth.pin_here(80);
        advance_free(&mut simulation, 25);
    });
}

/// Plates that close on a cloth until they would have passed through each other, and open again.
fn jaws(solver: &str) -> Simulation {
    let mut simulation = guarded(solver, 9);
    simulation.parameters.gravity.gravity = 0.0;
    let plate = |y: Real| {
        let corners = [(-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)].map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec();
        let points = vec![(0.0, Vec3::ZERO), (0.25, Vec3::NEG_Y * (1.2 * y)), (0.5, Vec3::ZERO)];
        let path = Some(Path::Waypoints { points, repeat: false });
        Collider { path, ..Collider::new(mesh(corners, vec![[0, 1, 2], [0, 2, 3]]), Vec3::Y * y) }
    };
    simulation.state.world.colliders.extend([plate(0.1), plate(-0.1)]);
    simulation
}

#[test]
fn jaws_that_would_press_a_cloth_through_themselves_wait_and_catch_up() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = jaws(solver);
        let waited = advance_free(&mut simulation, 20);
        assert!(waited > 0, "nothing has waited");
        advance_free(&mut simulation, 60);
        for collider in &simulation.state.world.colliders {
            let place = collider.place(simulation.time()).0;
            assert!(collider.lag < 1e-9 && place.distance(collider.position) < 1e-9, "it is still at {place}");
        }
    });
}

#[test]
fn a_run_that_is_resumed_while_a_collider_waits_equals_the_one_that_was_not_interrupted() {
    let mut scene = Scene::load("table").expect("it comes with the program");
    scene.set_solver("xpbd").expect("registered");
    let mut simulation = jaws("xpbd");
    let waits = |simulation: &Simulation| simulation.state.world.colliders.iter().any(|collider| collider.lag > 0.0);
    for _ in 0..60 {
        if !waits(&simulation) {
            advance(&mut simulation, 1);
        }
    }
    assert!(waits(&simulation), "nothing waits");
    let text = Snapshot::of(&scene, &simulation).to_json();
    advance(&mut simulation, 10);
    let (_, mut resumed) = Snapshot::parse(&text, "a").expect("just written").restore().expect("good");
    advance(&mut resumed, 10);
    assert_eq!(resumed.state.cloth, simulation.state.cloth);
    assert_eq!(resumed.state.world, simulation.state.world);
}

#[test]
fn a_cloth_that_starts_through_a_sheet_gets_no_worse_and_one_that_starts_in_a_solid_comes_out() {
    every(steady_solver_ids(), |solver| {
        let mut search = Intersections::default();
        // upright, through the lower half of the cloth
        let mut simulation = guarded(solver, 9);
        let corners = vec![Vec3::new(0.2, -0.5, -0.2), Vec3::new(0.2, 0.05, 0.0), Vec3::new(0.2, -0.5, 0.2)];
        simulation
            .state
            .world
            .colliders
            .push(Collider::new(mesh(corners, vec![[0, 1, 2]]), Vec3::new(0.01, 0.0, 0.02)));
        let [own, start] = counts(&simulation, &mut search);
        assert!(own == 0 && start > 0);
        let mut last = start;
        for step in 0..40 {
            advance(&mut simulation, 1);
            let [own, now] = counts(&simulation, &mut search);
            assert!(own == 0 && now <= last, "step {step}: {now} triangles, {last} before");
            last = now;
        }
        let mut simulation = guarded(solver, 13);
        simulation.state.cloth.pin_here(0);
        let (points, triangles) = ball(2);
        simulation.state.world.colliders.push(Collider::new(mesh(points, triangles), Vec3::new(0.01, -0.13, 0.02)));
        let start = counts(&simulation, &mut search)[1];
        assert!(start > 0);
        for step in 0..30 {
            advance(&mut simulation, 1);
            assert_eq!(counts(&simulation, &mut search)[0], 0, "step {step}");
        }
        let end = counts(&simulation, &mut search)[1];
        assert!(end < start, "{end} triangles of {start}");
    });
}

#[test]
fn a_mesh_of_a_millimetre_and_one_of_a_kilometre_hold_the_cloth() {
    for solver in ["xpbd", "projective-dynamics", "implicit-euler", "stable-mass-spring"] {
        for size in [1e-3, 1e3] {
            let mut simulation = guarded(solver, 9);
            simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= size);
            let pattern = weft::sim::Pattern::grid(9, 9, size, size, Plane::Xz);
            let solver = weft::sim::solvers::build(solver).expect("registered");
            let mut sized = Simulation::new(pattern, simulation.parameters.mass, solver);
            sized.parameters = simulation.parameters;
            sized.state.cloth.positions.clone_from(&simulation.state.cloth.positions);
            let contact = &mut sized.parameters.contact;
            (contact.thickness, contact.layer_distance) = (0.008 * size.min(1.0), 0.004 * size.min(1.0));
            sized.parameters.timing.time_step = size.sqrt() / 60.0;
            let material = &mut sized.parameters.material;
            (material.structural_stiffness, material.shear_stiffness) = (100.0 * size, 50.0 * size);
            (material.bend_stiffness, material.damping) = (size, 1e-3 * size.powf(1.5));
            let (points, triangles) = ball(2);
            let points = points.iter().map(|x| *x * size).collect();
            sized.state.world.colliders.push(Collider::new(mesh(points, triangles), Vec3::NEG_Y * (0.32 * size)));
            advance_free(&mut sized, 30);
        }
    }
}

#[test]
fn triangles_of_a_mesh_that_are_far_from_the_cloth_change_nothing() {
    // a land of the same triangles, from -reach to reach
    let run = |reach: Real| {
        let n = (180.0 * reach) as u32 + 1;
        let at = |k: u32| Real::from(k) / 90.0 - reach;
        let point = |i, j| Vec3::new(at(i), 0.02 * (9.0 * at(i)).sin() * (7.0 * at(j)).cos() - 0.04, at(j));
        let points = (0..n * n).map(|k| point(k / n, k % n)).collect();
        let corners = (0..n - 1).flat_map(|i| (0..n - 1).map(move |j| i * n + j));
        let land = mesh(points, corners.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]).collect());
        let mut simulation = guarded("xpbd", 13);
        simulation.state.world.colliders.push(Collider::new(land, Vec3::ZERO));
        advance_free(&mut simulation, 3);
        advance(&mut simulation, 20);
        advance_free(&mut simulation, 3);
        simulation.state.cloth.positions
    };
    let (small, large) = (run(1.0), run(2.0));
    let off = farthest(&small, &large);
    // the order of the pairs rounds differently
    assert!(off < 1e-4, "{off} m");
}
