//! Soft pins, of every solver that offers them: springs that hold vertices which have mass and weight of their own.

use weft::sim::contact::{Collider, Shape};
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::step::timing::{Rule, Timing};
use weft::sim::{Grab, Motion, Path, Pattern, Pin, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, farthest, set, solver_ids};

const G: f64 = 9.8;

/// The ids of the solvers that offer soft pins.
fn offering() -> impl Iterator<Item = &'static str> {
    solvers::REGISTRY
        .iter()
        .filter(|entry| (entry.build)().settings().index_of("soft_pins").is_some())
        .map(|e| e.info.id)
}

/// Holds pins and hand by springs of `weight` [N/m].
fn soften(simulation: &mut Simulation, weight: f64) {
    set(simulation, "soft_pins", Setting::Toggle(true));
    set(simulation, "pin_weight", Setting::Real(weight));
}

fn with(solver: &str, pattern: Pattern, weight: f64) -> Simulation {
    let solver = solvers::build(solver).expect("registered");
    let mut simulation = Simulation::new(pattern, Default::default(), solver);
    simulation.parameters.contact.ground = false;
    soften(&mut simulation, weight);
    simulation
}

/// A single vertex, softly held where it is.
fn single(solver: &str, weight: f64) -> Simulation {
    let mut simulation = with(solver, Pattern::mesh(vec![Vec3::Y], Vec::new()), weight);
    simulation.parameters.mass.mass_model = weft::sim::model::material::MassModel::PerVertex;
    simulation.parameters.mass.vertex_mass = 0.05;
    simulation.state.cloth.pin_here(0);
    simulation
}

/// An upright sheet of 0.15 kg, 15 × 15 vertices, whose upper corners are pinned softly, and these corners.
fn sheet(solver: &str, weight: f64) -> (Simulation, [usize; 2]) {
    let pattern = Pattern::grid(15, 15, 1.0, 1.0, Plane::Xy);
    let rest = pattern.rest_positions().to_vec();
    let highest = rest.iter().fold(f64::NEG_INFINITY, |high, x| high.max(x.y));
    let upper = (0..rest.len()).filter(|&i| rest[i].y == highest);
    let left = upper.clone().min_by(|&a, &b| rest[a].x.total_cmp(&rest[b].x)).expect("a row");
    let right = upper.max_by(|&a, &b| rest[a].x.total_cmp(&rest[b].x)).expect("a row");
    let mut simulation = with(solver, pattern, weight);
    [left, right].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex as u32));
    // long steps soon bring it to rest
    simulation.parameters.timing.time_step = 0.1;
    (simulation, [left, right])
}

#[test]
fn a_softly_held_corner_sags_by_its_load_divided_by_the_stiffness() {
    assert!(offering().next().is_some());
    every(offering(), |solver| {
        for weight in [1.0, 10.0, 100.0, 1000.0] {
            let (mut simulation, corners) = sheet(solver, weight);
            assert_eq!(simulation.solver().capabilities().pin_stiffness, Some(weight));
            let starts = simulation.state.cloth.positions.clone();
            advance(&mut simulation, 250);
            let mass: f64 = simulation.state.cloth.masses.iter().sum();
            assert!((mass - 0.15).abs() < 1e-12);
            let expected = 0.5 * mass * G / weight;
            for corner in corners {
                let sag = starts[corner].y - simulation.state.cloth.positions[corner].y;
                assert!((sag / expected - 1.0).abs() < 0.01, "{solver}, {weight} N/m: {sag} m, not {expected}");
                // a spring balance at the pin shows the same load
                let load = simulation.reaction(corner as u32).expect("it knows its forces").y;
                assert!((load / (expected * weight) - 1.0).abs() < 0.01, "{solver}, {weight} N/m: {load} N");
            }
            assert!(
                simulation.state.cloth.velocities.iter().all(|v| v.length() < 1e-3 * expected),
                "{solver}, {weight}"
            );
        }
    });
}

#[test]
fn a_single_vertex_is_a_mass_on_a_spring_by_every_scheme() {
    // v⁺ = v + γ (f⁺ - stage) in each: closed forms of the linear oscillator
    every(offering(), |solver| {
        for (weight, speed) in [(2.0, 0.0), (2.0, 0.7), (3e4, 0.7)] {
            for rule in [Rule::Own, Rule::Theta(0.5), Rule::Theta(0.7)] {
                let mut simulation = single(solver, weight);
                simulation.parameters.timing.set_rule(rule);
                let h = simulation.parameters.timing.time_step;
                let path = Path::Steady { velocity: Vec3::X * speed };
                let motion = Some(Motion { path: Some(path), turn: None });
                simulation.state.cloth.pin(Pin { vertex: 0, origin: Vec3::Y, motion });
                let start = Vec3::new(0.1, 0.9, -0.2);
                (simulation.state.cloth.positions[0], simulation.state.cloth.velocities[0]) = (start, Vec3::ZERO);
                let (mut x, mut v) = (start, Vec3::ZERO);
                let mass = 0.05;
                let theta = if let Rule::Theta(theta) = rule { theta } else { 1.0 };
                for step in 0..120 {
                    let gamma = theta * h;
                    let pin = Vec3::Y + Vec3::X * (speed * h * (f64::from(step) + theta));
                    let stiff = weight * gamma * gamma / mass;
                    let q = (x + v * gamma - Vec3::Y * (G * gamma * gamma) + pin * stiff) / (1.0 + stiff);
                    let w = (q - x) / gamma;
                    (x, v) = (x + (q - x) / theta, v + (w - v) / theta);
                    simulation.step().expect("stable");
                    let cloth = &simulation.state.cloth;
                    let apart = cloth.positions[0].distance(x).max(h * cloth.velocities[0].distance(v));
                    assert!(apart < 1e-10, "{solver}, {weight} N/m, {rule:?}, step {step}: {apart:e} m");
                }
            }
        }
    });
}

#[test]
fn the_midpoint_rule_keeps_the_energy_of_a_vertex_on_a_soft_pin() {
    every(offering(), |solver| {
        let mut simulation = single(solver, 20.0);
        simulation.parameters.timing = Timing { theta: 0.5, ..simulation.parameters.timing };
        simulation.parameters.timing.set_rule(Rule::Theta(0.5));
        simulation.state.cloth.velocities[0] = Vec3::new(1.0, 0.5, -0.3);
        let total = |simulation: &Simulation| simulation.energy().total().expect("it states all energies");
        // with the mass that it has
        simulation.step().expect("stable");
        let start = total(&simulation);
        for _ in 0..200 {
            simulation.step().expect("stable");
            assert!((total(&simulation) / start - 1.0).abs() < 1e-9, "{solver}: {} of {start} J", total(&simulation));
        }
        assert!(simulation.energy().elastic.is_some_and(|elastic| elastic > 0.0), "{solver}");
    });
}

#[test]
fn a_soft_pin_that_moves_steadily_carries_a_cloth_as_one_that_stays() {
    every(offering(), |solver| {
        for rule in [Rule::Own, Rule::Theta(0.6), Rule::Bdf2] {
            let velocity = Vec3::new(0.7, -0.2, 0.4);
            let [mut still, mut moving] = [Vec3::ZERO, velocity].map(|velocity| {
                let (mut simulation, corners) = sheet(solver, 40.0);
                simulation.parameters.timing.time_step = 1.0 / 60.0;
                simulation.parameters.timing.set_rule(rule);
                for corner in corners {
                    let origin = simulation.state.cloth.positions[corner];
                    let motion = Some(Motion { path: Some(Path::Steady { velocity }), turn: None });
                    simulation.state.cloth.pin(Pin { vertex: corner as u32, origin, motion });
                }
                simulation.state.cloth.velocities.fill(velocity);
                simulation
            });
            advance(&mut still, 40);
            advance(&mut moving, 40);
            let shift = velocity * still.time();
            let moved: Vec<Vec3> = moving.state.cloth.positions.iter().map(|x| *x - shift).collect();
            let apart = farthest(&still.state.cloth.positions, &moved);
            assert!(apart < 1e-7, "{solver}, {rule:?}: {apart:e} m");
        }
    });
}

#[test]
fn a_vertex_in_a_soft_hand_comes_to_it_and_sags_by_its_load() {
    every(offering(), |solver| {
        for (weight, h) in [(50.0, 0.1), (50.0, 0.01), (1e6, 0.01)] {
            let mut simulation = single(solver, weight);
            simulation.parameters.timing.time_step = h;
            let target = Vec3::new(0.3, 1.2, 0.1);
            simulation.state.grab = Some(Grab { vertex: 0, target });
            advance(&mut simulation, 400);
            let sag = target - simulation.state.cloth.positions[0];
            let expected = 0.05 * G / weight;
            assert!(sag.distance(Vec3::Y * expected) < 0.01 * expected, "{solver}, {weight} N/m, {h} s: {sag}");
        }
        // a mouse that jumps
        let mut simulation = single(solver, 1e9);
        simulation.state.grab = Some(Grab { vertex: 0, target: Vec3::X * 100.0 });
        simulation.step().expect("stable");
        let speed = simulation.state.cloth.velocities[0].length();
        assert!((5.0..=15.0).contains(&speed), "{solver}: {speed} m/s");
    });
}

#[test]
fn a_softly_held_vertex_can_be_pushed_away_from_its_pin() {
    every(offering(), |solver| {
        for weight in [1.0, 1e6] {
            let (mut simulation, corners) = sheet(solver, weight);
            simulation.parameters.timing.time_step = 1.0 / 60.0;
            let pin = simulation.state.cloth.positions[corners[0]];
            // a ball comes to the pin from the side
            let (start, way) = (pin + Vec3::Z * 0.5, Vec3::Z * -0.45);
            let path = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (1.0, way)], repeat: false };
            let ball = Collider { path: Some(path), ..Collider::new(Shape::Sphere { radius: 0.2 }, start) };
            simulation.state.world.colliders.push(ball);
            advance(&mut simulation, 90);
            let held = simulation.state.cloth.positions[corners[0]];
            let thickness = simulation.parameters.contact.thickness;
            let depth = 0.2 + thickness - held.distance(start + way);
            assert!(depth < 0.5 * thickness, "{solver}, {weight} N/m: {depth} m inside");
            assert!(held.distance(pin) > 0.14, "{solver}, {weight} N/m: {} m from its pin", held.distance(pin));
        }
    });
}

#[test]
fn pins_become_soft_and_hard_without_a_jump() {
    every(solver_ids(), |to| {
        for solver in offering() {
            let (mut simulation, corners) = sheet(solver, 2.0);
            let pins = corners.map(|corner| simulation.state.cloth.positions[corner]);
            // softly held since just now, a vertex begins to fall
            set(&mut simulation, "soft_pins", Setting::Toggle(false));
            simulation.parameters.timing.time_step = 1.0 / 60.0;
            advance(&mut simulation, 60);
            soften(&mut simulation, 2.0);
            let h = simulation.parameters.timing.time_step;
            simulation.step().expect("stable");
            for (corner, pin) in corners.into_iter().zip(pins) {
                let fall = pin.distance(simulation.state.cloth.positions[corner]);
                assert!(fall > 0.0 && fall < 0.03, "{solver}: {fall} m");
            }
            simulation.parameters.timing.time_step = 0.1;
            advance(&mut simulation, 60);
            let sag = pins[0].distance(simulation.state.cloth.positions[corners[0]]);
            assert!(sag > 0.3, "{solver}: {sag} m");
            // and when they are prescribed again, here or by another method, they catch up
            simulation.parameters.timing.time_step = h;
            if to == solver {
                set(&mut simulation, "soft_pins", Setting::Toggle(false));
            } else {
                assert!(simulation.set_solver(to));
                if simulation.solver().info().stability == weft::sim::solver_interface::Stability::Damped {
                    continue;
                }
                let limit = simulation.solver_critical_step().unwrap_or(h);
                simulation.parameters.timing.substeps = (2.5 * h / limit).ceil() as u32;
            }
            let mut speed = simulation.state.cloth.velocities[corners[0]].length();
            for _ in 0..40 {
                let before = simulation.state.cloth.positions.clone();
                simulation.step().unwrap_or_else(|error| panic!("{solver} to {to}: {error}"));
                let way = before[corners[0]].distance(simulation.state.cloth.positions[corners[0]]);
                assert!(way <= (speed + 100.0 * h) * h + 1e-12, "{solver} to {to}: {way} m in a step");
                speed = way / h;
            }
            for (corner, pin) in corners.into_iter().zip(pins) {
                assert_eq!(simulation.state.cloth.positions[corner], pin, "{solver} to {to}");
            }
        }
    });
}

#[test]
fn a_resumed_run_with_soft_pins_has_the_same_bits() {
    every(offering(), |solver| {
        let (mut simulation, corners) = sheet(solver, 30.0);
        simulation.parameters.timing.time_step = 1.0 / 60.0;
        let target = simulation.state.cloth.positions[corners[1]] + Vec3::new(0.1, 0.2, 0.3);
        simulation.state.grab = Some(Grab { vertex: 100, target });
        advance(&mut simulation, 20);
        let mut resumed = Simulation::resume(&simulation.checkpoint());
        advance(&mut simulation, 20);
        advance(&mut resumed, 20);
        assert_eq!(simulation.state.cloth, resumed.state.cloth, "{solver}");
    });
}

#[test]
fn accelerated_iterations_end_where_plain_ones_do() {
    every(offering(), |solver| {
        let end = |key: &str, count: u32| {
            let (mut simulation, _) = sheet(solver, 30.0);
            simulation.parameters.timing.time_step = 1.0 / 60.0;
            advance(&mut simulation, 10);
            set(&mut simulation, "iterations", Setting::Integer(count));
            simulation.solver_mut().settings_mut().set_text("acceleration", key).expect("a choice");
            advance(&mut simulation, 1);
            simulation.state.cloth.positions
        };
        let exact = end("quasi_newton", 600);
        for (key, count, tolerance) in [("none", 1000, 1e-4), ("chebyshev", 1000, 1e-4), ("anderson", 600, 1e-7)] {
            let apart = farthest(&exact, &end(key, count));
            assert!(apart < tolerance, "{solver}, {key}: {apart:e} m");
        }
    });
}
