//! The stretch limit, which is the same for every solver.

use weft::sim::contact::{Collider, Shape};
use weft::sim::forces::air::{Air, AirMode};
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::solver_interface::Ability;
use weft::sim::step::timing::Scheme;
use weft::sim::{Grab, Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, rippled, solver_ids, square, steady_solver_ids};
use crate::pairing::paired;
use crate::promises::momentum;

/// A cloth of cotton, a metre square, that hangs from its two upper corners.
fn hung(solver: &str, size: usize) -> Simulation {
    let pattern = Pattern::grid(size, size, 1.0, 1.0, Plane::Xy);
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.air = Air { air: AirMode::Still, drag: 4e-3, lift: 0.0, ..Air::default() };
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(size as u32 - 1);
    simulation
}

fn limit(simulation: &mut Simulation, percent: f64) {
    simulation.parameters.stretch.limit_stretch = true;
    simulation.parameters.stretch.stretch_limit = percent;
}

#[test]
fn a_cloth_hung_from_two_corners_comes_to_rest_within_its_limit() {
    // without one the corners give way
    let mut free = hung("implicit-euler", 40);
    free.parameters.material.damping = 0.03;
    advance(&mut free, 150);
    assert!(free.largest_stretch() > 0.1, "{}", free.largest_stretch());
    let solvers = ["symplectic-euler", "stable-mass-spring", "implicit-euler", "fast-mass-spring"];
    every(solvers, |solver| {
        let mut simulation = hung(solver, 40);
        simulation.parameters.material.damping = 0.03;
        limit(&mut simulation, 5.0);
        let explicit = simulation.solver_critical_step().is_some();
        if explicit {
            // small steps from where another solver has come to rest
            assert!(simulation.set_solver("implicit-euler"));
        }
        advance(&mut simulation, 150);
        if explicit {
            assert!(simulation.set_solver(solver));
            simulation.parameters.timing.time_step = 0.5 * simulation.critical_step();
            advance(&mut simulation, 1500);
        }
        let squares = simulation.state.cloth.velocities.iter().map(|v| v.length_squared());
        let speed = (squares.sum::<f64>() / simulation.state.cloth.len() as f64).sqrt();
        let stats = simulation.step().expect("stable");
        // an explicit method damps hardly more than the material does: it still swings in its plane, by millimetres
        assert!(speed < if explicit { 0.2 } else { 0.02 }, "{solver} is not at rest: {speed} m/s");
        assert!(simulation.largest_stretch() <= 0.055, "{solver}: {}", simulation.largest_stretch());
        assert!((simulation.largest_stretch() - stats.stretch_left).abs() < 1e-12, "{solver} says what is left");
    });
}

#[test]
#[ignore = "full tier"]
fn a_limit_adds_no_energy() {
    every(paired([()], steady_solver_ids(), 8).map(|(_, solver)| solver), |solver| {
        let mut simulation = square(solver, 9, 9);
        simulation.parameters.mass.vertex_mass = 0.005;
        simulation.parameters.material.damping = 0.0;
        simulation.parameters.timing.time_step = 1e-3;
        simulation.state.cloth.pin_here(0);
        simulation.state.cloth.pin_here(8);
        limit(&mut simulation, 2.0);
        // what the springs have stored counts where it is known; a step late, which is less than a hundredth of the fall
        let energy = |simulation: &Simulation| {
            let energy = simulation.energy();
            energy.kinetic + energy.potential + energy.elastic.unwrap_or(0.0)
        };
        let (start, fall) = (energy(&simulation), 81.0 * 0.005 * 9.8);
        for step in 0..1500 {
            advance(&mut simulation, 1);
            let gained = energy(&simulation) - start;
            assert!(gained < 0.01 * fall, "{solver} has {gained} J more after step {step}");
        }
        assert!(simulation.largest_stretch() < 0.05, "{solver}: {}", simulation.largest_stretch());
    });
}

#[test]
fn a_limit_keeps_momentum_and_moves_velocities_with_the_positions() {
    every(["fast-mass-spring", "implicit-euler", "xpbd"], |solver| {
        let mut simulation = rippled(solver, 8, 7);
        simulation.parameters.mass.mass_model = MassModel::AreaDensity;
        simulation.parameters.gravity.gravity = 0.0;
        simulation.parameters.material.structural_stiffness = 1.0;
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.x *= 1.3);
        advance(&mut simulation, 1);
        let before = momentum(&simulation);
        limit(&mut simulation, 3.0);
        simulation.parameters.stretch.stretch_sweeps = 1000;
        let stats = simulation.step().expect("stable");
        assert!(stats.stretch_left < 0.035, "{solver}: {}", stats.stretch_left);
        let drift = momentum(&simulation).distance(before);
        let scale: f64 = simulation
            .state
            .cloth
            .masses
            .iter()
            .zip(&simulation.state.cloth.velocities)
            .map(|(m, v)| m * v.length())
            .sum();
        assert!(drift < 1e-10 * scale, "{solver}: {drift:e} of {scale}");
    });
}

#[test]
fn a_limit_leaves_what_is_prescribed_where_it_is_and_says_what_it_cannot_shorten() {
    every(solver_ids(), |solver| {
        let run = |limited: bool| {
            let mut simulation = square(solver, 5, 5);
            simulation.parameters.timing.time_step = 1e-3;
            if limited {
                limit(&mut simulation, 5.0);
            }
            // two neighbours that are held apart, and a hand
            simulation.state.cloth.positions[1].x += 0.1;
            simulation.state.cloth.pin_here(0);
            simulation.state.cloth.pin_here(1);
            let target = simulation.state.cloth.positions[24] + Vec3::new(0.1, 0.2, 0.0);
            simulation.state.grab = Some(Grab { vertex: 24, target });
            advance(&mut simulation, 20);
            let left = simulation.step().expect("stable").stretch_left;
            ([0, 1, 24].map(|vertex| simulation.state.cloth.positions[vertex]), left, simulation.state.cloth)
        };
        let ((held, left, cloth), (free_held, nothing, free)) = (run(true), run(false));
        assert_eq!(held, free_held, "{solver}");
        assert!((left - 0.4).abs() < 1e-9 && nothing == 0.0, "{solver}: {left} {nothing}");
        // position-based dynamics leaves nothing to shorten
        let stiff = solvers::build(solver).expect("registered").capabilities().stiffness != Ability::Yes;
        assert!(stiff || cloth != free, "{solver}: the rest was shortened");
    });
}

#[test]
#[ignore = "full tier"]
fn a_limit_beyond_what_the_hand_allows_gives_no_speed_to_short_substeps() {
    let adapts = |id: &&str| solvers::build(id).is_some_and(|solver| solver.capabilities().adaptivity == Ability::Yes);
    every(paired([()], solver_ids().filter(adapts), 2).map(|(_, solver)| solver), |solver| {
        let schemes = solvers::build(solver).expect("registered").capabilities().schemes == Ability::Yes;
        let with_schemes = [Scheme::Euler, Scheme::Theta, Scheme::Bdf2];
        for &scheme in if schemes { &with_schemes[..] } else { &with_schemes[..1] } {
            let mut simulation = rippled(solver, 8, 8);
            limit(&mut simulation, 5.0);
            simulation.parameters.timing.scheme = scheme;
            simulation.parameters.timing.theta = 0.55;
            simulation.parameters.timing.adaptive = true;
            simulation.parameters.timing.tolerance = 1e-6;
            simulation.state.cloth.pin_here(0);
            // no way of the threads is short enough
            simulation.state.grab = Some(Grab { vertex: 63, target: simulation.state.cloth.positions[63] * 1.4 });
            advance(&mut simulation, 30);
            let fastest = simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
            let stats = simulation.step().expect("stable");
            assert!(stats.stretch_left > 0.05, "{solver}, {scheme:?}: the hand pulls too far: {}", stats.stretch_left);
            assert!(fastest < 10.0, "{solver}, {scheme:?}: {fastest} m/s");
            assert!(stats.substeps < 1000, "{solver}, {scheme:?}: {} substeps", stats.substeps);
        }
    });
}

#[test]
#[ignore = "full tier"]
fn a_limit_that_hand_and_pins_leave_no_room_for_gives_way_as_far_as_it_must() {
    let solvers = ["fast-mass-spring", "projective-dynamics", "implicit-euler", "xpbd", "stable-mass-spring"];
    every(paired([()], solvers, 2).map(|(_, solver)| solver), |solver| {
        // where the solver pulls at the threads for long, sweeps do not come to an end
        for (substeps, beyond) in [(1, 1.0), (20, 0.03)] {
            let mut simulation = hung(solver, 20);
            simulation.parameters.timing.substeps = substeps;
            limit(&mut simulation, 10.0);
            // from corner to corner it is 2 m along threads; straight down the other edge, 1 m
            let target = simulation.state.cloth.positions[0] + Vec3::new(-0.1, -1.6, 0.3);
            simulation.state.grab = Some(Grab { vertex: 380, target });
            advance(&mut simulation, 120);
            let corners = [0, 19, 380].map(|vertex| simulation.state.cloth.positions[vertex]);
            assert!(corners[2].distance(target) < 1e-9, "the hand has come there");
            let needed = (corners[2].distance(corners[0]) - 1.0).max(0.5 * corners[2].distance(corners[1]) - 1.0);
            let fastest = simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
            let largest = simulation.largest_stretch();
            // without giving way it was 8, in one thread beside the hand
            assert!(largest < needed + beyond, "{solver}, {substeps} substeps: {largest}, where {needed} is needed");
            assert!(fastest < 2.0, "{solver}, {substeps} substeps: {fastest} m/s");
        }
    });
}

#[test]
fn a_limit_gives_the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut simulation = rippled("fast-mass-spring", 80, 80);
            limit(&mut simulation, 1.0);
            simulation.parameters.stretch.limit_shear = true;
            simulation.state.cloth.pin_here(3);
            advance(&mut simulation, 3);
            simulation.state.cloth
        })
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn a_limit_does_not_push_the_cloth_into_what_is_solid() {
    every(["symplectic-euler", "implicit-euler", "fast-mass-spring", "pbd"], |solver| {
        let mut simulation = square(solver, 15, 15);
        simulation.parameters.mass.vertex_mass = 0.001;
        simulation.parameters.material.structural_stiffness = 20.0;
        simulation.parameters.timing.time_step = 2e-3;
        let (middle, radius) = (Vec3::new(0.5, 0.6, 0.5), 0.3);
        simulation.state.world.colliders.push(Collider::new(Shape::Sphere { radius }, middle));
        limit(&mut simulation, 1.0);
        let thickness = simulation.parameters.contact.thickness;
        for _ in 0..400 {
            advance(&mut simulation, 1);
            let nearest = simulation.state.cloth.positions.iter().map(|x| x.distance(middle)).fold(f64::MAX, f64::min);
            assert!(nearest > radius + thickness - 1e-6, "{solver}: {nearest}");
        }
    });
}

#[test]
fn a_limit_holds_meshes_and_what_is_cut_as_well() {
    let grid = Pattern::grid(9, 9, 1.0, 1.0, Plane::Xz);
    let pattern = Pattern::mesh(grid.rest_positions().to_vec(), grid.triangles().to_vec());
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build("fast-mass-spring").expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.material.structural_stiffness = 2.0;
    limit(&mut simulation, 2.0);
    simulation.parameters.stretch.stretch_sweeps = 300;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(8);
    advance(&mut simulation, 60);
    assert!(simulation.cut(&[[4, 13], [13, 22], [22, 31]]) > 0);
    advance(&mut simulation, 120);
    assert!(simulation.largest_stretch() < 0.03, "{}", simulation.largest_stretch());
}
