//! What the step of a scheme is to those who look into it: a minimum, forces that balance, substeps that adapt.

use weft::scene::Scene;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::forces::air::AirMode;
use weft::sim::measure::{MOST_PROBES, Rest};
use weft::sim::params::Setting;
use weft::sim::step::timing::Scheme;
use weft::sim::{Observe, Path, Pin, Simulation, Vec3, solvers};

use super::{choices, choose};
use crate::fixtures::{Named, advance, every, farthest, rippled, set};
use crate::promises::converge;

/// A cloth with a pin that moves, damping and wind.
fn busy(solver: &str) -> Simulation {
    let mut simulation = rippled(solver, 7, 7);
    simulation.parameters.material.damping = 0.3;
    simulation.parameters.air.air = AirMode::Wind;
    let origin = simulation.state.cloth.positions[0];
    let path = Path::Oscillation { amplitude: Vec3::splat(0.05), frequency: Vec3::splat(2.0), phase: Vec3::ZERO };
    simulation.state.cloth.pin(Pin { vertex: 0, origin, motion: Some(path.into()) });
    simulation
}

#[test]
fn the_step_ends_at_the_minimum_of_what_the_method_says_that_it_minimises() {
    every(choices(), |choice| {
        let mut simulation = busy(choice.solver);
        choice.apply(&mut simulation);
        converge(&mut simulation);
        advance(&mut simulation, 4);
        let frozen = simulation.freeze();
        let before = simulation.state.cloth.clone();
        let pool = ThreadPool::alone();
        let input = frozen.input(&pool);
        let mut method = simulation.solver_like(choice.solver).expect("registered");
        let method = method.minimiser().expect("it minimises");
        let mut q = Vec::new();
        input.predict(&frozen.state.cloth, &mut q);
        let mut last = method.objective(&frozen.state.cloth, &input, &q).expect("without contacts");
        for _ in 0..300 {
            let solved = method.iterate(&frozen.state.cloth, &input, &mut q).expect("fine").solved;
            let now = method.objective(&frozen.state.cloth, &input, &q).expect("without contacts");
            assert!(now <= last + 1e-12 * last.abs(), "{last} J, then {now} J");
            last = now;
            if solved {
                break;
            }
        }
        advance(&mut simulation, 1);
        // where the step ends follows from the minimum
        let share = if choice.scheme == Scheme::Bdf2 { 1.0 } else { choice.theta };
        for (i, (from, q)) in before.positions.iter().zip(&q).enumerate().skip(1) {
            let end = *from + (*q - *from) / share;
            let off = simulation.state.cloth.positions[i].distance(end);
            assert!(off < 1e-8, "vertex {i}: {off:e} m");
        }
    });
}

#[test]
fn the_objective_never_rises_on_an_irregular_mesh_with_all_constraints() {
    let mut scene = Scene::load("mesh").expect("it comes with the program");
    scene.set_solver("projective-dynamics").expect("registered");
    for (_, scheme, theta) in super::SECOND {
        let mut simulation = scene.build().expect("good");
        choose(&mut simulation, scheme, theta);
        for key in ["edge_strain", "triangle_strain", "area", "bending"] {
            set(&mut simulation, key, Setting::Toggle(true));
        }
        simulation.parameters.contact.ground = false;
        simulation.parameters.timing.time_step = 0.005;
        advance(&mut simulation, 10);
        let frozen = simulation.freeze();
        let pool = ThreadPool::alone();
        let input = frozen.input(&pool);
        assert!(input.contacts.is_empty(), "the cloth is still in the air");
        let mut method = simulation.solver_like("projective-dynamics").expect("registered");
        let method = method.minimiser().expect("it minimises");
        let mut q = Vec::new();
        input.predict(&frozen.state.cloth, &mut q);
        let mut last = f64::INFINITY;
        for _ in 0..20 {
            let now = method.objective(&frozen.state.cloth, &input, &q).expect("without contacts");
            assert!(now <= last * (1.0 + 1e-12), "{scheme:?}: {last} J, then {now} J");
            last = now;
            method.iterate(&frozen.state.cloth, &input, &mut q).expect("fine");
        }
    }
}

#[test]
fn forces_by_kind_add_up_and_a_solved_step_leaves_none_unbalanced() {
    every(choices(), |choice| {
        let mut simulation = busy(choice.solver);
        choice.apply(&mut simulation);
        converge(&mut simulation);
        let vertices = [1, 8, 24, 48];
        let mut probes = [None; MOST_PROBES];
        probes.iter_mut().zip(vertices).for_each(|(probe, vertex)| *probe = Some(vertex));
        simulation.observe = Observe { probes, residual: true, air_work: true };
        advance(&mut simulation, 6);
        for vertex in vertices {
            let reading = simulation.read_vertex(vertex).expect("there is such a vertex");
            let (kind, left) = reading.forces.rest.expect("observed");
            assert_eq!(kind, Rest::Unbalanced);
            let weight = 9.8 * reading.mass;
            assert!(
                left.length() < 1e-5 * weight,
                "vertex {vertex}: {} N are left of a weight of {weight} N",
                left.length()
            );
            let residual = simulation.residuals()[vertex as usize];
            assert!(residual < 1e-5 * weight, "vertex {vertex}: residual {residual} N");
            let sum: Vec3 = reading.forces.by_kind().map(|(_, force)| force).sum();
            let inertia = reading.acceleration.expect("observed") * reading.mass;
            assert!(sum.distance(inertia) < 1e-9 * (1.0 + inertia.length()));
        }
    });
}

#[test]
fn to_look_at_a_step_changes_no_bit() {
    every(choices(), |choice| {
        let run = |observe: Observe| {
            let mut simulation = busy(choice.solver);
            choice.apply(&mut simulation);
            simulation.observe = observe;
            advance(&mut simulation, 8);
            let _ = simulation.freeze();
            advance(&mut simulation, 2);
            simulation.state.cloth
        };
        let mut probes = [None; MOST_PROBES];
        probes[0] = Some(9);
        assert_eq!(run(Observe { probes, residual: true, air_work: true }), run(Observe::default()));
    });
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    every(choices(), |choice| {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut simulation = rippled(choice.solver, 130, 130);
                choice.apply(&mut simulation);
                simulation.parameters.timing.time_step = 0.001;
                simulation.state.cloth.pin_here(0);
                advance(&mut simulation, 3);
                simulation.state.cloth
            })
        };
        assert_eq!(run(1), run(3));
    });
}

/// Substeps that an adaptive run takes, and how far it ends from a fine one [m].
fn adaptive(scheme: Scheme, theta: f64, tolerance: f64, fine: Option<&[Vec3]>) -> (u32, f64, Vec<Vec3>) {
    let mut simulation = rippled("implicit-newton", 6, 6);
    simulation.parameters.material.damping = 0.0;
    simulation.state.cloth.pin_here(0);
    choose(&mut simulation, scheme, theta);
    simulation.parameters.timing.time_step = 0.02;
    (simulation.parameters.timing.adaptive, simulation.parameters.timing.tolerance) = (true, tolerance);
    let mut substeps = 0;
    for _ in 0..10 {
        substeps += simulation.step().expect("stable").substeps;
    }
    let positions = simulation.state.cloth.positions;
    let apart = fine.map_or(0.0, |fine| farthest(&positions, fine));
    (substeps, apart, positions)
}

#[test]
fn an_adaptive_step_of_second_order_takes_fewer_substeps_for_the_same_error() {
    let (_, _, fine) = adaptive(Scheme::Theta, 0.5, 1e-8, None);
    let (euler, error, _) = adaptive(Scheme::Euler, 0.5, 1e-5, Some(&fine));
    for (name, scheme, theta) in super::SECOND {
        let (substeps, own, _) = adaptive(scheme, theta, 1e-5, Some(&fine));
        assert!(2 * substeps < euler, "{name}: {substeps} substeps, implicit Euler {euler}");
        assert!(own < error, "{name}: off by {own} m, implicit Euler by {error} m");
    }
}

#[test]
fn a_solver_without_schemes_says_why_and_is_left_alone() {
    every(solvers::REGISTRY, |entry| {
        let mut simulation = rippled(entry.info.id, 5, 5);
        let params = weft::sim::params::Tunable::params(&simulation.parameters.timing);
        let scheme = params.iter().find(|param| param.key == "scheme").expect("declared");
        let knows = super::solvers().any(|id| id == entry.info.id);
        assert_eq!(simulation.ignored(scheme).is_none(), knows, "{}", entry.name());
        if !knows {
            let mut plain = rippled(entry.info.id, 5, 5);
            choose(&mut simulation, Scheme::Bdf2, 0.5);
            advance(&mut simulation, 5);
            advance(&mut plain, 5);
            assert_eq!(simulation.state.cloth, plain.state.cloth);
            assert!(simulation.state.previous.of(&simulation.state.cloth).is_none());
        }
    });
}
