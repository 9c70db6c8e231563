//! The first scene: what a newcomer sees of each solver.

use weft::scene::Scene;
use weft::sim::solver_interface::{Group, Stability};
use weft::sim::{Simulation, StepError, Vec3, solvers};

use crate::pairing::paired;

/// The first scene with a solver at the settings that the scene has for it.
fn first(solver: &str, self_contact: bool) -> Simulation {
    let mut scene = Scene::load(Scene::FIRST).expect("it comes with the program");
    scene.set_solver(solver).expect("registered");
    scene.parameters.contact.self_contact = self_contact;
    scene.build().expect("a good scene")
}

#[test]
fn what_explodes_on_the_first_scene_is_found_out_at_once_with_contact_as_without() {
    for info in solvers::REGISTRY.iter().map(|entry| entry.info) {
        // its steps are far longer than these bear
        let explodes = matches!(info.stability, Stability::Damped | Stability::Conditional);
        for self_contact in [true, false] {
            let mut simulation = first(info.id, self_contact);
            let steps = if info.capabilities.converges { 10 } else { 30 };
            let ended = (0..steps).map(|_| simulation.step()).find_map(Result::err);
            match ended {
                Some(StepError::Diverged(_)) if explodes => {}
                None if !explodes => {}
                ended => panic!("{}, contact {self_contact}: {ended:?}", info.id),
            }
        }
    }
}

#[test]
fn every_solver_that_holds_keeps_the_first_cloth_within_five_per_cent() {
    let holds = |stability: Stability| !matches!(stability, Stability::Damped | Stability::Conditional);
    for info in solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| holds(info.stability)) {
        let mut simulation = first(info.id, true);
        for _ in 0..if info.capabilities.converges { 10 } else { 60 } {
            simulation.step().expect("stable");
        }
        let stretch = simulation.largest_stretch();
        // what only approximates the implicit step may give way, and its card says so
        let says_so = info.group == Group::ApproximateImplicit && info.summary.contains("Stiff cloth stretches");
        assert!((stretch < 0.05) != says_so, "{}: {stretch}, and its card: {}", info.id, info.summary);
    }
}

#[test]
fn no_solver_that_holds_gains_energy_on_a_hanging_cloth_unless_its_card_says_so() {
    let holds = |stability: Stability| !matches!(stability, Stability::Damped | Stability::Conditional);
    for info in solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| holds(info.stability)) {
        let mut scene = Scene::load("hanging").expect("it comes with the program");
        scene.set_solver(info.id).expect("registered");
        for (key, value) in [("columns", "20"), ("rows", "20")] {
            scene.set(key, value).expect("in range");
        }
        let mut simulation = scene.build().expect("good");
        // some name no energy of their springs
        let total = |simulation: &Simulation| {
            let energy = simulation.energy();
            energy.kinetic + energy.potential + energy.elastic.unwrap_or(0.0)
        };
        let start = total(&simulation);
        let mut most = start;
        for _ in 0..if info.capabilities.converges { 60 } else { 150 } {
            simulation.step().expect("stable");
            most = most.max(total(&simulation));
        }
        let says_so = info.summary.contains("gains energy in fast motion");
        assert!((most < 1.01 * start) != says_so, "{}: from {start} to {most} J", info.id);
    }
}

#[test]
#[ignore = "full tier"]
fn damping_and_strong_air_blow_up_no_solver_that_holds() {
    let holds = |stability: Stability| matches!(stability, Stability::Seen(_) | Stability::Proven(_));
    let some = solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| holds(info.stability));
    let loads: [(&str, &[(&str, &str)]); 5] = [
        ("hanging", &[("damping", "1")]),
        ("hanging", &[("damping", "10")]),
        ("hanging", &[("damping", "100"), ("time_step", "0.1")]),
        ("flag", &[("drag", "10"), ("wind_speed", "20")]),
        ("flag", &[("lift", "10"), ("wind_speed", "20")]),
    ];
    for (info, (name, changes)) in paired(some, loads, 2) {
        let mut scene = Scene::load(name).expect("it comes with the program");
        scene.set_solver(info.id).expect("registered");
        for (key, value) in [("columns", "15"), ("rows", "15")].iter().chain(changes) {
            scene.set(key, value).expect("in range");
        }
        let mut simulation = scene.build().expect("good");
        for _ in 0..200 {
            simulation.step().unwrap_or_else(|error| panic!("{}, {name}, {changes:?}: {error}", info.id));
        }
    }
}

#[test]
#[ignore = "full tier"]
fn a_flag_comes_through_a_hurricane_and_hangs_down_again() {
    let holds = |stability: Stability| matches!(stability, Stability::Seen(_) | Stability::Proven(_));
    for info in solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| holds(info.stability)) {
        let mut scene = Scene::load("flag").expect("it comes with the program");
        scene.set_solver(info.id).expect("registered");
        for (key, value) in [("columns", "16"), ("rows", "12"), ("air", "wind"), ("wind_speed", "120"), ("gust", "1")] {
            scene.set(key, value).expect("in range");
        }
        let mut simulation = scene.build().expect("good");
        let run = |simulation: &mut Simulation, steps: usize| {
            for _ in 0..steps {
                simulation.step().unwrap_or_else(|error| panic!("{}: {error}", info.id));
            }
            simulation.state.cloth.centroid()
        };
        run(&mut simulation, 60);
        simulation.parameters.air.wind_speed = 0.0;
        // below the middle of the edge that is held; approximations of the implicit step fall slowly
        let held: Vec<_> = simulation.state.cloth.pins().iter().map(|pin| pin.origin).collect();
        let middle = held.iter().sum::<Vec3>() / held.len() as f64;
        let mut calm = middle;
        for _ in 0..20 {
            if calm.y >= middle.y {
                calm = run(&mut simulation, 60);
            }
        }
        assert!(calm.y < middle.y, "{}: {calm}, held at {middle}", info.id);
    }
}

#[test]
fn a_cloth_that_starts_in_a_ball_comes_out_of_it_without_speed() {
    let holds = |stability: Stability| !matches!(stability, Stability::Damped | Stability::Conditional);
    let infos = solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| holds(info.stability));
    for (_, info) in paired([()], infos, 8) {
        let run = |height: f64| {
            let text = format!(
                "(grid: (columns: 25, rows: 25, width: 1, height: 1, plane: flat), position: (0, 0.75, 0), pins: none, \
                 colliders: [(shape: Sphere(radius: 0.3), position: (0, {height}, 0))])"
            );
            let mut scene = Scene::parse(&text, "inside.ron").expect("a scene");
            scene.set_solver(info.id).expect("registered");
            let mut simulation = scene.build().expect("good");
            let (mut fastest, mut most): (f64, f64) = (0.0, 0.0);
            for _ in 0..90 {
                simulation.step().unwrap_or_else(|error| panic!("{}: {error}", info.id));
                fastest = simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(fastest, f64::max);
                most = most.max(simulation.largest_stretch());
            }
            (simulation, fastest, most)
        };
        let (simulation, fastest, most) = run(0.7);
        let lowest =
            simulation.state.cloth.positions.iter().map(|x| x.distance(Vec3::Y * 0.7)).fold(f64::INFINITY, f64::min);
        println!("{}: {fastest} m/s, stretched by {most}, {lowest} m from the middle", info.id);
        assert!(lowest > 0.3, "{}: a vertex is still inside, {lowest} m from the middle", info.id);
        // at once it would be 5, and 18 m/s
        let bar = if info.group == Group::ApproximateImplicit { 1.5 } else { 0.5 };
        assert!(most < bar, "{}: stretched by {most}", info.id);
        // short steps see the corners whip round as the cloth wraps the ball, as they do where it
        // falls on the ball from above
        let speed = if simulation.solver().small_steps() > 1 { 1.2 * run(0.44).1 } else { 3.0 };
        assert!(fastest < speed, "{}: {fastest} m/s, not {speed} m/s", info.id);
    }
}

#[test]
fn a_skirt_that_falls_over_the_hips_of_a_body_is_not_drawn_out() {
    let scene = "(
        mesh: (file: \"assets/meshes/skirt.obj\"),
        position: (0, 0.7, 0),
        pins: none,
        mass: (area_density: 0.2),
        material: (structural_stiffness: 300, shear_stiffness: 100),
        contact: (thickness: 0.004, friction: 0.6, self_contact: true, layer_distance: 0.003),
        colliders: [(shape: Mesh(file: \"assets/meshes/torso.obj\"), position: (0, 0.9, 0))],
    )";
    let holds = |stability: Stability| !matches!(stability, Stability::Damped | Stability::Conditional);
    let infos = solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| holds(info.stability));
    for (_, info) in paired([()], infos, 6) {
        let mut scene = Scene::parse(scene, "hips.ron").expect("a scene");
        scene.set_solver(info.id).expect("registered");
        let mut simulation = scene.build().expect("good");
        let mut most: f64 = 0.0;
        for _ in 0..40 {
            simulation.step().unwrap_or_else(|error| panic!("{}: {error}", info.id));
            most = most.max(simulation.largest_stretch());
        }
        // the threads go round the hips faster than they come down; taken for a hit, that drew them out fivefold.
        // Starts up to 4 mm higher give 0.44 to 0.70 with blocks on the device (0.39 to 0.66 before rows were thinned).
        println!("{}: {most}", info.id);
        assert!(most < 0.8, "{}: stretched by {most}", info.id);
    }
}
